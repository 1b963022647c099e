"""Procedural surfaces of tables and boards: cached gray patterns, coloured anew for each photo."""

from __future__ import annotations

import colorsys
import itertools
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Gray = npt.NDArray[np.uint8]  # (h, w)
Image = npt.NDArray[np.uint8]  # (h, w, 3) RGB
Ramp = npt.NDArray[np.uint8]  # (256, 3) RGB

SIDE_PX = 2048
"""Patterns are square and this large."""

PX_PER_MM = 4.0
"""Resolution of a pattern laid at its natural size: 512 mm a side, mirrored beyond."""

TABLES = ("planks", "wood", "cloth", "marble", "plain", "speckle", "checks", "stripes", "dots", "flowers")
LEVELS = 4
"""Reductions of a pattern, each half the one before: a far surface takes a coarse one, so that it does not sparkle."""

VARIANTS = 3
"""Patterns kept of each name."""


def noise(
    rng: np.random.Generator, *, cells: tuple[int, int], octaves: int = 4, side: int = SIDE_PX
) -> npt.NDArray[np.float32]:
    """Return value noise (side, side) in about 0..1: `cells` (across, down) in the coarsest octave."""
    total = np.zeros((side, side), np.float32)
    weight, across, down, full = 1.0, cells[0], cells[1], 0.0
    for _ in range(octaves):
        grid = rng.random((min(down, side) + 3, min(across, side) + 3), dtype=np.float32)
        total += np.float32(weight) * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
        full += weight
        weight *= 0.5
        across, down = across * 2, down * 2
    return total / np.float32(full)


@lru_cache(maxsize=64)
def pattern(name: str, variant: int) -> Gray:
    """Return a gray pattern (2048, 2048) of a surface; the same arguments give the same pattern."""
    rng = np.random.default_rng((variant, *name.encode()))
    maker = {
        "planks": _planks, "wood": _wood, "board": _wood, "butcher": _planks, "cloth": _cloth, "marble": _marble,
        "plain": _plain, "speckle": _speckle, "checks": _checks, "stripes": _stripes, "dots": _dots,
        "flowers": _flowers,
    }[name]  # fmt: skip
    field = maker(rng)
    low, high = np.percentile(field[::8, ::8], (0.5, 99.5))
    gray: Gray = np.clip((field - low) / max(1e-6, high - low) * 255, 0, 255).astype(np.uint8)
    return gray


@lru_cache(maxsize=128)
def reduced(name: str, variant: int, level: int) -> Gray:
    """Return a pattern halved `level` times."""
    if level == 0:
        return pattern(name, variant)
    larger = reduced(name, variant, level - 1)
    half: Gray = cv2.resize(larger, (larger.shape[1] // 2, larger.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return half


def _wood(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    warp = noise(rng, cells=(2, 5), octaves=3)
    y = np.linspace(0, 1, SIDE_PX, dtype=np.float32)[:, None]
    rings = y * np.float32(rng.uniform(5, 22)) + warp * np.float32(rng.uniform(2, 7))
    grain = np.abs(rings % 1.0 - 0.5) * 2
    fibre = noise(rng, cells=(int(rng.integers(3, 16)), int(rng.integers(120, 420))), octaves=3)
    pores = noise(rng, cells=(int(rng.integers(20, 70)), 1000), octaves=1)
    broad = noise(rng, cells=(2, 8), octaves=3)
    a, b, c = rng.uniform(0.1, 0.7), rng.uniform(0.2, 1.0), rng.uniform(0.3, 1.0)
    return np.asarray(a * grain + b * fibre + c * broad + rng.uniform(0, 0.5) * pores**2, np.float32)


def _planks(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    field = _wood(rng)
    count = int(rng.integers(3, 11))
    edges = np.linspace(0, SIDE_PX, count + 1).astype(int)
    for top, bottom in itertools.pairwise(edges):
        shift = int(rng.integers(SIDE_PX))
        field[top:bottom] = np.roll(field[top:bottom], shift, axis=1) + np.float32(rng.normal(0, 0.15))
        field[top : top + int(rng.integers(2, 8))] -= np.float32(rng.uniform(0.2, 1.0))
    return field


def _cloth(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    t = np.arange(SIDE_PX, dtype=np.float32)
    pitch = rng.uniform(2.5, 6)
    weave = np.sin(t * 2 * np.pi / pitch)[:, None] * np.sin(t * 2 * np.pi / pitch)[None, :]
    folds = noise(rng, cells=(3, 2), octaves=3)
    return np.asarray(0.25 * weave + 0.4 * noise(rng, cells=(400, 400), octaves=2) + 1.3 * folds, np.float32)


def _marble(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    base = noise(rng, cells=(3, 3), octaves=8)
    veins = np.abs(noise(rng, cells=(4, 3), octaves=6) - 0.5)
    return np.asarray(np.minimum(veins * rng.uniform(4, 14), 1.0) + 0.5 * base, np.float32)


def _plain(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    return noise(rng, cells=(3, 3), octaves=int(rng.integers(4, 10)))


def _speckle(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    cells = int(rng.integers(200, 900))
    return np.asarray(noise(rng, cells=(cells, cells), octaves=2) ** 3 + 0.1 * noise(rng, cells=(3, 3)), np.float32)


def _checks(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    t = np.arange(SIDE_PX, dtype=np.float32) / np.float32(rng.uniform(60, 180))
    soft = rng.uniform(3, 30)
    wave = np.tanh(np.sin(t * np.pi) * soft)
    return np.asarray((wave[:, None] + wave[None, :]) + 0.5 * noise(rng, cells=(600, 600), octaves=1), np.float32)


def _stripes(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    t = np.arange(SIDE_PX, dtype=np.float32) / np.float32(rng.uniform(30, 220))
    wave = np.tanh(3 * (np.sin(t * np.pi) + rng.uniform(-0.8, 0.8)))
    return np.asarray(wave[:, None] + 0.6 * noise(rng, cells=(400, 400), octaves=2), np.float32)


def _dots(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    field = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    pitch, radius = int(rng.integers(80, 240)), float(rng.uniform(0.12, 0.42))
    for i, y in enumerate(range(0, SIDE_PX + pitch, pitch)):
        for x in range(0, SIDE_PX + pitch, pitch):
            cv2.circle(field, (x + (i % 2) * pitch // 2, y), int(pitch * radius), 1.0, -1, cv2.LINE_AA)
    return np.asarray(field + 0.2 * noise(rng, cells=(500, 500), octaves=1), np.float32)


def _flowers(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    field = 0.2 * noise(rng, cells=(20, 20), octaves=3)
    for _ in range(int(rng.integers(40, 160))):
        x, y, r = rng.uniform(0, SIDE_PX), rng.uniform(0, SIDE_PX), rng.uniform(16, 76)
        shade, turn, petals = float(rng.uniform(0.2, 1)), rng.uniform(0, 6), int(rng.integers(4, 8))
        for k in range(petals):
            a = turn + 2 * np.pi * k / petals
            at = (int(x + r * np.cos(a)), int(y + r * np.sin(a)))
            cv2.circle(field, at, int(r * 0.6), shade, -1, cv2.LINE_AA)
        cv2.circle(field, (int(x), int(y)), int(r * 0.5), float(rng.uniform(0, 1)), -1, cv2.LINE_AA)
    return field


WOODS = (
    ((58, 38, 24), (119, 84, 54)), ((90, 56, 32), (169, 112, 63)), ((112, 57, 31), (173, 107, 65)),
    ((138, 101, 57), (195, 156, 104)), ((169, 118, 74), (212, 168, 120)), ((181, 143, 98), (226, 199, 156)),
    ((176, 140, 76), (222, 193, 131)), ((163, 149, 125), (210, 198, 174)), ((33, 25, 19), (75, 59, 44)),
    ((109, 104, 98), (162, 156, 147)), ((205, 190, 165), (238, 226, 205)),
)  # fmt: skip
"""(dark, light) of walnut, acacia, cherry, oak, beech, maple, bamboo, ash, wenge, weathered, bleached wood."""


def wood_ramp(rng: np.random.Generator, *, near: Ramp | None = None) -> Ramp:
    """Return the colours of a wood; `near` asks for a wood that hardly stands out from another."""
    if near is not None:
        return _varied(near[[20, 235]].astype(np.float32) * np.float32(rng.uniform(0.85, 1.2)), rng, spread=8.0)
    dark, light = WOODS[int(rng.integers(len(WOODS)))]
    return _varied(np.array([dark, light], np.float32), rng, spread=12.0)


def table_ramp(rng: np.random.Generator, name: str) -> Ramp:
    """Return colours for a table of this pattern."""
    if name in ("planks", "wood"):
        return wood_ramp(rng)
    if name == "marble":
        ends = np.array([[120, 118, 116], [236, 233, 228]], np.float32)
        return _varied(255 - ends if rng.random() < 0.3 else ends, rng, spread=14.0)
    base = _colour(rng, saturation=(0.0, 0.9), value=(0.08, 0.97))
    if name in ("cloth", "plain", "speckle"):
        other = base * np.float32(rng.uniform(0.55, 0.92)) + np.float32(rng.uniform(0, 15))
    else:
        other = _colour(rng, saturation=(0.0, 0.8), value=(0.1, 1.0))
    return _varied(np.stack([base, other]), rng, spread=6.0)


def _colour(
    rng: np.random.Generator, *, saturation: tuple[float, float], value: tuple[float, float]
) -> npt.NDArray[np.float32]:
    return np.array(colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value)), np.float32) * 255


def _varied(ends: npt.NDArray[np.float32], rng: np.random.Generator, *, spread: float) -> Ramp:
    ends = ends + rng.normal(0, spread, 3).astype(np.float32) + rng.normal(0, spread / 3, (2, 3)).astype(np.float32)
    t = np.linspace(0, 1, 256, dtype=np.float32)[:, None] ** np.float32(rng.uniform(0.6, 1.6))
    ramp: Ramp = np.clip(ends[0] * (1 - t) + ends[1] * t, 0, 255).astype(np.uint8)
    return ramp


def laid(
    name: str,
    variant: int,
    homography: npt.NDArray[np.float64],
    *,
    box: tuple[int, int, int, int],
    place: npt.NDArray[np.float64],
) -> Gray:
    """Return a pattern as seen in the picture's `box` (left, top, right, bottom).

    `homography` takes mm on the surface to pixels (centres at .5); `place` (3, 3) takes pattern pixels to mm.
    """
    left, top, right, bottom = box
    into = np.array([[1, 0, -left - 0.5], [0, 1, -top - 0.5], [0, 0, 1.0]]) @ homography @ place
    level = int(np.clip(np.floor(np.log2(_texels(into, (right - left) / 2, (bottom - top) / 2)) + 0.4), 0, LEVELS - 1))
    grown = float(1 << level)  # of pixel centres: i of the reduced pattern lies at grown * (i + 0.5) - 0.5
    step = np.array([[grown, 0, grown / 2 - 0.5], [0, grown, grown / 2 - 0.5], [0, 0, 1.0]])
    seen: Gray = cv2.warpPerspective(
        reduced(name, variant, level),
        into @ step,
        (right - left, bottom - top),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return seen


def _texels(into: npt.NDArray[np.float64], x: float, y: float) -> float:
    """Return how many pattern pixels one picture pixel spans about (x, y)."""
    back = np.linalg.inv(into)
    corners = np.array([[x, y, 1.0], [x + 1, y, 1.0], [x, y + 1, 1.0]]) @ back.T
    at = corners[:, :2] / corners[:, 2:]
    return float(max(1e-3, np.sqrt(abs(np.linalg.det(at[1:] - at[0])))))


def placement(rng: np.random.Generator, *, turn_deg: float, scale: float = 1.0) -> npt.NDArray[np.float64]:
    """Return a matrix (3, 3) from pattern pixels to mm: turned, scaled, moved by chance."""
    c, s = np.cos(np.radians(turn_deg)) * scale / PX_PER_MM, np.sin(np.radians(turn_deg)) * scale / PX_PER_MM
    turn = np.array([[c, -s], [s, c]])
    move = turn @ (-rng.uniform(0.3, 0.7, 2) * SIDE_PX)
    return np.array([[c, -s, move[0]], [s, c, move[1]], [0, 0, 1.0]])


def coloured(gray: Gray, ramp: Ramp) -> Image:
    """Return a gray picture in the colours of a ramp (256, 3)."""
    image: Image = cv2.LUT(cv2.merge([gray, gray, gray]), ramp[:, None, :])
    return image

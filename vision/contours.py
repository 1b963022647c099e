"""Outlines of tiles that lie alone on a plain ground, drawn closer: from where a network saw them to the edge itself.

The tile network may stop at the ink of a printed margin, or include the shadow, and errs alike on all tiles of one art.
On a plain ground the edge can be seen: colours change there, and what lies outside is ground, if shaded. Each outline
is an active contour (Kass, Witkin and Terzopoulos 1988) that moves along its normals; the best closed path is found by
dynamic programming, all outlines side by side. A second pass expects every outline off by what most are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.curves import best_paths, evenly, filled, normals
from vision.faces import FACE_MM, FACE_PX, Pixels
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

_COUNT = 160
"""Points of an outline."""
_STEP_MM = 0.14
"""Half a pixel of a face's picture."""
_BEYOND_MM = 2.5
"""How far past the last place tried the ground is looked at."""
_JUMP = 3
"""Steps by which neighbouring points may differ."""
_FAINT = 0.05
"""Change of colour (0..1) over a pixel of the picture, below which nothing counts as an edge."""
_DARK = 0.03
"""Added before the logarithm of a colour: noise drowns what is darker."""
_PX_PER_MM = FACE_PX / FACE_MM


@dataclass(frozen=True, slots=True)
class ContourSettings:
    """How outlines move; reasons stand in `settings.toml`."""

    reach_mm: float
    hull_reach_mm: float
    hull_share: float
    hull_clear: float
    ground_from_mm: float
    ground_to_mm: float
    shade: float
    outside_weight: float
    stiffness: float
    near_weight: float
    alike_weight: float
    most_unlike: float


def drawn_closer(pictures: Sequence[Pixels], outlines: Sequence[Floats]) -> list[Floats]:
    """Outlines (160, 2) mm about the pictures' middles, moved to the edges that the pictures (256 px, 72 mm) show.

    `outlines` (n, 2) are those drawn so far, of tiles that lie alone on one plain ground.
    """
    if not outlines:
        return []
    settings = load_section("contours", ContourSettings)
    even = [evenly(outline, _COUNT) for outline in outlines]
    even = [_off_the_ground(p, o, settings) for p, o in zip(pictures, even, strict=True)]
    places = np.arange(-settings.reach_mm, settings.reach_mm, _STEP_MM)
    value = np.stack([_values(p, o, places, settings) for p, o in zip(pictures, even, strict=True)])
    moved = places[best_paths(value - settings.near_weight * places**2, _bends(settings))]
    common = float(np.median(np.median(moved, axis=1)))
    unlike = np.minimum(settings.alike_weight * (places - common) ** 2, settings.most_unlike)
    moved = places[best_paths(value - unlike, _bends(settings))]
    return [outline + _smooth(by)[:, None] * normals(outline, span=2) for outline, by in zip(even, moved, strict=True)]


def _off_the_ground(picture: Pixels, outline: Floats, settings: ContourSettings) -> Floats:
    """The outline drawn in to the tile where it includes much ground, as a hull does."""
    inside = np.arange(-_BEYOND_MM, 0.0, _STEP_MM)
    ground = (_strangeness(picture, outline, inside, settings) < 0.1).all(1)
    if ground.mean() < settings.hull_share:
        return outline
    places = np.arange(-settings.hull_reach_mm, settings.reach_mm, _STEP_MM)
    value = _values(picture, outline, places, settings)
    path = best_paths(value[None], _bends(settings))[0]
    if value[np.arange(_COUNT), path].mean() < settings.hull_clear:
        return outline
    return evenly(outline + _smooth(places[path])[:, None] * normals(outline, span=2), _COUNT)


def _values(picture: Pixels, outline: Floats, places: Floats, settings: ContourSettings) -> Floats:
    """How well (points, places) the edge fits at each place along each point's normal."""
    wide = np.r_[places, places[-1] + _STEP_MM * np.arange(1, round(_BEYOND_MM / _STEP_MM) + 1)]
    # Not of logarithms: on a blurred edge those are steepest on its dark side.
    colours = _looked_up(picture / 255, outline, wide)
    change = np.pad(np.linalg.norm(colours[:, 2:] - colours[:, :-2], axis=2), ((0, 0), (1, 1)))
    typical = max(_FAINT, float(np.percentile(change[:, : len(places)].max(1), 60)))
    strange = _strangeness(picture, outline, wide, settings)
    skip = 2  # the edge itself is blurred
    outside = np.cumsum(strange[:, ::-1], axis=1)[:, ::-1] * _STEP_MM
    outside = np.pad(outside[:, skip:], ((0, 0), (0, skip)), mode="edge")
    value = np.minimum(change / typical, 1.0) - settings.outside_weight * np.minimum(outside, 1.0)
    return np.asarray(value[:, : len(places)])


def _strangeness(picture: Pixels, outline: Floats, places: Floats, settings: ContourSettings) -> Floats:
    """How unlike the ground (points, places) a picture is along an outline's normals: 0 ground, shaded or not, to 1."""
    logs = np.log(picture.astype(np.float32) / 255 + _DARK)
    inside = filled((outline + FACE_MM / 2) * _PX_PER_MM, (FACE_PX, FACE_PX))
    away = cv2.distanceTransform(1 - inside, cv2.DIST_L2, 5) / _PX_PER_MM
    around = logs[(away > settings.ground_from_mm) & (away < settings.ground_to_mm)]
    ground = np.median(around, axis=0)
    shade, tint = _shade_and_tint(around - ground)
    even = max(0.08, 1.48 * float(np.median(np.abs(shade))))
    tinted = max(0.05, 1.48 * float(np.median(tint)))
    far = _looked_up(logs, outline, places[-1] + _STEP_MM * np.arange(1, 9))
    shade, tint = _shade_and_tint(_looked_up(logs, outline, places) - _ground_nearby(far, ground)[:, None])
    darker = np.where(shade < 0, max(even, settings.shade), even)
    return np.asarray(np.clip(((tint / tinted) ** 2 / 2 + (shade / darker) ** 2) / 9 - 0.5, 0, 1))


def _ground_nearby(far: Floats32, ground: Floats32) -> Floats:
    """The ground's colour (points, 3) beside each point, as its neighbours see it; `ground` where a thing lies."""
    seen = np.median(far, axis=1)
    seen = np.where(np.abs(seen - ground).max(1, keepdims=True) < 0.6, seen, ground)
    around = range(-_COUNT // 12, _COUNT // 12 + 1)
    return np.asarray(np.median(np.stack([np.roll(seen, k, axis=0) for k in around]), axis=0), np.float64)


def _shade_and_tint(logs: Floats | Floats32) -> tuple[Floats, Floats]:
    """Brightness and the length of what is left, of log colours (..., 3)."""
    shade = np.asarray(logs.mean(-1), np.float64)
    return shade, np.linalg.norm(logs - shade[..., None], axis=-1)


def _looked_up(layers: npt.NDArray[np.floating], outline: Floats, places: Floats) -> Floats32:
    """Values (points, places, 3) of layers (256, 256, 3) along an outline's normals."""
    at = outline[:, None] + places[None, :, None] * normals(outline, span=2)[:, None]
    px = ((at + FACE_MM / 2) * _PX_PER_MM - 0.5).astype(np.float32)
    values = layers.astype(np.float32)
    return cv2.remap(values, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _bends(settings: ContourSettings) -> Floats:
    """What jumps between neighbouring points cost."""
    return np.asarray(settings.stiffness * (np.arange(-_JUMP, _JUMP + 1) * _STEP_MM) ** 2, np.float64)


def _smooth(by: Floats) -> Floats:
    return np.asarray(sum(np.roll(by, k) * w for k, w in zip(range(-2, 3), (1, 2, 3, 2, 1), strict=True)) / 9)

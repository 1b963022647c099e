"""The board's edge: where the board's colours meet those of the table, carried on smoothly under the tiles.

The detector's mask tells roughly where the board is; what lies well inside it shows the board's colours, what lies well
outside the table's. The pixels between are told apart by these colours, which are then learned anew from what was
found, a few times over (as GrabCut does; Rother, Kolmogorov and Blake 2004). Tiles show neither and are left out; where
what was found bulges around one, it hangs over the edge. At last an active contour draws the edge sharply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from vision.curves import best_paths, evenly, filled, normals
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]

_BINS = 20
"""Steps of lightness and of each tint that colours are counted in."""
_LEVELS = np.arange(256)
# Tints of things on tables lie within half of their range.
_TINTS = np.clip(2 * _LEVELS - 128, 0, 255)
_STEPS = (np.stack([_LEVELS, _TINTS, _TINTS], axis=1)[None] * _BINS // 256).astype(np.uint8)
"""The step (1, 256, 3) of each level of lightness and of either tint."""
_TOO_RARE = 3e-5
"""Share of an area, below which nothing is known of a colour."""
_COARSE = 2
"""Millimetres a pixel in which the areas are told apart."""
_APART_MM = 4.0
"""Distance of the points of the contour."""
_STEP_MM = 0.5
"""Distance of the places tried for each."""
_JUMP = 4


@dataclass(frozen=True, slots=True)
class BoardEdgeSettings:
    """How the board is told from the table; reasons stand in `settings.toml`."""

    hidden_mm: float
    sure_mm: float
    near_mm: float
    far_mm: float
    even_mm: float
    clear: float
    unlike: float
    rough_weight: float
    rough_mm: float
    rounds: int
    gap_mm: float
    rim_mm: float
    straight_mm: float
    straight_deg: float
    corner_deg: float
    most_bow_mm: float
    reach_mm: float
    stiffness: float


def board_edge(picture: Pixels, rough: Pixels, tiles: Sequence[Floats]) -> Floats | None:
    """The outline (n, 2) px of the board on a picture of the plane, a millimetre a pixel; None where there is none.

    `picture` (h, w, 3) RGB is black where the photo does not reach, `rough` (h, w) 1 where the detector sees the board;
    `tiles` are outlines (n, 2) px of what hides the ground.
    """
    settings = load_section("board_edge", BoardEdgeSettings)
    hidden = np.zeros(rough.shape, np.uint8)
    for tile in tiles:
        around = Polygon(tile).buffer(settings.hidden_mm)
        hidden |= filled(shapely.get_coordinates(around.exterior)[:-1], rough.shape)
    shown = ((picture.max(2) > 0) & (hidden == 0)).astype(np.uint8)
    half = (rough.shape[1] // _COARSE, rough.shape[0] // _COARSE)
    small = [cv2.resize(layer, half, interpolation=cv2.INTER_AREA) for layer in (picture, rough, shown)]
    area, odds_of = _told_apart(small[0], small[1], small[2], settings)
    contours, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    outline = (max(contours, key=cv2.contourArea)[:, 0] + 0.5) * _COARSE
    curve = _drawn(outline.astype(float), odds_of[_colours(picture)] * shown, settings)
    return _carried_on(curve, hidden, settings)


def _colours(picture: Pixels) -> npt.NDArray[np.int32]:
    """The number of each pixel's colour, (h, w)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_RGB2LAB)
    steps = cv2.LUT(lab, _STEPS).astype(np.int32)
    return np.asarray((steps[..., 0] * _BINS + steps[..., 1]) * _BINS + steps[..., 2], np.int32)


def _shares(colours: npt.NDArray[np.int32], where: npt.NDArray[np.bool_]) -> Floats:
    """How much of an area has each colour, or one next to it; never quite none."""
    counts = np.bincount(colours[where], minlength=_BINS**3).reshape(_BINS, _BINS, _BINS).astype(float)
    for axis in range(3):
        counts = (np.roll(counts, 1, axis) + 2 * counts + np.roll(counts, -1, axis)) / 4
    return np.asarray(counts.ravel() / max(counts.sum(), 1.0) + _TOO_RARE)


def _told_apart(picture: Pixels, rough: Pixels, shown: Pixels, s: BoardEdgeSettings) -> tuple[Pixels, Floats32]:
    """The board's area, and the log-odds of each colour that it is the board's and not the table's."""
    colours, seen = _colours(picture), shown > 0
    near = np.clip(_inside_mm(rough) / s.rough_mm, -1, 1).astype(np.float32)
    expected = np.float32(s.rough_weight) * np.sin(near * np.float32(np.pi / 2))
    blur = s.even_mm / _COARSE
    weight = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), blur)
    area, margin, odds_of = rough, s.sure_mm, np.zeros(_BINS**3, np.float32)
    for _ in range(s.rounds):
        depth = _inside_mm(area)
        board = _shares(colours, seen & (depth > margin))
        table = _shares(colours, seen & (depth < -margin) & (depth > -s.far_mm))
        unlike = np.clip((1 - np.sqrt(board * table).sum()) / s.unlike, 0, 1)
        odds_of = (unlike * np.clip(np.log(board) - np.log(table), -s.clear, s.clear)).astype(np.float32)
        told = (
            cv2.GaussianBlur(odds_of[colours] * shown, (0, 0), blur) / np.maximum(weight, np.float32(0.05)) + expected
        )
        area, margin = _one_piece((told > 0).astype(np.uint8), s.gap_mm), s.near_mm
    return area, odds_of


def _inside_mm(area: Pixels) -> Floats32:
    """How far each pixel lies inside an area, negative outside."""
    padded = cv2.copyMakeBorder(area, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    inside = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    outside = cv2.distanceTransform(1 - area, cv2.DIST_L2, 5) if area.any() else np.full(area.shape, 1e3, np.float32)
    return np.asarray(_COARSE * (inside - outside), np.float32)


def _one_piece(area: Pixels, gap_mm: float) -> Pixels:
    """The largest piece of an area without its holes, narrow gaps closed and narrow tongues cut off."""
    closed = _opened(1 - _opened(1 - area, gap_mm), gap_mm)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    out = np.zeros_like(area)
    if contours:
        cv2.drawContours(out, [max(contours, key=cv2.contourArea)], -1, 1, -1)
    return out


def _opened(area: Pixels, radius_mm: float) -> Pixels:
    """An area without the parts into which no disc of a radius fits; beyond the picture it goes on as at its rim."""
    r = round(radius_mm / _COARSE)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1))
    padded = cv2.copyMakeBorder(area, r, r, r, r, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)[r:-r, r:-r], np.uint8)


def _drawn(outline: Floats, odds: Floats32, s: BoardEdgeSettings) -> Floats:
    """The outline moved to where most of what lies inside is the board's, by `odds` (h, w), and outside the table's."""
    curve = evenly(outline, max(40, round(Polygon(outline).length / _APART_MM)))
    curve = np.asarray(sum(np.roll(curve, k, axis=0) for k in (-1, 0, 1)) / 3)
    outwards = normals(curve, span=3)
    places = np.arange(-s.reach_mm, s.reach_mm + 1e-6, _STEP_MM)
    at = (curve[:, None] + places[:, None] * outwards[:, None] - 0.5).astype(np.float32)
    along = cv2.remap(odds, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    worth = np.cumsum(along, axis=1) * _STEP_MM - 0.002 * places**2
    bends = s.stiffness * (np.arange(-_JUMP, _JUMP + 1) * _STEP_MM) ** 2
    by = places[best_paths(worth[None], np.asarray(bends, np.float64))[0]]
    by = np.asarray(sum(np.roll(by, k) * w for k, w in zip((-1, 0, 1), (1, 2, 1), strict=True)) / 4)
    return curve + by[:, None] * outwards


def _carried_on(curve: Floats, hidden: Pixels, s: BoardEdgeSettings) -> Floats:
    """The curve with what tiles hide of it drawn anew, from the ends that are seen."""
    near = 2 * round(s.rim_mm) + 1
    under = cv2.dilate(hidden, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (near, near)))
    x, y = np.clip(curve.astype(int), 0, np.array(under.shape)[::-1] - 1).T
    unseen = under[y, x] > 0
    if unseen.all() or not unseen.any():
        return curve
    start = int(np.argmax(~unseen & np.roll(unseen, 1)))  # the first point seen after some that are not
    curve, unseen = np.roll(curve, -start, axis=0), np.roll(unseen, -start)
    ends = np.flatnonzero(np.diff(np.r_[unseen, False].astype(int)))
    pieces, last = [], 0
    for first, end in zip(ends[::2] + 1, ends[1::2] + 1, strict=True):
        pieces += [curve[last:first], _bridge(curve, unseen, first - 1, end % len(curve), s)]
        last = end
    return np.concatenate([*pieces, curve[last:]])


def _bridge(curve: Floats, unseen: npt.NDArray[np.bool_], a: int, b: int, s: BoardEdgeSettings) -> Floats:
    """Points between those seen at `a` and at `b`: a corner where the edge turns much, else an arc, else a line."""
    begin, end = curve[a], curve[b]
    count = max(2, round(float(np.linalg.norm(end - begin)) / _APART_MM))
    t = np.linspace(0, 1, count + 1)[1:-1, None]
    forth, back = _heading(curve, unseen, a, -1, s), _heading(curve, unseen, b, 1, s)
    turn = np.degrees(np.arccos(np.clip(-forth @ back, -1, 1)))
    if not forth.any() or not back.any() or turn < s.straight_deg:
        return (1 - t) * begin + t * end
    reach = np.linalg.lstsq(np.stack([forth, -back], 1), end - begin, rcond=None)[0]
    if reach.min() <= 0 or reach.max() > 1.5 * np.linalg.norm(end - begin):
        return (1 - t) * begin + t * end
    meet = begin + reach[0] * forth
    if turn >= s.corner_deg:
        return meet[None]
    bow = meet - (begin + end) / 2
    meet = meet - bow * (1 - min(1.0, 2 * s.most_bow_mm / float(np.linalg.norm(bow))))
    return (1 - t) ** 2 * begin + 2 * t * (1 - t) * meet + t**2 * end


def _heading(curve: Floats, unseen: npt.NDArray[np.bool_], at: int, step: int, s: BoardEdgeSettings) -> Floats:
    """Where the points seen lead that end at `at`, looked at by `step`: a unit vector (2,), zero where they are few."""
    index = (at + step * np.arange(round(s.straight_mm / _APART_MM))) % len(curve)
    seen = int(np.argmax(np.r_[unseen[index], True]))
    points = curve[index[:seen]]
    if len(points) < 3:
        return np.zeros(2)
    along = np.linalg.svd(points - points.mean(0))[2][0]
    return np.asarray(along * np.sign(along @ (points[0] - points[-1])))

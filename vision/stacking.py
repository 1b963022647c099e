"""Who lies on whom, and who touches whom, from the footprints and from whose face is seen where two overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from scoring.geometry import near_pairs
from vision.crops import SEEN, TileLook
from vision.leaning import Lean
from vision.settings import load_section
from vision.shown import Shown

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two tiles close together: indices, gap (mm, negative where they overlap by that depth), and who is seen on top.

    `upper` is the evidence that `a` lies over `b`: 1 sure, -1 the other way round, 0 where neither lies on the other.
    """

    a: int
    b: int
    gap_mm: float
    overlap_mm2: float
    upper: float


@dataclass(frozen=True, slots=True)
class StackingSettings:
    """What counts as lying over another; reasons stand in `settings.toml`."""

    sliver_mm: float
    thin_mm: float
    thin_evidence: float
    clear_evidence: float
    print_weight: float


def meetings(
    polygons: Sequence[Polygon],
    looks: Sequence[TileLook],
    leans: Sequence[Lean],
    shown: Sequence[Shown | None],
    *,
    within_mm: float,
) -> list[Meeting]:
    """All pairs of tiles nearer than `within_mm`; a thin overlap is an edge that meets, unless it is clearly seen.

    `shown` holds the prints of those tiles whose print was laid.
    """
    settings = load_section("stacking", StackingSettings)
    array = np.array(polygons, dtype=object)
    return [_meeting(i, j, polygons, looks, leans, shown, settings) for i, j in near_pairs(array, within_mm=within_mm)]


def _meeting(
    i: int,
    j: int,
    polygons: Sequence[Polygon],
    looks: Sequence[TileLook],
    leans: Sequence[Lean],
    shown: Sequence[Shown | None],
    settings: StackingSettings,
) -> Meeting:
    common = shapely.intersection(polygons[i], polygons[j])
    core = shapely.buffer(common, -settings.sliver_mm / 2) if common.area > 0 else common
    if core.area <= 0:
        gap = float(shapely.distance(polygons[i], polygons[j]))
        depth = common.area / max(common.length / 2, 1e-6) if common.area > 0 else 0.0
        return Meeting(i, j, gap - depth, float(common.area), 0.0)
    points = grid_points(common, 1.0)
    ours, theirs = (leans[k].apparent(points) for k in (i, j))
    upper = float(np.mean(looks[i].sample(SEEN, ours) - looks[j].sample(SEEN, theirs)))
    if abs(upper) < settings.clear_evidence:
        upper += settings.print_weight * _by_prints(shown[i], shown[j], ours, theirs)
    depth = _depth(common)
    flush = depth < settings.thin_mm and abs(upper) < settings.thin_evidence
    return Meeting(i, j, -depth, float(common.area), 0.0 if flush else float(np.clip(upper, -1, 1)))


def _by_prints(a: Shown | None, b: Shown | None, ours: Floats, theirs: Floats) -> float:
    """How much better the print of a than that of b fits what is seen in an overlap, about 1 where it is clear."""
    if a is None or b is None:
        return 0.0
    return float(np.mean(np.log1p(b.misfit(theirs)) - np.log1p(a.misfit(ours))))


def _depth(common: Polygon) -> float:
    """Half the width of an overlap: how far one must move to leave the other, roughly."""
    return float(2 * common.area / max(common.length, 1e-6))


def grid_points(area: Polygon, step_mm: float) -> Floats:
    """Points (n, 2) of a grid inside an area; its centroid where the grid misses it."""
    x0, y0, x1, y1 = area.bounds
    x, y = np.meshgrid(np.arange(x0 + step_mm / 2, x1, step_mm), np.arange(y0 + step_mm / 2, y1, step_mm))
    points = np.c_[x.ravel(), y.ravel()]
    inside = points[shapely.contains_xy(area, points[:, 0], points[:, 1])] if len(points) else points
    return inside if len(inside) else np.array([[area.centroid.x, area.centroid.y]])


def order_of(met: Sequence[Meeting]) -> list[tuple[int, int]]:
    """Pairs (upper, lower) of the tiles that lie over one another."""
    return [(m.a, m.b) if m.upper > 0 else (m.b, m.a) for m in met if m.upper != 0]


def visible_shares(polygons: Sequence[Polygon], over: Sequence[tuple[int, int]]) -> list[float]:
    """Share of each footprint that no tile above it covers."""
    shares = []
    for i, polygon in enumerate(polygons):
        above = [polygons[u] for u, lower in over if lower == i]
        covered = shapely.intersection(shapely.union_all(above), polygon).area if above else 0.0
        shares.append(1.0 - covered / polygon.area)
    return shares

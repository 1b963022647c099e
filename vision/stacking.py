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


def meetings(
    polygons: Sequence[Polygon], looks: Sequence[TileLook], leans: Sequence[Lean], *, within_mm: float, sliver_mm: float
) -> list[Meeting]:
    """All pairs of tiles nearer than `within_mm`; an overlap thinner than `sliver_mm` is an edge that meets."""
    array = np.array(polygons, dtype=object)
    return [_meeting(i, j, polygons, looks, leans, sliver_mm) for i, j in near_pairs(array, within_mm=within_mm)]


def _meeting(
    i: int, j: int, polygons: Sequence[Polygon], looks: Sequence[TileLook], leans: Sequence[Lean], sliver_mm: float
) -> Meeting:
    common = shapely.intersection(polygons[i], polygons[j])
    core = shapely.buffer(common, -sliver_mm / 2) if common.area > 0 else common
    if core.area <= 0:
        gap = float(shapely.distance(polygons[i], polygons[j]))
        depth = common.area / max(common.length / 2, 1e-6) if common.area > 0 else 0.0
        return Meeting(i, j, gap - depth, float(common.area), 0.0)
    points = grid_points(common, 1.0)
    ours, theirs = (looks[k].sample(SEEN, leans[k].apparent(points)) for k in (i, j))
    return Meeting(i, j, -_depth(common), float(common.area), float(np.mean(ours - theirs)))


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

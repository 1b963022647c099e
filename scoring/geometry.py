"""Polygons in mm: outlines from points, gaps, overlaps, and how far a shape hangs over an edge.

Array functions over shapely 2: one call for all tiles. Coordinates are (n, 2), mm, x right, y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

Geometries = npt.NDArray[Any]  # (n,) object array of shapely geometries

# Far beyond any table; keeps areas and distances well inside the precision of a double.
MAX_COORDINATE = 1e6
# Networks and cameras give a few hundred points an outline; a bound keeps a hostile file from costing minutes.
MAX_POINTS = 5000


def outline_points(value: object) -> npt.NDArray[np.float64] | str:
    """Return an outline's points (n, 2), or in words what is wrong with them.

    >>> outline_points([[0, 0], [1, 0], [0, 1]]).shape
    (3, 2)
    >>> outline_points([[0, 0], [1, 0], [1, "x"]])
    'a list in which some point is no pair of numbers'
    """
    if not isinstance(value, list | tuple):
        return "no list of points"
    if len(value) < 3:
        return f"a list of {len(value)} points"
    if len(value) > MAX_POINTS:
        return f"a list of {len(value)} points"
    # Sets of types and lengths: a tenth of the time of a loop, and an outline has a hundred points.
    if not set(map(type, value)) <= {list, tuple} or set(map(len, value)) != {2}:
        return "a list in which some point is no pair of numbers"
    if not set(map(type, chain.from_iterable(value))) <= {int, float}:
        return "a list in which some point is no pair of numbers"
    try:
        points = np.fromiter(chain.from_iterable(value), dtype=np.float64, count=2 * len(value)).reshape(-1, 2)
    except OverflowError:
        return "a list with a number beyond all bounds"
    if not np.isfinite(points).all():
        return "a list with NaN or an infinite number"
    if np.abs(points).max() > MAX_COORDINATE:
        return f"a list with the coordinate {np.abs(points).max():g}"
    return points


def outline_fault(polygon: Polygon) -> str | None:
    """Return in words what is wrong with a polygon made of an outline, or None.

    >>> outline_fault(Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]))
    'crossing itself at (1, 1)'
    """
    if shapely.is_valid(polygon) and polygon.area > 0:
        return None
    reason = shapely.is_valid_reason(polygon)
    if "Self-intersection" in reason and polygon.area > 0:
        return f"crossing itself at ({', '.join(_short(reason))})"
    if polygon.area == 0:
        figure_of_eight = "Self-intersection" in reason and shapely.convex_hull(polygon).area > 0
        return f"crossing itself at ({', '.join(_short(reason))})" if figure_of_eight else "an empty outline of area 0"
    return "an outline that touches or crosses itself"


def _short(reason: str) -> list[str]:
    numbers = reason.partition("[")[2].rstrip("]").split()
    return [f"{float(number):.4g}" for number in numbers]


def as_array(polygons: Sequence[Polygon]) -> Geometries:
    """Return polygons as an object array (n,).

    >>> as_array([]).shape
    (0,)
    """
    array = np.empty(len(polygons), dtype=object)
    array[:] = polygons
    return array


def near_pairs(polygons: Geometries, *, within_mm: float) -> list[tuple[int, int]]:
    """Return the index pairs (i < j) of polygons that overlap, meet, or lie at most `within_mm` apart.

    >>> squares = as_array([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1), shapely.box(5, 0, 6, 1)])
    >>> near_pairs(squares, within_mm=0.0)
    [(0, 1)]
    """
    first, second = _box_pairs(polygons, within_mm)
    shapely.prepare(polygons)
    near = shapely.dwithin(polygons[first], polygons[second], within_mm)
    return list(zip(first[near].tolist(), second[near].tolist(), strict=True))


def _box_pairs(polygons: Geometries, within_mm: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    boxes = shapely.bounds(polygons).reshape(-1, 4)
    low, high = boxes[:, :2] - within_mm / 2, boxes[:, 2:] + within_mm / 2
    meet = (low[:, None] <= high[None]).all(-1)
    first, second = np.nonzero(np.triu(meet & meet.T, k=1))
    return first, second


def overhang(polygons: Geometries, outline: Polygon) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how deep (mm) and with what area (mm²) each polygon hangs outside an outline, both (n,).

    The depth is the greatest distance of a hanging point from the outline; 0 and 0 for a polygon inside it.

    >>> depth, area = overhang(as_array([shapely.box(8, 0, 12, 1), shapely.box(1, 1, 2, 2)]), shapely.box(0, 0, 10, 10))
    >>> depth.tolist(), area.tolist()
    ([2.0, 0.0], [2.0, 0.0])
    """
    depth, area = np.zeros(len(polygons)), np.zeros(len(polygons))
    shapely.prepare(outline)
    outside = np.nonzero(~shapely.covers(outline, polygons))[0] if len(polygons) else np.zeros(0, dtype=np.intp)
    for index in outside.tolist():
        hanging = shapely.difference(polygons[index], outline)
        area[index] = hanging.area
        depth[index] = shapely.distance(shapely.points(shapely.get_coordinates(hanging)), outline).max(initial=0.0)
    return depth, area


def turned(polygon: Polygon, *, angle_deg: float, shift_mm: tuple[float, float] = (0.0, 0.0)) -> Polygon:
    """Return a polygon turned about its centroid (clockwise as seen, y pointing down) and then shifted.

    >>> [round(v, 6) for v in turned(shapely.box(0, 0, 2, 4), angle_deg=90).bounds]
    [-1.0, 1.0, 3.0, 3.0]
    """
    angle = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    centre = np.array([polygon.centroid.x, polygon.centroid.y])
    moved: Polygon = shapely.transform(polygon, lambda points: (points - centre) @ turn + centre + np.array(shift_mm))
    return moved

"""How stacked cardboard comes to rest: one rigid plane for each tile.

A tile's underside is the plane z = a x + b y + c (mm, z up, 0 on the board). It must not pass below what carries
it: the tops of the tiles it lies on, the board, and the table where it hangs over the edge. Of all such planes a
tile takes the one that is lowest under its centre of mass. That is a linear programme in a, b, c, and its answer
is the facet of the upper hull of the carrying points that lies over the centre: the three points it rests on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

Points = npt.NDArray[np.float64]

FEASIBLE_MM = 1e-6
"""How far a carrying point may stick out of a plane that is counted as resting on it: rounding only."""

RESTS_MM = 0.01
"""The deepest a carrying point may press into a tile at the end of the search; cardboard gives far more."""

THIN_MM2 = 1.0
"""Triangles of carrying points with less than half this area are too thin to fix a plane."""

MOST_ROUNDS = 40
"""Points added to the search one by one; boards of 24 tiles need 12 at most."""


class LeanError(ValueError):
    """The tiles lie on each other in a ring, so that none can be laid first."""

    code = "lean_ring"


@dataclass(frozen=True, slots=True)
class Plane:
    """The underside z = a x + b y + c of a tile, mm."""

    a: float = 0.0
    b: float = 0.0
    c: float = 0.0

    def at(self, points: Points) -> npt.NDArray[np.float64]:
        """Return the heights (n,) over points (n, 2)."""
        heights: npt.NDArray[np.float64] = points[:, 0] * self.a + points[:, 1] * self.b + self.c
        return heights

    @property
    def normal(self) -> npt.NDArray[np.float64]:
        """Return the unit normal (3,), pointing up."""
        up = np.array([-self.a, -self.b, 1.0])
        unit: npt.NDArray[np.float64] = up / np.linalg.norm(up)
        return unit

    @property
    def lean_deg(self) -> float:
        """Return the angle between the tile and the board."""
        return math.degrees(math.acos(min(1.0, float(self.normal[2]))))

    def raised(self, thickness_mm: float) -> Plane:
        """Return the plane of the top face, `thickness_mm` away along the normal."""
        return Plane(self.a, self.b, self.c + thickness_mm / float(self.normal[2]))


def rest_on(points: Points, center: Points) -> Plane:
    """Return the plane that stays above `points` (n, 3) and is lowest over `center` (2,).

    `center` must lie inside the points' outline as seen from above, else the plane has no lowest place and a flat
    one on the highest point is returned. Ties (the centre over an edge of the hull) give the flattest plane.
    """
    flat = Plane(0.0, 0.0, float(points[:, 2].max()))
    level = points[points[:, 2] >= flat.c - FEASIBLE_MM]
    if _covers(level[:, :2], center):
        return flat
    chosen = list(_first_carriers(points))
    for _ in range(MOST_ROUNDS):
        plane = _lowest(points[chosen], center)
        if plane is None:
            return flat
        gap = plane.at(points[:, :2]) - points[:, 2]
        deepest = int(np.argmin(gap))
        if gap[deepest] > -RESTS_MM or deepest in chosen:
            return plane
        chosen.append(deepest)
    return flat


def _lowest(points: Points, center: Points) -> Plane | None:
    """Try every triangle of `points` (n, 3): a few dozen points at most, so no solver is needed."""
    index = np.array(list(itertools.combinations(range(len(points)), 3)), dtype=np.intp)
    triangles = points[index]
    matrix = np.concatenate([triangles[:, :, :2], np.ones((len(triangles), 3, 1))], axis=2)
    sound = np.abs(np.linalg.det(matrix)) > THIN_MM2
    if not sound.any():
        return None
    planes = np.linalg.solve(matrix[sound], triangles[sound][:, :, 2:])[:, :, 0]  # (m, 3)
    slack = planes[:, :2] @ points[:, :2].T + planes[:, 2:] - points[:, 2]
    planes = planes[slack.min(axis=1) > -FEASIBLE_MM]
    if len(planes) == 0:
        return None
    height = planes[:, :2] @ center + planes[:, 2]
    slope = np.hypot(planes[:, 0], planes[:, 1])
    best = planes[np.lexsort((slope, np.round(height, 4)))[0]]
    return Plane(float(best[0]), float(best[1]), float(best[2]))


def _covers(points: Points, center: Points) -> bool:
    if len(points) < 3:
        return False
    return bool(shapely.covers(shapely.convex_hull(shapely.multipoints(points)), shapely.points(*center)))


def _first_carriers(points: Points, directions: int = 8) -> npt.NDArray[np.intp]:
    """Return indices of the outermost and the highest points: where the search for three begins."""
    turns = np.linspace(0.0, 2.0 * np.pi, directions, endpoint=False)
    rays = np.stack([np.cos(turns), np.sin(turns)])
    far = np.argmax(points[:, :2] @ rays, axis=0)
    high = np.flatnonzero(points[:, 2] >= points[:, 2].max() - FEASIBLE_MM)
    chosen: npt.NDArray[np.intp] = np.unique(np.concatenate([far, high[np.argmax(points[high, :2] @ rays, axis=0)]]))
    return chosen


def settle(
    footprints: Mapping[str, Points],
    over: Sequence[tuple[str, str]],
    *,
    thickness_mm: float,
    board: Any = None,
    drop_mm: float = 0.0,
) -> dict[str, Plane]:
    """Return the underside plane of each tile, the lowest tiles laid first.

    `footprints[id]` is (n, 2) mm; `over` holds (upper, lower). `board` is a shapely polygon; where a tile hangs
    over its edge it may sink to `-drop_mm`. Without a board everything lies on the plane z = 0. Raises
    `LeanError` when `over` has a ring.
    """
    below: dict[str, list[str]] = {name: [] for name in footprints}
    for upper, lower in over:
        below[upper].append(lower)
    shapes = {name: shapely.make_valid(shapely.polygons(points)) for name, points in footprints.items()}
    planes: dict[str, Plane] = {}
    while len(planes) < len(footprints):
        ready = [name for name in footprints if name not in planes and all(low in planes for low in below[name])]
        if not ready:
            raise LeanError(f"tiles {sorted(set(footprints) - set(planes))} lie on each other in a ring")
        for name in ready:
            carriers = [_ground(footprints[name], shapes[name], board, drop_mm)]
            carriers += [_top(shapes[name], shapes[low], planes[low].raised(thickness_mm)) for low in below[name]]
            center = np.array(shapes[name].centroid.coords[0])
            planes[name] = rest_on(np.concatenate(carriers), center)
    return planes


def _ground(footprint: Points, shape: Any, board: Any, drop_mm: float) -> Points:
    """Return what the board and the table offer: points (n, 3) at 0 on the board, at -drop beside it."""
    if board is None or shapely.covers(board, shape):
        return np.column_stack([footprint, np.zeros(len(footprint))])
    on_board = shapely.get_coordinates(shapely.intersection(shape, board))
    outside = footprint[~shapely.contains_xy(board, footprint)]
    return np.concatenate(
        [
            np.column_stack([on_board, np.zeros(len(on_board))]),
            np.column_stack([outside, np.full(len(outside), -drop_mm)]),
        ]
    )


def _top(shape: Any, lower: Any, top: Plane) -> Points:
    """Return the corners (n, 3) of the region where a tile covers a lower one, at the lower one's top."""
    places = shapely.get_coordinates(shapely.intersection(shape, lower))
    return np.column_stack([places, top.at(places)]) if len(places) else np.empty((0, 3))

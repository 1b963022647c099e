"""Tiles that lie on others lean, and a raised face looks displaced: from where it looks to be to where it is.

A tile over others touches the board at one side and rests on them, as low as it can, or lies level on them. A point
raised by z over the plane of the faces, seen from a camera `height_mm` above the plane's origin, looks moved away from
that origin by the factor height / (height - z): at 30 degrees of tilt by 1.2 mm for a tile of 2 mm, more than the gap
that tells touching from apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

Floats = npt.NDArray[np.float64]

_MAX_SLOPE = 0.35
_MIN_ARM_MM = 3.0
_ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_WAYS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)
"""Ways (48, 2) in which a tile may lean that are tried."""


@dataclass(frozen=True, slots=True)
class Lean:
    """How a tile's face lies: its height over the plane of the faces is `slope` . p + `offset` mm, never under 0."""

    slope: tuple[float, float]
    offset: float
    camera_height_mm: float

    def height(self, points: Floats) -> Floats:
        """Heights (n,) mm of the face over ground points (n, 2)."""
        return np.asarray(np.clip(points @ np.array(self.slope) + self.offset, 0.0, 0.2 * self.camera_height_mm))

    def apparent(self, ground: Floats) -> Floats:
        """Where points (n, 2) of the face look to be in the plane."""
        return ground * (self.camera_height_mm / (self.camera_height_mm - self.height(ground)))[:, None]

    def ground(self, apparent: Floats) -> Floats:
        """Where points (n, 2) that look to be there are."""
        points = apparent
        for _ in range(3):
            points = apparent * (1 - self.height(points) / self.camera_height_mm)[:, None]
        return points


def flat(camera_height_mm: float) -> Lean:
    """The lean of a tile that lies on the board."""
    return Lean((0.0, 0.0), 0.0, camera_height_mm)


def leans(
    polygons: Sequence[Polygon], over: Sequence[tuple[int, int]], *, thickness_mm: float, camera_height_mm: float
) -> list[Lean]:
    """How each tile leans, given who lies over whom (upper, lower); rings of tiles are cut where they close."""
    out: dict[int, Lean] = {}

    def lean_of(i: int, trail: frozenset[int]) -> Lean:
        if i in out:
            return out[i]
        below = [
            (low, lean_of(low, trail | {i})) for upper, low in over if upper == i and low not in trail and low != i
        ]
        lean = _resting(polygons[i], [(polygons[low], lean) for low, lean in below], thickness_mm, camera_height_mm)
        out[i] = lean
        return lean

    for i in range(len(polygons)):
        lean_of(i, frozenset())
    return [out[i] for i in range(len(polygons))]


def _resting(
    tile: Polygon, below: Sequence[tuple[Polygon, Lean]], thickness_mm: float, camera_height_mm: float
) -> Lean:
    """The lean in which the middle of a tile lies lowest: leans on one side after the other are tried."""
    points, heights = [np.zeros((0, 2))], [np.zeros(0)]
    for polygon, lean in below:
        common = shapely.intersection(tile, polygon)
        if common.area > 1.0:
            at = shapely.get_coordinates(common)
            points.append(at)
            heights.append(lean.height(at) + thickness_mm)
    at, need = np.concatenate(points), np.concatenate(heights)
    if len(at) == 0:
        return flat(camera_height_mm)
    edge, center = shapely.get_coordinates(tile), np.array(tile.centroid.coords[0])
    low = (edge @ _WAYS.T).min(0)
    slopes = (need[:, None] / np.maximum(at @ _WAYS.T - low, _MIN_ARM_MM)).max(0)
    middle = slopes * (_WAYS @ center - low)
    best = int(middle.argmin())
    if need.max() <= middle[best]:
        return Lean((0.0, 0.0), float(need.max()), camera_height_mm)
    slope = min(float(slopes[best]), _MAX_SLOPE)
    way = slope * _WAYS[best]
    lift = max(0.0, float((need - slope * (at @ _WAYS[best] - low[best])).max()))
    return Lean((float(way[0]), float(way[1])), lift - slope * float(low[best]), camera_height_mm)

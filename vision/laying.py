"""How the tiles lie: full footprints, who leans on whom, and who meets whom, each from the others in two rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from shapely import Polygon

from vision.crops import TileLook
from vision.leaning import Lean, flat, leans
from vision.outlines import Edge, Footprint, fit_footprints
from vision.shown import Shown
from vision.stacking import Meeting, meetings, order_of

Floats = npt.NDArray[np.float64]

_NEAR_MM = 6.0
"""Tiles further apart do not meet: three times the smallest gap that counts as one."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Tiles as they lie, in order: footprints in plane mm, how each leans, and the meetings of those close together."""

    polygons: list[Polygon]
    leans: list[Lean]
    met: list[Meeting]

    @property
    def over(self) -> list[tuple[int, int]]:
        """Pairs (upper, lower) of indices."""
        return order_of(self.met)


def lay_out(
    looks: Sequence[TileLook],
    edges: Sequence[Edge],
    shapes: Sequence[str],
    names: Sequence[str],
    *,
    camera_height_mm: float,
    thickness_mm: float,
    known: Mapping[str, Floats] = MappingProxyType({}),
    shown: Sequence[Shown | None] = (),
) -> Laid:
    """Fit the footprints as if all tiles lay flat, see who lies on whom, then fit again where leaning tiles truly lie.

    `looks`, `edges`, `shapes` and `names` (kinds, as far as known) belong to the same tiles, in order; `known` holds
    outlines (n, 2) mm of kinds, about their centroids, where the player's copy is known, and `shown` the tiles' prints.
    """
    prints = shown or [None] * len(looks)
    lying = [flat(camera_height_mm)] * len(looks)
    polygons = _polygons(edges, shapes, names, known)
    met = meetings(polygons, looks, lying, prints, within_mm=_NEAR_MM)
    lying = leans(polygons, order_of(met), thickness_mm=thickness_mm, camera_height_mm=camera_height_mm)
    polygons = _polygons([edge.laid(lean) for edge, lean in zip(edges, lying, strict=True)], shapes, names, known)
    return Laid(polygons, lying, meetings(polygons, looks, lying, prints, within_mm=_NEAR_MM))


def _polygons(
    edges: Sequence[Edge], shapes: Sequence[str], names: Sequence[str], known: Mapping[str, Floats]
) -> list[Polygon]:
    return [_polygon(footprint) for footprint in fit_footprints(edges, shapes, names, known)]


def _polygon(footprint: Footprint) -> Polygon:
    polygon = Polygon(footprint.outline).buffer(0)
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon

"""How the tiles lie: full footprints, who leans on whom, and who meets whom, each from the others in two rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from shapely import Polygon

from vision.leaning import Lean, leans
from vision.outlines import Edge, Footprint, fit_footprints
from vision.seams import Pair, Seam
from vision.stacking import Meeting, meetings, order_of

Floats = npt.NDArray[np.float64]


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
    edges: Sequence[Edge],
    shapes: Sequence[str],
    names: Sequence[str],
    *,
    camera_height_mm: float,
    thickness_mm: float,
    seams_of: Callable[[Sequence[Floats]], Mapping[Pair, Seam]],
    known: Mapping[str, Floats] = MappingProxyType({}),
) -> Laid:
    """Fit the footprints as if all tiles lay flat, see who lies on whom, then fit again where leaning tiles truly lie.

    `edges`, `shapes` and `names` (kinds, as far as known) belong to the same tiles, in order; `known` holds outlines
    (n, 2) mm of kinds, about their centroids, where the player's copy is known; `seams_of` tells what is seen where two
    outlines (n, 2) mm, as they look, meet.
    """
    polygons = _polygons(edges, shapes, names, known)
    seams = seams_of([np.asarray(polygon.exterior.coords)[:-1] for polygon in polygons])
    over = order_of(meetings(polygons, seams))
    lying = leans(polygons, over, thickness_mm=thickness_mm, camera_height_mm=camera_height_mm)
    polygons = _polygons([edge.laid(lean) for edge, lean in zip(edges, lying, strict=True)], shapes, names, known)
    return Laid(polygons, lying, meetings(polygons, seams))


def _polygons(
    edges: Sequence[Edge], shapes: Sequence[str], names: Sequence[str], known: Mapping[str, Floats]
) -> list[Polygon]:
    return [_polygon(footprint) for footprint in fit_footprints(edges, shapes, names, known)]


def _polygon(footprint: Footprint) -> Polygon:
    polygon = Polygon(footprint.outline).buffer(0)
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon

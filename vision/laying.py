"""How the tiles lie: full footprints, who leans on whom, and who meets whom, each from the others in two rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import shapely
import shapely.affinity
from shapely import Polygon

from vision.leaning import Lean, leans
from vision.outlines import Edge, Footprint, fit_footprints
from vision.seams import Pair, Seam
from vision.stacking import Meeting, meetings, order_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Laid:
    """Tiles as they lie, in order: outlines in plane mm, how each leans, and the meetings of those close together.

    `footprints` are the outlines as they can lie: those of tiles beside each other do not overlap.
    """

    polygons: list[Polygon]
    leans: list[Lean]
    met: list[Meeting]
    footprints: list[Polygon]

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
    return Laid(polygons, lying, meetings(polygons, seams), moved_apart(polygons, seams))


def moved_apart(polygons: Sequence[Polygon], seams: Mapping[Pair, Seam]) -> list[Polygon]:
    """Outlines, those of tiles that are seen beside each other moved off each other where they overlap a little.

    Each of the two is moved by half of it. Overlaps of more than `_MOST_MM` are left: there something else is wrong.
    """
    out = list(polygons)
    for _ in range(_ROUNDS):
        shift = np.zeros((len(out), 2))
        for m in meetings(out, seams):
            if m.upper == 0 and m.overlap_mm2 > 0 and -m.gap_mm < _MOST_MM:
                way = _across(shapely.intersection(out[m.a], out[m.b]), out[m.a], out[m.b])
                shift[m.a] += 0.5 * m.gap_mm * way
                shift[m.b] -= 0.5 * m.gap_mm * way
        out = [shapely.affinity.translate(p, *by) if by.any() else p for p, by in zip(out, shift, strict=True)]
    return out


_ROUNDS = 2
_MOST_MM = 2.5


def _across(common: Polygon, a: Polygon, b: Polygon) -> Floats:
    """The unit vector (2,) across the strip in which a and b overlap, from a to b."""
    box = shapely.get_coordinates(shapely.minimum_rotated_rectangle(common))
    sides = np.diff(box[:3], axis=0)
    lengths = np.linalg.norm(sides, axis=1)
    short = sides[int(lengths.argmin())]
    towards = np.subtract(b.centroid.coords[0], a.centroid.coords[0])
    way = short if lengths.min() > 0 else towards
    unit = way / max(float(np.linalg.norm(way)), 1e-9)
    return np.asarray(unit if unit @ towards >= 0 else -unit)


def _polygons(
    edges: Sequence[Edge], shapes: Sequence[str], names: Sequence[str], known: Mapping[str, Floats]
) -> list[Polygon]:
    return [_polygon(footprint) for footprint in fit_footprints(edges, shapes, names, known)]


def _polygon(footprint: Footprint) -> Polygon:
    polygon = Polygon(footprint.outline).buffer(0)
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon

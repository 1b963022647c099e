"""Who lies on whom, who touches whom, and what is then seen of each tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from vision.seams import Pair, Seam
from vision.settings import load_section


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two tiles close together: indices, gap (mm, negative where they overlap by that depth), overlap (mm2).

    `touching` is the probability that they touch or lie over each other; `upper` the evidence that `a` lies over `b`: 1
    sure, -1 the other way round, 0 where neither lies on the other.
    """

    a: int
    b: int
    gap_mm: float
    overlap_mm2: float
    touching: float
    upper: float

    @property
    def touches(self) -> bool:
        """Whether the two touch, or one lies over the other."""
        return self.upper != 0 or self.touching > 0.5


@dataclass(frozen=True, slots=True)
class StackingSettings:
    """How much a gap says beside what is seen; reasons stand in `settings.toml`."""

    gap_weight: float
    even_gap_mm: float


def meetings(polygons: Sequence[Polygon], seams: Mapping[Pair, Seam]) -> list[Meeting]:
    """The pairs of tiles with a seam; one lies over the other only where their footprints overlap as well."""
    settings = load_section("stacking", StackingSettings)
    return [_meeting(i, j, polygons[i], polygons[j], seam, settings) for (i, j), seam in seams.items()]


def _meeting(i: int, j: int, a: Polygon, b: Polygon, seam: Seam, settings: StackingSettings) -> Meeting:
    common = shapely.intersection(a, b)
    gap_mm = -_depth(common) if common.area > 0 else float(shapely.distance(a, b))
    over = seam.first_over + seam.second_over
    lying = common.area > 0 and over > 0.5
    upper = (seam.first_over - seam.second_over) / over if lying else 0.0
    return Meeting(i, j, gap_mm, float(common.area), _touching(seam, gap_mm, settings), upper)


def _touching(seam: Seam, gap_mm: float, settings: StackingSettings) -> float:
    """Probability of a contact, from what is seen and from the gap between the footprints as they lie."""
    seen = np.log(max(1 - seam.apart, _LEAST)) - np.log(max(seam.apart, _LEAST))
    return float(1 / (1 + np.exp(settings.gap_weight * (gap_mm - settings.even_gap_mm) - seen)))


_LEAST = 1e-6


def _depth(common: Polygon) -> float:
    """Half the width of an overlap: how far one must move to leave the other, roughly."""
    return float(2 * common.area / max(common.length, 1e-6))


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

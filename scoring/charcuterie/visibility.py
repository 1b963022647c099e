"""How much of each tile can be seen, and how much of it lies on the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.geometry import as_array, near_pairs

# Outlines that only meet overlap by a rounding of coordinates or an error of measurement, up to about 0.3 mm.
SLIVER_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Overlaps:
    """What the tiles above cover of a tile, and what of it lies on tiles below: pieces of its footprint.

    `complete` is False where some tile above or below it has no footprint.
    """

    footprint: Polygon
    above: tuple[Polygon, ...]
    below: tuple[Polygon, ...]
    lower: tuple[Polygon, ...]
    above_mm2: float
    below_mm2: float
    complete: bool

    @property
    def visible_at_least(self) -> float:
        """A bound of the visible share from the areas alone: exact where no two pieces overlap."""
        return 1.0 - self.above_mm2 / float(self.footprint.area)

    @property
    def visible(self) -> float:
        """The visible share: 1 - (union of what the tiles above it cover) / (its area)."""
        if len(self.above) < 2:
            return min(1.0, max(0.0, self.visible_at_least))
        covered: float = shapely.union_all(list(self.above)).area
        return min(1.0, max(0.0, 1.0 - covered / float(self.footprint.area)))


def overlaps_of(board: Board) -> dict[str, Overlaps]:
    """Return the overlaps of every tile that has a footprint.

    >>> from scoring.charcuterie.placement import Placement
    >>> tiles = (Placement("low", "ranch", shapely.box(0, 0, 4, 4)), Placement("up", "swiss", shapely.box(3, 0, 7, 4)))
    >>> overlaps_of(Board(tiles, over=(("up", "low"),)))["low"].visible
    0.75
    """
    footprints = {p.id: p.footprint for p in board.placements if p.footprint is not None}
    known = [(upper, lower) for upper, lower in board.over if upper in footprints and lower in footprints]
    pieces = _intersections([footprints[u] for u, _ in known], [footprints[w] for _, w in known])
    above: dict[str, list[Polygon]] = {tile: [] for tile in footprints}
    below: dict[str, list[Polygon]] = {tile: [] for tile in footprints}
    lower_tiles: dict[str, list[Polygon]] = {tile: [] for tile in footprints}
    for (upper, lower), piece in zip(known, pieces, strict=True):
        above[lower].append(piece)
        below[upper].append(piece)
        lower_tiles[upper].append(footprints[lower])
    incomplete = {tile for pair in board.over if pair not in set(known) for tile in pair}
    return {
        tile: Overlaps(
            footprint=footprint,
            above=tuple(above[tile]),
            below=tuple(below[tile]),
            lower=tuple(lower_tiles[tile]),
            above_mm2=sum(piece.area for piece in above[tile]),
            below_mm2=sum(piece.area for piece in below[tile]),
            complete=tile not in incomplete,
        )
        for tile, footprint in footprints.items()
    }


def unordered_tiles(board: Board) -> frozenset[str]:
    """Return the tiles that overlap another one by more than a sliver, where the board does not say which is above.

    >>> from scoring.charcuterie.placement import Placement
    >>> tiles = (Placement("a", "ranch", shapely.box(0, 0, 4, 4)), Placement("b", "swiss", shapely.box(2, 0, 6, 4)))
    >>> sorted(unordered_tiles(Board(tiles)))
    ['a', 'b']
    """
    placed = [(p.id, p.footprint) for p in board.placements if p.footprint is not None]
    ordered = {frozenset(pair) for pair in board.over}
    near = near_pairs(as_array([footprint for _, footprint in placed]), within_mm=0.0) if placed else []
    open_pairs = [(a, b) for a, b in near if frozenset((placed[a][0], placed[b][0])) not in ordered]
    pieces = _intersections([placed[a][1] for a, _ in open_pairs], [placed[b][1] for _, b in open_pairs])
    slivers = [SLIVER_SHARE * min(placed[a][1].area, placed[b][1].area) for a, b in open_pairs]
    return frozenset(
        placed[tile][0]
        for pair, piece, sliver in zip(open_pairs, pieces, slivers, strict=True)
        for tile in pair
        if piece.area > sliver
    )


def _intersections(first: Sequence[Polygon], second: Sequence[Polygon]) -> list[Polygon]:
    pieces: list[Polygon] = np.atleast_1d(shapely.intersection(as_array(first), as_array(second))).tolist()
    return pieces


def visible_share(board: Board, tile: str) -> float | None:
    """Return the visible share of a tile: from the footprints, else as the file says, else None.

    >>> from scoring.charcuterie.placement import Placement
    >>> visible_share(Board((Placement("a", "swiss", visible=0.6),), contacts=()), "a")
    0.6
    """
    overlaps = overlaps_of(board).get(tile)
    if overlaps is not None and overlaps.complete:
        return overlaps.visible
    placement = board.placement(tile)
    return None if placement is None else placement.visible

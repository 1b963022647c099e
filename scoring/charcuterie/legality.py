"""Is every tile placed legally? Rulebook, "Food Tile Placement".

A finding well beyond its limit is a violation; one inside the tolerance of how the board was measured is to be
checked by hand. The tolerances and their reasons stand in `data/tolerances.toml`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import shapely
from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import MAX_PLAYERS, read_data
from scoring.charcuterie.visibility import Overlaps, overlaps_of, unordered_tiles
from scoring.geometry import as_array, overhang
from scoring.report import Check, Status, Unchecked

PLACEMENT_CHECKS: tuple[str, ...] = ("off_board", "outside_ring", "covered", "not_on_board")
HALF = 0.5  # exactly half visible is legal
_TOLERANCES = read_data("tolerances.toml")
_NOISE_MM: float = _TOLERANCES["noise"]["length_mm"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a figure may be off: the visible share, the depth beyond an outline, the depth beyond tiles below."""

    covered_share: float
    off_board_mm: float
    not_on_board_mm: float
    measured: bool


def tolerance_for(board: Board) -> Tolerance:
    """Return the tolerance of a board: wide for one measured from a photo, next to none for exact data.

    >>> tolerance_for(Board(contacts=())).measured
    False
    """
    return Tolerance(**_TOLERANCES["measured" if board.measured else "exact"], measured=board.measured)


def placement_checks(board: Board) -> tuple[tuple[Check, ...], tuple[Unchecked, ...]]:
    """Return the findings on how tiles lie, and which checks could not be made.

    >>> from scoring.charcuterie.placement import Placement
    >>> hanging = Placement("a", "swiss", shapely.box(8, 0, 12, 4))
    >>> checks, _ = placement_checks(Board((hanging,), outline=shapely.box(0, 0, 10, 10)))
    >>> checks[0].id, checks[0].value, checks[0].status
    ('off_board', 2.0, 'violation')
    """
    tolerance = tolerance_for(board)
    overlaps = overlaps_of(board)
    unordered = unordered_tiles(board)
    overlaps |= {tile: replace(overlaps[tile], complete=False) for tile in unordered}
    found = _hanging(board, "off_board", board.outline, tolerance)
    if board.players == MAX_PLAYERS:
        found += _hanging(board, "outside_ring", board.inner_ring, tolerance)
    for placement in board.placements:
        found += _covered(placement.id, placement.visible, overlaps.get(placement.id), tolerance)
        found += _not_on_board(placement.id, overlaps.get(placement.id), tolerance)
    return tuple(found), _unchecked(board, overlaps)


def illegal_tiles(checks: tuple[Check, ...]) -> tuple[str, ...]:
    """Return the tiles that are certainly placed illegally.

    >>> illegal_tiles((Check("covered", ("t1",), 0.2, 0.5, "violation"), Check("tile_count", (), 23, 24, "violation")))
    ('t1',)
    """
    certain = [check for check in checks if check.id in PLACEMENT_CHECKS and check.status == "violation"]
    return tuple(dict.fromkeys(tile for check in certain for tile in check.tiles))


def _hanging(board: Board, name: str, outline: Polygon | None, tolerance: Tolerance) -> list[Check]:
    if outline is None:
        return []
    placed = [(p.id, p.footprint) for p in board.placements if p.footprint is not None]
    depths, areas = overhang(as_array([footprint for _, footprint in placed]), outline)
    return [
        Check(
            name,
            (tile,),
            value=depth,
            limit=0.0,
            status="check_by_hand" if depth < tolerance.off_board_mm else "violation",
            note=f"{depth:.1f} mm beyond the {'inner ring' if name == 'outside_ring' else 'outline'}",
            extra={"unit": "mm", "area_mm2": round(area, 2)},
        )
        for (tile, _), depth, area in zip(placed, depths.tolist(), areas.tolist(), strict=True)
        if depth > _NOISE_MM
    ]


def _covered(tile: str, stated: float | None, overlaps: Overlaps | None, tolerance: Tolerance) -> list[Check]:
    band = tolerance.covered_share
    if overlaps is not None and overlaps.complete:
        if overlaps.visible_at_least > HALF + band:
            return []
        visible = overlaps.visible
    elif stated is not None:
        visible = stated
    else:
        return []
    if visible > HALF + band or (not tolerance.measured and visible >= HALF - band):
        return []
    status: Status = "violation" if visible < HALF - band else "check_by_hand"
    return [Check("covered", (tile,), value=visible, limit=HALF, status=status, note=f"{visible:.1%} visible")]


def _not_on_board(tile: str, overlaps: Overlaps | None, tolerance: Tolerance) -> list[Check]:
    if overlaps is None or not overlaps.complete or not overlaps.lower:
        return []
    footprint, band = overlaps.footprint, tolerance.not_on_board_mm
    # A part that is free and reaches no further than the band has at most this area.
    if footprint.area - overlaps.below_mm2 > band * footprint.length:
        return []
    resting = shapely.union_all(list(overlaps.lower))
    verdict = _inside(footprint, resting, tolerance)
    if verdict is None:
        return []
    free = shapely.difference(footprint, resting).area / footprint.area
    return [
        Check(
            "not_on_board", (tile,), value=free, limit=0.0, status=verdict, note=f"{free:.1%} of it can touch the board"
        )
    ]


def _inside(footprint: Polygon, resting: Polygon, tolerance: Tolerance) -> Literal["violation", "check_by_hand"] | None:
    """Say whether a tile lies wholly on other tiles: certainly, perhaps, or not."""
    certain = -tolerance.not_on_board_mm if tolerance.measured else _NOISE_MM
    if shapely.covers(shapely.buffer(resting, certain), footprint):
        return "violation"
    if shapely.covers(shapely.buffer(resting, tolerance.not_on_board_mm), footprint):
        return "check_by_hand"
    return None


def _unchecked(board: Board, overlaps: dict[str, Overlaps]) -> tuple[Unchecked, ...]:
    everything = tuple(placement.id for placement in board.placements)
    bare = tuple(placement.id for placement in board.placements if placement.id not in overlaps)
    partial = tuple(tile for tile, found in overlaps.items() if not found.complete)
    unseen = tuple(p.id for p in board.placements if p.id in {*bare, *partial} and p.visible is None)
    found = [_unchecked_outline("off_board", board.outline, "board outline", everything, bare)]
    if board.players == MAX_PLAYERS:
        found.append(_unchecked_outline("outside_ring", board.inner_ring, "inner ring", everything, bare))
    found.append(Unchecked("covered", unseen, "no footprint, or no word on which of two tiles lies above"))
    found.append(
        Unchecked("not_on_board", (*bare, *partial), "no footprint, or no word on which of two tiles lies above")
    )
    return tuple(item for item in found if item.tiles)


def _unchecked_outline(
    name: str, outline: Polygon | None, what: str, everything: tuple[str, ...], bare: tuple[str, ...]
) -> Unchecked:
    if outline is None:
        return Unchecked(name, everything, f"the {what} is not known")
    return Unchecked(name, bare, "no footprint")

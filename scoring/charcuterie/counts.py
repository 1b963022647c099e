"""Are there as many tiles as there should be, and no more of a kind than the box holds?

Both checks are made on one board and over a whole table. A check that fails is reported, never repaired.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import KINDS, MIN_PLAYERS, bag, tiles_per_board
from scoring.charcuterie.table import Table
from scoring.report import Check

Named = Sequence[tuple[str, str]]  # (id, kind)


def board_counts(board: Board) -> tuple[Check, ...]:
    """Return the findings on the number of tiles and copies on one board.

    >>> [check.id for check in board_counts(Board(contacts=(), players=6))]
    ['tile_count']
    """
    tiles = [(placement.id, placement.kind) for placement in board.placements]
    found = _copies(tiles, variant=board.variant, players=board.players)
    if board.players is None:
        return tuple(found)
    return tuple(_tile_count(len(tiles), tiles_per_board(board.players, board.variant)) + found)


def table_counts(table: Table) -> tuple[Check, ...]:
    """Return the findings over a whole table: boards, tiles and copies. Tiles are named "player/id".

    >>> from scoring.charcuterie.table import Seat
    >>> [(c.id, c.value, c.limit) for c in table_counts(Table((Seat("A", Board(players=3)), Seat("B", Board()))))]
    [('player_count', 2, 3)]
    """
    tiles = [(f"{seat.player}/{p.id}", p.kind) for seat in table.seats for p in seat.board.placements]
    found = _copies(tiles, variant=table.variant, players=table.players)
    if len(table.seats) != table.players:
        note = f"the boards are of a game of {table.players} players"
        return (Check("player_count", (), len(table.seats), table.players, "violation", note=note), *found)
    if table.players < MIN_PLAYERS:
        return tuple(found)
    return tuple(_tile_count(len(tiles), table.players * tiles_per_board(table.players, table.variant)) + found)


def _tile_count(count: int, expected: int) -> list[Check]:
    if count == expected:
        return []
    return [Check("tile_count", (), count, expected, "violation", note=f"{count} tiles, {expected} expected")]


def _copies(tiles: Named, *, variant: str | None, players: int | None) -> list[Check]:
    held: dict[str, list[str]] = {}
    for tile, kind in tiles:
        held.setdefault(kind, []).append(tile)
    limits = bag(variant, players)
    found = [_too_many(held[k], limits.copies[k], kind=k) for k in KINDS if len(held.get(k, ())) > limits.copies[k]]
    breads = [tile for tile, kind in tiles if KINDS[kind].category == "bread"]
    full = [k for k in KINDS if KINDS[k].category == "bread" and len(held.get(k, ())) >= KINDS[k].copies]
    if len(breads) > limits.bread_tiles:
        found.append(_too_many(breads, limits.bread_tiles, category="bread"))
    elif limits.full_breads is not None and len(full) > limits.full_breads:
        note = f"all copies of {' and '.join(full)}, though the breads taken out were of different kinds"
        shown = tuple(tile for kind in full for tile in held[kind])
        found.append(Check("copies", shown, len(full), limits.full_breads, "violation", note, {"category": "bread"}))
    return found


def _too_many(tiles: Sequence[str], limit: int, **what: str) -> Check:
    (name,) = what.values()
    note = f"{len(tiles)} of {name}, where {limit} are in the game"
    return Check("copies", tuple(tiles), len(tiles), limit, "violation", note=note, extra=what)

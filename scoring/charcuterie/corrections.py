"""Corrections: what a person changes about a reading. A correction edits a board, never pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import shapely

from scoring import fields
from scoring.charcuterie.board import Board, Pair
from scoring.charcuterie.catalogue import KINDS, similar_kind
from scoring.charcuterie.contacts import MEET_MM, contacts_of
from scoring.charcuterie.placement import Placement, read_placement
from scoring.errors import BoardFileError, CorrectionError, shown
from scoring.geometry import turned


@dataclass(frozen=True, slots=True)
class SetKind:
    """The tile shows another kind.

    >>> apply(Board((Placement("t0", "swiss"),), contacts=()), SetKind("t0", "bleu")).placements[0].kind
    'bleu'
    """

    tile: str
    kind: str


@dataclass(frozen=True, slots=True)
class SetContact:
    """Two tiles touch, or do not; tiles that do not touch do not lie on each other either."""

    a: str
    b: str
    touching: bool = True


@dataclass(frozen=True, slots=True)
class SetOver:
    """`upper` lies on `lower`; with `stacked` false neither lies on the other. Stacked tiles touch."""

    upper: str
    lower: str
    stacked: bool = True


@dataclass(frozen=True, slots=True)
class RemoveTile:
    """The tile is not there."""

    tile: str


@dataclass(frozen=True, slots=True)
class AddTile:
    """A tile that was missed; it touches and covers nothing unless its footprint or further corrections say so."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class MoveTile:
    """The tile lies elsewhere: turned about its centroid (clockwise as seen), then shifted."""

    tile: str
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    angle_deg: float = 0.0


Correction = SetKind | SetContact | SetOver | RemoveTile | AddTile | MoveTile


def apply(board: Board, correction: Correction) -> Board:
    """Return the board with one correction made; the given board is not changed.

    Raises CorrectionError where the correction names a tile that is not on the board, or an unknown kind.

    >>> board = Board((Placement("a", "swiss"), Placement("b", "bleu")), contacts=())
    >>> apply(board, SetContact("a", "b")).contacts
    (('a', 'b'),)
    """
    match correction:
        case SetKind():
            return _set_kind(board, correction)
        case SetContact():
            return _set_contact(board, correction)
        case SetOver():
            return _set_over(board, correction)
        case RemoveTile():
            return without_tiles(board, (_known(board, correction.tile, "tile"),))
        case AddTile():
            return _add_tile(board, correction.placement)
        case MoveTile():
            return _move_tile(board, correction)


def with_contacts(board: Board) -> Board:
    """Return the board with its contacts written out, as they follow from the footprints.

    >>> with_contacts(Board((Placement("a", "swiss", shapely.box(0, 0, 1, 1)),))).contacts
    ()
    """
    return board if board.contacts is not None else replace(board, contacts=contacts_of(board))


def without_tiles(board: Board, tiles: tuple[str, ...]) -> Board:
    """Return the board without some tiles, and without what was said about them.

    >>> without_tiles(Board((Placement("a", "swiss"),), contacts=()), ("a",)).placements
    ()
    """
    gone = frozenset(tiles)
    contacts = None if board.contacts is None else tuple(pair for pair in board.contacts if gone.isdisjoint(pair))
    return replace(
        board,
        placements=tuple(placement for placement in board.placements if placement.id not in gone),
        over=tuple(pair for pair in board.over if gone.isdisjoint(pair)),
        contacts=contacts,
    )


def _known(board: Board, tile: str, field: str) -> str:
    if board.placement(tile) is None:
        raise CorrectionError(field, shown(tile), "the id of a tile on the board")
    return tile


def _other(board: Board, a: str, b: str) -> frozenset[str]:
    pair = frozenset((_known(board, a, "the first tile"), _known(board, b, "the second tile")))
    if len(pair) == 1:
        raise CorrectionError("the pair", f"{[a, b]}", "two different tiles")
    return pair


def _set_kind(board: Board, correction: SetKind) -> Board:
    _known(board, correction.tile, "tile")
    if correction.kind not in KINDS:
        close = similar_kind(correction.kind)
        hint = f"Did you mean {close!r}?" if close else ""
        raise CorrectionError("kind", shown(correction.kind), f"one of the {len(KINDS)} kinds", hint=hint)
    return replace(
        board,
        placements=tuple(
            replace(placement, kind=correction.kind) if placement.id == correction.tile else placement
            for placement in board.placements
        ),
    )


def _set_contact(board: Board, correction: SetContact) -> Board:
    pair = _other(board, correction.a, correction.b)
    full = with_contacts(board)
    kept = tuple(known for known in full.contacts or () if frozenset(known) != pair)
    if correction.touching:
        return replace(full, contacts=(*kept, (correction.a, correction.b)))
    return replace(full, contacts=kept, over=tuple(known for known in board.over if frozenset(known) != pair))


def _set_over(board: Board, correction: SetOver) -> Board:
    pair = _other(board, correction.upper, correction.lower)
    kept = tuple(known for known in board.over if frozenset(known) != pair)
    if not correction.stacked:
        return replace(with_contacts(board), over=kept)
    touching = _set_contact(board, SetContact(correction.upper, correction.lower))
    return replace(touching, over=(*kept, (correction.upper, correction.lower)))


def _add_tile(board: Board, placement: Placement) -> Board:
    if board.placement(placement.id) is not None:
        raise CorrectionError("tile.id", shown(placement.id), "an id that no tile on the board has")
    full = with_contacts(board)
    return _relate(replace(full, placements=(*board.placements, placement)), placement)


def _move_tile(board: Board, correction: MoveTile) -> Board:
    placement = board.placement(_known(board, correction.tile, "tile"))
    if placement is None or placement.footprint is None:
        raise CorrectionError("tile", f"{correction.tile!r}, which has no footprint", "a tile with a footprint")
    shift = (correction.dx_mm, correction.dy_mm)
    footprint = turned(placement.footprint, angle_deg=correction.angle_deg, shift_mm=shift)
    moved = replace(placement, footprint=footprint, polygon_px=None, visible=None)
    full = with_contacts(board)
    placements = tuple(moved if known.id == moved.id else known for known in board.placements)
    return _relate(replace(full, placements=placements), moved)


def _relate(board: Board, tile: Placement) -> Board:
    """Read off what a new or moved tile touches; where it newly overlaps a tile it lies on top."""
    kept = [pair for pair in board.contacts or () if tile.id not in pair]
    over = [pair for pair in board.over if tile.id not in pair]
    for known in board.placements:
        if known.id == tile.id:
            continue
        if tile.footprint is None or known.footprint is None:
            pair = frozenset((known.id, tile.id))
            kept += [old for old in board.contacts or () if frozenset(old) == pair]
            over += [old for old in board.over if frozenset(old) == pair]
        elif shapely.dwithin(tile.footprint, known.footprint, MEET_MM):
            kept.append((known.id, tile.id))
            over += _order(board, tile, known)
    return replace(board, contacts=tuple(kept), over=tuple(over))


def _order(board: Board, tile: Placement, known: Placement) -> list[Pair]:
    pair = frozenset((known.id, tile.id))
    if shapely.intersection(tile.footprint, known.footprint).area == 0:
        return []
    return [old for old in board.over if frozenset(old) == pair] or [(tile.id, known.id)]


def to_json(correction: Correction) -> dict[str, Any]:
    """Return a correction as an object with its name under "do".

    >>> to_json(SetContact("a", "b", touching=False))
    {'do': 'set_contact', 'a': 'a', 'b': 'b', 'touching': False}
    """
    match correction:
        case SetKind(tile, kind):
            return {"do": "set_kind", "tile": tile, "kind": kind}
        case SetContact(a, b, touching):
            return {"do": "set_contact", "a": a, "b": b, "touching": touching}
        case SetOver(upper, lower, stacked):
            return {"do": "set_over", "upper": upper, "lower": lower, "stacked": stacked}
        case RemoveTile(tile):
            return {"do": "remove_tile", "tile": tile}
        case AddTile(placement):
            return {"do": "add_tile", "tile": placement.to_json()}
        case MoveTile(tile, dx_mm, dy_mm, angle_deg):
            return {"do": "move_tile", "tile": tile, "dx_mm": dx_mm, "dy_mm": dy_mm, "angle_deg": angle_deg}


_FIELDS: dict[str, tuple[str, ...]] = {
    "set_kind": ("tile", "kind"),
    "set_contact": ("a", "b", "touching"),
    "set_over": ("upper", "lower", "stacked"),
    "remove_tile": ("tile",),
    "add_tile": ("tile",),
    "move_tile": ("tile", "dx_mm", "dy_mm", "angle_deg"),
}
_MAX_SHIFT_MM = 10_000.0


def from_json(value: object) -> Correction:
    """Return the correction of a parsed object; raises CorrectionError, or BoardFileError for a tile to add.

    >>> from_json({"do": "remove_tile", "tile": "t3"})
    RemoveTile(tile='t3')
    """
    data = fields.read_object(value, "correction", error=CorrectionError)
    what = fields.read_choice(data.get("do"), "correction.do", allowed=_FIELDS, error=CorrectionError)
    fields.refuse_unknown(data, "correction", allowed=("do", *_FIELDS[what]), error=CorrectionError)
    match what:
        case "set_kind":
            return SetKind(_name(data, "tile"), _name(data, "kind"))
        case "set_contact":
            return SetContact(_name(data, "a"), _name(data, "b"), _flag(data, "touching"))
        case "set_over":
            return SetOver(_name(data, "upper"), _name(data, "lower"), _flag(data, "stacked"))
        case "remove_tile":
            return RemoveTile(_name(data, "tile"))
        case "add_tile":
            return AddTile(read_added(data.get("tile")))
        case _:
            return MoveTile(_name(data, "tile"), _mm(data, "dx_mm"), _mm(data, "dy_mm"), _mm(data, "angle_deg"))


def read_added(value: object) -> Placement:
    """Return the tile of an "add_tile" correction.

    >>> read_added({"id": "n", "kind": "bleu"}).id
    'n'
    """
    try:
        return read_placement(value, "tile")
    except BoardFileError as error:
        raise CorrectionError(error.field, error.found, error.allowed) from error


def _name(data: dict[str, Any], name: str) -> str:
    return fields.read_name(data.get(name), f"correction.{name}", error=CorrectionError)


def _flag(data: dict[str, Any], name: str) -> bool:
    return fields.read_bool(data.get(name, True), f"correction.{name}", error=CorrectionError)


def _mm(data: dict[str, Any], name: str) -> float:
    value = data.get(name, 0.0)
    return fields.read_number(
        value, f"correction.{name}", least=-_MAX_SHIFT_MM, most=_MAX_SHIFT_MM, error=CorrectionError
    )

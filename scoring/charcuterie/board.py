"""The tiles on one player's board, and the one door through which board files, readings and edits come in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from shapely import Polygon

from scoring import fields
from scoring.charcuterie.catalogue import MAX_PLAYERS, MIN_PLAYERS, VARIANTS, variant_fits
from scoring.charcuterie.placement import Placement, read_placement, read_polygon, ring_json
from scoring.errors import BoardFileError, shown

FORMAT = "boardsnap.board/1"
GAME = "charcuterie"
# The box holds 108 tiles; twice that still reads a file with every tile doubled, and nothing larger can be a board.
MAX_TILES = 216
MAX_PAIRS = MAX_TILES * (MAX_TILES - 1) // 2

Pair = tuple[str, str]
_KNOWN = frozenset({"format", "game", "players", "variant", "board", "tiles", "over", "contacts"})
_KNOWN_BOARD = frozenset({"outline", "inner_ring"})


@dataclass(frozen=True, slots=True)
class Board:
    """The tiles on one player's board. `over` holds (upper, lower) ids.

    `contacts` is None where touching follows from the footprints; when given it is the truth. `extra` keeps fields
    of the file that this format does not know, so that a board goes through unchanged.

    >>> Board((Placement("t0", "swiss"), Placement("t1", "bleu")), contacts=(("t0", "t1"),)).to_json()["contacts"]
    [['t0', 't1']]
    """

    game: ClassVar[str] = GAME

    placements: tuple[Placement, ...] = ()
    over: tuple[Pair, ...] = ()
    contacts: tuple[Pair, ...] | None = None
    players: int | None = None
    variant: str | None = None
    outline: Polygon | None = None
    inner_ring: Polygon | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether the poses come from a photo, and so carry noise; exact data has no confidence."""
        return any(placement.confidence is not None for placement in self.placements)

    def placement(self, tile: str) -> Placement | None:
        """Return the tile of this id, or None."""
        return next((placement for placement in self.placements if placement.id == tile), None)

    @classmethod
    def from_json(cls, document: object, *, where: str = "") -> Self:
        """Return the board of a parsed board file; `where` is put before field names in errors.

        Raises BoardFileError, which names the field, the value and what is allowed.

        >>> Board.from_json({"tiles": [{"id": "a", "kind": "swis"}], "contacts": []})
        Traceback (most recent call last):
            ...
        scoring.errors.BoardFileError: tiles[0].kind is 'swis'; allowed: one of the 27 kinds. Did you mean 'swiss'?
        """
        data = fields.read_object(document, where.rstrip(".") or "the board file", error=BoardFileError)
        _read_heading(data, where)
        players, variant = _read_players(data, where)
        placements = _read_tiles(data.get("tiles"), f"{where}tiles")
        ids = frozenset(placement.id for placement in placements)
        over = _read_over(data.get("over"), f"{where}over", ids)
        contacts = _read_contacts(data.get("contacts"), f"{where}contacts", ids)
        if contacts is None:
            _need_footprints(placements, where)
        outline, inner_ring, unknown = _read_outlines(data.get("board"), f"{where}board")
        extra = {name: value for name, value in data.items() if name not in _KNOWN}
        return cls(
            placements=placements,
            over=over,
            contacts=contacts,
            players=players,
            variant=variant,
            outline=outline,
            inner_ring=inner_ring,
            extra=extra | ({"board": unknown} if unknown else {}),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the board as a board file, which `from_json` reads back to an equal board."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "game": GAME,
            "players": self.players,
            "variant": self.variant,
            "board": self._board_json(),
            "tiles": [placement.to_json() for placement in self.placements],
            "over": [list(pair) for pair in self.over],
        }
        if self.contacts is not None:
            document["contacts"] = [list(pair) for pair in self.contacts]
        return document | {name: value for name, value in self.extra.items() if name != "board"}

    def _board_json(self) -> dict[str, Any] | None:
        unknown = self.extra.get("board", {})
        if self.outline is None and self.inner_ring is None and not unknown:
            return None
        outlines = {"outline": self.outline, "inner_ring": self.inner_ring}
        return {name: None if p is None else ring_json(p) for name, p in outlines.items()} | dict(unknown)


def _read_heading(data: dict[str, Any], where: str) -> None:
    for name, expected in (("format", FORMAT), ("game", GAME)):
        found = data.get(name, expected)
        if found != expected:
            raise BoardFileError(f"{where}{name}", shown(found), f"{expected!r}")


def _read_players(data: dict[str, Any], where: str) -> tuple[int | None, str | None]:
    players, variant = data.get("players"), data.get("variant")
    if players is not None:
        players = fields.read_int(players, f"{where}players", least=MIN_PLAYERS, most=MAX_PLAYERS, error=BoardFileError)
    if variant is not None:
        variant = fields.read_choice(variant, f"{where}variant", allowed=VARIANTS, error=BoardFileError)
    check_variant(variant, players, where=where)
    return players, variant


def check_variant(variant: str | None, players: int | None, *, where: str = "") -> None:
    """Raise BoardFileError where the rulebook has no such variant for this many players.

    >>> check_variant("crunchy", 2)
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: variant is 'crunchy' with 2 players; allowed: less_random with 2 or 3 players, \
crunchy with 5 or 6.
    """
    if not variant_fits(variant, players):
        allowed = "less_random with 2 or 3 players, crunchy with 5 or 6"
        raise BoardFileError(f"{where}variant", f"{variant!r} with {players} players", allowed)


def _read_tiles(value: object, name: str) -> tuple[Placement, ...]:
    entries = fields.read_list(value, name, error=BoardFileError, most=MAX_TILES)
    placements = tuple(read_placement(entry, f"{name}[{index}]") for index, entry in enumerate(entries))
    seen: dict[str, int] = {}
    for index, placement in enumerate(placements):
        if placement.id in seen:
            found = f"{placement.id!r}, the id of tiles[{seen[placement.id]}] too"
            raise BoardFileError(f"{name}[{index}].id", found, "an id that no other tile has")
        seen[placement.id] = index
    return placements


def _read_pairs(value: object, name: str, ids: frozenset[str]) -> list[Pair]:
    entries = fields.read_list(value, name, error=BoardFileError, most=MAX_PAIRS)
    return [_read_pair(entry, f"{name}[{index}]", ids) for index, entry in enumerate(entries)]


def _read_pair(value: object, name: str, ids: frozenset[str]) -> Pair:
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(isinstance(tile, str) for tile in value):
        raise BoardFileError(name, shown(value), "a pair of two tile ids")
    first, second = value
    for tile in (first, second):
        if tile not in ids:
            raise BoardFileError(name, f"{shown(value)}, with the unknown id {shown(tile)}", "ids listed under tiles")
    if first == second:
        raise BoardFileError(name, f"{shown(value)}, a tile with itself", "two different tiles")
    return first, second


def _read_over(value: object, name: str, ids: frozenset[str]) -> tuple[Pair, ...]:
    over = tuple(dict.fromkeys(_read_pairs([] if value is None else value, name, ids)))
    given = set(over)
    for upper, lower in over:
        if (lower, upper) in given:
            found = f"a list with both {[upper, lower]} and {[lower, upper]}"
            raise BoardFileError(name, found, "one order for two tiles: [upper, lower]", hint="Remove one of them.")
    return over


def _read_contacts(value: object, name: str, ids: frozenset[str]) -> tuple[Pair, ...] | None:
    if value is None:
        return None
    seen: dict[frozenset[str], Pair] = {}
    for pair in _read_pairs(value, name, ids):
        seen.setdefault(frozenset(pair), pair)
    return tuple(seen.values())


def _need_footprints(placements: tuple[Placement, ...], where: str) -> None:
    missing = [placement.id for placement in placements if placement.footprint is None]
    if missing:
        found = f"missing, and so is the footprint of {missing[0]!r}"
        hint = 'Add "contacts": [["t0", "t1"], ...], or every tile\'s footprint ("contacts": [] if nothing touches).'
        raise BoardFileError(
            f"{where}contacts", found, "a list of touching pairs, unless all footprints are given", hint=hint
        )


def _read_outlines(value: object, name: str) -> tuple[Polygon | None, Polygon | None, dict[str, Any]]:
    if value is None:
        return None, None, {}
    data = fields.read_object(value, name, error=BoardFileError)
    outline, ring = data.get("outline"), data.get("inner_ring")
    return (
        None if outline is None else read_polygon(outline, f"{name}.outline"),
        None if ring is None else read_polygon(ring, f"{name}.inner_ring"),
        {key: item for key, item in data.items() if key not in _KNOWN_BOARD},
    )

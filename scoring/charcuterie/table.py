"""The boards of a table in seating order, clockwise, with the cards and house rules in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from scoring import fields
from scoring.charcuterie.board import GAME, Board, check_variant
from scoring.charcuterie.catalogue import MAX_PLAYERS, MIN_PLAYERS
from scoring.errors import BoardFileError, shown

FORMAT = "boardsnap.table/1"
_BOARD_DEFAULTS = ("players", "variant")
_KNOWN = frozenset({"format", "game", "boards", "objectives", "house_rules", *_BOARD_DEFAULTS})
_OF_SEAT = frozenset({"player", "recipe"})


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table: the name, the board, and the recipe card (an id, an object, or points) if any.

    >>> Seat("Ana", Board(contacts=())).recipe is None
    True
    """

    player: str
    board: Board
    recipe: Any = None

    def to_json(self) -> dict[str, Any]:
        """Return the seat as an entry of a table file."""
        head: dict[str, Any] = {"player": self.player}
        if self.recipe is not None:
            head["recipe"] = self.recipe
        return head | self.board.to_json()


@dataclass(frozen=True, slots=True)
class Table:
    """Boards in seating order, clockwise. `objectives` (ids, or "all") and `house_rules` as the file gives them.

    >>> [seat.player for seat in Table((Seat("Ana", Board()), Seat("Ben", Board()))).neighbors(0)]
    ['Ben']
    """

    game: ClassVar[str] = GAME

    seats: tuple[Seat, ...]
    objectives: Any = None
    house_rules: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards in seating order."""
        return tuple(seat.board for seat in self.seats)

    @property
    def players(self) -> int:
        """The number of players: as the boards say, else one a board."""
        return next((board.players for board in self.boards if board.players is not None), len(self.seats))

    @property
    def variant(self) -> str | None:
        """The variant the boards name, or None."""
        return next((board.variant for board in self.boards if board.variant is not None), None)

    def neighbors(self, seat: int) -> tuple[Seat, ...]:
        """Return the players to the left and to the right; with two players the one opponent, counted once."""
        count = len(self.seats)
        beside = dict.fromkeys(((seat + 1) % count, (seat - 1) % count))
        return tuple(self.seats[index] for index in beside if index != seat)

    @classmethod
    def from_json(cls, document: object) -> Self:
        """Return the table of a parsed table file.

        Raises BoardFileError, which names the field, the value and what is allowed.

        >>> Table.from_json({"boards": []})
        Traceback (most recent call last):
            ...
        scoring.errors.BoardFileError: boards is an empty list; allowed: 1 to 6 boards in seating order.
        """
        data = fields.read_object(document, "the table file", error=BoardFileError)
        for name, expected in (("format", FORMAT), ("game", GAME)):
            if data.get(name, expected) != expected:
                raise BoardFileError(name, shown(data[name]), f"{expected!r}")
        seats = _read_seats(data)
        table = cls(
            seats=seats,
            objectives=data.get("objectives"),
            house_rules=data.get("house_rules"),
            extra={name: value for name, value in data.items() if name not in _KNOWN},
        )
        _same_for_all(seats)
        if len(seats) >= MIN_PLAYERS:
            check_variant(table.variant, table.players)
        return table

    def to_json(self) -> dict[str, Any]:
        """Return the table as a table file, which `from_json` reads back to an equal table."""
        document: dict[str, Any] = {"format": FORMAT, "game": GAME}
        for name, value in (("objectives", self.objectives), ("house_rules", self.house_rules)):
            if value is not None:
                document[name] = value
        return document | {"boards": [seat.to_json() for seat in self.seats]} | dict(self.extra)


def _read_seats(data: dict[str, Any]) -> tuple[Seat, ...]:
    entries = fields.read_list(data.get("boards"), "boards", error=BoardFileError, most=MAX_PLAYERS)
    if not entries:
        raise BoardFileError("boards", "an empty list", f"1 to {MAX_PLAYERS} boards in seating order")
    shared = {name: data[name] for name in _BOARD_DEFAULTS if data.get(name) is not None}
    seats = tuple(_read_seat(entry, index, shared) for index, entry in enumerate(entries))
    first: dict[str, int] = {}
    for index, seat in enumerate(seats):
        if seat.player in first:
            found = f"{seat.player!r}, the player of boards[{first[seat.player]}] too"
            raise BoardFileError(f"boards[{index}].player", found, "a name that no other player has")
        first[seat.player] = index
    return seats


def _read_seat(value: object, index: int, shared: dict[str, Any]) -> Seat:
    where = f"boards[{index}]"
    data = fields.read_object(value, where, error=BoardFileError)
    player = data.get("player")
    name = (
        f"Player {index + 1}" if player is None else fields.read_name(player, f"{where}.player", error=BoardFileError)
    )
    own = {key: item for key, item in data.items() if key not in _OF_SEAT and item is not None}
    return Seat(name, Board.from_json(shared | own, where=f"{where}."), data.get("recipe"))


def _same_for_all(seats: tuple[Seat, ...]) -> None:
    for name in _BOARD_DEFAULTS:
        values = [(i, getattr(s.board, name)) for i, s in enumerate(seats) if getattr(s.board, name) is not None]
        for index, value in values:
            if value != values[0][1]:
                found = f"{value!r}, where boards[{values[0][0]}] says {values[0][1]!r}"
                raise BoardFileError(f"boards[{index}].{name}", found, f"the same {name} on all boards of a table")

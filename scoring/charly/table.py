"""A game of Charly: who sits where, the honey at the start, and the rounds so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from scoring import fields
from scoring.charly.feast import Round, read_round
from scoring.errors import BoardFileError, shown

FORMAT = "boardsnap.charly/1"
GAME = "charly"
MIN_PLAYERS, MAX_PLAYERS = 2, 6
START_HONEY = 15  # rulebook, "Setup"
_MAX_ROUNDS = 200  # a round in which nobody pays takes nobody's honey, so the rules set no limit
_KNOWN = ("format", "game", "players", "seats", "honey", "rounds")


@dataclass(frozen=True, slots=True)
class CharlyGame:
    """The seats clockwise, the honey of each at the start, and the rounds.

    >>> CharlyGame(("Ana", "Ben"), (15, 15)).game
    'charly'
    """

    game: ClassVar[str] = GAME

    seats: tuple[str, ...]
    honey: tuple[int, ...]
    rounds: tuple[Round, ...] = ()

    @classmethod
    def from_json(cls, document: object) -> Self:
        """Return the game of a parsed file; raises BoardFileError, which names the field, the value, what is allowed.

        >>> CharlyGame.from_json({"seats": ["Ana"]})
        Traceback (most recent call last):
            ...
        scoring.errors.BoardFileError: seats is a list of 1; allowed: 2 to 6 names, clockwise.
        """
        data = fields.read_object(document, "the file", error=BoardFileError)
        fields.read_heading(data, heading={"format": FORMAT, "game": GAME}, error=BoardFileError)
        fields.refuse_unknown(data, "the file", allowed=_KNOWN, error=BoardFileError)
        seats = _read_seats(data.get("seats"))
        if data.get("players") is not None and data["players"] != len(seats):
            raise BoardFileError("players", shown(data["players"]), f"{len(seats)}, the number of seats")
        return cls(seats, _read_honey(data.get("honey"), seats), _read_rounds(data.get("rounds", []), seats))

    def to_json(self) -> dict[str, Any]:
        """Return the game as a file, which `from_json` reads back to an equal game."""
        return {
            "format": FORMAT,
            "game": GAME,
            "seats": list(self.seats),
            "honey": dict(zip(self.seats, self.honey, strict=True)),
            "rounds": [one.to_json(self.seats) for one in self.rounds],
        }


def _read_seats(value: object) -> tuple[str, ...]:
    entries = fields.read_list(value, "seats", error=BoardFileError, most=MAX_PLAYERS)
    if len(entries) < MIN_PLAYERS:
        raise BoardFileError("seats", f"a list of {len(entries)}", "2 to 6 names, clockwise")
    names: list[str] = []
    for index, entry in enumerate(entries):
        name = fields.read_name(entry, f"seats[{index}]", error=BoardFileError)
        if name in names:
            found = f"{name!r}, the name at seats[{names.index(name)}] too"
            raise BoardFileError(f"seats[{index}]", found, "a name that no other player has")
        names.append(name)
    return tuple(names)


def _read_honey(value: object, seats: tuple[str, ...]) -> tuple[int, ...]:
    data = {} if value is None else fields.read_object(value, "honey", error=BoardFileError)
    fields.refuse_unknown(data, "honey", allowed=seats, error=BoardFileError)
    return tuple(
        fields.read_int(data.get(name, START_HONEY), f"honey.{name}", least=1, most=START_HONEY, error=BoardFileError)
        for name in seats
    )


def _read_rounds(value: object, seats: tuple[str, ...]) -> tuple[Round, ...]:
    entries = fields.read_list(value, "rounds", error=BoardFileError, most=_MAX_ROUNDS)
    rounds = tuple(read_round(entry, f"rounds[{index}]", seats=seats) for index, entry in enumerate(entries))
    for index, one in enumerate(rounds[:-1]):
        if one.open:
            raise BoardFileError(f"rounds[{index}].open", "true", "true for the last round only")
    return rounds

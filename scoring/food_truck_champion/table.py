"""The food trucks of a table at the end of a game, in seating order, and the file they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from scoring import fields
from scoring.errors import BoardFileError, shown
from scoring.food_truck_champion.cards import (
    MAX_TICKETS,
    Cards,
    Icons,
    Ticket,
    Truck,
    known_cards,
    read_ticket,
    with_cards,
)
from scoring.food_truck_champion.critique import CRITIQUES_IN_BOX

FORMAT = "boardsnap.food-truck-champion/1"
GAME = "food_truck_champion"
MIN_PLAYERS, MAX_PLAYERS = 2, 5
TOKEN_VALUES = (1, 2, 3)
_MAX_TOKENS = 100  # the box holds 24; more are read, so that the finding can say how many there are
_KNOWN = ("format", "game", "players", "trucks", "tickets", "critiques", "boards")
_KNOWN_BOARD = ("player", "truck", "tokens", "completed", "awards")


@dataclass(frozen=True, slots=True)
class TruckBoard:
    """What one player has at the end: tokens (None for one lying face down), completed orders, and awards.

    >>> TruckBoard("Ana", Truck("bear_burgers", "Bear Burgers", ("meat",)), tokens=(3, 2)).orders
    ()
    """

    player: str
    truck: Truck
    tokens: tuple[int | None, ...] = ()
    completed: tuple[Ticket, ...] = ()
    awards: tuple[Ticket, ...] = ()

    @property
    def profile(self) -> Icons:
        """The icons of the truck's flavor profile."""
        return self.truck.profile or ()

    @property
    def orders(self) -> tuple[Ticket, ...]:
        """All completed order tickets; those in Awards are completed too."""
        return self.completed + self.awards

    @property
    def own_logos(self) -> tuple[Ticket, ...]:
        """The completed tickets that show the logo of the player's own truck."""
        return tuple(ticket for ticket in self.orders if ticket.logo == self.truck.id)

    def to_json(self) -> dict[str, Any]:
        """Return the board as an entry under "boards"."""
        return {
            "player": self.player,
            "truck": self.truck.id,
            "tokens": list(self.tokens),
            "completed": [ticket.to_json() for ticket in self.completed],
            "awards": [ticket.to_json() for ticket in self.awards],
        }


@dataclass(frozen=True, slots=True)
class TruckTable:
    """The boards in seating order, the trucks and tickets that are known, and how many critiques are still to come.

    >>> TruckTable(()).game
    'food_truck_champion'
    """

    game: ClassVar[str] = GAME

    boards: tuple[TruckBoard, ...]
    cards: Cards = field(default_factory=known_cards)
    critiques: int = 0

    @classmethod
    def from_json(cls, document: object, *, cards: Cards | None = None) -> Self:
        """Return the table of a parsed file; `cards` are known besides those of the file.

        Raises BoardFileError, which names the field, the value and what is allowed.

        >>> TruckTable.from_json({"boards": []})
        Traceback (most recent call last):
            ...
        scoring.errors.BoardFileError: boards is a list of 0; allowed: 2 to 5 boards in seating order.
        """
        data = fields.read_object(document, "the file", error=BoardFileError)
        fields.read_heading(data, heading={"format": FORMAT, "game": GAME}, error=BoardFileError)
        fields.refuse_unknown(data, "the file", allowed=_KNOWN, error=BoardFileError)
        known = with_cards(known_cards() if cards is None else cards, data)
        boards = _read_boards(data.get("boards"), known)
        if data.get("players") is not None and data["players"] != len(boards):
            raise BoardFileError("players", shown(data["players"]), f"{len(boards)}, the number of boards")
        critiques = data.get("critiques", 0)
        coming = fields.read_int(critiques, "critiques", least=0, most=CRITIQUES_IN_BOX, error=BoardFileError)
        return cls(boards, known, coming)

    def to_json(self) -> dict[str, Any]:
        """Return the table as a file, which `from_json` reads back to an equal table."""
        return {
            "format": FORMAT,
            "game": GAME,
            "trucks": {name: truck.to_json() for name, truck in self.cards.trucks.items()},
            "tickets": {name: ticket.to_json() for name, ticket in self.cards.tickets.items()},
            "critiques": self.critiques,
            "boards": [board.to_json() for board in self.boards],
        }


def _read_boards(value: object, cards: Cards) -> tuple[TruckBoard, ...]:
    entries = fields.read_list(value, "boards", error=BoardFileError, most=MAX_PLAYERS)
    if len(entries) < MIN_PLAYERS:
        raise BoardFileError("boards", f"a list of {len(entries)}", "2 to 5 boards in seating order")
    boards = tuple(_read_board(entry, index, cards) for index, entry in enumerate(entries))
    first: dict[str, int] = {}
    for index, board in enumerate(boards):
        if board.player in first:
            found = f"{board.player!r}, the player of boards[{first[board.player]}] too"
            raise BoardFileError(f"boards[{index}].player", found, "a name that no other player has")
        first[board.player] = index
    return boards


def _read_board(value: object, index: int, cards: Cards) -> TruckBoard:
    where = f"boards[{index}]"
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=_KNOWN_BOARD, error=BoardFileError)
    player = data.get("player")
    return TruckBoard(
        f"Player {index + 1}" if player is None else fields.read_name(player, f"{where}.player", error=BoardFileError),
        _read_truck(data.get("truck"), f"{where}.truck", cards.trucks),
        _read_tokens(data.get("tokens"), f"{where}.tokens"),
        _read_tickets(data.get("completed"), f"{where}.completed", cards),
        _read_tickets(data.get("awards"), f"{where}.awards", cards),
    )


def _read_truck(value: object, where: str, trucks: Mapping[str, Truck]) -> Truck:
    name = fields.read_choice(value, where, allowed=trucks, error=BoardFileError)
    if trucks[name].profile is None:
        found = f"{name!r}, whose flavor profile is not known"
        raise BoardFileError(where, found, f"a truck with its four icons at trucks.{name}.profile")
    return trucks[name]


def _read_tokens(value: object, where: str) -> tuple[int | None, ...]:
    entries = [] if value is None else fields.read_list(value, where, error=BoardFileError, most=_MAX_TOKENS)
    return tuple(
        None if token is None else fields.read_int(token, f"{where}[{index}]", least=1, most=3, error=BoardFileError)
        for index, token in enumerate(entries)
    )


def _read_tickets(value: object, where: str, cards: Cards) -> tuple[Ticket, ...]:
    entries = [] if value is None else fields.read_list(value, where, error=BoardFileError, most=MAX_TICKETS)
    return tuple(read_ticket(entry, f"{where}[{index}]", cards=cards) for index, entry in enumerate(entries))

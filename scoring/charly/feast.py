"""A round: the food cards with their rows, the hands, and the turns taken from there, if they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring import fields
from scoring.charly.cards import AnimalCard, Row, placements, read_animal_card, read_cards, read_row
from scoring.errors import BoardFileError, shown

MAX_CARDS = 72  # rulebook, "Components": 66 animal cards and 6 gourmet pigs
MAX_FOOD = 20
_MAX_TURNS = 500  # six players who each lay seven cards, one after another, while the others pass, take fewer
_KNOWN = ("announcer", "food", "hands", "turns", "open")

Hands = tuple[tuple[AnimalCard, ...], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player does: lays `card` on the row `on`, or passes (both None).

    >>> Turn(0).passes
    True
    """

    seat: int
    card: AnimalCard | None = None
    on: int | None = None

    @property
    def passes(self) -> bool:
        """Whether the player passes."""
        return self.card is None


@dataclass(frozen=True, slots=True)
class Position:
    """The rows and the hands at one moment of a feast.

    >>> Position((Row("bones", 4),), ((AnimalCard("dog", 2),),)).placements(0)
    ((AnimalCard(animal='dog', count=2, corners=()), 0),)
    """

    rows: tuple[Row, ...]
    hands: Hands

    def placements(self, seat: int) -> tuple[tuple[AnimalCard, int], ...]:
        """Return what a player can still place: each different card with the index of each row that takes it."""
        return placements(self.rows, self.hands[seat])

    def after(self, turn: Turn) -> Position:
        """Return the position after a turn. It need not be legal, but the card must be in the player's hand."""
        if turn.card is None or turn.on is None:
            return self
        rows, hands, hand = list(self.rows), list(self.hands), list(self.hands[turn.seat])
        hand.remove(turn.card)
        hands[turn.seat] = tuple(hand)
        rows[turn.on] = replace(rows[turn.on], cards=(*rows[turn.on].cards, turn.card))
        return Position(tuple(rows), tuple(hands))


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the game. `start` is what the file shows; `turns` are taken from there; `announcer` is a seat.

    `food_known` is False where no food cards are entered; `open` is True while the feast is still going on.

    >>> Round(announcer=0, start=Position((), ((),))).end.hands
    ((),)
    """

    announcer: int
    start: Position
    turns: tuple[Turn, ...] = ()
    food_known: bool = True
    open: bool = False

    @property
    def end(self) -> Position:
        """The position after all turns."""
        position = self.start
        for turn in self.turns:
            position = position.after(turn)
        return position

    def to_json(self, seats: Sequence[str]) -> dict[str, Any]:
        """Return the round as an entry under "rounds"."""
        food = [row.to_json() for row in self.start.rows] if self.food_known else None
        hands = zip(seats, self.start.hands, strict=True)
        return {
            "announcer": seats[self.announcer],
            "food": food,
            "hands": {name: [card.to_json() for card in hand] for name, hand in hands},
            "turns": [_turn_json(turn, seats) for turn in self.turns],
            "open": self.open,
        }


def _turn_json(turn: Turn, seats: Sequence[str]) -> dict[str, Any]:
    if turn.card is None:
        return {"player": seats[turn.seat], "pass": True}
    return {"player": seats[turn.seat], "card": turn.card.to_json(), "on": turn.on}


def read_round(value: object, where: str, *, seats: Sequence[str]) -> Round:
    """Return the round of an entry; raises BoardFileError, which names the field, the value and what is allowed.

    >>> read_round({"announcer": "Ana", "hands": {"Ana": []}}, "rounds[0]", seats=["Ana"]).food_known
    False
    """
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=_KNOWN, error=BoardFileError)
    announcer = fields.read_choice(data.get("announcer"), f"{where}.announcer", allowed=seats, error=BoardFileError)
    food = data.get("food")
    start = Position(
        () if food is None else _read_rows(food, f"{where}.food"),
        _read_hands(data.get("hands"), f"{where}.hands", seats),
    )
    return Round(
        seats.index(announcer),
        start,
        _read_turns(data.get("turns"), f"{where}.turns", start=start, seats=seats),
        food_known=food is not None,
        open=fields.read_bool(data.get("open", False), f"{where}.open", error=BoardFileError),
    )


def _read_rows(value: object, where: str) -> tuple[Row, ...]:
    entries = fields.read_list(value, where, error=BoardFileError, most=MAX_FOOD)
    return tuple(read_row(entry, f"{where}[{index}]", most=MAX_CARDS) for index, entry in enumerate(entries))


def _read_hands(value: object, where: str, seats: Sequence[str]) -> Hands:
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=seats, error=BoardFileError)
    for name in seats:
        if name not in data:
            allowed = f"a hand for each of {', '.join(seats)}"
            hint = "An empty list, [], is a hand with nothing left."
            raise BoardFileError(where, f"an object without {name!r}", allowed, hint=hint)
    return tuple(read_cards(data[name], f"{where}.{name}", most=MAX_CARDS) for name in seats)


def _read_turns(value: object, where: str, *, start: Position, seats: Sequence[str]) -> tuple[Turn, ...]:
    entries = [] if value is None else fields.read_list(value, where, error=BoardFileError, most=_MAX_TURNS)
    position, turns = start, []
    for index, entry in enumerate(entries):
        turn = _read_turn(entry, f"{where}[{index}]", position=position, seats=seats)
        turns.append(turn)
        position = position.after(turn)
    return tuple(turns)


def _read_turn(value: object, where: str, *, position: Position, seats: Sequence[str]) -> Turn:
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=("player", "card", "on", "pass"), error=BoardFileError)
    name = fields.read_choice(data.get("player"), f"{where}.player", allowed=seats, error=BoardFileError)
    seat = seats.index(name)
    if fields.read_bool(data.get("pass", False), f"{where}.pass", error=BoardFileError):
        if data.get("card") is not None or data.get("on") is not None:
            raise BoardFileError(where, "a pass with a card", "a card and on, or pass")
        return Turn(seat)
    card = read_animal_card(data.get("card"), f"{where}.card")
    if card not in position.hands[seat]:
        held = ", ".join(own.to_json() for own in dict.fromkeys(position.hands[seat])) or "none, as it is empty"
        raise BoardFileError(f"{where}.card", shown(card.to_json()), f"a card in {name}'s hand: {held}")
    if not position.rows:
        raise BoardFileError(f"{where}.on", shown(data.get("on")), "no food card, as none is entered under food")
    most = len(position.rows) - 1
    return Turn(seat, card, fields.read_int(data.get("on"), f"{where}.on", least=0, most=most, error=BoardFileError))

"""A feast in one line, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.charly.cards import AnimalCard, Row, read_animal_card
from scoring.charly.table import CharlyGame

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")


def cards(*texts: str) -> tuple[AnimalCard, ...]:
    """cards("dog 2", "pig") -> the two animal cards."""
    return tuple(read_animal_card(text, "card") for text in texts)


def row(food: str, *laid: str) -> Row:
    """row("bones 4", "dog 2") -> the food card with the cards laid on it."""
    name, value = food.split()
    return Row(name, int(value), cards(*laid))


def feast(*hands: Sequence[str], food: Sequence[Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A round with the hands given, in seating order; "bones 4" under food is a card with an empty row."""
    rows = None if food is None else [_food(entry) for entry in food]
    named = {NAMES[seat]: list(hand) for seat, hand in enumerate(hands)}
    return {"announcer": NAMES[0], "food": rows, "hands": named, **fields}


def _food(entry: Any) -> Any:
    if not isinstance(entry, str):
        return entry
    food, value, *laid = entry.split(" ", 2)
    return {"food": food, "value": int(value), "row": laid[0].split(", ") if laid else []}


def document(*rounds: dict[str, Any], players: int = 3, **fields: Any) -> dict[str, Any]:
    """A file of a game."""
    return {"game": "charly", "seats": list(NAMES[:players]), "rounds": list(rounds), **fields}


def game(*rounds: dict[str, Any], players: int = 3, **fields: Any) -> CharlyGame:
    """The game of such a file."""
    return CharlyGame.from_json(document(*rounds, players=players, **fields))

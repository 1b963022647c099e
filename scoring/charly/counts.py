"""Are there as many cards as a round has, and no more of one than the box holds? Rulebook, "Components" and "Setup"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.charly.cards import COPIES, AnimalCard
from scoring.charly.feast import Position, Round
from scoring.report import Check

HAND = 7
FOOD_AT_FEAST = {2: 3, 3: 5, 4: 6, 5: 7, 6: 9}
VALUES_OUT: dict[int, frozenset[int]] = {
    2: frozenset({7, 8}),
    3: frozenset({8}),
    4: frozenset({8}),
    5: frozenset({4}),
    6: frozenset(),
}


def round_counts(one: Round, seats: Sequence[str]) -> tuple[Check, ...]:
    """Return the findings on the cards of a round: copies, food cards, hands, and how many there are in all.

    Where no food cards are entered, only the hands are looked at.

    >>> start = Position((), ((AnimalCard("dog", 1),) * 6, ()))
    >>> [(check.id, check.value, check.limit) for check in round_counts(Round(0, start, food_known=False), ["A", "B"])]
    [('copies', 6, 5)]
    """
    found = [*_copies(one.start), *_hands(one.start, seats)]
    if one.food_known:
        found += [*_food(one.start, len(seats)), *_total(one.start, len(seats))]
    return tuple(found)


def _all_cards(position: Position) -> list[AnimalCard]:
    laid = [card for row in position.rows for card in row.cards]
    return laid + [card for hand in position.hands for card in hand]


def _copies(position: Position) -> Iterator[Check]:
    held = Counter((card.animal, card.count) for card in _all_cards(position))
    for (animal, count), copies in held.items():
        limit = COPIES[animal][count]
        if copies > limit:
            name = f"{animal} {count}"
            note = f"{copies} cards {name.replace('_', ' ')}, where the box holds {limit}"
            yield Check("copies", (name,), copies, limit, "violation", note)


def _hands(position: Position, seats: Sequence[str]) -> Iterator[Check]:
    for name, hand in zip(seats, position.hands, strict=True):
        if len(hand) > HAND:
            note = f"{name} holds {len(hand)} animal cards, at most {HAND} are in hand"
            yield Check("hand", (), len(hand), HAND, "violation", note, {"player": name})


def _food(position: Position, players: int) -> Iterator[Check]:
    expected, count = FOOD_AT_FEAST[players], len(position.rows)
    if count != expected:
        note = f"{count} food cards, {expected} are at a feast of {players}"
        yield Check("food_count", (), count, expected, "violation", note)
    held = Counter((row.food, row.value) for row in position.rows)
    for (food, value), copies in held.items():
        if copies > 1:
            note = f"{copies} food cards {food} {value}, of which there is one"
            yield Check("copies", (f"{food} {value}",), copies, 1, "violation", note)
        if value in VALUES_OUT[players]:
            note = f"{food} {value}, which is not used with {players} players"
            yield Check("food_value", (f"{food} {value}",), value, 0, "violation", note)


def _total(position: Position, players: int) -> Iterator[Check]:
    count, expected = len(_all_cards(position)), HAND * players
    if count != expected:
        note = f"{count} animal cards on rows and in hands, {expected} expected"
        yield Check("card_count", (), count, expected, "violation", note)

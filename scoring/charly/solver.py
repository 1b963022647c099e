"""The play of one hand that leaves the least honey to pay.

Rulebook, "The Feast" and "Feeding the Hungry".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.charly.cards import AnimalCard, Row
from scoring.charly.honey import honey_to_pay
from scoring.errors import TooLargeError

MAX_HAND = 10  # seven cards are a hand, eight between drawing and discarding
MAX_ROWS = 9  # the food cards at a feast of six

# The food still there, as (food, animals it feeds) sorted: rows that are alike are one and the same to the search.
_Left = tuple[tuple[str, int], ...]
_Plan = tuple[int, tuple[tuple[str, int] | None, ...]]


@dataclass(frozen=True, slots=True)
class Play:
    """Cards with the index of the row each is laid on, the cards kept, and the honey to pay for those.

    >>> Play((), kept=(AnimalCard("pig", 2),)).honey
    4
    """

    placed: tuple[tuple[AnimalCard, int], ...]
    kept: tuple[AnimalCard, ...]

    @property
    def honey(self) -> int:
        """The honey to pay for the cards kept."""
        return honey_to_pay(self.kept)


def best_play(rows: Sequence[Row], hand: Sequence[AnimalCard]) -> Play:
    """Return the play of a hand that leaves the least honey to pay, if no other player takes more of the food.

    Others only take food away, so that no course of the feast leaves the player less to pay than this. Exact for up
    to 10 cards in hand and 9 food cards, more than a feast has; beyond, TooLargeError is raised. A hand with nothing
    to place gives a play without placements.

    >>> rows = [Row("bones", 4, (AnimalCard("dog", 1),)), Row("carrots", 4)]
    >>> play = best_play(rows, [AnimalCard("dog", 2), AnimalCard("dog", 3), AnimalCard("pig", 2)])
    >>> [(card.label, rows[index].label) for card, index in play.placed], play.honey
    ([('2 pigs', 'carrots 4'), ('3 dogs', 'bones 4')], 2)
    """
    if len(hand) > MAX_HAND:
        raise TooLargeError("animal cards in hand", found=len(hand), most=MAX_HAND)
    if len(rows) > MAX_ROWS:
        raise TooLargeError("food cards", found=len(rows), most=MAX_ROWS)
    cards = sorted(hand, key=lambda card: (-card.honey, card.to_json()))
    left = tuple(sorted((row.food, row.left) for row in rows))
    _, choices = _search(tuple(cards), left, {})
    return _on_rows(cards, choices, rows)


def _search(cards: tuple[AnimalCard, ...], left: _Left, known: dict[tuple[int, _Left], _Plan]) -> _Plan:
    """The most honey that placing the cards saves, and for each the (food, left) it is laid on, or None."""
    if not cards:
        return 0, ()
    key = (len(cards), left)
    if key not in known:
        known[key] = _best_choice(cards, left, known)
    return known[key]


def _best_choice(cards: tuple[AnimalCard, ...], left: _Left, known: dict[tuple[int, _Left], _Plan]) -> _Plan:
    first, rest = cards[0], cards[1:]
    most = honey_to_pay(cards)
    best: _Plan = (-1, ())
    for place, remaining in _choices(first, left):
        saved, choices = _search(rest, remaining, known)
        total = saved + (first.honey if place else 0)
        if total > best[0]:
            best = (total, (place, *choices))
        if total == most:
            break
    return best


def _choices(card: AnimalCard, left: _Left) -> Iterator[tuple[tuple[str, int] | None, _Left]]:
    """Every food that takes the card, with what is left after it; last, keeping the card."""
    for place in dict.fromkeys(left):
        food, amount = place
        if card.eats(food) and card.count <= amount:
            remaining = list(left)
            remaining[remaining.index(place)] = (food, amount - card.count)
            yield place, tuple(sorted(remaining))
    yield None, left


def _on_rows(cards: Sequence[AnimalCard], choices: Sequence[tuple[str, int] | None], rows: Sequence[Row]) -> Play:
    left = [(row.food, row.left) for row in rows]
    placed, kept = [], []
    for card, place in zip(cards, choices, strict=True):
        if place is None:
            kept.append(card)
            continue
        index = left.index(place)
        left[index] = (place[0], place[1] - card.count)
        placed.append((card, index))
    return Play(tuple(placed), tuple(kept))

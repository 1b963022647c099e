"""Are the rows and the turns of a feast as the rules want them? Rulebook, "The Feast" and "End of the Round".

A finding is reported, never repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.charly.cards import Row
from scoring.charly.feast import Position, Round, Turn
from scoring.report import Check


def row_checks(rows: Sequence[Row]) -> tuple[Check, ...]:
    """Return the findings on the rows: animals that do not eat the food, and more animals than it feeds.

    >>> from scoring.charly.cards import AnimalCard
    >>> found = row_checks([Row("bones", 4, (AnimalCard("dog", 3), AnimalCard("dog", 2)))])
    >>> [(check.id, check.value, check.limit) for check in found]
    [('row_value', 5, 4)]
    """
    return tuple(check for index, row in enumerate(rows) for check in _row(row, index))


def _row(row: Row, index: int) -> Iterator[Check]:
    where = {"food": index}
    wrong = [card.label for card in row.cards if not card.eats(row.food)]
    if wrong:
        note = f"{', '.join(wrong)} on {row.label}, of which they do not eat"
        yield Check("row_food", tuple(wrong), len(wrong), 0, "violation", note, where)
    if row.eaters > row.value:
        note = f"{row.eaters} animals on {row.label}, which feeds {row.value}"
        cards = tuple(card.label for card in row.cards)
        yield Check("row_value", cards, row.eaters, row.value, "violation", note, where)


def turn_checks(one: Round, seats: Sequence[str]) -> tuple[Check, ...]:
    """Return the findings on the turns: a pass, or the end of the round, with a card that could be placed; the order.

    Players go clockwise from the announcer. One who cannot place a card need not be listed as passing.

    >>> from scoring.charly.cards import AnimalCard
    >>> start = Position((Row("bones", 4),), ((AnimalCard("dog", 2),), ()))
    >>> [check.note for check in turn_checks(Round(announcer=0, start=start), ["Ana", "Ben"])]
    ['Ana keeps 2 dogs, which could still be placed on bones 4']
    """
    if not one.food_known:
        return ()
    found, position, passed = list[Check](), one.start, set[int]()
    last = one.announcer - 1
    for turn in one.turns:
        found += _passed_over(turn, position, passed=passed, last=last, seats=seats)
        if turn.passes:
            passed.add(turn.seat)
            found += _can_place(position, turn.seat, seats, "passes with")
        position, last = position.after(turn), turn.seat
    told = {check.extra["player"] for check in found if check.id == "pass"}
    if not one.open:
        for seat, name in enumerate(seats):
            found += [] if name in told else _can_place(position, seat, seats, "keeps")
    return tuple(found)


def _can_place(position: Position, seat: int, seats: Sequence[str], verb: str) -> list[Check]:
    placements = position.placements(seat)
    if not placements:
        return []
    card, index = placements[0]
    note = f"{seats[seat]} {verb} {card.label}, which could still be placed on {position.rows[index].label}"
    cards = tuple(dict.fromkeys(card.label for card, _ in placements))
    return [_check("pass", len(cards), cards, note, player=seats[seat])]


def _passed_over(
    turn: Turn, position: Position, *, passed: set[int], last: int, seats: Sequence[str]
) -> Iterator[Check]:
    """Those between the last player and this one, clockwise, who have not passed and could place a card."""
    players = len(seats)
    for step in range(1, (turn.seat - last - 1) % players + 1):
        seat = (last + step) % players
        if seat not in passed and position.placements(seat):
            note = f"{seats[turn.seat]} is before {seats[seat]}, whose turn it is"
            yield _check("turn", 1, (), note, player=seats[turn.seat])


def _check(name: str, value: int, cards: tuple[str, ...], note: str, **extra: Any) -> Check:
    return Check(name, cards, value, 0, "violation", note, extra)

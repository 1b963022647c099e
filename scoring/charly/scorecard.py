"""The report on a game of Charly: the honey of each player round by round, the findings, and who won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.charly.cards import AnimalCard
from scoring.charly.counts import round_counts
from scoring.charly.feast import Position
from scoring.charly.honey import Course, Fed, course_of, standings
from scoring.charly.legality import row_checks, turn_checks
from scoring.charly.solver import Play, best_play
from scoring.charly.table import GAME, CharlyGame
from scoring.errors import TooLargeError
from scoring.report import Check, Report, ScoreLine, ScoreSet, TableReport


def check_game(game: CharlyGame) -> tuple[Check, ...]:
    """Return the findings on every round, each with its number, and on rounds played after the end.

    >>> check_game(CharlyGame(("Ana", "Ben"), (15, 15)))
    ()
    """
    found = []
    for number, one in enumerate(game.rounds, start=1):
        checks = (*row_checks(one.end.rows), *turn_checks(one, game.seats), *round_counts(one, game.seats))
        found += [replace(c, note=f"round {number}: {c.note}", extra={"round": number, **c.extra}) for c in checks]
    course = course_of(game)
    if course.ended and len(game.rounds) > len(course.rounds):
        note = f"the game ended with round {len(course.rounds)}; later rounds are not counted"
        found.append(Check("after_end", (), len(game.rounds), len(course.rounds), "violation", note))
    return tuple(found)


def score_game(game: CharlyGame, *, timings_ms: Mapping[str, float] | None = None) -> TableReport:
    """Return the report on a game; the total of a player is the honey left.

    >>> score_game(CharlyGame(("Ana", "Ben"), (15, 12))).ranking
    (('Ana', 15), ('Ben', 12))
    """
    course = course_of(game)
    order = standings(course)
    ranking = tuple((game.seats[seat], course.honey[seat]) for seat in order)
    return TableReport(
        tuple(_report(course, seat) for seat in range(len(game.seats))),
        ranking,
        check_game(game),
        notes=(*_unknown_food(game), *_end_notes(course, order)),
        timings_ms=timings_ms or {},
        tie_places=tuple(range(1, len(order) + 1)) if course.ended else (),
        ended=course.ended,
        extra={"game": GAME, "unit": "honey", "ended": course.ended, "rounds": len(course.rounds)},
    )


def _report(course: Course, seat: int) -> Report:
    game, honey, hungry = course.game, course.honey[seat], course.hungry[seat]
    lines = [ScoreLine("start", game.honey[seat])]
    for number, paid in enumerate(course.rounds, start=1):
        lines.append(_round_line(number, paid[seat], game.rounds[number - 1].end.hands[seat]))
    advice, notes = _advice(course, seat)
    return Report(
        board=None,
        total=honey,
        total_without_illegal=honey,
        total_range=(honey, honey),
        objectives=tuple(lines),
        notes=notes,
        player=game.seats[seat],
        extra={"game": GAME, "honey": honey, "hungry": hungry} | advice,
    )


def _round_line(number: int, fed: Fed, hand: tuple[AnimalCard, ...]) -> ScoreLine:
    if fed.hungry:
        note = f"{fed.cost} honey to pay, {fed.paid} paid: {_animals(fed.hungry)} hungry"
        return ScoreLine(f"round_{number}", -fed.paid, note=note)
    return ScoreLine(f"round_{number}", -fed.paid, tuple(ScoreSet((card.label,), -card.honey) for card in hand))


def _animals(count: int) -> str:
    return "1 animal stays" if count == 1 else f"{count} animals stay"


def _advice(course: Course, seat: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """In a feast that is still open: what the player can place, and the play that leaves the least to pay."""
    rounds = course.game.rounds
    if course.ended or not rounds or not rounds[-1].open:
        return {}, ()
    position = rounds[-1].end
    can = [{"card": card.to_json(), "on": index} for card, index in position.placements(seat)]
    if not can:
        return {"can_place": can}, ("no card in hand can be placed: pass",)
    try:
        play = best_play(position.rows, position.hands[seat])
    except TooLargeError as error:
        return {"can_place": can}, (str(error),)
    best = {"place": [{"card": card.to_json(), "on": index} for card, index in play.placed], "honey": play.honey}
    return {"can_place": can, "best_play": best}, (_in_words(play, position),)


def _in_words(play: Play, position: Position) -> str:
    steps = [f"{card.label} on {position.rows[index].label}" for card, index in play.placed]
    return f"least honey to pay, if nobody else takes the food: {play.honey}, with {', '.join(steps)}"


def _unknown_food(game: CharlyGame) -> tuple[str, ...]:
    return tuple(
        f"round {number}: no food cards are entered, so that rows and passes are not checked"
        for number, one in enumerate(game.rounds, start=1)
        if not one.food_known
    )


def _end_notes(course: Course, order: tuple[int, ...]) -> tuple[str, ...]:
    seats = course.game.seats
    if not course.ended:
        return ("the game goes on: everybody has honey left",)
    winner, second = order[0], order[1]
    notes = [] if any(course.honey) else ["nobody has honey left: the fewest hungry animals win"]
    tied = course.honey[winner] == course.honey[second]
    if tied and (any(course.honey) or course.hungry[winner] == course.hungry[second]):
        where = f"sitting farther clockwise from {seats[course.announcer]}, who announced the feast"
        notes.append(f"{seats[winner]} wins the tie, {where}")
    return tuple(notes)

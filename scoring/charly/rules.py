"""What the registry of games calls: load, score and validate for Charly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.charly.scorecard import check_game, score_game
from scoring.charly.table import GAME, CharlyGame
from scoring.games import ScoreOptions, refuse_card_options
from scoring.report import Check, TableReport, ToJson


def load(document: object) -> CharlyGame:
    """Return the game of a parsed document; raises BoardFileError.

    >>> load({"seats": ["Ana", "Ben"]}).honey
    (15, 15)
    """
    return CharlyGame.from_json(document)


def score(
    thing: CharlyGame,
    options: ScoreOptions,
    *,
    questions: Sequence[ToJson] = (),
    timings_ms: Mapping[str, float] | None = None,
) -> TableReport:
    """Return the report on a game; raises OptionsError where the options name cards or house rules.

    >>> score(load({"seats": ["Ana", "Ben"]}), ScoreOptions()).winners
    ()
    """
    refuse_card_options(options, game=GAME, players=len(thing.seats))
    return score_game(thing, timings_ms=timings_ms)


def validate(thing: CharlyGame, options: ScoreOptions) -> list[Check]:
    """Return the findings on every round of a game.

    >>> validate(load({"seats": ["Ana", "Ben"]}), ScoreOptions())
    []
    """
    refuse_card_options(options, game=GAME, players=len(thing.seats))
    return list(check_game(thing))

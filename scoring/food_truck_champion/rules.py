"""What the registry of games calls: load, score and validate for Food Truck Champion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.food_truck_champion.counts import board_checks, table_checks
from scoring.food_truck_champion.scorecard import score_table
from scoring.food_truck_champion.table import GAME, TruckTable
from scoring.games import ScoreOptions, refuse_card_options
from scoring.report import Check, TableReport, ToJson


def load(document: object) -> TruckTable:
    """Return the table of a parsed document; raises BoardFileError.

    >>> len(load({"boards": [{"truck": "bear_burgers"}, {"truck": "bear_burgers"}]}).boards)
    2
    """
    return TruckTable.from_json(document)


def score(
    thing: TruckTable,
    options: ScoreOptions,
    *,
    questions: Sequence[ToJson] = (),
    timings_ms: Mapping[str, float] | None = None,
) -> TableReport:
    """Return the report on a table; raises OptionsError where the options name cards or house rules.

    >>> score(load({"boards": [{"truck": "bear_burgers"}, {"truck": "bear_burgers"}]}), ScoreOptions()).winners
    ('Player 1', 'Player 2')
    """
    refuse_card_options(options, game=GAME, players=len(thing.boards))
    return score_table(thing, timings_ms=timings_ms)


def validate(thing: TruckTable, options: ScoreOptions) -> list[Check]:
    """Return the findings on every board, each with its player, and on the whole table.

    >>> [check.id for check in validate(load({"boards": [{"truck": "bear_burgers"}] * 2}), ScoreOptions())]
    ['truck']
    """
    refuse_card_options(options, game=GAME, players=len(thing.boards))
    return [check for board in thing.boards for check in board_checks(board)] + list(table_checks(thing))

"""Pure rules: a board or a table in, a report with reasons out. No pictures, no web, no networks.

>>> board = load_document({"tiles": [{"id": "a", "kind": "ciabatta"}, {"id": "b", "kind": "baguette"}], "contacts": []})
>>> score(board, ScoreOptions(objectives=("bread_pairs",))).total
2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from scoring.charcuterie.board import Board
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import Question
from scoring.charcuterie.table import Seat, Table
from scoring.errors import (
    BoardFileError,
    BoardsnapError,
    CorrectionError,
    FieldError,
    OptionsError,
    RecipeError,
    TooLargeError,
)
from scoring.games import Playable, ScoreOptions, game_named, game_of
from scoring.report import Check, OtherReading, Report, ScoreLine, ScoreSet, TableReport, ToJson, Unchecked

__all__ = [
    "Board",
    "BoardFileError",
    "BoardsnapError",
    "Check",
    "CorrectionError",
    "FieldError",
    "OptionsError",
    "OtherReading",
    "Placement",
    "Playable",
    "Question",
    "RecipeError",
    "Report",
    "ScoreLine",
    "ScoreOptions",
    "ScoreSet",
    "Seat",
    "Table",
    "TableReport",
    "TooLargeError",
    "Unchecked",
    "load_document",
    "score",
    "score_document",
    "validate",
]

_DEFAULT = ScoreOptions()
_NO_TIMINGS: Mapping[str, float] = {}


def load_document(document: object) -> Playable:
    """Return what a parsed document holds: for Charcuterie a Board, or a Table where it has "boards".

    The field "game" picks the game; where it is missing, it is Charcuterie.
    Raises BoardFileError, which names the field, the value and what is allowed.

    >>> load_document({"tiles": [], "contacts": []}).game
    'charcuterie'
    """
    thing: Playable = game_of(document).load(document)
    return thing


@overload
def score(
    board_or_table: Board,
    options: ScoreOptions = ...,
    questions: Sequence[ToJson] = ...,
    *,
    timings_ms: Mapping[str, float] = ...,
) -> Report: ...
@overload
def score(
    board_or_table: Table,
    options: ScoreOptions = ...,
    questions: Sequence[ToJson] = ...,
    *,
    timings_ms: Mapping[str, float] = ...,
) -> TableReport: ...
@overload
def score(
    board_or_table: Playable,
    options: ScoreOptions = ...,
    questions: Sequence[ToJson] = ...,
    *,
    timings_ms: Mapping[str, float] = ...,
) -> Report | TableReport: ...
def score(
    board_or_table: Playable,
    options: ScoreOptions = _DEFAULT,
    questions: Sequence[ToJson] = (),
    *,
    timings_ms: Mapping[str, float] = _NO_TIMINGS,
) -> Report | TableReport:
    """Return the report on a board (Report) or on a table (TableReport), by the rules of its game.

    `questions` are the open questions about a board (or table); each widens `total_range`. Raises OptionsError for
    an unknown objective or house rule, RecipeError for a recipe that does not follow its format.

    >>> score(Board(contacts=())).total
    0
    """
    return game_named(board_or_table.game).score(board_or_table, options, questions=questions, timings_ms=timings_ms)


def validate(board_or_table: Playable, options: ScoreOptions = _DEFAULT) -> list[Check]:
    """Return the placement and count findings on a board, or on all boards of a table and the table itself.

    >>> [(check.id, check.value, check.limit) for check in validate(Board(contacts=(), players=4))]
    [('tile_count', 0, 24)]
    """
    return game_named(board_or_table.game).validate(board_or_table, options)


def score_document(document: object, options: ScoreOptions = _DEFAULT) -> Report | TableReport:
    """Load a parsed document and score it.

    >>> score_document({"tiles": [], "contacts": []}).to_json()["format"]
    'boardsnap.report/1'
    """
    return score(load_document(document), options)

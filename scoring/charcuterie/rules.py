"""What the registry of games calls: load, score and validate for Charcuterie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring import fields
from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import MAX_PLAYERS, MIN_PLAYERS, variant_fits
from scoring.charcuterie.counts import table_counts
from scoring.charcuterie.house_rules import house_rules_in_play
from scoring.charcuterie.objectives import BASE_CARDS, read_objectives
from scoring.charcuterie.questions import Question
from scoring.charcuterie.recipes import Recipe, recipe_of
from scoring.charcuterie.scorecard import InPlay, check_board, score_board, score_table
from scoring.charcuterie.table import Table
from scoring.errors import BoardFileError, OptionsError, RecipeError
from scoring.games import ScoreOptions
from scoring.report import Check, Report, TableReport

DEFAULT_NOTE = "no objective cards were named: scored with the six base cards"


def load(document: object) -> Board | Table:
    """Return the board or table of a parsed document: one with "boards" is a table.

    The cards, house rules and recipes a file names are checked here too. Raises BoardFileError.

    >>> load({"tiles": [], "contacts": []}).placements
    ()
    """
    data = fields.read_object(document, "the file", error=BoardFileError)
    if "boards" in data:
        table = Table.from_json(data)
        for index, seat in enumerate(table.seats):
            _check_rules(_file_rules(table), seat.recipe, where=f"boards[{index}].")
        return table
    board = Board.from_json(data)
    _check_rules(board.extra, board.extra.get("recipe"), where="")
    return board


def _check_rules(file: Mapping[str, Any], recipe: Any, *, where: str) -> None:
    try:
        _in_play(file, recipe, ScoreOptions())
    except OptionsError as error:
        raise BoardFileError(error.field, error.found, error.allowed, hint=error.hint) from error
    except RecipeError as error:
        name = f"{where}recipe" if error.field == "recipe" else f"{where}recipe: {error.field}"
        raise BoardFileError(name, error.found, error.allowed, hint=error.hint) from error


def score(
    thing: Board | Table,
    options: ScoreOptions,
    *,
    questions: Sequence[Question] = (),
    timings_ms: Mapping[str, float] | None = None,
) -> Report | TableReport:
    """Return the report on a board or a table, scored by the options, else by what the file says.

    >>> score(Board(contacts=()), ScoreOptions()).notes
    ('no objective cards were named: scored with the six base cards',)
    """
    if isinstance(thing, Table):
        return _score_table(thing, options, questions, timings_ms)
    play = _in_play(thing.extra, thing.extra.get("recipe"), options)
    board = _with_players(thing, _players(options))
    return score_board(board, play, questions=questions, timings_ms=timings_ms)


def validate(thing: Board | Table, options: ScoreOptions) -> list[Check]:
    """Return the placement and count findings; those on a board of a table carry its player.

    >>> validate(Board(contacts=()), ScoreOptions(players=2))[0].id
    'tile_count'
    """
    if not isinstance(thing, Table):
        return list(check_board(_with_players(thing, _players(options))))
    table = _seated(thing, _players(options))
    of_boards = [
        replace(check, extra={**check.extra, "player": seat.player})
        for seat in table.seats
        for check in check_board(seat.board)
    ]
    return of_boards + list(table_counts(table))


def _score_table(
    table: Table, options: ScoreOptions, questions: Sequence[Question], timings_ms: Mapping[str, float] | None
) -> TableReport:
    if options.recipe is not None:
        allowed = "no recipe option with a table: each board of a table file names its player's recipe"
        raise OptionsError("recipe", "given for a whole table", allowed)
    plays = [_in_play(_file_rules(table), seat.recipe, options) for seat in table.seats]
    return score_table(_seated(table, _players(options)), plays, questions=questions, timings_ms=timings_ms)


def _file_rules(table: Table) -> Mapping[str, Any]:
    return {"objectives": table.objectives, "house_rules": table.house_rules}


def _in_play(file: Mapping[str, Any], recipe: Any, options: ScoreOptions) -> InPlay:
    named = file.get("objectives") if options.objectives is None else options.objectives
    chosen = recipe if options.recipe is None else options.recipe
    return InPlay(
        objectives=BASE_CARDS if named is None else read_objectives(named),
        house_rules=house_rules_in_play(file.get("house_rules"), options.house_rules),
        recipe=_recipe(chosen),
        notes=(DEFAULT_NOTE,) if named is None else (),
    )


def _recipe(value: Any) -> Recipe | None:
    return None if value is None else recipe_of(value)


def _players(options: ScoreOptions) -> int | None:
    if options.players is None:
        return None
    return fields.read_int(options.players, "players", least=MIN_PLAYERS, most=MAX_PLAYERS, error=OptionsError)


def _with_players(board: Board, players: int | None) -> Board:
    if players is None:
        return board
    if not variant_fits(board.variant, players):
        found = f"{players} for a board of the variant {board.variant!r}"
        raise OptionsError("players", found, "less_random with 2 or 3 players, crunchy with 5 or 6")
    return replace(board, players=players)


def _seated(table: Table, players: int | None) -> Table:
    """Return the table with the number of players on every board, as far as it is known or can be counted."""
    count = table.players if players is None else players
    if count < MIN_PLAYERS:
        return table
    variant = table.variant
    seats = [replace(seat, board=replace(seat.board, variant=variant)) for seat in table.seats]
    return replace(table, seats=tuple(replace(seat, board=_with_players(seat.board, count)) for seat in seats))

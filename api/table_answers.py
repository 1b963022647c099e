"""The body of an answer about a table: who sits where, what is hidden, and the scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.store.tables import StoredSeat
from api.tables import Tables, View
from scoring import Board, Seat, Table, TableReport, score

HIDDEN, NONE = "hidden", "none"


@dataclass(frozen=True, slots=True)
class Standing:
    """A table with its boards: the report once all are in, and what each board is worth by itself before."""

    seats: tuple[tuple[StoredSeat, Board | None], ...]
    report: TableReport | None
    totals: tuple[int | None, ...]


def standing(tables: Tables, view: View) -> Standing:
    """Return how a table stands; recipes count once they are revealed."""
    seats = tuple((seat, tables.board_of(seat)) for seat in view.table.seats)
    boards = [_seated(view, seat, board) for seat, board in seats]
    if all(board is not None for board in boards):
        report = _report(view, [board for board in boards if board is not None])
        return Standing(seats, report, tuple(board.total for board in report.boards))
    totals = tuple(None if board is None else _report(view, [board]).boards[0].total for board in boards)
    return Standing(seats, None, totals)


def table_answer(tables: Tables, view: View) -> dict[str, Any]:
    """Return a table as a body."""
    table, stands = view.table, standing(tables, view)
    report = stands.report
    return {
        "id": table.id,
        "created": table.created_at,
        "expires": table.expires_at,
        "you": {"host": view.is_host, "seat": view.seat},
        "players": [seat.player for seat in table.seats],
        **table.rules,
        "revealed": table.revealed,
        "seats": [
            _seat(view, seat, board, total) for (seat, board), total in zip(stands.seats, stands.totals, strict=True)
        ],
        "report": None if report is None else report.to_json(),
        "leaderboard": leaderboard(report),
        "complete": report is not None,
    }


def leaderboard(report: TableReport | None) -> list[dict[str, Any]]:
    """Return places, players and points, the best first; empty while boards are missing."""
    if report is None:
        return []
    entries = zip(report.places, report.ranking, strict=True)
    return [{"place": place, "player": player, "total": total} for place, (player, total) in entries]


def _seated(view: View, seat: StoredSeat, board: Board | None) -> Seat | None:
    """A seat as scoring takes it: the table, not the photo's options, says how many play and by which variant."""
    if board is None:
        return None
    kept = {name: value for name, value in board.extra.items() if name not in ("objectives", "house_rules", "recipe")}
    fitted = replace(board, players=len(view.table.seats), variant=view.table.rules["variant"], extra=kept)
    return Seat(seat.player, fitted, seat.recipe if view.table.revealed else None)


def _report(view: View, seats: Sequence[Seat]) -> TableReport:
    rules = view.table.rules
    table = Table(tuple(seats), objectives=rules["objectives"], house_rules=rules["house_rules"])
    report = score(table)
    assert isinstance(report, TableReport)
    return report


def _seat(view: View, seat: StoredSeat, board: Board | None, total: int | None) -> dict[str, Any]:
    is_own = view.seat == seat.seat
    return {
        "seat": seat.seat,
        "player": seat.player,
        "board": board is not None,
        "reading_id": seat.reading_id if is_own or view.is_host else None,
        "recipe": _recipe(seat, board, is_shown=view.table.revealed or is_own),
        "total": total,
    }


def _recipe(seat: StoredSeat, board: Board | None, *, is_shown: bool) -> Any:
    if seat.recipe is None:
        return NONE
    if not is_shown:
        return HIDDEN
    name = seat.recipe["id"] if isinstance(seat.recipe, dict) else seat.recipe
    return {"id": str(name), "points": None if board is None else _recipe_points(seat.recipe, board)}


def _recipe_points(recipe: Any, board: Board) -> int | None:
    from scoring.charcuterie.groups import view_of
    from scoring.charcuterie.recipes import recipe_of, score_recipe

    return score_recipe(recipe_of(recipe), view_of(board)).points

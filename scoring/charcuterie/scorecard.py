"""The report on a board and on a table: cards, recipe, checks, questions, and who won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import cards_left_out
from scoring.charcuterie.corrections import with_contacts, without_tiles
from scoring.charcuterie.counts import board_counts, table_counts
from scoring.charcuterie.groups import View, view_of
from scoring.charcuterie.house_rules import HouseRules
from scoring.charcuterie.legality import illegal_tiles, placement_checks
from scoring.charcuterie.objectives import card_points, score_card
from scoring.charcuterie.questions import Question, total_range, weigh
from scoring.charcuterie.recipes import Recipe, score_recipe
from scoring.charcuterie.table import Table
from scoring.report import Check, Report, TableReport

# Rulebook, "Scoring": the marker is turned at 50, and another one is earned at 100.
MARKERS: tuple[tuple[int, str], ...] = ((50, "50+"), (100, "5-Star Chef"))
NeighborKinds = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class InPlay:
    """The cards and house rules a board is scored by; `notes` say what was assumed.

    >>> InPlay(objectives=("dip_unique",)).recipe is None
    True
    """

    objectives: tuple[str, ...]
    house_rules: HouseRules = field(default_factory=dict)
    recipe: Recipe | None = None
    notes: tuple[str, ...] = ()


def markers(total: int) -> tuple[str, ...]:
    """Return the markers a score earns.

    >>> markers(49), markers(50), markers(100)
    ((), ('50+',), ('50+', '5-Star Chef'))
    """
    return tuple(name for least, name in MARKERS if total >= least)


def check_board(board: Board) -> tuple[Check, ...]:
    """Return the placement and count findings on a board.

    >>> check_board(Board(contacts=()))
    ()
    """
    return placement_checks(board)[0] + board_counts(board)


def total_of(board: Board, play: InPlay, *, neighbors: NeighborKinds | None = None) -> int:
    """Return the total of a board, without lines and checks.

    >>> total_of(Board(contacts=()), InPlay(("fruit_matching_pairs",)))
    0
    """
    view = view_of(board, neighbors=neighbors)
    return card_points(play.objectives, view, play.house_rules) + _recipe_points(play, view)


def _recipe_points(play: InPlay, view: View) -> int:
    return 0 if play.recipe is None else score_recipe(play.recipe, view).points or 0


def score_board(
    board: Board,
    play: InPlay,
    *,
    questions: Sequence[Question] = (),
    neighbors: NeighborKinds | None = None,
    legal_neighbors: NeighborKinds | None = None,
    player: str | None = None,
    timings_ms: Mapping[str, float] | None = None,
) -> Report:
    """Return the report on one board.

    `neighbors` holds the neighbors' names and kinds, `legal_neighbors` the same without their illegal tiles.

    >>> score_board(Board(contacts=()), InPlay(("dip_unique",))).objectives[0].readings[0].points
    -3
    """
    full = with_contacts(board)
    view = view_of(full, neighbors=neighbors)
    lines = tuple(score_card(name, view, play.house_rules) for name in play.objectives)
    recipe = None if play.recipe is None else score_recipe(play.recipe, view)
    total = sum(line.points or 0 for line in lines) + ((recipe.points or 0) if recipe else 0)
    placed, unchecked = placement_checks(full)
    illegal = illegal_tiles(placed)
    changed = bool(illegal) or legal_neighbors != neighbors
    legal = total_of(without_tiles(full, illegal), play, neighbors=legal_neighbors) if changed else total

    def score(other: Board) -> int:
        return total_of(other, play, neighbors=neighbors)

    return Report(
        board=board,
        total=total,
        total_without_illegal=legal,
        total_range=total_range(questions, full, score) if questions else (total, total),
        objectives=lines,
        recipe=recipe,
        checks=placed + board_counts(board),
        unchecked=unchecked,
        questions=weigh(questions, full, score) if questions else (),
        markers=markers(total),
        house_rules=play.house_rules,
        notes=play.notes + _board_notes(full, play),
        player=player,
        timings_ms=timings_ms or {},
    )


def _board_notes(board: Board, play: InPlay) -> tuple[str, ...]:
    touching = {frozenset(pair) for pair in board.contacts or ()}
    apart = [pair for pair in board.over if frozenset(pair) not in touching]
    notes = [
        f"{upper} lies on {lower}, and the contacts say they do not touch: contacts are followed"
        for upper, lower in apart
    ]
    left_out = sorted(cards_left_out(board.variant, board.players) & frozenset(play.objectives))
    notes += [
        f"the variant for {board.players} players does not use {card}; it is scored as asked" for card in left_out
    ]
    return tuple(notes)


def score_table(
    table: Table,
    plays: Sequence[InPlay],
    *,
    questions: Sequence[Question] = (),
    timings_ms: Mapping[str, float] | None = None,
) -> TableReport:
    """Return the report on a table: `plays` holds what each seat is scored by, in seating order.

    >>> from scoring.charcuterie.table import Seat
    >>> table = Table((Seat("Ana", Board(contacts=())), Seat("Ben", Board(contacts=()))))
    >>> score_table(table, [InPlay(()), InPlay(())]).ranking
    (('Ana', 0), ('Ben', 0))
    """
    full = replace(table, seats=tuple(replace(seat, board=with_contacts(seat.board)) for seat in table.seats))
    legal = replace(full, seats=tuple(replace(seat, board=_legal(seat.board)) for seat in full.seats))
    reports = tuple(
        replace(
            score_board(
                seat.board,
                play,
                questions=[question for question in questions if question.player in (None, seat.player)],
                neighbors=_neighbor_kinds(full, index),
                legal_neighbors=_neighbor_kinds(legal, index),
                player=seat.player,
            ),
            board=table.seats[index].board,
        )
        for index, (seat, play) in enumerate(zip(full.seats, plays, strict=True))
    )
    ranking = sorted(((report.player or "", report.total) for report in reports), key=lambda entry: -entry[1])
    return TableReport(reports, tuple(ranking), table_counts(table), _table_notes(ranking), timings_ms or {})


def _legal(board: Board) -> Board:
    return without_tiles(board, illegal_tiles(placement_checks(board)[0]))


def _neighbor_kinds(table: Table, seat: int) -> NeighborKinds | None:
    beside = table.neighbors(seat)
    return tuple((other.player, tuple(p.kind for p in other.board.placements)) for other in beside) or None


def _table_notes(ranking: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    best = [player for player, total in ranking if total == ranking[0][1]]
    return (f"{' and '.join(best)} tie with {ranking[0][1]} points",) if len(best) > 1 else ()

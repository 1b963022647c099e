"""The report on a table of food trucks: tokens, flavor sets, logos, and who won.

Rulebook, "Scoring". Cards in the fridge, in hand or in the staff, and orders not completed, score nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.food_truck_champion.counts import board_checks, table_checks, tokens_of_a_value
from scoring.food_truck_champion.critique import choose_awards
from scoring.food_truck_champion.flavors import complete_sets, most_sets, tickets_of_sets
from scoring.food_truck_champion.table import GAME, TOKEN_VALUES, TruckBoard, TruckTable
from scoring.report import Report, ScoreLine, ScoreSet, TableReport

POINTS_OF_A_SET = 5
POINTS_OF_A_LOGO = 1


@dataclass(frozen=True, slots=True)
class Hidden:
    """A question: tokens or tickets of which something that scores cannot be known.

    >>> Hidden("token", "2 tokens lie face down", least=2, most=6).to_json()["points_at_stake"]
    6
    """

    about: str
    why: str
    least: int
    most: int
    tiles: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the question as a report holds it."""
        return {"about": self.about, "tiles": list(self.tiles), "why": self.why, "points_at_stake": self.most}


def score_lines(board: TruckBoard) -> tuple[ScoreLine, ScoreLine, ScoreLine]:
    """Return the lines of a player: popularity tokens, awards, own logo. What cannot be seen scores nothing.

    >>> from scoring.food_truck_champion.cards import known_cards
    >>> board = TruckBoard("Ana", known_cards().trucks["bear_burgers"], tokens=(3, 2, 2))
    >>> [(line.id, line.points) for line in score_lines(board)]
    [('popularity_tokens', 7), ('awards', 0), ('own_logo', 0)]
    """
    return _tokens(board), _awards(board), _logos(board)


def _tokens(board: TruckBoard) -> ScoreLine:
    held = Counter(board.tokens)
    sets = tuple(ScoreSet((f"{held[v]} of value {v}",), v * held[v]) for v in TOKEN_VALUES[::-1] if held[v])
    return ScoreLine("popularity_tokens", sum(part.points for part in sets), sets)


def _awards(board: TruckBoard) -> ScoreLine:
    sets = tuple(ScoreSet(titles, POINTS_OF_A_SET) for titles in tickets_of_sets(board.profile, board.awards))
    return ScoreLine("awards", POINTS_OF_A_SET * len(sets), sets)


def _logos(board: TruckBoard) -> ScoreLine:
    own = board.own_logos
    points = POINTS_OF_A_LOGO * len(own)
    return ScoreLine("own_logo", points, (ScoreSet(tuple(t.title for t in own), points),) if own else ())


def hidden(board: TruckBoard) -> tuple[Hidden, ...]:
    """Return the questions about a player's things: those lying face down, and logos that are not known.

    >>> from scoring.food_truck_champion.cards import known_cards
    >>> board = TruckBoard("Ana", known_cards().trucks["bear_burgers"], tokens=(None, 3))
    >>> [(question.about, question.least, question.most) for question in hidden(board)]
    [('token', 1, 3)]
    """
    return tuple(_questions(board))


def _questions(board: TruckBoard) -> Iterator[Hidden]:
    down = board.tokens.count(None)
    if down:
        why = f"{_number(down, 'token')} face down: turn up what lies so, the values score"
        yield Hidden("token", why, down * TOKEN_VALUES[0], down * TOKEN_VALUES[-1])
    down = sum(ticket.face_down for ticket in board.orders)
    if down:
        more = most_sets(board.profile, board.awards) - complete_sets(board.profile, board.awards)
        why = f"{_number(down, 'ticket')} face down: spread the tickets out face up"
        yield Hidden("ticket", why, 0, down * POINTS_OF_A_LOGO + more * POINTS_OF_A_SET)
    unknown = [ticket.title for ticket in board.orders if ticket.logo is None and not ticket.face_down]
    if unknown:
        why = "the file does not say whose logo is shown"
        yield Hidden("logo", why, 0, len(unknown) * POINTS_OF_A_LOGO, tuple(unknown))


def _number(count: int, what: str) -> str:
    return f"1 {what} lies" if count == 1 else f"{count} {what}s lie"


def score_board(board: TruckBoard, *, critiques: int = 0) -> Report:
    """Return the report on one player; with critiques to come it says what they should choose.

    >>> from scoring.food_truck_champion.cards import known_cards
    >>> score_board(TruckBoard("Ana", known_cards().trucks["bear_burgers"], tokens=(3, 1))).total
    4
    """
    lines, questions = score_lines(board), hidden(board)
    total = sum(line.points or 0 for line in lines)
    advice, notes = _advice(board, critiques)
    return Report(
        board=board,
        total=total,
        total_without_illegal=total,
        total_range=(total + sum(q.least for q in questions), total + sum(q.most for q in questions)),
        objectives=lines,
        checks=board_checks(board),
        questions=questions,
        notes=notes,
        player=board.player,
        extra={"game": GAME, "truck": board.truck.id} | advice,
    )


def _advice(board: TruckBoard, critiques: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    if not critiques or not board.completed:
        return {}, ()
    choice = choose_awards(board.profile, board.completed, awards=board.awards, critiques=critiques)
    titles = [ticket.title for ticket in choice.tickets]
    facts = {"choose": titles, "sets": choice.sets, "progress": choice.progress}
    if not titles:
        return {"critique": facts}, ()
    sets = "1 complete set" if choice.sets == 1 else f"{choice.sets} complete sets"
    then = f"then {sets} and {choice.progress} of {len(board.profile)} icons of the next"
    return {"critique": facts}, (f"the critiques to come should choose {', '.join(titles)}: {then}",)


def score_table(table: TruckTable, *, timings_ms: Mapping[str, float] | None = None) -> TableReport:
    """Return the report on a table.

    A tie goes to most completed tickets with the own logo, then to most tokens, and is shared after that.

    >>> boards = [{"player": "Ana", "truck": "bear_burgers", "tokens": [2]}, {"player": "Ben", "truck": "bear_burgers"}]
    >>> score_table(TruckTable.from_json({"boards": boards})).winners
    ('Ana',)
    """
    reports = tuple(score_board(board, critiques=table.critiques) for board in table.boards)
    ranks = [
        (report.total, len(board.own_logos), len(board.tokens))
        for report, board in zip(reports, table.boards, strict=True)
    ]
    order = sorted(range(len(ranks)), key=lambda seat: ranks[seat], reverse=True)
    ranking = tuple((table.boards[seat].player, reports[seat].total) for seat in order)
    best_first = [ranks[seat] for seat in order]
    return TableReport(
        reports,
        ranking,
        table_checks(table),
        notes=_notes(table, [(name, rank) for (name, _), rank in zip(ranking, best_first, strict=True)]),
        timings_ms=timings_ms or {},
        tie_places=tuple(best_first.index(rank) + 1 for rank in best_first),
        extra={"game": GAME},
    )


def _notes(table: TruckTable, ranked: list[tuple[str, tuple[int, int, int]]]) -> tuple[str, ...]:
    notes = []
    winner, best = ranked[0]
    shared = [name for name, rank in ranked if rank == best]
    tied = [(name, rank) for name, rank in ranked if rank[0] == best[0] and rank != best]
    if len(shared) > 1:
        notes.append(f"{' and '.join(shared)} share the victory: equal in points, own logos and tokens")
    elif tied:
        _, second = tied[0]
        by, index = ("completed tickets with the own logo", 1) if best[1] != second[1] else ("tokens", 2)
        notes.append(f"{winner} wins the tie with {tied[0][0]} by {by}, {best[index]} to {second[index]}")
    used = Counter(token for board in table.boards for token in board.tokens)
    stacks = sum(used[value] >= tokens_of_a_value(len(table.boards)) for value in TOKEN_VALUES)
    if stacks < 2 and None not in used:
        notes.append(f"the tokens of {stacks} of the 3 stacks are all taken; the game ends when those of 2 are")
    if any(hidden(board) for board in table.boards):
        notes.append("what cannot be seen is not counted, and may change the ranking")
    return tuple(notes)

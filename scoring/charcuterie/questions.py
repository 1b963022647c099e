"""Questions: what a person should look at, what else the board could be, and how many points hang on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from scoring import fields
from scoring.charcuterie import corrections
from scoring.charcuterie.board import Board
from scoring.charcuterie.corrections import Correction, apply
from scoring.errors import CorrectionError

Total = Callable[[Board], int]
Alternative = tuple[Correction, ...]

# 8 questions of yes or no: scoring 256 boards takes about a tenth of a second.
MAX_COMBINATIONS = 256
_MAX_LISTED = 200
_MAX_WHY = 500


@dataclass(frozen=True, slots=True)
class Question:
    """Something about a reading that a person should look at.

    `about` is contact, kind, over, covered, count, tile, or another word; each alternative is what to correct if the
    board is otherwise. `player` says whose board it is about at a table.

    >>> Question("contact", ("t2", "t9"), "gap 0.9 mm", ((corrections.SetContact("t2", "t9"),),)).to_json()["why"]
    'gap 0.9 mm'
    """

    about: str
    tiles: tuple[str, ...]
    why: str
    alternatives: tuple[Alternative, ...] = ()
    player: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the question as an object, which `question_from_json` reads back."""
        listed = [[corrections.to_json(correction) for correction in way] for way in self.alternatives]
        head = {"about": self.about, "tiles": list(self.tiles), "why": self.why, "alternatives": listed}
        return head | ({} if self.player is None else {"player": self.player})


@dataclass(frozen=True, slots=True)
class WeighedQuestion:
    """A question with the most points that an alternative would change the total by."""

    question: Question
    points_at_stake: int

    def to_json(self) -> dict[str, Any]:
        """Return the question as a report holds it."""
        return self.question.to_json() | {"points_at_stake": self.points_at_stake}


def question_from_json(value: object) -> Question:
    """Return the question of a parsed object; raises CorrectionError.

    >>> question_from_json({"about": "kind", "tiles": ["t1"], "why": "swiss or gouda"}).tiles
    ('t1',)
    """
    data = fields.read_object(value, "question", error=CorrectionError)
    tiles = fields.read_list(data.get("tiles", []), "question.tiles", error=CorrectionError, most=_MAX_LISTED)
    ways = fields.read_list(
        data.get("alternatives", []), "question.alternatives", error=CorrectionError, most=_MAX_LISTED
    )
    why, player = data.get("why", ""), data.get("player")
    return Question(
        about=fields.read_name(data.get("about"), "question.about", error=CorrectionError),
        tiles=tuple(fields.read_name(tile, "question.tiles", error=CorrectionError) for tile in tiles),
        why=why[:_MAX_WHY] if isinstance(why, str) else "",
        alternatives=tuple(_read_way(way) for way in ways),
        player=None if player is None else fields.read_name(player, "question.player", error=CorrectionError),
    )


def _read_way(value: object) -> Alternative:
    listed = fields.read_list(value, "question.alternatives", error=CorrectionError, most=_MAX_LISTED)
    return tuple(corrections.from_json(entry) for entry in listed)


def apply_all(board: Board, alternative: Alternative) -> Board:
    """Return the board with all corrections of an alternative made, in order.

    >>> apply_all(Board(contacts=()), ()) == Board(contacts=())
    True
    """
    for correction in alternative:
        board = apply(board, correction)
    return board


def weigh(questions: Sequence[Question], board: Board, total: Total) -> tuple[WeighedQuestion, ...]:
    """Return the questions with the points at stake, most first; `total` scores a board.

    Raises CorrectionError for an alternative that does not fit the board.

    >>> weigh([Question("count", (), "23 tiles")], Board(contacts=()), lambda board: 0)[0].points_at_stake
    0
    """
    now = total(board)
    weighed = [WeighedQuestion(question, _stake(question, board, total, now)) for question in questions]
    return tuple(sorted(weighed, key=lambda item: -item.points_at_stake))


def _stake(question: Question, board: Board, total: Total, now: int) -> int:
    return max((abs(total(apply_all(board, way)) - now) for way in question.alternatives), default=0)


def total_range(questions: Sequence[Question], board: Board, total: Total) -> tuple[int, int]:
    """Return the lowest and highest total over the alternatives of all questions.

    All combinations are scored where they are few; else each question's own best and worst are added up, which
    can miss what two answers change only together.

    >>> total_range([], Board(contacts=()), lambda board: 7)
    (7, 7)
    """
    if prod(len(question.alternatives) + 1 for question in questions) <= MAX_COMBINATIONS:
        totals = [total(combined) for combined in _combinations(questions, board)]
        return min(totals), max(totals)
    low = high = now = total(board)
    for question in questions:
        changes = [total(apply_all(board, way)) - now for way in question.alternatives]
        low += min(0, *changes) if changes else 0
        high += max(0, *changes) if changes else 0
    return low, high


def _combinations(questions: Sequence[Question], board: Board) -> list[Board]:
    boards = [board]
    for question in questions:
        boards += [changed for way in question.alternatives for known in boards if (changed := _tried(known, way))]
    return boards


def _tried(board: Board, way: Alternative) -> Board | None:
    try:
        return apply_all(board, way)
    except CorrectionError:  # two answers that exclude each other, such as no tile and another kind
        return None

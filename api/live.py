"""A reading with its edits made: the board as it stands, the questions still open, and its report, quick or whole."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from api.play import score_options
from api.strict_json import Fragment, dump, load
from scoring import Board, CorrectionError, Question, Report, load_document, score
from scoring.charcuterie import corrections
from scoring.charcuterie.corrections import AddTile, Correction, MoveTile, RemoveTile, SetContact, SetKind, SetOver
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import WeighedQuestion, apply_all, question_from_json

Step = tuple[Correction, ...]
# A board has 24 tiles; a page sends a few corrections at a time.
MAX_CORRECTIONS = 500
# About 5 kB each.
_CACHED_TILES = 5000


@dataclass(frozen=True, slots=True)
class Weighing:
    """What hung on the questions when they were last weighed: at which revision, and scored by what (None: unknown)."""

    stakes: dict[Any, int]
    total: int
    total_range: tuple[int, int]
    revision: int
    options: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class LiveReading:
    """A reading at one revision (its number of edits): immutable, so that requests may share it.

    `facts` holds what no correction changes: the photo's size, notes, times.
    """

    facts: dict[str, Any]
    first: Board
    asked: tuple[Question, ...]
    weighing: Weighing
    board: Board
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()
    revision: int = 0

    @classmethod
    def begin(cls, stored: str) -> "LiveReading":
        """Return the reading as vision made it, from its stored result."""
        result = load(stored)
        facts = {name: result[name] for name in ("photo", "notes", "timings_ms")}
        board = load_document(result["board"])
        assert isinstance(board, Board)
        full = corrections.with_contacts(board)
        asked = tuple(question_from_json(entry) for entry in result["questions"])
        stakes = {_key(q): int(e["points_at_stake"]) for q, e in zip(asked, result["questions"], strict=True)}
        low, high = result["total_range"]
        weighing = Weighing(stakes, int(result["total"]), (low, high), 0, result.get("options"))
        return cls(facts, full, asked, weighing, full)

    def corrected(self, step: Step) -> "LiveReading":
        """Return the reading with corrections made; what was undone before cannot be redone any more.

        Raises:
            BoardsnapError: a correction does not fit the board.
        """
        board = _reloaded(apply_all(self.board, step))
        return replace(self, board=board, done=(*self.done, step), undone=(), revision=self.revision + 1)

    def undo(self) -> "LiveReading | None":
        """Return the reading before its last corrections; None where there are none."""
        if not self.done:
            return None
        done, last = self.done[:-1], self.done[-1]
        return self._rebuilt(done, (*self.undone, last))

    def redo(self) -> "LiveReading | None":
        """Return the reading with the corrections undone last made again; None where there are none."""
        if not self.undone:
            return None
        undone, last = self.undone[:-1], self.undone[-1]
        return self._rebuilt((*self.done, last), undone)

    def _rebuilt(self, done: tuple[Step, ...], undone: tuple[Step, ...]) -> "LiveReading":
        board = self.first
        for step in done:
            board = apply_all(board, step)
        return replace(self, board=board, done=done, undone=undone, revision=self.revision + 1)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that no correction has answered and that still fit the board."""
        answers = frozenset(answer for step in self.done for correction in step for answer in _answers(correction))
        moved = frozenset(c.tile for step in self.done for c in step if isinstance(c, MoveTile))
        return tuple(q for q in self.asked if not _answered(q, answers, moved) and _fits(q, self.board))

    def quick_report(self, options: dict[str, Any]) -> Report:
        """Return the report with fresh points and checks, and the stakes of the questions as they were last weighed."""
        report = score(self.board, score_options(options))
        open_ = sorted(self.questions, key=lambda question: -self.weighing.stakes.get(_key(question), 0))
        weighed = tuple(WeighedQuestion(question, self.weighing.stakes.get(_key(question), 0)) for question in open_)
        change = report.total - self.weighing.total
        low, high = (points + change for points in self.weighing.total_range)
        bounds = (low, high) if open_ else (report.total, report.total)
        return replace(report, questions=weighed, total_range=bounds)

    def weighed(self, options: dict[str, Any]) -> "LiveReading":
        """Return the reading with its questions weighed against the board as it stands: up to 0.2 s, once a board."""
        if (self.weighing.revision, self.weighing.options) == (self.revision, options):
            return self
        report = score(self.board, score_options(options), self.questions)
        found = [entry for entry in report.questions if isinstance(entry, WeighedQuestion)]
        stakes = self.weighing.stakes | {_key(entry.question): entry.points_at_stake for entry in found}
        return replace(self, weighing=Weighing(stakes, report.total, report.total_range, self.revision, options))


def report_json(report: Report) -> tuple[Fragment, dict[str, Any]]:
    """Return a report's board as JSON, and the report with that board in it, without writing it twice."""
    found = report.board
    document = _board_json(found) if isinstance(found, Board) else None if found is None else found.to_json()
    board = Fragment(dump(document))
    return board, {**replace(report, board=None).to_json(), "board": board}


class _Same:
    """A placement that equals itself alone."""

    __slots__ = ("placement",)

    def __init__(self, placement: Placement) -> None:
        self.placement = placement

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.placement is other.placement

    def __hash__(self) -> int:
        return id(self.placement)


@lru_cache(maxsize=_CACHED_TILES)
def _tile_json(same: _Same) -> Fragment:
    """A tile as JSON: all but the one corrected stay the same objects, and are written once."""
    return Fragment(dump(same.placement.to_json()))


def _board_json(board: Board) -> dict[str, Any]:
    """What `Board.to_json` gives, its tiles as JSON."""
    return {**replace(board, placements=()).to_json(), "tiles": [_tile_json(_Same(p)) for p in board.placements]}


def read_step(value: object) -> Step:
    """Return the corrections of a request: one object, or a list of them.

    Raises:
        BoardsnapError: an entry is no correction, or there are none or too many.
    """
    listed = value if isinstance(value, list) else [value]
    if not 1 <= len(listed) <= MAX_CORRECTIONS:
        raise CorrectionError("corrections", f"a list of {len(listed)}", f"1 to {MAX_CORRECTIONS} corrections")
    return tuple(corrections.from_json(entry) for entry in listed)


def step_json(step: Step) -> list[dict[str, Any]]:
    """Return corrections as objects."""
    return [corrections.to_json(correction) for correction in step]


def replayed(live: LiveReading, edits: Iterable[tuple[str, Sequence[Any]]]) -> LiveReading:
    """Return the reading with stored edits made in order."""
    done: list[Step] = []
    undone: list[Step] = []
    listed_edits = list(edits)
    for action, listed in listed_edits:
        if action == "undo":
            undone.append(done.pop())
        elif action == "redo":
            done.append(undone.pop())
        else:
            done.append(read_step(list(listed)))
            undone.clear()
    return replace(live._rebuilt(tuple(done), tuple(undone)), revision=len(listed_edits))


def _reloaded(board: Board) -> Board:
    """The board, once it is one that a board file could hold: the number of tiles is limited there."""
    Board.from_json({"tiles": [{"id": p.id, "kind": p.kind} for p in board.placements], "contacts": []})
    return board


def _key(question: Question) -> Any:
    return question.about, question.tiles


def _answers(correction: Correction) -> list[Any]:
    match correction:
        case SetKind(tile, _):
            return [("kind", frozenset((tile,))), ("tile", frozenset((tile,)))]
        case SetContact(a, b, _):
            return [("contact", frozenset((a, b))), ("over", frozenset((a, b)))]
        case SetOver(upper, lower, _):
            return [("contact", frozenset((upper, lower))), ("over", frozenset((upper, lower)))]
        case RemoveTile(_):
            return [("count", frozenset())]
        case MoveTile():
            return []
        case _:
            return [("count", frozenset())]


def _answered(question: Question, answers: frozenset[Any], moved: frozenset[str]) -> bool:
    if question.about in ("contact", "over", "covered") and not moved.isdisjoint(question.tiles):
        return True
    return (question.about, frozenset(question.tiles)) in answers


def _fits(question: Question, board: Board) -> bool:
    ids = {placement.id for placement in board.placements}
    named = {tile for way in question.alternatives for correction in way for tile in _tiles_of(correction)}
    return ids.issuperset(question.tiles) and ids.issuperset(named)


def _tiles_of(correction: Correction) -> tuple[str, ...]:
    match correction:
        case SetContact(a, b, _) | SetOver(a, b, _):
            return a, b
        case AddTile():
            return ()
        case _:
            return (correction.tile,)

"""One input -> its answer: the JSON of a report, of a table report, or of the checks."""

from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from api.errors import UsageError
from api.inputs import DocumentInput, open_input
from api.photos import PhotoReader, ReadPhoto
from scoring import Board, Playable, Report, ScoreOptions, load_document, score, validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from scoring import Question


@dataclass(frozen=True, slots=True)
class Opened:
    """What an input holds, with the reading where it is a photo."""

    content: Playable
    read: ReadPhoto | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)

    @property
    def questions(self) -> "Sequence[Question]":
        """What the reading left for a person to look at."""
        return () if self.read is None else self.read.reading.questions

    @property
    def notes(self) -> tuple[str, ...]:
        """What the decoder decided about the file."""
        return () if self.read is None else self.read.photo.notes


def open_board(path: Path, reader: PhotoReader, *, players: int | None) -> Opened:
    """Read a photo, a board file, a table file, or the file of another game.

    Raises:
        BoardsnapError: it cannot be read, or holds no board.
    """
    opened = open_input(path)
    if isinstance(opened, DocumentInput):
        return Opened(load_document(opened.document))
    read = reader.read(path, players=players)
    return Opened(read.reading.board, read, read.timings_ms)


def score_answer(
    path: Path, options: ScoreOptions, reader: PhotoReader, *, overlay: Path | None = None
) -> dict[str, Any]:
    """Score an input; with `overlay`, also draw the reading and the points on the photo.

    Raises:
        BoardsnapError: the input cannot be read, or the options do not fit it.
    """
    opened = open_board(path, reader, players=options.players)
    if overlay is not None and opened.read is None:
        raise UsageError(f"--overlay draws on a photo, and {path} is a board file. Leave the option out.")
    start = perf_counter()
    report = score(opened.content, options, opened.questions)
    answer = report.to_json()
    answer["timings_ms"] = {**opened.timings_ms, "score": 1000 * (perf_counter() - start)}
    answer["notes"] = [*answer["notes"], *opened.notes]
    if overlay is not None and opened.read is not None and isinstance(report, Report):
        _write_overlay(overlay, opened.read, report)
    return answer


def validate_answer(path: Path, options: ScoreOptions, reader: PhotoReader) -> dict[str, Any]:
    """Check placement and counts of an input, without scoring it.

    Raises:
        BoardsnapError: the input cannot be read.
    """
    opened = open_board(path, reader, players=options.players)
    checks = validate(opened.content, options)
    return {
        "format": "boardsnap.checks/1",
        "board": opened.content.to_json() if isinstance(opened.content, Board) else None,
        "checks": [check.to_json() for check in checks],
        "questions": [question.to_json() for question in opened.questions],
        "timings_ms": opened.timings_ms,
    }


def show_score(console: "Console", answer: dict[str, Any], title: str) -> None:
    """Print a report or a table report as tables."""
    from api.present import print_report, print_table_report

    show = print_table_report if "boards" in answer else print_report
    show(console, answer, title=title)


def show_checks(console: "Console", answer: dict[str, Any], title: str) -> None:
    """Print what `validate` found."""
    from api.present import print_checks

    print_checks(console, answer, title=title)


def has_violation(answer: dict[str, Any]) -> bool:
    """True when a check is certain to have failed, rather than to be looked at."""
    return any(check["status"] == "violation" for check in answer["checks"])


def _write_overlay(path: Path, read: ReadPhoto, report: Report) -> None:
    from PIL import Image

    from vision.overlay import draw_overlay

    picture = draw_overlay(
        read.photo.rgb,
        read.reading.board,
        photo_scale=read.photo.scale,
        title=f"{report.total} points",
        checks=[check for check in report.checks if check.status == "violation"],
        questions=read.reading.questions,
    )
    try:
        Image.fromarray(picture).save(path)
    except (OSError, ValueError) as error:  # ValueError: a file ending that names no picture format
        raise UsageError(
            f"The overlay cannot be written to {path}: {error}. Give a .png in a folder that exists."
        ) from error

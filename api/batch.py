"""Work on several inputs, one after another: one that fails is reported and does not stop the others."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from api.errors import UsageError
from api.inputs import expand
from scoring.errors import BoardsnapError
from vision.errors import NoBoardFound

if TYPE_CHECKING:
    from rich.console import Console

Answer = dict[str, Any]


class Exit(IntEnum):
    """The exit codes of the commands."""

    DONE = 0
    VIOLATION = 1
    WRONG_USAGE = 2
    UNREADABLE = 3
    NO_BOARD = 4


@dataclass(frozen=True, slots=True)
class Command:
    """What a command does with each input, and how the answer is shown to a person."""

    work: Callable[[Path], Answer]
    show: "Callable[[Console, Answer, str], None]"
    as_json: bool = False


def run(paths: Iterable[Path], command: Command, *, single: bool = False) -> tuple[list[Answer], Exit]:
    """Work on every input and print its answer or its error.

    Returns:
        The answers of the inputs that could be read, and the exit code: that nothing could be read goes before
        that no board was found. Wrong usage ends the process at once.
    """
    answers: list[Answer] = []
    failures: list[Exit] = []
    for path, error in _files(paths, single=single):
        answer, code = run_one(path, command, error=error)
        if answer is not None:
            answers.append(answer)
        if code is not Exit.DONE:
            failures.append(code)
    return answers, min(failures, default=Exit.DONE)


def run_one(path: Path, command: Command, *, error: BoardsnapError | None = None) -> tuple[Answer | None, Exit]:
    """Work on one input and print its answer, or its error (`error` where it is known before); no answer then."""
    try:
        if error is not None:
            raise error
        with _progress(path):
            answer = {"input": str(path), **command.work(path)}
        _print(answer, command, str(path))
    except UsageError as wrong:
        leave(wrong)
    except BoardsnapError as failure:
        _report_failure(path, failure, as_json=command.as_json)
        return None, Exit.NO_BOARD if isinstance(failure, NoBoardFound) else Exit.UNREADABLE
    return answer, Exit.DONE


@contextmanager
def usage_errors() -> Iterator[None]:
    """End the process with exit code 2 and the message when an option names what does not exist."""
    try:
        yield
    except BoardsnapError as error:
        leave(error)


def leave(error: BoardsnapError) -> NoReturn:
    """End the process for wrong usage."""
    print(f"Error: {error}", file=sys.stderr)
    raise SystemExit(Exit.WRONG_USAGE)


def _files(paths: Iterable[Path], *, single: bool) -> Iterator[tuple[Path, BoardsnapError | None]]:
    """The files behind the inputs, each with the error that its folder gave, if any."""
    files: list[tuple[Path, BoardsnapError | None]] = []
    for path in paths:
        try:
            files += [(file, None) for file in expand(path)]
        except BoardsnapError as error:
            files.append((path, error))
    if single and len(files) > 1:
        leave(UsageError(f"--overlay takes one photo; {len(files)} inputs were given."))
    return iter(files)


@contextmanager
def _progress(path: Path) -> Iterator[None]:
    """A line on stderr while an input is worked on, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"Reading {path.name}"):
        yield


def _print(answer: Answer, command: Command, title: str) -> None:
    if command.as_json:
        print(json.dumps(answer, allow_nan=False), flush=True)
        return
    from rich.console import Console

    # A file's name may hold bytes that are no text; they become question marks.
    command.show(Console(highlight=False), answer, title.encode(errors="replace").decode())


def _report_failure(path: Path, error: BoardsnapError, *, as_json: bool) -> None:
    name, message = str(path), str(error)
    print(f"Error: {message}" if name in message else f"Error: {name}: {message}", file=sys.stderr)
    if as_json:
        print(json.dumps({"input": name, "error": {"code": error.code, "message": message}}))

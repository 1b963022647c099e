"""A process that reads photos, one after another: what a bad photo breaks, breaks there."""

import os
import signal
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from api.photos import PhotoReader, ReadPhoto
    from models.registry import Networks

# Pictures are shown on phones and reports; the page enlarges them to look closely.
KEPT_SIDE_PX = 2000
_JPEG_QUALITY = 85


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """A photo to read: where its bytes lie, where the upright picture goes, and what it is scored by."""

    id: str
    photo: Path
    kept: Path
    options: dict[str, Any] = field(default_factory=dict)

    def run(self, readers: "Readers") -> "Outcome":
        """Read the photo."""
        return read_job(self, readers)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a photo: the result, or a problem document."""

    result: dict[str, Any] | None = None
    problem: dict[str, Any] | None = None


class Readers:
    """The readers of one process: one for no art, and one for the art last asked for."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._known: dict[str | None, PhotoReader] = {}
        self._networks: Networks | None = None

    def of(self, art: str | None) -> "PhotoReader":
        """Return the reader for an art.

        Raises:
            ArtUnknown: there is no such art.
        """
        from api.photos import PhotoReader

        if art not in self._known:
            made = PhotoReader(art=art, home=self.home)
            if art is not None:
                self._known = {name: reader for name, reader in self._known.items() if name is None}
            self._known[art] = made
        return self._known[art]

    def networks(self) -> "Networks":
        """Return the networks by themselves."""
        from models.registry import load_networks

        if self._networks is None:
            self._networks = load_networks()
        return self._networks

    def forget(self) -> None:
        """Give their memory back."""
        self._known.clear()
        self._networks = None


def serve_photos(connection: Connection, home: Path, memory_bytes: int) -> None:
    """Answer jobs until the other side goes away; the first word out tells a fault of the networks, if any."""
    _behave(memory_bytes)
    readers = Readers(home)
    connection.send(_warm(readers))
    while True:
        try:
            job = connection.recv()
            connection.send(job.run(readers))
        except (EOFError, OSError):  # the service ended
            return


def read_job(job: ReadingJob, readers: Readers) -> Outcome:
    """Read one photo, keep its upright picture, and weigh its questions."""
    from api.problems import problem_of
    from scoring.errors import BoardsnapError

    try:
        return Outcome(result=_read(job, readers))
    except BoardsnapError as error:
        return Outcome(problem=problem_of(error).document())
    except MemoryError:
        readers.forget()
        return Outcome(
            problem=failure("photo_too_heavy", "Reading the photo takes more memory than there is.").document()
        )


def failure(code: str, detail: str, *, status: int = 422) -> Any:
    """Return the problem of a photo that could not be read, though another might."""
    from api.problems import Problem

    return Problem(status, code, f"{detail} Scale it down, or take it again, and send it again.")


def _behave(memory_bytes: int) -> None:
    """Let the service go first, leave Ctrl-C to it, and stay within the memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _warm(readers: Readers) -> str:
    """Load and run the networks on an empty picture; returns what went wrong, if anything."""
    from PIL import Image

    from scoring.errors import BoardsnapError
    from vision.errors import NoBoardFound

    with TemporaryDirectory() as folder:
        picture = Path(folder) / "empty.png"
        Image.new("RGB", (640, 480), "tan").save(picture)
        try:
            readers.of(None).read(picture)
        except NoBoardFound:
            return ""
        except BoardsnapError as error:
            return str(error)
    return ""


def _read(job: ReadingJob, readers: Readers) -> dict[str, Any]:
    from api.play import score_options
    from scoring import score

    options = score_options(job.options)
    read = readers.of(job.options.get("art")).read(job.photo, players=options.players)
    board = rounded(read.reading.board.to_json())
    report = score(read.reading.board, options, read.reading.questions)
    return {
        "board": board,
        "questions": [question.to_json() for question in report.questions],
        "total": report.total,
        "total_range": list(report.total_range),
        "options": job.options,
        "photo": _keep(read, job.kept),
        "notes": list(read.photo.notes),
        "art": read.reading.art,
        "timings_ms": {name: round(value, 1) for name, value in read.timings_ms.items()},
    }


def rounded(value: Any) -> Any:
    """Return a board file with lengths to a thousandth: half the bytes, and far finer than any tolerance."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {name: rounded(item) if name != "confidence" else item for name, item in value.items()}
    return value


def _keep(read: "ReadPhoto", path: Path) -> dict[str, Any]:
    """Write the upright picture, from pixels alone: no place, no time, no camera goes with it."""
    from PIL import Image

    picture = Image.fromarray(read.photo.rgb)
    picture.thumbnail((KEPT_SIDE_PX, KEPT_SIDE_PX), Image.Resampling.BOX)
    rough = path.with_suffix(f".{os.getpid()}.part")
    picture.save(rough, "JPEG", quality=_JPEG_QUALITY)
    rough.replace(path)
    return {
        "width": picture.width,
        "height": picture.height,
        "scale": picture.width / read.photo.original_size[1],
    }

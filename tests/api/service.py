"""A service for tests: a real database and real photos on disk, and a reader that answers at once."""

from __future__ import annotations

import atexit
import io
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from api.app import create_app
from api.photo_worker import Outcome, ReadingJob
from api.play import score_options
from api.settings import Settings
from scoring import Board, Question, load_document, score
from scoring.charcuterie.corrections import SetContact, SetKind

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
START = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
POSTGRES = "BOARDSNAP_TEST_POSTGRES_URL"


class StubReader:
    """Answers every photo with the same board of four tiles and two questions, or with what `answer` gives."""

    def __init__(self, answer: Callable[[ReadingJob], Outcome] | None = None) -> None:
        self.answer = answer or self.board
        self.read_ids: list[str] = []
        self.may_read = threading.Event()
        self.may_read.set()

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, job: ReadingJob) -> Outcome:
        self.may_read.wait(20)
        self.read_ids.append(job.id)
        return self.answer(job)

    def close(self) -> None:
        self.may_read.set()

    @staticmethod
    def board(job: ReadingJob) -> Outcome:
        with Image.open(job.photo) as photo:
            size = photo.size
            photo.convert("RGB").save(job.kept, "JPEG")
        report = score(read_board(), score_options(job.options), questions())
        result = {
            "board": read_board().to_json(),
            "questions": [question.to_json() for question in report.questions],
            "total": report.total,
            "total_range": list(report.total_range),
            "options": job.options,
            "photo": {"width": size[0], "height": size[1], "scale": 1.0},
            "notes": [],
            "art": None,
            "timings_ms": {"detect": 3.0},
        }
        return Outcome(result=json.loads(json.dumps(result)))


def read_board() -> Board:
    """A baguette, a square cracker and two cheeses in a row, 30 mm apart and touching."""
    kinds = ("baguette", "square_cracker", "swiss", "bleu")
    tiles = []
    for index, kind in enumerate(kinds):
        x = 30.0 * index
        footprint = [[x, 0.0], [x + 30.0, 0.0], [x + 30.0, 30.0], [x, 30.0]]
        pixels = [[20 + 3 * a, 20 + 3 * b] for a, b in footprint]
        tiles.append({"id": f"t{index}", "kind": kind, "footprint": footprint, "polygon_px": pixels, "confidence": 0.9})
    contacts = [["t0", "t1"], ["t1", "t2"], ["t2", "t3"]]
    board = load_document({"tiles": tiles, "contacts": contacts})
    assert isinstance(board, Board)
    return board


def questions() -> list[Question]:
    return [
        Question("contact", ("t2", "t3"), "gap 0.9 mm", ((SetContact("t2", "t3", touching=False),),)),
        Question("kind", ("t3",), "bleu or swiss", ((SetKind("t3", "swiss"),),)),
    ]


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def settings(home: Path, **fields: Any) -> Settings:
    return Settings(**{"home": home, "photos_a_minute": 10_000, "requests_a_minute": 100_000, **fields})


@contextmanager
def running(home: Path, reader: StubReader | None = None, clock: Clock | None = None, **fields: Any) -> Iterator[Any]:
    """A client of a service that has started; `client.service` is the service itself."""
    app = create_app(settings(home, **fields), readers=[reader or StubReader()], clock=clock or Clock())
    with TestClient(app, raise_server_exceptions=False) as client:
        client.service = app.state.service  # type: ignore[attr-defined]
        yield client


def jpeg(colour: str = "tan", size: tuple[int, int] = (640, 480), **save: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "JPEG", **save)
    return out.getvalue()


@cache
def sample_photo() -> bytes:
    return (SAMPLES / "board_1.jpg").read_bytes()


def send(client: Any, photo: bytes | None = None, *, headers: dict[str, str] | None = None, **form: Any) -> Any:
    data = jpeg() if photo is None else photo
    return client.post("/v1/readings", files={"photo": ("photo.jpg", data)}, data=form, headers=headers or {})


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def sent(client: Any, photo: bytes | None = None, **form: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """A photo that was read: the reading, and the headers that open it."""
    answer = send(client, photo, **form)
    assert answer.status_code in (200, 201), answer.text
    return answer.json(), bearer(answer.json()["token"])


def assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["detail"]
    return problem


@contextmanager
def postgres_database() -> Iterator[str]:
    """An empty database on the server that the variable names; skips where there is none."""
    address = os.environ.get(POSTGRES)
    if not address:
        pytest.skip(f"{POSTGRES} names no PostgreSQL server")
    url = _made_database(address)
    yield url
    engine = create_engine(_with_driver(url))
    with engine.begin() as connection:
        connection.execute(text("truncate readings, edits, tables, seats"))
    engine.dispose()


@cache
def _made_database(address: str) -> str:
    """A database of this process, made once and dropped at its end: making one takes a second."""
    name = f"boardsnap_test_{os.getpid()}"
    server = create_engine(_with_driver(address), isolation_level="AUTOCOMMIT", poolclass=NullPool)

    def run(statement: str) -> None:
        with server.connect() as connection:
            connection.execute(text(statement))

    run(f"create database {name}")
    atexit.register(run, f"drop database {name} with (force)")
    return f"{address.rsplit('/', 1)[0]}/{name}"


def _with_driver(address: str) -> str:
    return address.replace("postgresql://", "postgresql+psycopg://")

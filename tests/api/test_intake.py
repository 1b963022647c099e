"""Photos on their way: a full queue, a photo sent twice at once, a process that is killed, workers that break."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from api.intake import MAX_ATTEMPTS
from api.jobs import ReadingPool
from api.photo_worker import Outcome, ReadingJob
from api.problems import Problem
from api.store.readings import Reading, Status
from api.tokens import hash_of
from tests.api.service import START, StubReader, assert_problem, bearer, jpeg, running, send, sent


def busy_reader() -> StubReader:
    reader = StubReader()
    reader.may_read.clear()
    return reader


def until(condition: Any, *, within_s: float = 10.0) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.01)


def test_a_photo_that_takes_long_is_accepted_and_asked_for_later(tmp_path: Path) -> None:
    reader = busy_reader()
    with running(tmp_path, reader, answer_within_s=0.05) as client:
        answer = send(client)
        assert answer.status_code == 202
        reading = answer.json()
        assert reading["status"] == "waiting"
        assert int(answer.headers["retry-after"]) >= 1
        url, token = f"/v1/readings/{reading['id']}", bearer(reading["token"])
        assert client.get(url, headers=token).json()["status"] == "waiting"
        correction = {"do": "remove_tile", "tile": "t0"}
        assert_problem(client.post(f"{url}/corrections", json=correction, headers=token), 409, "reading_not_ready")
        reader.may_read.set()
        until(lambda: client.get(url, headers=token).json()["status"] == "ready")


def test_a_full_queue_answers_503_and_when_to_come_back(tmp_path: Path) -> None:
    with running(tmp_path, busy_reader(), answer_within_s=0.01, queue_length=2) as client:
        colours = ["red", "green", "blue"]  # one is being read, two wait
        assert [send(client, jpeg(colour)).status_code for colour in colours] == [202, 202, 202]
        refused = send(client, jpeg("white"))
        assert_problem(refused, 503, "queue_full")
        assert int(refused.headers["retry-after"]) >= 1
        assert send(client, jpeg("red")).status_code == 202  # it waits already, and takes no second place
        assert client.get("/healthz").status_code == 200


def test_the_same_photo_from_many_at_once_is_read_once(tmp_path: Path) -> None:
    reader = busy_reader()
    with running(tmp_path, reader) as client, ThreadPoolExecutor(8) as threads:
        answers = [threads.submit(send, client) for _ in range(8)]
        until(lambda: client.service.pool.depth == 1)
        reader.may_read.set()
        found = [answer.result() for answer in answers]
    assert {answer.status_code for answer in found} <= {200, 201}
    assert len({answer.json()["id"] for answer in found}) == 1
    assert len(reader.read_ids) == 1


def test_photos_accepted_before_a_kill_are_read_after_the_restart(tmp_path: Path) -> None:
    with running(tmp_path, busy_reader(), answer_within_s=0.01) as client:
        waiting = [send(client, jpeg(colour)).json() for colour in ("red", "blue")]
        client.service.pool._finish = _killed  # what was being read when the process died was never stored
    reader = StubReader()
    with running(tmp_path, reader) as client:
        for reading in waiting:
            url = f"/v1/readings/{reading['id']}"
            until(lambda url=url, reading=reading: _status(client, url, reading["token"]) == "ready")
        assert sorted(reader.read_ids) == sorted(reading["id"] for reading in waiting)
    assert not list(tmp_path.glob("incoming/*"))


def _killed(*_: Any) -> None:
    raise SystemError("the process is gone")


def _status(client: Any, url: str, token: str) -> str:
    status: str = client.get(url, headers=bearer(token)).json()["status"]
    return status


@pytest.mark.parametrize("loss", ["file", "attempts"])
def test_a_photo_that_cannot_be_read_after_a_restart_is_told_to_be_sent_again(tmp_path: Path, loss: str) -> None:
    with running(tmp_path) as client:
        stored = Reading(
            id="lost",
            token_hash=hash_of("token"),
            photo_hash="0" * 64,
            content_hash="1" * 64,
            idempotency_hash=None,
            status=Status.WAITING,
            created_at=START,
            expires_at=START.replace(year=START.year + 1),
            options={},
            attempts=MAX_ATTEMPTS if loss == "attempts" else 0,
        )
        client.service.intake._store.add(stored)
        if loss == "attempts":
            (tmp_path / "incoming" / "lost.photo").write_bytes(jpeg())
    reader = StubReader()
    with running(tmp_path, reader) as client:
        found = client.get("/v1/readings/lost", headers=bearer("token")).json()
        assert found["status"] == "failed"
        assert found["problem"]["code"] == "reading_interrupted"
        assert "send it again" in found["problem"]["detail"]
    assert reader.read_ids == []
    assert not list(tmp_path.glob("incoming/*"))


def test_bytes_without_a_reading_are_cleared_away_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "incoming").mkdir()
    for name in ("orphan.photo", "half.part"):
        (tmp_path / "incoming" / name).write_bytes(b"x")
    with running(tmp_path):
        assert not list(tmp_path.glob("incoming/*"))


def test_a_reading_deleted_while_it_waits_is_not_read(tmp_path: Path) -> None:
    reader = busy_reader()
    with running(tmp_path, reader, answer_within_s=0.01) as client:
        first, second = (send(client, jpeg(colour)).json() for colour in ("red", "blue"))
        for reading in (first, second):
            answer = client.delete(f"/v1/readings/{reading['id']}", headers=bearer(reading["token"]))
            assert answer.status_code == 204
        reader.may_read.set()
        until(lambda: client.service.pool.depth == 0)
        assert second["id"] not in reader.read_ids
        until(lambda: not list(tmp_path.glob("photos/*/*.jpg")))


def test_a_reader_that_raises_is_told_and_the_next_photo_is_read(tmp_path: Path) -> None:
    reader = StubReader(_broken)
    with running(tmp_path, reader) as client:
        assert_problem(send(client), 503, "reading_unavailable")
        reader.answer = reader.board
        assert sent(client)[0]["status"] == "ready"


def _broken(_: ReadingJob) -> Outcome:
    raise RuntimeError("no memory left")


def test_without_networks_board_files_are_scored_and_readyz_says_why(tmp_path: Path) -> None:
    class NoNetworks(StubReader):
        def warm(self) -> None:
            raise RuntimeError("the weights are missing")

    with running(tmp_path, NoNetworks()) as client:
        until(lambda: client.service.pool.fault)
        assert "weights are missing" in assert_problem(client.get("/readyz"), 503, "networks_unusable")["detail"]
        assert client.post("/v1/score", json={"tiles": [], "contacts": []}).status_code == 200


def test_readyz_waits_for_the_networks(tmp_path: Path) -> None:
    class Slow(StubReader):
        warmed = threading.Event()

        def warm(self) -> None:
            self.warmed.wait(20)

    reader = Slow()
    with running(tmp_path, reader) as client:
        assert_problem(client.get("/readyz"), 503, "warming_up")
        assert client.get("/healthz").json() == {"status": "ok"}
        reader.warmed.set()
        until(lambda: client.get("/readyz").status_code == 200)


def test_a_place_in_the_queue_is_given_back() -> None:
    pool = ReadingPool([StubReader()], queue_length=1, begin=lambda _: True, finish=lambda *_: None)
    pool.reserve()
    pool.reserve()
    with pytest.raises(Problem):
        pool.reserve()
    pool.release()
    pool.reserve()
    assert pool.depth == 2

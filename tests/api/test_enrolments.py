"""A copy of the game learned over HTTP: photos, crops to name, an art pack."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from api.enrolment_worker import LIST_FILE, FindTiles, LearnFaces
from api.jobs import ProcessReader
from api.photo_worker import Outcome, failure
from models.enrolling import read_layout
from tests.api.service import SAMPLES, Clock, StubReader, assert_problem, bearer, jpeg, running


class EnrolReader(StubReader):
    """Finds two tiles on whatever is sent, and learns what it is told."""

    learned: LearnFaces | None = None

    def read(self, job: Any) -> Outcome:
        if isinstance(job, FindTiles):
            return self._find(job)
        if isinstance(job, LearnFaces):
            self.learned = job
            known = [{"kind": kind, "faces": 1} for kind in job.kinds if kind]
            return Outcome(result={"art": job.name, "learned": known, "missing": [], "confusions": [], "ask_again": []})
        return super().read(job)

    @staticmethod
    def _find(job: FindTiles) -> Outcome:
        crops = [{"n": n, "photo": 0, "row": 0, "shape": "wedge", "suggestions": ["swiss", "bleu"]} for n in (1, 2)]
        (job.folder / LIST_FILE).write_text(json.dumps(crops))
        for crop in crops:
            Image.new("RGB", (128, 128)).save(job.folder / f"{crop['n']}.png")
        return Outcome(result={"crops": crops})


@pytest.fixture
def reader() -> EnrolReader:
    return EnrolReader()


@pytest.fixture
def client(tmp_path: Path, reader: EnrolReader, clock: Clock) -> Iterator[Any]:
    with running(tmp_path, reader, clock) as made:
        yield made


def send(client: Any, *photos: bytes) -> Any:
    files = [("photos", (f"{n}.jpg", data)) for n, data in enumerate(photos or (jpeg(),))]
    return client.post("/v1/enrolments", files=files)


def test_photos_become_crops_to_name_and_names_become_an_art(client: Any, reader: EnrolReader) -> None:
    answer = send(client, jpeg("red"), jpeg("blue"))
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert [crop["suggestions"][0] for crop in found["crops"]] == ["swiss", "swiss"]
    picture = client.get(found["crops"][0]["image_url"], headers=bearer(found["token"]))
    with Image.open(io.BytesIO(picture.content)) as crop:
        assert crop.format == "PNG"
    names = {"name": "our copy", "kinds": ["swiss", None]}
    made = client.post(f"/v1/enrolments/{found['id']}/names", json=names, headers=bearer(found["token"]))
    assert made.status_code == 201
    assert (made.json()["art"], made.json()["learned"]) == ("our copy", [{"kind": "swiss", "faces": 1}])
    assert reader.learned is not None
    assert reader.learned.kinds == ("swiss", None)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ({"name": "a", "kinds": ["swiss"]}, "kinds_do_not_fit"),
        ({"name": "a", "kinds": ["swiss", "brie"]}, "kind_unknown"),
        ({"name": "a", "kinds": [None, None]}, "nothing_named"),
        ({"name": "../a", "kinds": ["swiss", None]}, "art_name_invalid"),
        ({"kinds": ["swiss", None]}, "request_invalid"),
    ],
)
def test_names_that_do_not_fit_are_refused(client: Any, names: Any, code: str) -> None:
    found = send(client).json()
    answer = client.post(f"/v1/enrolments/{found['id']}/names", json=names, headers=bearer(found["token"]))
    assert_problem(answer, 422, code)


def test_an_enrolment_is_its_senders_alone_and_for_a_day(client: Any, clock: Clock, tmp_path: Path) -> None:
    found = send(client).json()
    url = found["crops"][0]["image_url"]
    assert_problem(client.get(url), 401, "token_missing")
    assert_problem(client.get(url, headers=bearer("x")), 403, "token_wrong")
    assert client.get(url, params={"token": found["token"]}).status_code == 200
    assert_problem(client.get("/v1/enrolments/none/crops/1.png", headers=bearer("x")), 404, "enrolment_not_found")
    clock.advance(hours=25)
    assert_problem(client.get(url, headers=bearer(found["token"])), 404, "enrolment_not_found")
    client.service.sweep()
    assert not list((tmp_path / "sent_enrolments").iterdir())


def test_photos_without_tiles_are_told_and_leave_nothing_behind(
    client: Any, reader: EnrolReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = failure("enrolment_photo_unusable", "No tile was found.").document()
    monkeypatch.setattr(reader, "read", lambda _: Outcome(problem=problem))
    assert_problem(send(client), 422, "enrolment_photo_unusable")
    assert not list((tmp_path / "sent_enrolments").iterdir())


def test_what_is_no_photo_is_refused_at_once(client: Any) -> None:
    assert_problem(send(client, b"hello"), 415, "not_an_image")
    assert_problem(send(client, *[jpeg()] * 5), 422, "request_invalid")
    assert_problem(client.post("/v1/enrolments"), 422, "request_invalid")


@pytest.mark.slow
def test_the_sample_copy_is_learned_once_and_then_reads_boards(tmp_path: Path) -> None:
    reader = ProcessReader(tmp_path, time_limit_s=300, memory_bytes=8_000_000_000)
    kinds = list(read_layout((SAMPLES / "kinds.txt").read_text()))
    with running(tmp_path, reader, answer_within_s=120) as client:  # type: ignore[arg-type]
        found = send(client, (SAMPLES / "enrol_1.jpg").read_bytes()).json()
        assert len(found["crops"]) == len(kinds)
        url, token = f"/v1/enrolments/{found['id']}/names", bearer(found["token"])
        made = client.post(url, json={"name": "sample", "kinds": kinds}, headers=token)
        assert made.status_code == 201, made.text
        assert made.json()["missing"] == []
        assert client.get("/v1/arts").json() == [{"name": "sample", "kinds": 27, "missing": []}]
        again = client.post(url, json={"name": "Sample", "kinds": kinds}, headers=token)
        assert_problem(again, 409, "art_exists")
        photo = {"photo": ("b.jpg", (SAMPLES / "board_1.jpg").read_bytes())}
        read = client.post("/v1/readings", files=photo, data={"art": "sample"})
        assert read.status_code == 201, read.text
        assert read.json()["options"]["art"] == "sample"
    with np.load(next(tmp_path.glob("sent_enrolments/*/tiles.npz")), allow_pickle=False) as held:
        assert len(held.files) == 3 * len(kinds)

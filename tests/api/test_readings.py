"""Photos sent to the service: read once, corrected, undone, deleted. On SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api import live
from api.photo_worker import Outcome, failure
from api.strict_json import dump, load
from scoring import Board, Report, ScoreOptions, score
from scoring.charcuterie.corrections import SetKind
from scoring.charcuterie.questions import apply_all
from tests.api.service import (
    Clock,
    StubReader,
    assert_problem,
    bearer,
    jpeg,
    read_board,
    running,
    send,
    sent,
)


@pytest.fixture
def reader() -> StubReader:
    return StubReader()


@pytest.fixture
def client(tmp_path: Path, reader: StubReader, clock: Clock, database_url: str) -> Iterator[Any]:
    with running(tmp_path, reader, clock, database_url=database_url) as made:
        yield made


def total(answer: Any) -> int:
    assert answer.status_code == 200, answer.text
    points: int = answer.json()["report"]["total"]
    return points


def test_a_photo_becomes_a_board_and_a_report(client: Any) -> None:
    answer = send(client, players=4, objectives="bread_pairs,cheese_unique")
    assert answer.status_code == 201
    reading = answer.json()
    assert answer.headers["location"] == f"/v1/readings/{reading['id']}"
    assert reading["status"] == "ready"
    assert reading["options"]["players"] == 4
    assert reading["report"]["total"] == 2 + 3
    assert reading["report"]["board"] == reading["board"]
    assert [line["id"] for line in reading["report"]["objectives"]] == ["bread_pairs", "cheese_unique"]
    assert reading["photo"] == {
        "url": f"/v1/readings/{reading['id']}/photo", "width": 640, "height": 480, "scale": 1.0,
    }  # fmt: skip
    assert reading["history"] == {"undo": 0, "redo": 0}
    assert len(reading["token"]) >= 43


def test_a_photo_sent_twice_is_read_once_and_is_the_same_reading(client: Any, reader: StubReader) -> None:
    first, again = send(client), send(client)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    assert first.json()["token"] == again.json()["token"]
    assert len(reader.read_ids) == 1


def test_other_options_make_another_reading(client: Any) -> None:
    assert sent(client, players=3)[0]["id"] != sent(client, players=4)[0]["id"]


def test_an_idempotency_key_stands_for_one_photo(client: Any) -> None:
    key = {"Idempotency-Key": "a1"}
    first = send(client, jpeg("red"), headers=key).json()
    assert send(client, jpeg("red"), headers=key).json()["id"] == first["id"]
    assert_problem(send(client, jpeg("blue"), headers=key), 422, "idempotency_key_reused")


def test_a_correction_changes_the_score_and_can_be_undone_and_redone(client: Any) -> None:
    reading, token = sent(client, objectives="cheese_unique")
    url = f"/v1/readings/{reading['id']}"
    assert reading["report"]["total"] == 3
    corrected = client.post(f"{url}/corrections", json={"do": "set_kind", "tile": "t3", "kind": "swiss"}, headers=token)
    assert total(corrected) == 1
    assert corrected.json()["history"] == {"undo": 1, "redo": 0}
    assert total(client.post(f"{url}/undo", headers=token)) == 3
    assert total(client.post(f"{url}/redo", headers=token)) == 1
    assert_problem(client.post(f"{url}/redo", headers=token), 409, "nothing_to_redo")
    assert total(client.get(url, headers=token)) == 1


def test_a_list_of_corrections_is_one_step(client: Any) -> None:
    reading, token = sent(client, objectives="cheese_unique")
    url = f"/v1/readings/{reading['id']}"
    both = [{"do": "remove_tile", "tile": "t3"}, {"do": "add_tile", "tile": {"id": "n", "kind": "gouda"}}]
    corrected = client.post(f"{url}/corrections", json=both, headers=token).json()
    assert [tile["id"] for tile in corrected["board"]["tiles"]] == ["t0", "t1", "t2", "n"]
    assert corrected["history"]["undo"] == 1
    assert total(client.post(f"{url}/undo", headers=token)) == 3


def test_every_edit_survives_a_restart(tmp_path: Path, database_url: str, reader: StubReader) -> None:
    with running(tmp_path, reader, database_url=database_url) as client:
        reading, token = sent(client, objectives="cheese_unique")
        url = f"/v1/readings/{reading['id']}"
        client.post(f"{url}/corrections", json={"do": "set_kind", "tile": "t3", "kind": "swiss"}, headers=token)
        client.post(f"{url}/undo", headers=token)
    with running(tmp_path, reader, database_url=database_url) as client:
        assert client.get(url, headers=token).json()["history"] == {"undo": 0, "redo": 1}
        assert total(client.post(f"{url}/redo", headers=token)) == 1
    assert len(reader.read_ids) == 1


def test_an_answered_question_is_not_asked_again_until_the_answer_is_undone(client: Any) -> None:
    reading, token = sent(client)
    url = f"/v1/readings/{reading['id']}"
    assert {question["about"] for question in reading["report"]["questions"]} == {"contact", "kind"}
    answer = {"do": "set_contact", "a": "t3", "b": "t2", "touching": True}
    after = client.post(f"{url}/corrections", json=answer, headers=token).json()
    assert [question["about"] for question in after["report"]["questions"]] == ["kind"]
    undone = client.post(f"{url}/undo", headers=token).json()
    assert {question["about"] for question in undone["report"]["questions"]} == {"contact", "kind"}


def test_questions_are_weighed_anew_when_the_reading_is_asked_for(client: Any) -> None:
    reading, token = sent(client, objectives="cheese_unique")
    url = f"/v1/readings/{reading['id']}"
    assert reading["weighed"]
    after = client.post(f"{url}/corrections", json={"do": "set_kind", "tile": "t2", "kind": "ranch"}, headers=token)
    assert not after.json()["weighed"]
    asked = client.get(url, headers=token).json()
    assert asked["weighed"]
    assert asked["report"]["total_range"] == [0, 0]
    assert [question["points_at_stake"] for question in asked["report"]["questions"]] == [0, 0]


def test_questions_are_weighed_once_for_a_board_and_its_options(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    weighings = []

    def noted(board: Board, options: ScoreOptions, *questions: Any) -> Report:
        weighings.extend(questions)
        return score(board, options, *questions)

    monkeypatch.setattr(live, "score", noted)
    reading, token = sent(client, objectives="cheese_unique")
    url = f"/v1/readings/{reading['id']}"
    assert client.get(url, headers=token).json()["report"] == reading["report"]
    assert len(weighings) == 0  # the reader has weighed them
    client.post(f"{url}/corrections", json={"do": "set_kind", "tile": "t2", "kind": "ranch"}, headers=token)
    assert client.get(url, headers=token).json() == client.get(url, headers=token).json()
    assert len(weighings) == 1
    client.put(f"{url}/options", json={"objectives": "all"}, headers=token)
    assert client.get(url, headers=token).json()["weighed"]
    assert len(weighings) == 2


def test_a_corrected_board_is_written_as_its_file_is() -> None:
    board = read_board()
    for step in ([], [SetKind("t1", "swiss")], [SetKind("t1", "bleu")]):
        board = apply_all(board, tuple(step))
        written, report = live.report_json(score(board, ScoreOptions()))
        assert load(dump(written)) == board.to_json()
        assert load(dump(report))["board"] == board.to_json()


@pytest.mark.parametrize(
    "correction",
    [
        {"do": "set_kind", "tile": "t3", "kind": "brie"},
        {"do": "set_kind", "tile": "t9", "kind": "swiss"},
        {"do": "add_tile", "tile": {"id": "t0", "kind": "swiss"}},
        {"do": "paint", "tile": "t0"},
        [],
        {},
        {"do": "move_tile", "tile": "t0", "dx_mm": 1e9},
    ],
)
def test_a_correction_that_does_not_fit_is_refused_and_changes_nothing(client: Any, correction: Any) -> None:
    reading, token = sent(client)
    url = f"/v1/readings/{reading['id']}"
    assert_problem(client.post(f"{url}/corrections", json=correction, headers=token), 422, "correction_invalid")
    assert client.get(url, headers=token).json()["history"]["undo"] == 0


def test_options_score_the_same_board_by_other_cards(client: Any, reader: StubReader) -> None:
    reading, token = sent(client)
    options = {"objectives": ["bread_pairs"], "recipe": 7, "house_rules": {"best_kind": True}}
    answer = client.put(f"/v1/readings/{reading['id']}/options", json=options, headers=token)
    assert total(answer) == 2 + 7
    assert answer.json()["options"]["house_rules"] == {"best_kind": True}
    assert len(reader.read_ids) == 1
    bad = client.put(f"/v1/readings/{reading['id']}/options", json={"objectives": ["brie"]}, headers=token)
    assert_problem(bad, 422, "options_invalid")


def test_nothing_of_a_reading_is_told_without_its_token(client: Any) -> None:
    reading, _ = sent(client)
    url = f"/v1/readings/{reading['id']}"
    for path in ("", "/photo", "/overlay.png"):
        assert_problem(client.get(url + path), 401, "token_missing")
        assert_problem(client.get(url + path, headers=bearer("x" * 43)), 403, "token_wrong")
    for path in ("/undo", "/redo"):
        assert_problem(client.post(url + path), 401, "token_missing")
    assert_problem(client.delete(url), 401, "token_missing")
    assert_problem(client.get("/v1/readings/none", headers=bearer("x")), 404, "reading_not_found")


def test_a_token_in_the_address_opens_pictures_only(client: Any) -> None:
    reading, _ = sent(client)
    url = f"/v1/readings/{reading['id']}"
    token = {"token": reading["token"]}
    assert client.get(f"{url}/photo", params=token).headers["content-type"] == "image/jpeg"
    assert client.get(f"{url}/overlay.png", params=token).headers["content-type"] == "image/png"
    assert_problem(client.get(url, params=token), 401, "token_missing")


def test_a_deleted_reading_is_gone_with_its_photo(client: Any, tmp_path: Path) -> None:
    reading, token = sent(client)
    assert len(list(tmp_path.glob("photos/*/*.jpg"))) == 1
    assert client.delete(f"/v1/readings/{reading['id']}", headers=token).status_code == 204
    assert_problem(client.get(f"/v1/readings/{reading['id']}", headers=token), 404, "reading_not_found")
    assert not list(tmp_path.glob("photos/*/*.jpg"))
    assert not list(tmp_path.glob("incoming/*"))


def test_a_photo_that_another_reading_uses_is_kept(client: Any) -> None:
    first, token = sent(client, players=3)
    second, other = sent(client, players=4)
    client.delete(f"/v1/readings/{first['id']}", headers=token)
    assert client.get(f"/v1/readings/{second['id']}/photo", headers=other).status_code == 200


def test_a_reading_goes_when_its_time_is_over(client: Any, clock: Clock, tmp_path: Path) -> None:
    reading, token = sent(client)
    clock.advance(days=29)
    assert client.get(f"/v1/readings/{reading['id']}", headers=token).status_code == 200
    clock.advance(days=2)
    assert_problem(client.get(f"/v1/readings/{reading['id']}", headers=token), 404, "reading_not_found")
    client.service.sweep()
    assert not list(tmp_path.glob("photos/*/*.jpg"))
    again, _ = sent(client)
    assert again["id"] != reading["id"]


def test_a_photo_without_a_board_is_told_and_leaves_nothing_behind(
    client: Any, reader: StubReader, tmp_path: Path
) -> None:
    reader.answer = lambda _: Outcome(problem=failure("no_board_found", "No board was found.").document())
    assert_problem(send(client), 422, "no_board_found")
    assert_problem(send(client), 422, "no_board_found")
    assert len(reader.read_ids) == 1
    assert not list(tmp_path.glob("incoming/*"))


def test_a_photo_that_took_too_long_is_read_when_it_is_sent_again(client: Any, reader: StubReader) -> None:
    reader.answer = lambda _: Outcome(problem=failure("reading_timeout", "It took too long.").document())
    assert_problem(send(client), 422, "reading_timeout")
    reader.answer = reader.board
    assert send(client).status_code == 201
    assert len(reader.read_ids) == 2

"""What holds for every answer: problem details, headers, limits, figures, logs; and the catalogue and files."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from api.answering import HEADERS
from api.cli import app as command_line
from api.errors import UsageError
from api.limits import Allowance
from api.schemas import BOARD_EXAMPLE, TABLE_EXAMPLE
from api.settings import Settings
from tests.api.service import assert_problem, bearer, jpeg, running, send, sent

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with running(tmp_path_factory.mktemp("home")) as made:
        yield made


# --- what there is ---


def test_the_catalogue_lists_games_kinds_cards_and_house_rules(client: Any) -> None:
    assert [game["photo"] for game in client.get("/v1/games").json()] == [True, False, False]
    kinds = client.get("/v1/kinds").json()
    assert (len(kinds), sum(kind["copies"] for kind in kinds)) == (27, 108)
    listed = client.get("/v1/cards").json()
    objectives = [card for card in listed["cards"] if card["type"] == "objective"]
    assert (len(objectives), sum(card["base"] for card in objectives)) == (18, 6)
    assert [card["id"] for card in objectives if card["neighbor"]] == ["cheese_neighbors", "veggie_neighbors"]
    assert {rule["id"]: rule["default"] for rule in listed["house_rules"]}["no_dip_points"] == 0


def test_the_setup_follows_the_rulebook_and_a_seed(client: Any) -> None:
    setup = client.get("/v1/setup", params={"players": 2, "variant": "less_random", "seed": 5}).json()
    assert (setup["rounds"], setup["stacks"], setup["take_out_breads"]) == (4, 4, 5)
    assert setup == client.get("/v1/setup", params={"players": 2, "variant": "less_random", "seed": 5}).json()
    assert len(setup["objectives"]) == 6
    assert_problem(client.get("/v1/setup", params={"players": 4, "variant": "crunchy"}), 422, "board_file_invalid")


# --- files ---


def test_a_board_file_and_a_table_file_are_scored(client: Any) -> None:
    report = client.post("/v1/score", json=BOARD_EXAMPLE, params={"objectives": "bread_pairs"}).json()
    assert (report["format"], report["total"]) == ("boardsnap.report/1", 2)
    table = client.post("/v1/score", json=TABLE_EXAMPLE).json()
    assert table["format"] == "boardsnap.table-report/1"
    checks = client.post("/v1/validate", json=BOARD_EXAMPLE, params={"players": 4}).json()
    assert checks["checks"][0]["id"] == "tile_count"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"tiles": [{"id": "a", "kind": "brie"}], "contacts": []}', 422, "board_file_invalid"),
        (b'{"tiles": [', 400, "json_invalid"),
        (b'{"tiles": NaN}', 400, "json_invalid"),
        (b'{"x": 1e999}', 400, "json_invalid"),
        (b'{"x": "\\ud800"}', 400, "json_invalid"),
        (b"[" * 100_000, 400, "json_invalid"),
        (b"\xff\xfe", 400, "json_invalid"),
        (b"[]", 422, "request_invalid"),
        (b"", 422, "request_invalid"),
        (b'{"game": "chess"}', 422, "board_file_invalid"),
    ],
)
def test_a_body_that_is_no_board_is_refused(client: Any, body: bytes, status: int, code: str) -> None:
    assert_problem(client.post("/v1/score", content=body, headers=JSON), status, code)


def test_options_that_do_not_exist_are_refused(client: Any) -> None:
    for params in ({"objectives": "brie"}, {"house_rules": "loser_pays"}, {"recipe": "the_carnivore"}):
        assert client.post("/v1/score", json=BOARD_EXAMPLE, params=params).status_code == 422
    assert_problem(client.post("/v1/score", json=BOARD_EXAMPLE, params={"players": 9}), 422, "request_invalid")


def test_a_recipe_names_no_file_of_the_server(client: Any) -> None:
    answer = client.post("/v1/score", json=BOARD_EXAMPLE, params={"recipe": "/etc/passwd"})
    assert_problem(answer, 422, "recipe_invalid")


# --- photos that are none ---


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "image_empty"),
        (b"hello", 415, "not_an_image"),
        (b"%PDF-1.7", 415, "not_an_image"),
    ],
)
def test_what_is_no_photo_is_refused_at_once(client: Any, data: bytes, status: int, code: str) -> None:
    assert_problem(send(client, data), status, code)


def test_the_form_is_checked(client: Any) -> None:
    assert_problem(client.post("/v1/readings"), 422, "request_invalid")
    assert_problem(send(client, players=9), 422, "request_invalid")
    assert_problem(send(client, objectives="brie"), 422, "options_invalid")
    assert_problem(send(client, recipe="{"), 422, "options_invalid")
    assert_problem(send(client, art="winter"), 422, "art_unknown")


# --- every answer ---


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/no/such/page", 404, "not_found"),
        ("PUT", "/v1/games", 405, "method_not_allowed"),
        ("GET", "/static/../app.py", 404, "not_found"),
        ("GET", "/static/", 404, "not_found"),
        ("GET", "/v1/setup?players=many", 422, "request_invalid"),
    ],
)
def test_every_error_is_a_problem(client: Any, method: str, path: str, status: int, code: str) -> None:
    assert_problem(client.request(method, path), status, code)


def test_every_answer_carries_the_security_headers(client: Any) -> None:
    for path in ("/", "/v1/games", "/nix", "/healthz"):
        answer = client.get(path)
        assert all(answer.headers[name] == value for name, value in HEADERS.items())
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    assert client.get("/v1/kinds").headers["cache-control"] == "no-store"


def test_other_sites_may_not_ask_unless_they_are_named(client: Any, tmp_path: Path) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    assert "access-control-allow-origin" not in client.get("/v1/games", headers=asked).headers
    with running(tmp_path, cors_origins=("https://example.org",)) as named:
        answer = named.get("/v1/games", headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        other = named.get("/v1/games", headers={"Origin": "https://else.where"})
        assert "access-control-allow-origin" not in other.headers


def test_a_bug_is_a_problem_without_details(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret path")

    monkeypatch.setattr("api.routes.scoring.score", broken)
    with running(tmp_path) as client:
        answer = client.post("/v1/score", json=BOARD_EXAMPLE)
        assert "secret" not in answer.text
        assert_problem(answer, 500, "internal_error")
        assert answer.headers["x-content-type-options"] == "nosniff"


# --- limits ---


def test_a_body_that_is_too_large_is_refused_before_and_while_it_comes(tmp_path: Path) -> None:
    with running(tmp_path, max_document_bytes=10_000, max_upload_bytes=100_000) as client:
        large = b'{"tiles": [' + b" " * 20_000 + b"]}"
        assert_problem(client.post("/v1/score", content=large, headers=JSON), 413, "body_too_large")
        pieces = (large[i : i + 1000] for i in range(0, len(large), 1000))
        assert_problem(client.post("/v1/score", content=pieces, headers=JSON), 413, "body_too_large")
        photo = jpeg() + b"\0" * 150_000
        assert_problem(send(client, photo), 413, "file_too_large")
        assert_problem(send(client, photo * 3), 413, "body_too_large")


def test_too_many_requests_from_one_address_wait(tmp_path: Path) -> None:
    with running(tmp_path, photos_a_minute=2, requests_a_minute=5) as client:
        assert [send(client).status_code for _ in range(2)] == [201, 200]
        refused = send(client)
        assert_problem(refused, 429, "too_many_requests")
        assert 1 <= int(refused.headers["retry-after"]) <= 31
        assert [client.get("/v1/games").status_code for _ in range(3)] == [200, 200, 429]
        assert client.get("/healthz").status_code == 200


def test_an_allowance_fills_again_with_time() -> None:
    now = [0.0]
    allowance = Allowance(60, clock=lambda: now[0])
    assert [allowance.wait_s("a") for _ in range(61)] == [0.0] * 60 + [1.0]
    assert allowance.wait_s("b") == 0
    now[0] = 1.0
    assert allowance.wait_s("a") == 0


# --- operation ---


def test_figures_name_the_form_of_paths_and_no_ids(client: Any) -> None:
    reading, token = sent(client, jpeg("navy"))
    client.get(f"/v1/readings/{reading['id']}", headers=token)
    figures = client.get("/metrics").text
    assert 'route="/v1/readings/{reading_id}"' in figures
    assert 'boardsnap_photos_total{outcome="ready"}' in figures
    assert "boardsnap_queue_depth 0.0" in figures
    assert reading["id"] not in figures


def test_logs_are_json_lines_without_ids_tokens_and_addresses(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "boardsnap.service"):
        reading, _ = sent(client, jpeg("olive"))
        client.get(f"/v1/readings/{reading['id']}/photo", params={"token": reading["token"]})
        client.get("/v1/tables", headers=bearer("secret"))
    facts = [{"event": record.getMessage(), **getattr(record, "facts", {})} for record in caplog.records]
    assert {"request", "photo_read"} <= {fact["event"] for fact in facts}
    said = json.dumps(facts)
    for private in (reading["id"], reading["token"], "secret", "testclient", "photo.jpg"):
        assert private not in said


def test_the_openapi_document_has_examples_and_needs_no_outside_host(client: Any) -> None:
    document = client.get("/openapi.json").json()
    assert {"/v1/readings", "/v1/tables", "/v1/score", "/readyz"} <= set(document["paths"])
    body = document["paths"]["/v1/score"]["post"]["requestBody"]["content"]["application/json"]
    assert body["examples"]["board"]["value"] == BOARD_EXAMPLE
    assert client.get("/docs").status_code == 404


def test_a_photo_is_kept_upright_and_without_its_place(client: Any, tmp_path: Path) -> None:
    picture = Image.new("RGB", (640, 480), "teal")
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = (48.0, 8.0, 0.0)
    picture.save(tmp_path / "placed.jpg", exif=exif)
    reading, token = sent(client, (tmp_path / "placed.jpg").read_bytes())
    kept = client.get(f"/v1/readings/{reading['id']}/photo", headers=token).content
    assert b"Exif" not in kept


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOARDSNAP_SECRET", "short"),
        ("BOARDSNAP_CORS_ORIGINS", '["*"]'),
        ("BOARDSNAP_WORKERS", "0"),
        ("BOARDSNAP_PUBLIC_URL", "example.org"),
    ],
)
def test_settings_that_are_unsafe_are_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=name):
        Settings.from_environment()


def test_serve_ends_with_wrong_usage_where_a_setting_is_not_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDSNAP_WORKERS", "0")
    result = CliRunner().invoke(command_line, ["serve"])
    assert result.exit_code == 2
    assert "BOARDSNAP_WORKERS" in result.stderr


def test_a_database_that_is_none_is_refused(tmp_path: Path) -> None:
    for url in ("mysql://host/name", "nonsense"):
        with pytest.raises(UsageError, match="BOARDSNAP_DATABASE_URL"), running(tmp_path, database_url=url):
            pass


def test_the_app_is_imported_without_anything_heavy() -> None:
    code = "import sys, api.app; print([n for n in ('torch', 'cv2', 'openvino', 'PIL') if n in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"

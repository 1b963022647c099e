"""Tables: links for a host and each seat, hidden recipes, the leaderboard, exports. On SQLite and PostgreSQL."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scoring import load_document, score
from tests.api.service import Clock, assert_problem, bearer, jpeg, running, sent

PLAYERS = ["Ana", "Ben", "Cleo"]


@pytest.fixture
def client(tmp_path: Path, clock: Clock, database_url: str) -> Iterator[Any]:
    with running(tmp_path, None, clock, database_url=database_url) as made:
        yield made


class Party:
    """A table just made, with the headers of its host and of each seat."""

    def __init__(self, client: Any, **fields: Any) -> None:
        answer = client.post("/v1/tables", json={"players": PLAYERS, **fields})
        assert answer.status_code == 201, answer.text
        self.made, self.client = answer.json(), client
        self.url = f"/v1/tables/{self.made['id']}"
        self.host = bearer(self.made["host_token"])
        self.seats = [bearer(seat["token"]) for seat in self.made["seats"]]

    def put(self, seat: int, what: str, body: Any, *, by: dict[str, str] | None = None) -> Any:
        headers = by or self.seats[seat - 1]
        return self.client.put(f"{self.url}/seats/{seat}/{what}", json=body, headers=headers)

    def see(self, headers: dict[str, str] | None = None) -> dict[str, Any]:
        answer = self.client.get(self.url, headers=headers or self.host)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def fill(self) -> None:
        for number, kinds in enumerate((["swiss", "bleu"], ["swiss"], ["salami"]), start=1):
            assert self.put(number, "board", board(*kinds)).status_code == 200


def board(*kinds: str) -> dict[str, Any]:
    tiles = [{"id": f"t{index}", "kind": kind} for index, kind in enumerate(kinds)]
    return {"tiles": tiles, "contacts": [[f"t{i}", f"t{i + 1}"] for i in range(len(kinds) - 1)]}


@pytest.fixture
def party(client: Any) -> Party:
    return Party(client, objectives=["cheese_unique", "cheese_neighbors"])


def test_each_player_and_the_host_get_a_link_of_their_own(party: Party) -> None:
    links = [party.made["join_url"], *(seat["join_url"] for seat in party.made["seats"])]
    assert len(set(links)) == 4
    assert all(link.startswith(f"http://testserver/t/{party.made['id']}#") for link in links)
    assert [seat["player"] for seat in party.made["seats"]] == PLAYERS


def test_the_leaderboard_comes_when_all_boards_are_in(party: Party) -> None:
    party.put(1, "board", board("swiss", "bleu"))
    seen = party.see()
    assert (seen["complete"], seen["report"], seen["leaderboard"]) == (False, None, [])
    assert [seat["total"] for seat in seen["seats"]] == [3, None, None]
    party.fill()
    seen = party.see()
    assert seen["complete"]
    assert seen["leaderboard"] == [
        {"place": 1, "player": "Ana", "total": 23},
        {"place": 2, "player": "Ben", "total": 10},
        {"place": 3, "player": "Cleo", "total": 0},
    ]
    assert seen["report"]["format"] == "boardsnap.table-report/1"


def test_neighbors_are_those_beside_in_seating_order(client: Any) -> None:
    four = Party(client, players=["A", "B", "C", "D"], objectives=["cheese_neighbors"])
    for number, kinds in enumerate((["swiss"], [], ["swiss"], ["swiss"]), start=1):
        four.put(number, "board", board(*kinds))
    assert [seat["total"] for seat in four.see()["seats"]] == [10, 0, 10, 0]


def test_copies_of_a_kind_are_counted_over_all_boards(party: Party) -> None:
    for seat in (1, 2, 3):
        party.put(seat, "board", board("orange"))
    checks = party.see()["report"]["checks"]
    assert any("orange" in str(check) for check in checks), checks


def test_a_reading_lies_on_a_seat_and_its_corrections_count_there(party: Party) -> None:
    reading, token = sent(party.client, jpeg("red"))
    body = {"reading_id": reading["id"], "reading_token": reading["token"]}
    assert party.put(1, "reading", body).json()["seats"][0]["total"] == 3
    correction = {"do": "set_kind", "tile": "t3", "kind": "swiss"}
    party.client.post(f"/v1/readings/{reading['id']}/corrections", json=correction, headers=token)
    assert party.see()["seats"][0]["total"] == 1
    assert party.see(party.seats[0])["seats"][0]["reading_id"] == reading["id"]
    assert party.see(party.seats[1])["seats"][0]["reading_id"] is None


def test_another_players_reading_cannot_be_taken_without_its_token(party: Party) -> None:
    reading, _ = sent(party.client, jpeg("red"))
    answer = party.put(2, "reading", {"reading_id": reading["id"], "reading_token": "guess"})
    assert_problem(answer, 403, "token_wrong")


def test_a_player_changes_the_own_seat_only_and_the_host_all(party: Party) -> None:
    assert_problem(party.put(2, "board", board("swiss"), by=party.seats[0]), 403, "other_seat")
    assert party.put(2, "board", board("swiss"), by=party.host).status_code == 200
    for method, path in (("patch", ""), ("post", "/reveal"), ("delete", "")):
        body = {"json": {}} if method == "patch" else {}
        answer = getattr(party.client, method)(party.url + path, headers=party.seats[0], **body)
        assert_problem(answer, 403, "host_only")
    assert_problem(party.client.get(party.url), 401, "token_missing")
    assert_problem(party.client.get(party.url, headers=bearer("x")), 403, "token_wrong")
    assert_problem(party.put(4, "board", board("swiss"), by=party.host), 404, "seat_not_found")


def test_recipes_stay_hidden_until_the_host_reveals_them(party: Party) -> None:
    party.fill()
    party.put(1, "recipe", {"recipe": "the_vegetarian"})
    party.put(2, "recipe", {"recipe": 12})
    assert [seat["recipe"] for seat in party.see(party.seats[0])["seats"]] == [
        {"id": "the_vegetarian", "points": 15}, "hidden", "none",
    ]  # fmt: skip
    hidden = party.see(party.host)
    assert [seat["recipe"] for seat in hidden["seats"]] == ["hidden", "hidden", "none"]
    assert "vegetarian" not in str(hidden)
    assert [seat["total"] for seat in hidden["seats"]] == [23, 10, 0]
    revealed = party.client.post(f"{party.url}/reveal", headers=party.host).json()
    assert (
        revealed["seats"][1]["recipe"] == {"id": "12", "points": 12} or revealed["seats"][1]["recipe"]["points"] == 12
    )
    assert [seat["total"] for seat in revealed["seats"]] == [38, 22, 0]
    assert party.see(party.seats[2])["seats"][0]["recipe"]["id"] == "the_vegetarian"


def test_the_host_changes_cards_and_names(party: Party) -> None:
    party.fill()
    change = {"objectives": ["cheese_unique"], "players": ["Ana", "Bea", "Cleo"]}
    seen = party.client.patch(party.url, json=change, headers=party.host).json()
    assert [seat["total"] for seat in seen["seats"]] == [3, 0, 0]
    assert seen["players"] == ["Ana", "Bea", "Cleo"]
    two = party.client.patch(party.url, json={"players": ["A", "B"]}, headers=party.host)
    assert_problem(two, 422, "seats_fixed")
    bad = party.client.patch(party.url, json={"variant": "crunchy"}, headers=party.host)
    assert_problem(bad, 422, "board_file_invalid")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"players": ["Ana"]}, "request_invalid"),
        ({"players": ["Ana", "Ana"]}, "player_twice"),
        ({"players": ["Ana", "\u0000"]}, "request_invalid"),
        ({"objectives": ["brie"]}, "options_invalid"),
        ({"variant": "crunchy"}, "board_file_invalid"),
        ({"art": "winter"}, "art_unknown"),
        ({"colour": "red"}, "request_invalid"),
    ],
)
def test_a_table_that_cannot_be_is_refused(client: Any, fields: dict[str, Any], code: str) -> None:
    assert_problem(client.post("/v1/tables", json={"players": PLAYERS, **fields}), 422, code)


def test_the_history_lists_the_tables_of_the_tokens_sent(client: Any, clock: Clock) -> None:
    first = Party(client)
    clock.advance(hours=1)
    second = Party(client)
    Party(client)
    tokens = f"{first.made['host_token']}, {second.made['seats'][1]['token']}"
    listed = client.get("/v1/tables", headers=bearer(tokens)).json()
    assert [table["id"] for table in listed] == [second.made["id"], first.made["id"]]
    assert [table["you"] for table in listed] == [{"host": False, "seat": 2}, {"host": True, "seat": None}]
    assert client.get("/v1/tables").json() == []


def test_a_qr_code_holds_a_seats_link_and_is_drawn_for_host_and_player(party: Party) -> None:
    url = f"{party.url}/qr.svg"
    for headers, seat in ((party.host, 2), (party.seats[1], 2), (party.host, None)):
        answer = party.client.get(url, params={} if seat is None else {"seat": seat}, headers=headers)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")
    assert_problem(party.client.get(url, params={"seat": 2}, headers=party.seats[0]), 403, "other_seat")
    assert_problem(party.client.get(url, headers=party.seats[0]), 403, "host_only")
    assert party.client.get(url, params={"seat": 1, "token": party.made["host_token"]}).status_code == 200


def test_the_exported_table_file_scores_the_same(party: Party) -> None:
    party.fill()
    party.put(2, "recipe", {"recipe": 12})
    document = party.client.get(f"{party.url}/export.json", headers=party.host).json()
    assert "recipe" not in document["boards"][1]
    party.client.post(f"{party.url}/reveal", headers=party.host)
    document = party.client.get(f"{party.url}/export.json", headers=party.host).json()
    report = score(load_document(document)).to_json()
    assert report["ranking"] == party.see()["report"]["ranking"] == [["Ana", 23], ["Ben", 22], ["Cleo", 0]]


def test_the_csv_has_a_line_a_player_and_runs_no_formula(client: Any) -> None:
    party = Party(client, players=["=1+1", "Ben", "Cleo"], objectives=["cheese_unique"])
    party.fill()
    answer = client.get(f"{party.url}/export.csv", headers=party.host)
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [line["player"] for line in lines] == ["'=1+1", "Ben", "Cleo"]
    assert [lines[0][name] for name in ("cheese_unique", "total", "place")] == ["3", "3", "1"]


def test_the_picture_shows_the_leaderboard(party: Party) -> None:
    for _ in range(2):
        answer = party.client.get(f"{party.url}/export.png", params={"token": party.made["host_token"]})
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert picture.format == "PNG"
            assert picture.width == 1080
        party.fill()


def test_a_board_stays_at_the_table_when_its_photo_goes(party: Party, clock: Clock) -> None:
    reading, _ = sent(party.client, jpeg("red"))
    party.put(1, "reading", {"reading_id": reading["id"], "reading_token": reading["token"]})
    clock.advance(days=31)
    party.client.service.sweep()
    seat = party.see()["seats"][0]
    assert (seat["board"], seat["total"], seat["reading_id"]) == (True, 3, None)


def test_a_reading_deleted_by_its_owner_leaves_the_table(party: Party) -> None:
    reading, token = sent(party.client, jpeg("red"))
    party.put(1, "reading", {"reading_id": reading["id"], "reading_token": reading["token"]})
    party.client.delete(f"/v1/readings/{reading['id']}", headers=token)
    assert not party.see()["seats"][0]["board"]


def test_a_table_is_deleted_by_its_host_and_goes_after_a_year(client: Any, clock: Clock) -> None:
    first, second = Party(client), Party(client)
    assert client.delete(first.url, headers=first.host).status_code == 204
    assert_problem(client.get(first.url, headers=first.host), 404, "table_not_found")
    clock.advance(days=366)
    assert_problem(client.get(second.url, headers=second.host), 404, "table_not_found")
    client.service.sweep()
    assert client.service.tables.history([second.made["host_token"]]) == []

"""What a file of food trucks may hold, what is refused with which words, and how it scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import BoardFileError, OptionsError, ScoreOptions, load_document, score, validate
from scoring.food_truck_champion.cards import known_cards, read_cards_file
from scoring.food_truck_champion.table import TruckTable
from tests.scoring.food_truck_champion.builders import OTHERS, document, order, table


def test_a_table_goes_through_json_unchanged() -> None:
    first = table({"tokens": [1, None], "awards": ["pate_en_croute", None]}, {"completed": [order("fg")]}, critiques=2)
    again = load_document(json.loads(json.dumps(first.to_json())))
    assert again == first


def test_things_lying_face_down_score_nothing_and_are_asked_about() -> None:
    report = score(table({"tokens": [None, None, 3], "awards": [None], "completed": [None]}, {}))
    board = report.to_json()["boards"][0]
    assert board["total"] == 3
    assert [question["about"] for question in board["questions"]] == ["token", "ticket"]
    assert board["total_range"] == [5, 11]  # tokens 2 to 6 more, two logos; three icons make no set of four


def test_a_face_down_award_may_complete_a_set() -> None:
    report = score(table({"awards": [order("gm"), None]}, {}))
    assert report.to_json()["boards"][0]["total_range"] == [0, 6]


def test_a_logo_that_is_not_known_is_asked_about() -> None:
    report = score(table({"completed": ["pate_en_croute"]}, {})).to_json()
    assert report["boards"][0]["questions"][0]["tiles"] == ["Pate en Croute"]
    assert report["boards"][0]["total_range"] == [0, 1]


def test_the_logo_of_another_truck_scores_nothing() -> None:
    report = score(table({"completed": [order("f", "truck_1")]}, {"completed": [order("f", "truck_1")]}))
    assert [board.total for board in report.boards] == [0, 1]


def test_an_equal_result_in_everything_shares_the_victory() -> None:
    report = score(table({"tokens": [2]}, {"tokens": [2]}, {"tokens": [1]}))
    assert (report.winners, report.places) == (("P0", "P1"), (1, 1, 3))
    assert "share the victory" in report.notes[0]


@pytest.mark.parametrize(("players", "limit"), [(2, 6), (3, 6), (4, 8), (5, 8)])
def test_the_supply_of_tokens_follows_the_number_of_players(players: int, limit: int) -> None:
    orders = [order("f")] * 9
    full = table({"tokens": [2] * limit, "completed": orders}, *[{}] * (players - 1))
    assert validate(full) == []
    one_more = {"tokens": [2], "completed": orders}
    over = table({"tokens": [2] * limit, "completed": orders}, one_more, *[{}] * (players - 2))
    assert [(check.id, check.value, check.limit) for check in validate(over)] == [("token_supply", limit + 1, limit)]


def test_tickets_and_profiles_of_the_wrong_size_are_reported_not_refused() -> None:
    trucks = {**OTHERS, "truck_1": {"profile": ["fruit", "meat", "meat"]}}
    found = validate(table({"completed": [order("fgmd")]}, {}, trucks=trucks))
    assert [(check.id, check.value, check.status) for check in found] == [
        ("ticket_size", 4, "violation"),
        ("profile_size", 3, "violation"),
    ]


def test_more_tokens_than_orders_are_to_be_looked_at() -> None:
    found = validate(table({"tokens": [1, 1], "completed": [order("fgm")]}, {}))
    assert [(check.id, check.status) for check in found] == [("tokens", "check_by_hand")]


def test_a_token_of_less_than_its_ticket_is_no_finding() -> None:
    assert validate(table({"tokens": [1], "completed": [order("fgm")]}, {})) == []


def test_seven_awards_are_one_too_many() -> None:
    assert [check.id for check in validate(table({"awards": [order("f")] * 7}, {}))] == ["awards"]


def test_cards_of_a_player_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    truck = '[trucks.mine]\nprofile = ["fruit", "fruit", "meat", "meat"]\n'
    path.write_text(truck + '[tickets.pie]\ningredients = ["fruit"]')
    cards = read_cards_file(path)
    assert set(cards.trucks) == {"bear_burgers", "mine"}
    boards = [{"truck": "mine", "awards": ["pie"]}, {"truck": "bear_burgers"}]
    assert TruckTable.from_json({"boards": boards}, cards=cards).boards[0].awards[0].title == "Pie"


@pytest.mark.parametrize("content", [b"trucks = 3", b"\xff\xfe", b"[" * 100_000, b"x = 1", b"a" * 200_000])
def test_a_bad_cards_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(BoardFileError):
        read_cards_file(path)


def test_the_cards_that_are_known_are_those_the_rulebook_prints() -> None:
    assert list(known_cards().trucks) == ["bear_burgers"]
    assert [ticket.title for ticket in known_cards().tickets.values()] == ["Pate en Croute", "Holy Mole Salad"]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "one board": ({"boards": [{}]}, "boards is a list of 1; allowed: 2 to 5 boards in seating order."),
    "six boards": ({"boards": [{}] * 6}, "boards is a list of 6; allowed: at most 5 entries."),
    "no boards": ({"boards": None}, "boards is null; allowed: a list."),
    "a board that is none": ({"boards": [3, {}]}, "boards[0] is 3; allowed: an object."),
    "a misspelt field": ({"bords": []}, "Did you mean 'boards'?"),
    "another format": ({"format": "boardsnap.board/1"}, "format is 'boardsnap.board/1'; allowed: 'boardsnap.food"),
    "players that differ": ({"players": 3}, "players is 3; allowed: 2, the number of boards."),
    "seven critiques": ({"critiques": 7}, "critiques is 7; allowed: a whole number from 0 to 6."),
    "an icon that is none": (
        {"trucks": {**OTHERS, "truck_1": {"profile": ["fish"]}}},
        "trucks.truck_1.profile[0] is 'fish'; allowed: fruit, dairy, grain, seasoning, meat, vegetable.",
    ),
    "six trucks": (
        {"trucks": {**OTHERS, "truck_5": {}}},
        "trucks is an object that makes 6 trucks with bear_burgers; allowed: 5 trucks in all.",
    ),
    "a ticket without icons": ({"tickets": {"x": {"ingredients": []}}}, "tickets.x.ingredients is an empty list"),
    "a ticket without ingredients": ({"tickets": {"x": {}}}, "tickets.x.ingredients is null; allowed: a list."),
    "a logo of nobody": (
        {"tickets": {"x": {"ingredients": ["meat"], "logo": "truck_9"}}},
        "tickets.x.logo is 'truck_9'; allowed: the id of a truck",
    ),
}
BAD_BOARDS: dict[str, tuple[dict[str, Any], str]] = {
    "a token of 4": ({"tokens": [1, 4]}, "boards[0].tokens[1] is 4; allowed: a whole number from 1 to 3."),
    "a token as a text": ({"tokens": ["3"]}, "boards[0].tokens[0] is '3'"),
    "an unknown truck": ({"truck": "bear"}, "boards[0].truck is 'bear'; allowed: bear_burgers, truck_1"),
    "an unknown ticket": ({"awards": ["pate"]}, "boards[0].awards[0] is 'pate'; allowed: null where it lies face down"),
    "a name twice": ({"player": "P1"}, "boards[1].player is 'P1', the player of boards[0] too"),
    "a misspelt field": ({"token": [1]}, "Did you mean 'tokens'?"),
    "a fridge": ({"fridge": []}, "boards[0] is an object with the field 'fridge'"),
    "an odd ticket": ({"completed": [{"ticket": 3}]}, "boards[0].completed[0].ticket is 3; allowed: pate_en_croute"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    fields, message = BAD[name]
    with pytest.raises(BoardFileError) as caught:
        load_document({**document({}, {}), **fields})
    assert message in str(caught.value)


@pytest.mark.parametrize("name", BAD_BOARDS)
def test_a_bad_board_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    fields, message = BAD_BOARDS[name]
    with pytest.raises(BoardFileError) as caught:
        load_document(document(fields, {}))
    assert message in str(caught.value)


def test_a_truck_is_played_only_with_its_profile() -> None:
    with pytest.raises(BoardFileError, match=r"boards\[1\]\.truck is 'truck_1', whose flavor profile is not known"):
        table({}, {}, trucks={"truck_1": {}, "truck_4": {}})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ScoreOptions(objectives="all"), "objectives is 'all'; allowed: nothing with the game food_truck_champion."),
        (ScoreOptions(recipe=3), "recipe is 3"),
        (ScoreOptions(house_rules=["best_kind"]), "house_rules is"),
        (ScoreOptions(players=5), "players is 5; allowed: 2, the number of players in the file."),
    ],
)
def test_options_of_another_game_are_refused(options: ScoreOptions, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        score(table({}, {}), options)
    assert message in str(caught.value)

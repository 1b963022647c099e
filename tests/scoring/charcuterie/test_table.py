"""Seats, neighbors, markers and who won."""

from __future__ import annotations

import json

import pytest

from scoring import OptionsError, ScoreOptions, Table, load_document, score, score_document, validate
from tests.builders import board, table

CHEESE = ScoreOptions(objectives=("cheese_neighbors",))
VEGGIE = ScoreOptions(objectives=("veggie_neighbors",))


def totals(thing: Table, options: ScoreOptions) -> list[int]:
    return [report.total for report in score(thing, options).boards]


def test_with_two_players_the_opponent_counts_once() -> None:
    assert totals(table(board("swiss bleu"), board("swiss")), CHEESE) == [10, 0]


def test_neighbors_sit_to_the_left_and_to_the_right() -> None:
    four = table(board("swiss swiss"), board("swiss"), board(), board("swiss"))
    assert totals(four, CHEESE) == [20, 10, 0, 10]


def test_fewer_is_strict() -> None:
    assert totals(table(board("tomato"), board("olives"), board("")), VEGGIE) == [7, 7, 0]


def test_a_neighbor_line_lists_the_own_tiles_once_for_each_neighbor() -> None:
    line = score(table(board("tomato salami"), board(), board()), VEGGIE).boards[0].objectives[0]
    assert [(part.tiles, part.points) for part in line.sets] == [(("t0",), 7), (("t0",), 7)]


def test_neighbor_cards_on_one_board_have_no_points_and_do_not_count() -> None:
    report = score(board("swiss tomato"), ScoreOptions(objectives="all"))
    missing = [line.id for line in report.objectives if line.points is None]
    assert missing == ["cheese_neighbors", "veggie_neighbors"]
    assert report.total == sum(line.points for line in report.objectives if line.points is not None)


def test_the_ranking_is_highest_first_and_ties_are_ties() -> None:
    pair = "ciabatta baguette"
    report = score(table(board(), board(pair), board(pair)), ScoreOptions(objectives=("bread_pairs",)))
    assert report.to_json()["ranking"] == [["P1", 2], ["P2", 2], ["P0", 0]]
    assert report.winners == ("P1", "P2")
    assert report.notes == ("P1 and P2 tie with 2 points",)


@pytest.mark.parametrize(
    ("points", "expected"), [(49, []), (50, ["50+"]), (99, ["50+"]), (100, ["50+", "5-Star Chef"])]
)
def test_markers_turn_at_50_and_100(points: int, expected: list[str]) -> None:
    report = score(board(), ScoreOptions(objectives=("bread_pairs",), recipe=points)).to_json()
    assert report["markers"] == expected


def test_a_table_file_names_its_cards_house_rules_and_recipes() -> None:
    document = {
        "format": "boardsnap.table/1",
        "objectives": ["cheese_unique", "bread_pairs"],
        "house_rules": {"lone_tile_is_group": True},
        "boards": [
            {"player": "Ana", "recipe": "the_vegetarian", **board("swiss").to_json()},
            {"player": "Ben", "recipe": 7, **board("salami salami salami").to_json()},
            {"player": "Cleo", **board("ciabatta baguette").to_json()},
        ],
    }
    report = score_document(document).to_json()
    assert report["format"] == "boardsnap.table-report/1"
    assert report["ranking"] == [["Ana", 16], ["Ben", 7], ["Cleo", 2]]
    assert [found["player"] for found in report["boards"]] == ["Ana", "Ben", "Cleo"]
    assert [found["recipe"] and found["recipe"]["id"] for found in report["boards"]] == [
        "the_vegetarian",
        "by_hand",
        None,
    ]
    assert report["boards"][0]["house_rules"] == {"lone_tile_is_group": True}


def test_a_table_goes_through_json_unchanged() -> None:
    first = load_document(table(board("swiss"), board("bleu"), objectives=["dip_unique"]).to_json())
    assert isinstance(first, Table)
    assert load_document(json.loads(json.dumps(first.to_json()))) == first


def test_options_go_before_the_file() -> None:
    thing = table(board("swiss"), board(), objectives=["cheese_unique"], house_rules=["lone_tile_is_group"])
    assert totals(thing, ScoreOptions()) == [1, 0]
    assert totals(thing, ScoreOptions(house_rules=["lone_tile_is_group=off"])) == [0, 0]
    assert totals(thing, CHEESE) == [10, 0]


def test_a_recipe_is_not_given_to_a_whole_table() -> None:
    with pytest.raises(OptionsError, match="each board of a table file names"):
        score(table(board(), board()), ScoreOptions(recipe="the_vegetarian"))


def test_without_illegal_tiles_the_neighbors_lose_theirs_too() -> None:
    hidden = {"tiles": [{"id": "a", "kind": "swiss", "visible": 0.1}], "contacts": []}
    thing = load_document({"objectives": ["cheese_neighbors"], "boards": [board("bleu").to_json(), hidden]})
    first = score(thing).boards[0]
    assert (first.total, first.total_without_illegal) == (0, 10)


def test_validate_names_the_player_of_a_finding() -> None:
    found = validate(table(board("orange orange orange"), board()))
    assert [(check.id, check.extra.get("player")) for check in found] == [
        ("tile_count", "P0"),
        ("copies", "P0"),
        ("tile_count", "P1"),
        ("tile_count", None),
        ("copies", None),
    ]


def test_one_board_at_a_table_has_no_neighbors() -> None:
    report = score(table(board("swiss")), CHEESE)
    assert report.boards[0].objectives[0].points is None

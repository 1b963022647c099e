"""The shape of a report, as the contract names it."""

from __future__ import annotations

import json

import pytest

from scoring import OptionsError, ScoreOptions, load_document, score, score_document
from scoring.charcuterie.objectives import BASE_CARDS, CARDS
from tests.builders import board, row, table

CONTRACT = {
    "format",
    "board",
    "total",
    "total_without_illegal",
    "total_range",
    "objectives",
    "recipe",
    "checks",
    "questions",
    "timings_ms",
}


def test_a_report_has_the_fields_of_the_contract() -> None:
    report = score(row("swiss bleu"), ScoreOptions(objectives="all"), timings_ms={"detect": 35.1}).to_json()
    assert set(report) >= CONTRACT
    assert report["format"] == "boardsnap.report/1"
    assert report["timings_ms"] == {"detect": 35.1}
    assert [line["id"] for line in report["objectives"]] == list(CARDS)
    assert all(set(line) >= {"id", "points", "sets", "readings"} for line in report["objectives"])
    assert json.loads(json.dumps(report)) == report


def test_the_board_of_a_report_can_be_scored_again() -> None:
    first = score(row("swiss bleu tomato")).to_json()
    assert score_document(first["board"]).to_json() == first


def test_a_table_report_has_the_fields_of_the_contract() -> None:
    report = score(table(board(), board())).to_json()
    assert set(report) >= {"format", "boards", "ranking", "checks"}
    assert json.loads(json.dumps(report)) == report


def test_without_named_cards_the_base_cards_are_scored_and_the_report_says_so() -> None:
    report = score(board())
    assert tuple(line.id for line in report.objectives) == BASE_CARDS
    assert len(BASE_CARDS) == 6
    assert "six base cards" in report.notes[0]


def test_no_cards_can_be_asked_for() -> None:
    report = score(board("ranch"), ScoreOptions(objectives=()))
    assert (report.objectives, report.notes, report.total) == ((), (), 0)


def test_cards_are_scored_once_and_in_the_order_asked_for() -> None:
    report = score(board(), ScoreOptions(objectives=("dip_unique", "bread_pairs", "dip_unique")))
    assert [line.id for line in report.objectives] == ["dip_unique", "bread_pairs"]


def test_a_board_file_may_name_its_cards() -> None:
    document = {**board("ranch").to_json(), "objectives": ["dip_unique"], "recipe": 4, "house_rules": []}
    report = score(load_document(document)).to_json()
    assert report["total"] == 1


def test_a_recipe_line_has_its_id_and_points() -> None:
    recipe = score(board("salami"), ScoreOptions(recipe="the_vegetarian")).to_json()["recipe"]
    assert {"id": "the_vegetarian", "points": 15}.items() <= recipe.items()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ScoreOptions(objectives=("cheese",)), "objective is 'cheese'; allowed: bread_pairs,"),
        (ScoreOptions(objectives=("dip_uniqe",)), "Did you mean 'dip_unique'?"),
        (ScoreOptions(players=9), "players is 9; allowed: a whole number from 2 to 6"),
    ],
)
def test_a_bad_option_is_refused(options: ScoreOptions, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        score(board(), options)
    assert message in str(caught.value)


def test_contacts_that_deny_a_stack_are_followed_and_noted() -> None:
    assert any("do not touch" in note for note in score(board("swiss bleu", over="0-1")).notes)


def test_eighteen_cards_three_a_category() -> None:
    assert len(CARDS) == 18
    assert {card.category for card in CARDS.values()} == {"bread", "cheese", "meat", "fruit", "veggie", "dip"}
    assert sum(card.deck == "base" for card in CARDS.values()) == 6

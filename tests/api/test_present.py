"""What a person reads: made from the JSON of a report."""

from io import StringIO
from typing import Any

from rich.console import Console

from api.present import print_report, print_table_report


def shown(report: dict[str, Any]) -> str:
    console = Console(file=StringIO(), width=120, no_color=True)
    (print_table_report if "boards" in report else print_report)(console, report, title="board.json")
    return console.file.getvalue()  # type: ignore[attr-defined]


def report(**fields: Any) -> dict[str, Any]:
    tiles = [{"id": "t0", "kind": "fig_jam"}, {"id": "t1", "kind": "swiss"}]
    return {"board": {"tiles": tiles}, "total": 31, "total_without_illegal": 31, "total_range": [31, 31], **fields}


def test_a_card_shows_its_points_and_the_tiles_that_made_them() -> None:
    line = {"id": "cheese_unique", "points": 6, "sets": [{"tiles": ["t0", "t1"], "points": 6}]}
    line["readings"] = [{"house_rule": "no_dip_points", "value": -3, "points": 3}]
    text = shown(report(objectives=[line]))
    assert "cheese unique" in text
    assert "fig jam t0, swiss t1 = 6" in text
    assert "with no_dip_points=-3: 3" in text


def test_a_card_whose_points_cannot_be_known_says_why() -> None:
    text = shown(report(objectives=[{"id": "cheese_neighbors", "points": None}]))
    assert "score a table file" in text


def test_the_total_names_its_range_the_illegal_tiles_and_the_marker() -> None:
    plain = shown(report())
    assert plain.rstrip().endswith("Total: 31")
    text = shown(report(total=51, total_without_illegal=27, total_range=[51, 55], markers=["50+"]))
    assert "Total: 51  (between 51 and 55, depending on the questions)" in text
    assert "(without the illegal tiles: 27)" in text
    assert "(marker: 50+)" in text


def test_a_check_is_a_sentence_with_its_figure() -> None:
    check = {"id": "covered", "tiles": ["t1"], "value": 0.41, "limit": 0.5, "note": "41.0% visible"}
    text = shown(report(checks=[{**check, "status": "check_by_hand"}]))
    assert "check by hand: swiss t1 must show at least half of its face: 41.0% visible." in text
    count = {"id": "some_new_check", "tiles": [], "value": 3, "limit": 24, "status": "violation"}
    assert "violation: 3, limit 24." in shown(report(checks=[count]))


def test_a_question_names_the_points_at_stake() -> None:
    question = {"about": "contact", "tiles": ["t0", "t1"], "why": "gap 0.9 mm", "points_at_stake": 4}
    assert "contact of fig jam t0, swiss t1: gap 0.9 mm. Points at stake: 4." in shown(report(questions=[question]))


def test_a_reason_once_is_enough_for_many_tiles_that_were_not_checked() -> None:
    item = {"id": "off_board", "why": "the board outline is not known"}
    text = shown(report(unchecked=[{**item, "tiles": ["t0"]}, {**item, "tiles": ["t1"]}]))
    assert text.count("the board outline is not known") == 1


def test_a_tie_shares_its_place() -> None:
    ranking = [["Ana", 61], ["Ben", 58], ["Cleo", 58], ["Dan", 40]]
    text = shown({"boards": [report(player="Ana")], "ranking": ranking})
    places = [line.split("│")[1].strip() for line in text[text.index("Ranking") :].splitlines() if line.startswith("│")]
    assert places == ["1", "2", "2", "4"]


def test_questions_that_change_no_points_are_counted_only() -> None:
    way = [{"do": "set_contact", "a": "t0", "b": "t1", "touching": False}]
    quiet = {
        "about": "contact",
        "tiles": ["t0", "t1"],
        "why": "gap 1.2 mm",
        "points_at_stake": 0,
        "alternatives": [way],
    }
    count = {"about": "count", "tiles": [], "why": "23 tiles found", "points_at_stake": 0, "alternatives": []}
    text = shown(report(questions=[quiet, quiet, count]))
    assert "gap 1.2 mm" not in text
    assert "2 more, whose answers alone change no points" in text
    assert "23 tiles found" in text

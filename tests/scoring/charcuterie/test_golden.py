"""Boards worked by hand from the rulebook and the rulings: each file holds the lines it must score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import ScoreOptions, score_document

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_board_worked_by_hand_scores_as_worked(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    report = score_document(document, ScoreOptions(objectives=tuple(document["expected"]))).to_json()
    for line in report["objectives"]:
        _assert_line(line, document["expected"][line["id"]])


def _assert_line(line: dict[str, Any], expected: dict[str, Any]) -> None:
    assert line["points"] == expected["points"]
    if "sets" in expected:
        assert line["sets"] == expected["sets"]
    if "readings" in expected:
        assert {reading["house_rule"]: reading["points"] for reading in line["readings"]} == expected["readings"]


def test_every_card_but_the_neighbors_has_a_board_worked_by_hand() -> None:
    worked = {card for path in GOLDEN for card in json.loads(path.read_text(encoding="utf-8"))["expected"]}
    assert len(worked) == 16

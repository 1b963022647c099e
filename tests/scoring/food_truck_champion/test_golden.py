"""Tables worked by hand from the rulebook: each file says why, and what must come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import score_document

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "food_truck_champion").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_table_worked_by_hand_scores_as_worked(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    report, expected = score_document(case["document"]).to_json(), case["expected"]
    boards = {board["player"]: board for board in report["boards"]}
    found: dict[str, Any] = {
        "lines": {name: [line["points"] for line in board["objectives"]] for name, board in boards.items()},
        "ranges": {name: board["total_range"] for name, board in boards.items()},
        "critique": {name: board["critique"] for name, board in boards.items() if "critique" in board},
        "checks": [check["id"] for board in report["boards"] for check in board["checks"]]
        + [check["id"] for check in report["checks"]],
    }
    assert {**report, **found}.items() >= expected.items()


def test_there_are_tables_worked_by_hand() -> None:
    assert len(GOLDEN) >= 3

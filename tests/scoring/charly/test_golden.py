"""Games worked by hand from the rulebook: each file says why, and what must come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import score_document

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "charly").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_game_worked_by_hand_scores_as_worked(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    report, expected = score_document(case["document"]).to_json(), case["expected"]
    boards = {board["player"]: board for board in report["boards"]}
    found: dict[str, Any] = {
        "honey": {name: board["honey"] for name, board in boards.items()},
        "hungry": {name: board["hungry"] for name, board in boards.items()},
        "lines": {name: [line["points"] for line in board["objectives"]] for name, board in boards.items()},
        "can_place": {name: board.get("can_place") for name, board in boards.items()},
        "least": {name: board["best_play"]["honey"] for name, board in boards.items() if "best_play" in board},
        "checks": [[check["id"], check["value"], check["limit"]] for check in report["checks"]],
    }
    assert {**report, **found}.items() >= expected.items()


def test_there_are_games_worked_by_hand() -> None:
    assert len(GOLDEN) >= 5

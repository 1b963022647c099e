"""The commands on files of the other games: nothing but the file tells which game it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api.cli import app

ROOT = Path(__file__).parents[2]
TRUCKS, CHARLY = (
    json.loads(text) for text in re.findall(r"```json\n(.*?)```", (ROOT / "docs/games.md").read_text(), re.S)
)
OVER = {**CHARLY, "rounds": [{"announcer": "Ana", "hands": {"Ana": ["dog 3"] * 5, "Ben": []}}]}


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def _run(command: str, *documents: Any, options: tuple[str, ...] = ()) -> Result:
        names = []
        for number, document in enumerate(documents):
            path = tmp_path / f"game_{number}.json"
            path.write_text(json.dumps(document))
            names.append(str(path))
        return CliRunner().invoke(app, [command, *names, *options])

    return _run


def test_food_trucks_are_scored_with_reasons(run: Any) -> None:
    result = run("score", TRUCKS)
    assert result.exit_code == 0, result.output
    assert "popularity tokens" in result.stdout
    assert "2 of value 3 = 6" in result.stdout
    assert "token: 1 token lies face down" in result.stdout
    assert "the critiques to come should choose Pate en Croute" in result.stdout
    assert "Total: 8" in result.stdout


def test_charly_is_scored_with_honey_and_advice(run: Any) -> None:
    result = run("score", CHARLY)
    assert result.exit_code == 0, result.output
    assert "2 pigs = -4" in result.stdout
    assert "least honey to pay, if nobody else takes the food: 6, with 1 rabbit on carrots 5" in result.stdout
    assert "honey" in result.stdout[result.stdout.index("Ranking") :]
    assert "the game goes on" in result.stdout


def test_json_is_one_line_a_game(run: Any) -> None:
    result = run("score", TRUCKS, CHARLY, options=("--json",))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["game"] for answer in answers] == ["food_truck_champion", "charly"]
    assert {answer["format"] for answer in answers} == {"boardsnap.table-report/1"}
    assert all(answer["timings_ms"]["score"] >= 0 for answer in answers)


def test_validate_ends_with_1_on_a_violation(run: Any) -> None:
    assert run("validate", TRUCKS, CHARLY).exit_code == 0
    result = run("validate", OVER)
    assert result.exit_code == 1
    assert "5 cards dog 3, where the box holds 4" in result.stdout


def test_a_bad_file_ends_with_3_and_names_the_field(run: Any) -> None:
    result = run("score", {**CHARLY, "seats": "Ana"})
    assert result.exit_code == 3
    assert "seats is 'Ana'; allowed: a list." in result.stderr


def test_cards_of_charcuterie_are_refused(run: Any) -> None:
    result = run("score", TRUCKS, options=("--objectives", "dip_unique"))
    assert "allowed: nothing with the game food_truck_champion" in result.stderr

"""The registry of games: the field game picks the rules, whatever JSON comes in; and the page that describes them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from scoring import BoardFileError, load_document, score, score_document, validate
from tests.properties.test_odd_documents import ATOMS, spoiled

ROOT = Path(__file__).parents[2]
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", (ROOT / "docs/games.md").read_text(), re.S)]


def golden(game: str) -> list[Any]:
    files = sorted((ROOT / "tests/golden" / game).glob("*.json"))
    return [json.loads(file.read_text(encoding="utf-8"))["document"] for file in files]


GOOD = [*EXAMPLES, *golden("food_truck_champion"), *golden("charly")]
WORDS = ["dog 2", "pig", "gourmet_pig", "gourmet_pig bones cheese", "bear_burgers", "pate_en_croute", "Ana", "meat"]


def test_the_page_has_an_example_of_each_game() -> None:
    assert [example["game"] for example in EXAMPLES] == ["food_truck_champion", "charly"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["game"])
def test_an_example_of_the_page_is_scored_and_read_back(example: Any) -> None:
    thing = load_document(example)
    assert thing.game == example["game"]
    assert load_document(json.loads(json.dumps(thing.to_json()))) == thing
    report = score(thing).to_json()
    assert report["format"] == "boardsnap.table-report/1"
    assert report["game"] == example["game"]
    assert json.loads(json.dumps(report)) == report


def test_the_food_trucks_of_the_page_score_as_worked_by_hand() -> None:
    # Nicole: 3 + 3 + 1 tokens, no set, one own logo. Luke: 3, one own logo; a token and a ticket lie face down.
    report = score_document(EXAMPLES[0]).to_json()
    assert report["ranking"] == [["Nicole", 8], ["Luke", 4]]
    assert [board["total_range"] for board in report["boards"]] == [[8, 8], [5, 8]]
    assert report["boards"][0]["critique"] == {"choose": ["Pate en Croute"], "sets": 1, "progress": 0}


def test_the_feast_of_the_page_is_as_worked_by_hand() -> None:
    # Round 1: Ana pays 2 for the dogs and 4 for the pigs. In the open feast bones are full, cheese takes one more
    # animal and carrots two: Ana's rabbit or Ben's pigs.
    report = score_document(EXAMPLES[1]).to_json()
    assert report["ranking"] == [["Ben", 13], ["Ana", 9]]
    assert [board["can_place"] for board in report["boards"]] == [
        [{"card": "rabbit 1", "on": 2}],
        [{"card": "pig 2", "on": 2}],
    ]
    assert [board["best_play"]["honey"] for board in report["boards"]] == [6, 7]
    assert report["checks"] == []


@pytest.mark.parametrize("game", ["chess", 3, [], {}])
def test_an_unknown_game_is_refused(game: Any) -> None:
    with pytest.raises(BoardFileError, match=r"game is .*; allowed: charcuterie, food_truck_champion, charly\."):
        load_document({"game": game})


@pytest.mark.parametrize("game", ["food_truck_champion", "charly"])
def test_a_file_with_nothing_but_its_game_is_refused_by_that_game(game: str) -> None:
    with pytest.raises(BoardFileError, match=r"(boards|seats) is null; allowed: a list\."):
        load_document({"game": game})


@pytest.mark.parametrize("document", GOOD, ids=lambda document: document["game"])
def test_a_good_file_with_one_odd_part_is_scored_or_refused(document: Any) -> None:
    rng = random.Random(5)
    answered = [_answered(_retexted(rng, spoiled(rng, document), document["game"])) for _ in range(120)]
    assert 0 < sum(answered) < len(answered)


def _retexted(rng: random.Random, document: Any, game: str) -> Any:
    """The document with one more text or atom swapped somewhere; its game stays, so that its own reader is tried."""
    if not isinstance(document, dict) or not document:
        return {"game": game, "boards": document, "seats": document, "rounds": document}
    return {**_swapped(rng, document), "game": game}


def _swapped(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value:
        name = rng.choice(list(value))
        return {**value, name: _swapped(rng, value[name])}
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return [*value[:place], _swapped(rng, value[place]), *value[place + 1 :]]
    return value if rng.random() < 0.5 else rng.choice([*WORDS, *ATOMS])


def _answered(document: Any) -> bool:
    try:
        thing = load_document(document)
    except BoardFileError:
        return False
    json.dumps(score(thing).to_json(), allow_nan=False)
    validate(thing)
    return True

"""Recipes as data: what can be written, and what is refused with which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring import RecipeError, ScoreOptions, score
from scoring.charcuterie.recipes import read_recipe, read_recipe_file, recipe_from_argument, recipe_of
from tests.builders import board, row, table

DIPS = """
id = "dips_for_days"
title = "Dips for Days"

[[rule]]
primitive = "count"
of = { category = "dip" }
table = { "0-2" = 0, "3-4" = 6, "5+" = 12 }
"""


def rule(**fields: Any) -> dict[str, Any]:
    return {"id": "mine", "rule": [fields]}


def points(thing: Any, **fields: Any) -> int | None:
    report = score(thing, ScoreOptions(objectives=(), recipe=rule(**fields)))
    return report.recipe.points


@pytest.mark.parametrize(("meat", "expected"), [(0, 15), (2, 15), (3, 10), (5, 10), (6, 5), (8, 5), (9, 0), (14, 0)])
def test_the_vegetarian(meat: int, expected: int) -> None:
    report = score(board("salami " * meat), ScoreOptions(objectives=(), recipe="the_vegetarian"))
    assert report.recipe is not None
    assert (report.recipe.points, report.total) == (expected, expected)


def test_points_by_hand_are_taken_as_they_are() -> None:
    report = score(board(), ScoreOptions(objectives=(), recipe=11)).to_json()
    assert (report["recipe"]["id"], report["recipe"]["points"], report["total"]) == ("by_hand", 11, 11)


def test_a_recipe_file_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "dips.toml"
    path.write_text(DIPS)
    recipe = recipe_from_argument(str(path))
    assert score(board("ranch hummus hummus"), ScoreOptions(objectives=(), recipe=recipe)).total == 6


def test_a_recipe_file_in_json(tmp_path: Path) -> None:
    path = tmp_path / "five.json"
    path.write_text('{"id": "five", "points": 5}')
    assert read_recipe_file(path).points == 5


CASES: dict[str, tuple[Any, dict[str, Any], int]] = {
    "count of a kind": (board("dates dates"), {"of": {"kind": "dates"}, "table": [1, 5]}, 5),
    "count of a shape": (board("orange tomato"), {"of": {"shape": "round"}, "table": [1, 5]}, 5),
    "none": (board("swiss"), {"of": {"category": "dip"}, "table": [1], "none": 8}, 8),
    "kinds of a category": (
        board("swiss swiss bleu"),
        {"of": {"category": "cheese"}, "count": "kinds", "table": [1, 4]},
        4,
    ),
    "groups": (row("dates grapes swiss"), {"of": {"category": "fruit"}, "scope": "group", "table": [1, 2]}, 2),
    "a range from one": (board("swiss"), {"of": {"category": "cheese"}, "table": {"1+": 3}}, 3),
}


@pytest.mark.parametrize("name", CASES)
def test_counts_against_a_table(name: str) -> None:
    thing, fields, expected = CASES[name]
    assert points(thing, primitive="count", **fields) == expected


def test_pairs_of_like_tiles_that_touch() -> None:
    like = {"primitive": "pairs", "of": {"category": "cheese"}, "same": "kind", "adjacent": True, "points": 4}
    assert points(row("swiss swiss swiss swiss"), **like) == 8
    assert points(row("swiss bleu swiss"), **like) == 0


def test_a_pair_of_any_two_touching_tiles_of_a_category() -> None:
    ring = board("swiss bleu gouda colby colby", touching="0-1 1-2 2-3 3-4 4-0")
    assert points(ring, primitive="pairs", of={"category": "cheese"}, adjacent=True, points=1) == 2


def test_only_groups_with_a_range() -> None:
    parts = [{"category": "fruit", "at_least": 1, "at_most": 2}, {"category": "cheese", "exactly": 1}]
    assert points(row("dates swiss"), primitive="only_groups", parts=parts, points=6) == 6
    assert points(row("dates grapes dates swiss"), primitive="only_groups", parts=parts, points=6) == 0


def test_companions_with_a_cap() -> None:
    thing = board("ranch tomato olives carrots", touching="0-1 0-2 0-3")
    fields = {"each": {"kind": "ranch"}, "touching": {"category": "veggie"}, "points": 2, "cap": 2}
    assert points(thing, primitive="companions", **fields) == 4


def test_neighbors_need_a_table() -> None:
    fields = rule(primitive="neighbors", of={"category": "dip"}, points=5, than="more")
    assert score(board(), ScoreOptions(objectives=(), recipe=fields)).recipe.points is None
    at_table = table(board(), board("ranch"))
    seats = tuple(type(seat)(seat.player, seat.board, fields) for seat in at_table.seats)
    assert [found.total for found in score(type(at_table)(seats), ScoreOptions(objectives=())).boards] == [5, 0]


COUNT = {"primitive": "count", "of": {"category": "dip"}}
BAD: dict[str, tuple[Any, str]] = {
    "a list": ([], "recipe is []"),
    "true": (True, "recipe is True; allowed: one of the_vegetarian, a recipe as an object, or its points"),
    "half a point": (1.5, "recipe is 1.5; allowed: a whole number"),
    "too many points": (10**9, "recipe is 1000000000; allowed: a whole number from -1000 to 1000"),
    "an unknown name": ("dips_for_days", "enter its points as a number"),
    "no id": ({"points": 3}, "id is null"),
    "nothing to score": ({"id": "x"}, "neither rule nor points"),
    "rules and points": ({"id": "x", "points": 1, "rule": []}, "rule and points; allowed: exactly one"),
    "no rules": ({"id": "x", "rule": []}, "rule is an empty list"),
    "a misspelt field": (rule(**COUNT, tabel=[1]), "Did you mean 'table'?"),
    "a misspelt recipe field": ({"id": "x", "rles": []}, "Did you mean 'rules'?"),
    "an unknown category": (
        rule(primitive="count", of={"category": "wine"}),
        "rule[0].of.category is 'wine'; allowed: bread",
    ),
    "an unknown kind": (rule(primitive="count", of={"kind": ["swis"]}), "Did you mean 'swiss'?"),
    "traits no kind has": (
        rule(primitive="count", of={"category": "dip", "shape": "round"}),
        "allowed: traits that at least one kind has together",
    ),
    "no trait": (rule(primitive="count", of={}), "rule[0].of is an empty object"),
    "no table": (rule(**COUNT), "rule[0].table is null; allowed: a list"),
    "an empty table": (rule(**COUNT, table=[]), "rule[0].table is an empty list"),
    "a gap": (rule(**COUNT, table={"0-2": 1, "4+": 2}), "a table in which 3 tiles is missing"),
    "an overlap": (rule(**COUNT, table={"0-3": 1, "3+": 2}), "a table in which 3 tiles is twice"),
    "a closed table": (rule(**COUNT, table={"0-3": 1}), 'a last range that is open, like "4+"'),
    "a range of words": (rule(**COUNT, table={"few": 1}), "the range 'few'"),
    "a range upside down": (rule(**COUNT, table={"3-1": 1}), "the range '3-1'"),
    "points as a text": (rule(**COUNT, table=["one"]), "rule[0].table[0] is 'one'"),
    "a scope that is none": (
        rule(**COUNT, table=[1], scope="table"),
        "rule[0].scope is 'table'; allowed: board, group",
    ),
    "a cap of 0": (
        rule(primitive="companions", each={"category": "dip"}, touching={"category": "dip"}, points=1, cap=0),
        "rule[0].cap is 0; allowed: a whole number from 1 to 108",
    ),
    "no parts": (rule(primitive="only_groups", parts=[], points=1), "rule[0].parts is an empty list"),
    "adjacent as a text": (
        rule(primitive="pairs", of={"category": "dip"}, points=1, adjacent="yes"),
        "rule[0].adjacent is 'yes'; allowed: true or false",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_recipe_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    value, message = BAD[name]
    with pytest.raises(RecipeError) as caught:
        recipe_of(value)
    assert message in str(caught.value)


@pytest.mark.parametrize("content", [b"id = ", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(RecipeError, match=r"bad\.toml"):
        read_recipe_file(path)


def test_a_recipe_named_in_a_document_never_opens_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(DIPS)
    with pytest.raises(RecipeError, match="the_vegetarian"):
        recipe_of(str(path))


def test_a_new_card_is_a_few_lines_of_data() -> None:
    assert read_recipe({"id": "x", "rules": [{**COUNT, "table": [1]}]}).rules

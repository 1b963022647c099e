from __future__ import annotations

from typing import Any

import pytest

from scoring import OptionsError, ScoreOptions, score
from scoring.charcuterie.house_rules import HOUSE_RULES, read_house_rules
from tests.builders import board, line, points, row


@pytest.mark.parametrize(
    ("card", "thing", "rules", "expected"),
    [
        ("cheese_unique", board("swiss"), {"lone_tile_is_group": True}, 1),
        ("fruit_unique", board("dates orange"), {"lone_tile_is_group": True}, 2),
        ("cheese_matching", board("swiss swiss"), {"lone_tile_is_group": True}, 2),
        ("cheese_matching", row("swiss swiss bleu gouda"), {"best_kind": True}, 4),
        ("dip_unique", board("swiss"), {"no_dip_points": -3}, -3),
        ("dip_unique", board("swiss"), {"no_dip_points": 5}, 5),
        ("dip_unique", board("ranch"), {"no_dip_points": 5}, -3),
        ("bread_same_shape", board("ciabatta ciabatta baguette"), {"best_shape": True}, 2),
        ("meat_sandwich", row("salami baguette salami"), {"bread_per_meat": True}, 4),
        (
            "meat_sandwich",
            board("salami " + "baguette " * 3, touching="0-1 0-2 0-3"),
            {"bread_per_meat": True},
            4,
        ),
        ("dip_companions", row("ranch tomato hummus"), {"companion_once": True}, 1),
    ],
)
def test_each_house_rule_gives_its_reading(card: str, thing: Any, rules: dict[str, Any], expected: int) -> None:
    assert points(thing, card, **rules) == expected


def test_two_house_rules_work_together_on_one_card() -> None:
    thing = board("swiss bleu bleu gouda", touching="0-1 1-2")
    assert points(thing, "cheese_matching", best_kind=True, lone_tile_is_group=True) == 5


def test_readings_name_rules_that_give_other_points() -> None:
    readings = line(row("swiss swiss bleu"), "cheese_matching").to_json()["readings"]
    assert readings == [{"house_rule": "best_kind", "value": True, "points": 4}]


def test_with_a_rule_on_the_reading_without_it_is_named() -> None:
    readings = line(row("swiss swiss bleu"), "cheese_matching", best_kind=True).to_json()["readings"]
    assert readings == [{"house_rule": "best_kind", "value": False, "points": 5}]


def test_no_reading_where_the_points_are_the_same() -> None:
    assert line(row("swiss swiss"), "cheese_matching").readings == ()


@pytest.mark.parametrize(
    "spelling",
    [
        ["best_kind"],
        ["best_kind=true"],
        ["matching_cheese=best_kind"],
        ["matching_cheese = best_kind"],
        ["cheese_matching=best_kind"],
        {"best_kind": True},
        {"best_kind": "on"},
        {"matching_cheese": "best_kind"},
        "best_kind",
    ],
)
def test_the_spellings_of_a_house_rule(spelling: Any) -> None:
    assert read_house_rules(spelling) == {"best_kind": True}


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        (["best_knd"], "Did you mean 'best_kind'?"),
        (["best_kind=perhaps"], "house rule best_kind is 'perhaps'; allowed: on or off"),
        (["no_dip_points"], "house rule no_dip_points is True; allowed: a whole number"),
        (["no_dip_points=few"], "house rule no_dip_points is 'few'"),
        (["cheese_matching=best_shape"], "allowed: best_kind, lone_tile_is_group"),
        ([7], "house_rules is a list with 7"),
        (7, "house_rules is 7; allowed: a list"),
        ({"no_dip_points": float("nan")}, "house rule no_dip_points is nan"),
    ],
)
def test_a_bad_house_rule_is_refused(spelling: Any, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        score(board(), ScoreOptions(house_rules=spelling))
    assert message in str(caught.value)


def test_every_house_rule_is_described() -> None:
    assert all(title[0].isupper() for title in HOUSE_RULES.values())

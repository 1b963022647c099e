"""Whatever JSON comes in, the answer is a board, a table, or an error of ours.

Documents are drawn by a seeded generator: a thousand take a second, where a recursive strategy takes minutes.
"""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from scoring import BoardFileError, BoardsnapError, ScoreOptions, load_document, score, validate

FIELDS = [
    "format",
    "game",
    "players",
    "variant",
    "board",
    "tiles",
    "over",
    "contacts",
    "boards",
    "objectives",
    "house_rules",
    "recipe",
    "outline",
    "inner_ring",
    "id",
    "kind",
    "footprint",
    "polygon_px",
    "visible",
    "confidence",
    "player",
    "rule",
    "rules",
    "points",
    "primitive",
    "of",
    "table",
    "do",
]
BOX = [[0, 0], [9, 0], [9, 9], [0, 9]]
ATOMS: list[Any] = [None, True, False, 0, 1, -3, 2.5, 10**400, math.nan, math.inf, "", "x" * 500, "é", "\x00", BOX]
WORDS: list[Any] = [
    "swiss",
    "a",
    "b",
    "boardsnap.board/1",
    "charcuterie",
    "all",
    "the_vegetarian",
    "best_kind",
    "12",
    4,
]
KNOWN: dict[str, Any] = {
    "tiles": [{"id": "a", "kind": "swiss", "footprint": BOX}, {"id": "b", "kind": "ranch", "visible": 0.3}],
    "contacts": [["a", "b"]],
    "over": [["a", "b"]],
    "players": 6,
    "board": {"outline": BOX, "inner_ring": BOX},
}


def odd(rng: random.Random, depth: int = 3) -> Any:
    """Any JSON value, rich in the names and words of the format."""
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return rng.choice(ATOMS + WORDS)
    if kind < 0.65:
        return [odd(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return {rng.choice(FIELDS): odd(rng, depth - 1) for _ in range(rng.randint(0, 5))}


def spoiled(rng: random.Random, value: Any) -> Any:
    """A good value with one part replaced by an odd one."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        name = rng.choice(list(value))
        return {**value, name: spoiled(rng, value[name])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return [*value[:place], spoiled(rng, value[place]), *value[place + 1 :]]
    return odd(rng)


def assert_answered(document: Any) -> bool:
    try:
        thing = load_document(document)
    except BoardFileError:
        return False
    score(thing, ScoreOptions(objectives="all")).to_json()
    validate(thing)
    return True


@pytest.mark.parametrize("seed", range(3))
def test_any_json_is_a_document_or_an_error_of_ours(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        assert_answered(odd(rng, depth=4))


@pytest.mark.parametrize("seed", range(3))
def test_a_good_board_with_one_odd_part_is_scored_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    answered = [assert_answered(spoiled(rng, KNOWN)) for _ in range(300)]
    assert 0 < sum(answered) < len(answered)


def test_a_good_table_with_one_odd_part_is_scored_or_refused() -> None:
    rng = random.Random(1)
    seats = [{"player": "Ana", "recipe": {"id": "x", "points": 3}, **KNOWN}, {"player": "Ben", **KNOWN}]
    table = {"boards": seats, "objectives": ["dip_unique"], "house_rules": {"best_kind": True}}
    answered = [assert_answered(spoiled(rng, table)) for _ in range(300)]
    assert 0 < sum(answered) < len(answered)


def test_odd_options_are_taken_or_refused() -> None:
    rng = random.Random(2)
    thing = load_document(KNOWN)
    refused = 0
    for _ in range(500):
        options = ScoreOptions(objectives=odd(rng), recipe=odd(rng), house_rules=odd(rng))
        try:
            score(thing, options)
        except BoardsnapError:
            refused += 1
    assert refused


def test_ten_thousand_tiles_are_refused_at_once() -> None:
    tiles = [{"id": f"t{i}", "kind": "swiss", "footprint": BOX} for i in range(10_000)]
    with pytest.raises(BoardFileError, match="a list of 10000"):
        load_document({"tiles": tiles})

"""The number of tiles and of copies, on a board and over a table, under every variant."""

from __future__ import annotations

import pytest

from scoring import Board, ScoreOptions, load_document, score, validate
from scoring.charcuterie.catalogue import CATEGORIES, KINDS, SHAPES, bag, kinds_of, tiles_per_board
from scoring.report import Check
from tests.builders import board, table


def copies(thing: Board) -> list[Check]:
    return [check for check in validate(thing) if check.id == "copies"]


def test_the_box_holds_27_kinds_and_108_tiles() -> None:
    assert len(KINDS) == 27
    assert sum(kind.copies for kind in KINDS.values()) == 108
    per_category = {category: sum(kind.copies for kind in kinds_of(category)) for category in CATEGORIES}
    assert per_category == {"bread": 22, "cheese": 24, "meat": 14, "fruit": 16, "veggie": 16, "dip": 16}
    assert {kind.shape for kind in KINDS.values()} == set(SHAPES)


@pytest.mark.parametrize(
    ("players", "variant", "tiles"),
    [
        (2, None, 24),
        (3, None, 24),
        (4, None, 24),
        (5, None, 21),
        (6, None, 18),
        (2, "less_random", 24),
        (3, "less_random", 24),
        (5, "crunchy", 20),
        (6, "crunchy", 18),
    ],
)
def test_each_number_of_players_has_its_tiles(players: int, variant: str | None, tiles: int) -> None:
    assert tiles_per_board(players, variant) == tiles
    short = board("swiss", players=players, variant=variant)
    assert [(c.value, c.limit) for c in validate(short) if c.id == "tile_count"] == [(1, tiles)]


def test_without_a_number_of_players_tiles_are_not_counted() -> None:
    assert validate(board("swiss")) == []


def test_players_may_be_given_with_the_options() -> None:
    assert validate(board("swiss", players=2), ScoreOptions(players=6))[0].limit == 18


def test_more_of_a_kind_than_the_box_holds_is_reported_with_its_tiles() -> None:
    (check,) = copies(board("orange orange orange swiss"))
    assert (check.tiles, check.value, check.limit) == (("t0", "t1", "t2"), 3, 2)
    assert check.to_json()["kind"] == "orange"


def test_a_table_adds_up_the_copies_of_its_boards() -> None:
    report = score(table(board("orange orange"), board("orange")))
    (check,) = [check for check in report.checks if check.id == "copies"]
    assert check.tiles == ("P0/t0", "P0/t1", "P1/t0")
    assert not any(check.id == "copies" for found in report.boards for check in found.checks)


def test_a_table_counts_its_tiles_and_its_boards() -> None:
    three = load_document({"players": 3, "boards": [{"tiles": [], "contacts": []}] * 2})
    assert [(c.id, c.value, c.limit) for c in score(three).checks] == [("player_count", 2, 3)]
    full = score(table(board(), board()))
    assert [(c.id, c.value, c.limit) for c in full.checks] == [("tile_count", 0, 48)]


def test_two_players_less_random_lower_the_copies() -> None:
    thin = bag("less_random", 2)
    assert thin.copies["swiss"] == 2
    assert thin.copies["meat_rose"] == 0
    assert sum(n for kind, n in thin.copies.items() if KINDS[kind].category != "bread") + thin.bread_tiles == 57
    (check,) = copies(board("orange", players=2, variant="less_random"))
    assert (check.value, check.limit) == (1, 0)


def test_two_players_less_random_have_17_breads_of_any_kind() -> None:
    breads = "round_cracker " * 6 + "square_cracker " * 6 + "baguette " * 5
    assert copies(board(breads, players=2, variant="less_random")) == []
    (check,) = copies(board(breads + "ciabatta", players=2, variant="less_random"))
    assert (check.value, check.limit, check.extra) == (18, 17, {"category": "bread"})


def test_three_players_less_random_lose_one_of_three_bread_kinds() -> None:
    full = "baguette " * 5
    assert copies(board(full, players=3, variant="less_random")) == []
    (check,) = copies(board(full + "ciabatta " * 5, players=3, variant="less_random"))
    assert (check.value, check.limit) == (2, 1)
    assert copies(board("swiss " * 4, players=3, variant="less_random"))[0].limit == 3


def test_less_random_without_a_number_of_players_counts_the_whole_box() -> None:
    assert bag("less_random").copies == bag().copies


def test_the_two_player_variant_does_not_use_matching_cheese_and_the_report_says_so() -> None:
    thing = board("swiss", players=2, variant="less_random")
    assert any("cheese_matching" in note for note in score(thing, ScoreOptions(objectives="all")).notes)
    assert not any("cheese_matching" in note for note in score(thing).notes)

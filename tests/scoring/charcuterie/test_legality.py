"""Where a tile may lie, to the hair for exact boards and with a band for measured ones."""

from __future__ import annotations

from typing import Any

import pytest
import shapely

from scoring import Board, ScoreOptions, score, validate
from scoring.charcuterie.legality import placement_checks
from scoring.report import Check
from tests.builders import board, disc, placed, square

BOARD = shapely.box(0, 0, 300, 200)


def findings(thing: Board) -> list[tuple[str, tuple[str, ...], str]]:
    return [(check.id, check.tiles, check.status) for check in placement_checks(thing)[0]]


def only(thing: Board) -> Check:
    (check,) = placement_checks(thing)[0]
    return check


def covered_by(share: float, **fields: Any) -> Board:
    return placed(square(10, 10), square(40 - 30 * share, 10), over=(("t1", "t0"),), outline=BOARD, **fields)


def hanging(depth_mm: float, **fields: Any) -> Board:
    return placed(square(270 + depth_mm, 50), outline=BOARD, **fields)


@pytest.mark.parametrize(
    ("share", "confidence", "status"),
    [
        (0.0, None, None),
        (0.3, None, None),
        (0.5, None, None),
        (0.5001, None, "violation"),
        (0.7, None, "violation"),
        (0.45, 0.9, None),
        (0.47, 0.9, "check_by_hand"),
        (0.5, 0.9, "check_by_hand"),
        (0.53, 0.9, "check_by_hand"),
        (0.56, 0.9, "violation"),
    ],
)
def test_half_visible_is_legal_and_a_measured_board_has_a_band(
    share: float, confidence: float | None, status: str | None
) -> None:
    found = [check for check in placement_checks(covered_by(share, confidence=confidence))[0] if check.id == "covered"]
    assert [check.status for check in found] == ([] if status is None else [status])
    if found:
        assert found[0].value == pytest.approx(1 - share)
        assert found[0].limit == 0.5


@pytest.mark.parametrize(
    ("depth_mm", "confidence", "status"),
    [
        (0.0, None, None),
        (0.01, None, "check_by_hand"),
        (0.5, None, "violation"),
        (0.5, 0.9, "check_by_hand"),
        (1.5, 0.9, "violation"),
    ],
)
def test_a_tile_beyond_the_edge_hangs_off(depth_mm: float, confidence: float | None, status: str | None) -> None:
    found = placement_checks(hanging(depth_mm, confidence=confidence))[0]
    assert [(check.id, check.status) for check in found] == ([] if status is None else [("off_board", status)])
    if found:
        assert found[0].value == pytest.approx(depth_mm)
        assert found[0].extra["area_mm2"] == pytest.approx(30 * depth_mm, abs=0.01)


def test_a_tile_wholly_off_the_board_is_measured_to_its_far_side() -> None:
    assert only(hanging(60)).value == pytest.approx(60)


@pytest.mark.parametrize(("players", "expected"), [(6, [("outside_ring", ("t0",), "violation")]), (5, []), (None, [])])
def test_the_inner_ring_counts_with_six_players(players: int | None, expected: list[Any]) -> None:
    ring = shapely.box(20, 20, 280, 180)
    assert findings(placed(square(10, 50), outline=BOARD, inner_ring=ring, players=players)) == expected


def test_two_tiles_above_cover_their_union_and_not_their_sum() -> None:
    above = (square(30, 10), square(30, 10))
    stacked = placed(square(10, 10), *above, over=(("t1", "t0"), ("t2", "t0")), outline=BOARD)
    assert [check for check in findings(stacked) if check[1] == ("t0",)] == []


def test_two_tiles_above_may_together_cover_too_much() -> None:
    sides = placed(square(40, 40), square(20, 40), square(60, 40), over=(("t1", "t0"), ("t2", "t0")), outline=BOARD)
    assert only(sides).to_json()["value"] == pytest.approx(1 / 3, abs=1e-4)


def test_a_ring_of_three_tiles_on_each_other_is_legal_when_each_is_seen() -> None:
    ring = placed(disc(100, 100), disc(130, 100), disc(115, 126), over=(("t0", "t1"), ("t1", "t2"), ("t2", "t0")))
    assert findings(ring) == []


def on_two(x: float, **fields: Any) -> Board:
    below = (square(10, 10), square(40, 10))
    return placed(*below, square(x, 15, 20.0), over=(("t2", "t0"), ("t2", "t1")), outline=BOARD, **fields)


def test_a_tile_wholly_on_others_does_not_touch_the_board() -> None:
    assert findings(on_two(30)) == [("not_on_board", ("t2",), "violation")]


def test_a_tile_that_reaches_the_board_is_legal() -> None:
    assert findings(on_two(55)) == []


@pytest.mark.parametrize(("x", "status"), [(30.0, "violation"), (49.5, "check_by_hand"), (50.5, "check_by_hand")])
def test_a_measured_tile_that_just_reaches_the_board_is_checked_by_hand(x: float, status: str) -> None:
    assert findings(on_two(x, confidence=0.9)) == [("not_on_board", ("t2",), status)]


def test_without_footprints_placement_is_not_checked_and_the_report_says_so() -> None:
    report = score(board("swiss bleu", touching="0-1", players=6)).to_json()
    assert report["checks"] == [
        {
            "id": "tile_count",
            "tiles": [],
            "value": 2,
            "limit": 18,
            "status": "violation",
            "note": "2 tiles, 18 expected",
        }
    ]
    assert [item["id"] for item in report["unchecked"]] == ["off_board", "outside_ring", "covered", "not_on_board"]
    assert all(item["tiles"] == ["t0", "t1"] and item["why"] for item in report["unchecked"])


def test_a_stated_visible_share_is_checked_where_there_is_no_footprint() -> None:
    document = {"tiles": [{"id": "a", "kind": "swiss", "visible": 0.4}], "contacts": []}
    report = score(Board.from_json(document)).to_json()
    assert [(check["id"], check["value"]) for check in report["checks"]] == [("covered", 0.4)]
    assert "covered" not in [item["id"] for item in report["unchecked"]]


def test_tiles_that_overlap_in_no_known_order_are_not_checked_for_cover() -> None:
    checks, unchecked = placement_checks(placed(square(10, 10), square(15, 10), square(100, 100), outline=BOARD))
    assert checks == ()
    assert [(item.id, item.tiles) for item in unchecked] == [("covered", ("t0", "t1")), ("not_on_board", ("t0", "t1"))]


def test_a_complete_board_has_nothing_unchecked() -> None:
    assert placement_checks(covered_by(0.2))[1] == ()


def test_illegal_tiles_still_score_and_the_total_without_them_stands_beside() -> None:
    kinds = "ciabatta baguette"
    thing = placed(square(290, 50), square(100, 100), kinds=kinds, outline=BOARD)
    report = score(thing, ScoreOptions(objectives=("bread_pairs",)))
    assert (report.total, report.total_without_illegal) == (2, 0)


def test_a_tile_to_check_by_hand_stays_in_both_totals() -> None:
    thing = placed(square(270.5, 50), square(100, 100), kinds="ciabatta baguette", outline=BOARD, confidence=0.9)
    report = score(thing, ScoreOptions(objectives=("bread_pairs",)))
    assert (report.total, report.total_without_illegal) == (2, 2)


def test_validate_gives_placement_and_counts() -> None:
    found = validate(hanging(5), ScoreOptions(players=4))
    assert [check.id for check in found] == ["off_board", "tile_count"]

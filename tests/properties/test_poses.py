"""A board that is turned, shifted, mirrored or listed in another order scores the same."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Polygon, affinity

from scoring import Board, Placement, ScoreOptions, score
from tests.builders import BAG, disc, square

ALL = ScoreOptions(objectives="all")
OUTLINE = shapely.box(-20, -20, 320, 220)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of discs and turned squares, where no gap is so narrow that rounding decides whether tiles touch."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    kinds = rng.sample(BAG, draw(st.integers(0, 14)))
    footprints: list[Polygon] = []
    for _ in kinds:
        x, y = rng.uniform(0, 300), rng.uniform(0, 200)
        shape = disc(x, y) if rng.random() < 0.5 else affinity.rotate(square(x - 15, y - 15), rng.uniform(0, 90))
        footprints.append(shape)
    assume(all(not 0 < a.distance(b) < 0.2 for a, b in combinations(footprints, 2)))
    over = [
        (f"t{a}", f"t{b}") for a, b in combinations(range(len(kinds)), 2) if footprints[a].intersects(footprints[b])
    ]
    over = [pair if rng.random() < 0.5 else (pair[1], pair[0]) for pair in over]
    placements = tuple(Placement(f"t{i}", k, f) for i, (k, f) in enumerate(zip(kinds, footprints, strict=True)))
    return Board(placements, over=tuple(over), outline=OUTLINE)


def moved(board: Board, matrix: list[list[float]], shift: tuple[float, float] = (0.0, 0.0)) -> Board:
    def move(polygon: Polygon) -> Polygon:
        return shapely.transform(polygon, lambda points: points @ np.array(matrix).T + np.array(shift))

    placements = tuple(replace(p, footprint=move(p.footprint)) for p in board.placements if p.footprint is not None)
    assert board.outline is not None
    return replace(board, placements=placements, outline=move(board.outline))


def summary(board: Board) -> object:
    report = score(board, ALL)
    lines = [
        (line.id, line.points, tuple((r.house_rule, r.points) for r in line.readings)) for line in report.objectives
    ]
    checks = sorted((check.id, tuple(sorted(check.tiles)), check.status) for check in report.checks)
    return lines, checks, report.total, report.total_without_illegal


@settings(max_examples=20)
@given(boards(), st.floats(0, 360))
def test_a_turned_board_scores_the_same(board: Board, angle_deg: float) -> None:
    c, s = np.cos(np.deg2rad(angle_deg)), np.sin(np.deg2rad(angle_deg))
    assert summary(moved(board, [[c, -s], [s, c]])) == summary(board)


@settings(max_examples=20)
@given(boards(), st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_a_shifted_board_scores_the_same(board: Board, x: float, y: float) -> None:
    assert summary(moved(board, [[1, 0], [0, 1]], (x, y))) == summary(board)


@settings(max_examples=20)
@given(boards())
def test_a_mirrored_board_scores_the_same(board: Board) -> None:
    assert summary(moved(board, [[-1, 0], [0, 1]])) == summary(board)


@settings(max_examples=20)
@given(boards(), st.randoms(use_true_random=False))
def test_a_board_listed_in_another_order_scores_the_same(board: Board, rng: random.Random) -> None:
    placements, over = list(board.placements), list(board.over)
    rng.shuffle(placements)
    rng.shuffle(over)
    assert summary(replace(board, placements=tuple(placements), over=tuple(over))) == summary(board)


@settings(max_examples=20)
@given(boards())
def test_a_board_read_back_from_its_file_scores_the_same(board: Board) -> None:
    assert summary(Board.from_json(board.to_json())) == summary(board)


@settings(max_examples=20)
@given(boards())
def test_the_sets_of_a_line_add_up_to_its_points(board: Board) -> None:
    for line in score(board, ALL).objectives:
        assert line.points is None or line.points == sum(part.points for part in line.sets)


@settings(max_examples=20)
@given(boards())
def test_checks_carry_figures_beyond_their_limit(board: Board) -> None:
    for check in score(board, ALL).checks:
        if check.id in ("off_board", "copies"):
            assert check.value > check.limit
        if check.id == "covered":
            assert 0 <= check.value < check.limit == pytest.approx(0.5)

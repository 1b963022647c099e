"""Every card line and every reading agrees with a second scorer that enumerates."""

from __future__ import annotations

import random

import pytest

from scoring import Board, ScoreOptions, Table, score
from tests.builders import random_table
from tests.scoring.charcuterie import brute_force


def tiny(board: Board) -> brute_force.TinyBoard:
    position = {placement.id: index for index, placement in enumerate(board.placements)}
    contacts = frozenset(frozenset((position[a], position[b])) for a, b in board.contacts or ())
    return tuple(placement.kind for placement in board.placements), contacts


def beside(table: Table, seat: int) -> list[brute_force.TinyBoard]:
    boards = [tiny(board) for board in table.boards]
    count = len(boards)
    return [boards[other] for other in sorted({(seat - 1) % count, (seat + 1) % count} - {seat})]


def assert_agrees(table: Table) -> None:
    report = score(table, ScoreOptions(objectives="all"))
    for seat, (board, found) in enumerate(zip(table.boards, report.boards, strict=True)):
        expected = brute_force.score(tiny(board), beside(table, seat))
        assert {line.id: line.points for line in found.objectives} == expected, board.to_json()
        for line in found.objectives:
            assert sum(part.points for part in line.sets) == line.points
        others = brute_force.other_readings(tiny(board))
        differing = {key: value for key, value in others.items() if value != expected[key[0]]}
        named = {(line.id, other.house_rule): other.points for line in found.objectives for other in line.readings}
        assert named == differing


@pytest.mark.parametrize("seed", range(10))
def test_thirty_random_tables_agree_with_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        assert_agrees(random_table(rng))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_a_hundred_random_tables_agree_with_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        assert_agrees(random_table(rng))

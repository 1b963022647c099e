"""How long scoring takes: a board of 24 overlapping tiles, all 18 cards, checks included. Not a test.

Run: python tests/benchmarks/bench_scoring.py [REPEATS]. Prints the CPU time, best and median, of each step.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

import shapely

from scoring import Board, Placement, ScoreOptions, load_document, score
from tests.builders import BAG, disc

ALL = ScoreOptions(objectives="all")


def crowded_board(seed: int = 1) -> Board:
    """24 round tiles of 64 points each, laid in rows so that most overlap a neighbor a little."""
    rng = random.Random(seed)
    centres = [(35.0 * (i % 6) + rng.uniform(0, 6), 36.0 * (i // 6) + rng.uniform(0, 6)) for i in range(24)]
    footprints = [disc(x, y) for x, y in centres]
    kinds = rng.sample(BAG, 24)
    placements = tuple(Placement(f"t{i}", kinds[i], footprint) for i, footprint in enumerate(footprints))
    over = [(f"t{b}", f"t{a}") for a, b in combinations(range(24), 2) if footprints[a].intersects(footprints[b])]
    return Board(placements, over=tuple(over), players=4, outline=shapely.box(-30, -30, 230, 160))


def cpu_ms(step: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Best and median CPU time of a step."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        step()
        times.append((time.process_time() - start) * 1e3)
    return min(times), median(times)


def main(repeats: int) -> None:
    """Print the times."""
    board = crowded_board()
    document = board.to_json()
    report = score(board, ALL)
    print(f"24 tiles, {len(board.over)} overlaps, 18 cards, {len(report.checks)} findings; CPU ms, best and median")
    for name, step in {
        "read the file": lambda: load_document(document),
        "score, contacts and checks": lambda: score(board, ALL),
        "report as JSON": report.to_json,
    }.items():
        best, middle = cpu_ms(step, repeats)
        print(f"{name:28s} {best:6.2f} {middle:6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)

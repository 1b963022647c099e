"""A board in one line, for tests: `board("swiss bleu salami", touching="0-1 1-2")`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import shapely
from shapely import Polygon

from scoring import Board, Placement, ScoreOptions, Seat, Table, score
from scoring.charcuterie.catalogue import KINDS
from scoring.report import ScoreLine

RADIUS_MM = 19.0
BAG = [kind.id for kind in KINDS.values() for _ in range(kind.copies)]


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """ "0-1 1-2" -> (("t0", "t1"), ("t1", "t2"))."""
    return tuple((f"t{a}", f"t{b}") for a, _, b in (pair.partition("-") for pair in text.split()))


def board(kinds: str = "", *, touching: str = "", over: str = "", **fields: Any) -> Board:
    """A board of tiles t0, t1, ... with the contacts named, and no footprints."""
    placements = tuple(Placement(f"t{index}", kind) for index, kind in enumerate(kinds.split()))
    return Board(placements, contacts=pairs(touching), over=pairs(over), **fields)


def row(kinds: str, **fields: Any) -> Board:
    """A board on which each tile touches the next one."""
    count = len(kinds.split())
    return board(kinds, touching=" ".join(f"{i}-{i + 1}" for i in range(count - 1)), **fields)


def table(*boards: Board, **fields: Any) -> Table:
    """A table of players P0, P1, ... in seating order."""
    return Table(tuple(Seat(f"P{index}", one) for index, one in enumerate(boards)), **fields)


def line(thing: Board, card: str, **house_rules: Any) -> ScoreLine:
    """The score line of one card on a board."""
    return score(thing, ScoreOptions(objectives=(card,), house_rules=house_rules)).objectives[0]


def points(thing: Board, card: str, **house_rules: Any) -> int | None:
    """The points of one card on a board."""
    return line(thing, card, **house_rules).points


def square(x: float, y: float, side_mm: float = 30.0) -> Polygon:
    """A square footprint with its corner of least x and y at (x, y)."""
    return shapely.box(x, y, x + side_mm, y + side_mm)


def disc(x: float, y: float, radius_mm: float = RADIUS_MM) -> Polygon:
    """A round footprint with its centre at (x, y)."""
    return shapely.Point(x, y).buffer(radius_mm, quad_segs=16)


def placed(*footprints: Polygon, kinds: str = "", confidence: float | None = None, **fields: Any) -> Board:
    """A board of footprints t0, t1, ...; contacts follow from them."""
    names = kinds.split() or ["swiss"] * len(footprints)
    placements = tuple(
        Placement(f"t{i}", kind, footprint, confidence=confidence)
        for i, (kind, footprint) in enumerate(zip(names, footprints, strict=True))
    )
    return Board(placements, **fields)


def random_board(rng: random.Random, kinds: Sequence[str], *, contacts_per_tile: float) -> Board:
    """A board of some kinds with random contacts, about as many a tile as asked for."""
    count = len(kinds)
    share = min(1.0, contacts_per_tile / max(1, count - 1))
    touching = [(f"t{a}", f"t{b}") for a in range(count) for b in range(a) if rng.random() < share]
    return Board(tuple(Placement(f"t{i}", kind) for i, kind in enumerate(kinds)), contacts=tuple(touching))


def random_table(rng: random.Random) -> Table:
    """A table of 2 to 6 players whose tiles come from one bag, with loosely to tightly laid boards."""
    players = rng.randint(2, 6)
    bag = rng.sample(BAG, len(BAG))
    size = rng.randint(1, len(BAG) // players)
    hands = [bag[size * seat : size * (seat + 1)] for seat in range(players)]
    return table(*(random_board(rng, hand, contacts_per_tile=rng.choice((0.5, 1.5, 3.0, 5.0))) for hand in hands))

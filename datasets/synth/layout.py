"""Lays a finished board as players do: foods gathered, tiles flush, near or over each other, a few illegal."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from datasets.synth.boards import draw_board
from datasets.synth.desk import Desk, Habits
from datasets.synth.props import draw_foreign, draw_props
from datasets.synth.scene import Art, Scene
from datasets.synth.truth import contacts_of, violations_of
from datasets.synth.ways import USUALLY_COVERED, lay, lay_ring
from scoring.charcuterie.catalogue import KINDS, tiles_per_board

RING_SHARE = 0.15
"""Share of boards on which three tiles may lie in a ring, each over the next."""

EDGE_MARGIN_MM = 1.5
"""Legal tiles keep this far from the edge of the board (or its ring), so that the verdict is clear."""

MOST_LAYINGS = 8
"""Times a board is laid anew where its last tiles find no room."""

SHARP_TASTE = 3.0
"""The tastes of tables that choose few kinds are raised to this power."""


def make_scene(
    seed: int,
    art: Art,
    *,
    players: int | None = None,
    tile_count: int | None = None,
    min_gap_mm: float = 1.0,
    clear_shares: bool = False,
    odd_counts: float = 0.12,
    illegal: float = 0.3,
    most_hanging: int = 2,
    most_covered: int = USUALLY_COVERED,
    few_kinds: bool = False,
    props: bool = True,
    foreign: int = 0,
) -> Scene:
    """Return the scene of `seed`; the same arguments give the same scene.

    Tiles that do not touch are at least `min_gap_mm` apart. `clear_shares` leaves out tiles about half covered.
    `odd_counts` is the share of boards with a wrong number of tiles, `illegal` that of boards with broken rules, where
    up to `most_hanging` tiles hang over the edge and up to `most_covered` are covered by more than half. With
    `few_kinds` many tiles of few kinds lie over each other. Up to `foreign` things that are no tiles lie on the board.
    """
    for laying in range(MOST_LAYINGS):
        rng = np.random.default_rng((seed, 71, laying) if laying else (seed, 71))
        seats = players or int(rng.choice([2, 3, 4, 5, 6]))
        count = tile_count or _count(seats, odd_counts, rng)
        kinds = _kinds(count, rng, few=few_kinds)
        board = draw_board(rng, ring=seats == 6, room_mm2=count * rng.uniform(2000, 2900))
        ground = shapely.polygons(board.outline)
        allowed = shapely.polygons(board.inner_ring) if seats == 6 and board.inner_ring is not None else ground
        legal = allowed.buffer(-EDGE_MARGIN_MM)
        shapely.prepare(legal)
        habits = _habits(rng, lapping=few_kinds)
        desk = Desk(rng, art, board, ground, legal, habits, min_gap_mm, clear_shares)
        broken = rng.random() < illegal
        hanging = int(rng.integers(1, most_hanging + 1)) if broken and rng.random() < 0.6 else 0
        both = 0.3 if most_covered <= USUALLY_COVERED else 0.9
        covers = broken and (hanging == 0 or rng.random() < both)
        desk.covered_left = int(rng.integers(1, most_covered + 1)) if covers else 0
        _lay_all(desk, kinds, hanging=hanging, allowed=allowed)
        if len(desk.spots) == count:
            break
    return _finished(seed, seats, desk, props=props, foreign=foreign)


def _lay_all(desk: Desk, kinds: list[str], *, hanging: int, allowed: Any) -> None:
    """Lay the tiles in turn, the last `hanging` of them over the edge; those that find no room are left out."""
    count = len(kinds)
    ring_at = int(desk.rng.integers(0, count - 3)) if desk.rng.random() < RING_SHARE and count > 5 else -1
    index = 0
    while index < count:
        if index == ring_at and index + 3 <= count and lay_ring(desk, kinds[index : index + 3], index):
            index += 3
            continue
        lay(desk, kinds[index], f"t{index}", hang=index >= count - hanging, allowed=allowed)
        index += 1


def _finished(seed: int, players: int, desk: Desk, *, props: bool, foreign: int) -> Scene:
    names = [s.tile.id for s in desk.spots]
    order = {name: i for i, name in enumerate(names)}
    shapes = {s.tile.id: s.shape for s in desk.spots}
    over = tuple(sorted(set(desk.over), key=lambda p: (order[p[0]], order[p[1]])))
    contacts = contacts_of(names, np.array(list(shapes.values()), dtype=object)) if names else ()
    board = desk.board
    broken = violations_of(shapes, over, board=board.outline, inner_ring=board.inner_ring, players=players)
    things = draw_props(desk.rng, board=desk.ground, tiles=list(shapes.values())) if props else ()
    if foreign:
        things += draw_foreign(desk.rng, foreign, board=desk.ground, tiles=list(shapes.values()))
    tiles = tuple(s.tile for s in desk.spots)
    return Scene(
        seed, players, board.outline, board.holes, board.inner_ring, board.style, tiles, over, contacts, broken, things
    )


def _count(players: int, odd_counts: float, rng: np.random.Generator) -> int:
    exact = tiles_per_board(players)
    if rng.random() >= odd_counts:
        return exact
    return int(rng.integers(5, 16)) if rng.random() < 0.5 else exact + int(rng.choice([-3, -2, -1, 1]))


def _kinds(count: int, rng: np.random.Generator, *, few: bool) -> list[str]:
    """Draw tiles from the bag with this player's tastes, then order them as they get laid."""
    bag = [kind for kind in KINDS for _ in range(KINDS[kind].copies)]
    taste = {kind: rng.gamma(1.2) + 0.25 for kind in KINDS}
    taste |= {
        kind: taste[kind] * 2.0 for kind in KINDS if KINDS[kind].shape in ("cluster", "wedge") and rng.random() < 0.5
    }
    weights = np.array([taste[kind] for kind in bag]) ** (SHARP_TASTE if few else 1.0)
    drawn = [bag[i] for i in rng.choice(len(bag), size=count, replace=False, p=weights / weights.sum())]
    order = {c: rng.random() for c in dict.fromkeys(KINDS[k].category for k in drawn)}
    within = {k: rng.random() for k in KINDS}
    if rng.random() < 0.75:
        drawn.sort(key=lambda k: (order[KINDS[k].category], within[k]))
    return drawn


def _habits(rng: np.random.Generator, *, lapping: bool) -> Habits:
    free, flush, near, lap = rng.dirichlet((0.2, 1.2, 0.5, 3.0) if lapping else (0.9, 2.0, 0.8, 1.4))
    return Habits(
        ways=(float(free), float(flush), float(near), float(lap)),
        gathered=float(rng.choice([0.95, 0.8, 0.3])),
        apart=float(rng.choice([0.1, 0.6, 0.9])),
        under=float(rng.uniform(0, 0.4)),
        line=float(rng.choice([0.0, 0.3, 0.8])),
        deep=float(rng.uniform(0.9 if lapping else 0.3, 1.0)),
        square_on=float(rng.uniform(0.2, 0.9)),
        turn_deg=float(rng.uniform(0, 90)) if rng.random() < 0.2 else None,
    )

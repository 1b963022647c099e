"""Lays a finished board as players do: foods gathered, tiles flush, near or over each other, a few illegal."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.boards import BoardShape, draw_board
from datasets.synth.props import draw_props
from datasets.synth.scene import Art, PlacedTile, Polygon, Scene
from datasets.synth.slide import edge_normals_deg, slide_mm
from datasets.synth.truth import OVER_MM2, contacts_of, shared_mm2, turned, violations_of, visible_shares
from scoring.charcuterie.catalogue import KINDS, tiles_per_board

EDGE_MARGIN_MM = 1.5
"""Legal tiles keep this far from the edge of the board (or its ring), so that the verdict is clear."""

TOUCH_MM = 0.004
"""Flush tiles are pressed together by this much: a 34 mm edge then shares 0.14 mm2, still no overlap."""

HANG_MM = (2.0, 14.0)
"""How far an illegal tile sticks out over the edge."""

UNCLEAR_SHARES = (0.42, 0.58)
"""Visible shares that even a person could not call; left out on request."""

TRIES = 26
"""Places tried for a tile before it is laid wherever there is room."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How one table lays its tiles: shares of the ways to place a tile, gathering, covering, order."""

    ways: tuple[float, float, float, float]  # free, flush, near, lap
    gathered: float
    apart: float
    under: float
    line: float
    deep: float
    square_on: float
    turn_deg: float | None


@dataclass(slots=True)
class _Spot:
    """A tile on the table of the one who lays: outline (n, 2), its shapely twin, middle, radius."""

    tile: PlacedTile
    outline: Polygon
    shape: Any
    reach_mm: float


@dataclass(slots=True)
class _Desk:
    """Everything laid so far."""

    rng: np.random.Generator
    art: Art
    board: BoardShape
    ground: Any
    legal: Any
    habits: Habits
    min_gap_mm: float
    clear_shares: bool
    spots: list[_Spot] = field(default_factory=list)
    over: list[tuple[str, str]] = field(default_factory=list)
    covered_left: int = 0


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
    props: bool = True,
) -> Scene:
    """Return the scene of `seed`; the same arguments give the same scene.

    Tiles that do not touch are at least `min_gap_mm` apart. `clear_shares` leaves out tiles about half covered.
    `odd_counts` is the share of boards with a wrong number of tiles, `illegal` that of boards with broken rules.
    """
    rng = np.random.default_rng((seed, 71))
    players = players or int(rng.choice([2, 3, 4, 5, 6]))
    count = tile_count or _count(players, odd_counts, rng)
    kinds = _kinds(count, rng)
    board = draw_board(rng, ring=players == 6, room_mm2=count * rng.uniform(2000, 2900))
    ground = shapely.polygons(board.outline)
    allowed = shapely.polygons(board.inner_ring) if players == 6 and board.inner_ring is not None else ground
    legal = allowed.buffer(-EDGE_MARGIN_MM)
    shapely.prepare(legal)
    desk = _Desk(rng, art, board, ground, legal, _habits(rng), min_gap_mm, clear_shares)
    broken = rng.random() < illegal
    hanging = int(rng.integers(1, 3)) if broken and rng.random() < 0.6 else 0
    desk.covered_left = int(rng.integers(1, 3)) if broken and (hanging == 0 or rng.random() < 0.3) else 0
    ring_at = int(rng.integers(3, count)) if rng.random() < 0.12 and count > 5 else -1
    index = 0
    while index < len(kinds):
        if index == ring_at and index + 3 <= len(kinds) and _lay_ring(desk, kinds[index : index + 3], index):
            index += 3
            continue
        _lay(desk, kinds[index], f"t{index}", hang=index >= len(kinds) - hanging, allowed=allowed)
        index += 1
    return _finished(seed, players, desk, props=props)


def _finished(seed: int, players: int, desk: _Desk, *, props: bool) -> Scene:
    names = [s.tile.id for s in desk.spots]
    order = {name: i for i, name in enumerate(names)}
    shapes = {s.tile.id: s.shape for s in desk.spots}
    over = tuple(sorted(set(desk.over), key=lambda p: (order[p[0]], order[p[1]])))
    contacts = contacts_of(names, np.array(list(shapes.values()), dtype=object)) if names else ()
    board = desk.board
    broken = violations_of(shapes, over, board=board.outline, inner_ring=board.inner_ring, players=players)
    things = draw_props(desk.rng, board=desk.ground, tiles=list(shapes.values())) if props else ()
    tiles = tuple(s.tile for s in desk.spots)
    return Scene(
        seed, players, board.outline, board.holes, board.inner_ring, board.style, tiles, over, contacts, broken, things
    )


def _count(players: int, odd_counts: float, rng: np.random.Generator) -> int:
    exact = tiles_per_board(players)
    if rng.random() >= odd_counts:
        return exact
    return int(rng.integers(5, 16)) if rng.random() < 0.5 else exact + int(rng.choice([-3, -2, -1, 1]))


def _kinds(count: int, rng: np.random.Generator) -> list[str]:
    """Draw tiles from the bag with this player's tastes, then order them as they get laid."""
    bag = [kind for kind in KINDS for _ in range(KINDS[kind].copies)]
    taste = {kind: rng.gamma(1.2) + 0.25 for kind in KINDS}
    taste |= {
        kind: taste[kind] * 2.0 for kind in KINDS if KINDS[kind].shape in ("cluster", "wedge") and rng.random() < 0.5
    }
    weights = np.array([taste[kind] for kind in bag])
    drawn = [bag[i] for i in rng.choice(len(bag), size=count, replace=False, p=weights / weights.sum())]
    order = {c: rng.random() for c in {KINDS[k].category for k in drawn}}
    within = {k: rng.random() for k in KINDS}
    if rng.random() < 0.75:
        drawn.sort(key=lambda k: (order[KINDS[k].category], within[k]))
    return drawn


def _habits(rng: np.random.Generator) -> Habits:
    free, flush, near, lap = rng.dirichlet((0.9, 2.0, 0.8, 1.4))
    return Habits(
        ways=(float(free), float(flush), float(near), float(lap)),
        gathered=float(rng.choice([0.95, 0.8, 0.3])),
        apart=float(rng.choice([0.1, 0.6, 0.9])),
        under=float(rng.uniform(0, 0.4)),
        line=float(rng.choice([0.0, 0.3, 0.8])),
        deep=float(rng.uniform(0.3, 1.0)),
        square_on=float(rng.uniform(0.2, 0.9)),
        turn_deg=float(rng.uniform(0, 90)) if rng.random() < 0.2 else None,
    )


def _lay(desk: _Desk, kind: str, name: str, *, hang: bool, allowed: Any) -> None:
    rng = desk.rng
    variant = int(rng.integers(len(desk.art.faces[kind])))
    for attempt in range(TRIES * 3):
        late = attempt >= TRIES
        way = "hang" if hang and not late else _way(desk, kind, late=late)
        spot = _place(desk, kind, variant, name, way=way, allowed=allowed)
        if spot is not None and _fits(desk, spot, way):
            desk.spots.append(spot)
            return


def _way(desk: _Desk, kind: str, *, late: bool) -> str:
    if not desk.spots:
        return "free"
    first = all(KINDS[s.tile.kind].category != KINDS[kind].category for s in desk.spots)
    if first and desk.rng.random() < desk.habits.apart:
        return "free"
    if late:
        return str(desk.rng.choice(["free", "flush", "lap"]))
    return str(desk.rng.choice(["free", "flush", "near", "lap"], p=desk.habits.ways))


def _spot(
    desk: _Desk, kind: str, variant: int, name: str, *, angle_deg: float, center: npt.NDArray[np.float64]
) -> _Spot:
    face = desk.art.faces[kind][variant]
    at = (round(float(center[0]), 4), round(float(center[1]), 4))
    angle_deg = round(angle_deg % 360.0, 4)
    outline = turned(face.outline, angle_deg=angle_deg, center_mm=at)
    reach = float(np.sqrt((face.outline**2).sum(axis=1).max()))
    return _Spot(PlacedTile(name, kind, variant, at, angle_deg), outline, shapely.polygons(outline), reach)


def _place(desk: _Desk, kind: str, variant: int, name: str, *, way: str, allowed: Any) -> _Spot | None:
    rng, habits = desk.rng, desk.habits
    angle = float(rng.uniform(0, 360))
    if habits.turn_deg is not None:
        angle = habits.turn_deg + 90.0 * int(rng.integers(4)) + float(rng.normal(0, 2))
    if way == "free":
        left, top, right, bottom = desk.legal.bounds
        center = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        return _spot(desk, kind, variant, name, angle_deg=angle, center=center)
    if way == "hang":
        edge = allowed.exterior
        p = edge.interpolate(rng.uniform(0, edge.length))
        out = float(rng.uniform(*HANG_MM))
        middle = np.array(allowed.centroid.coords[0])
        foot = np.array([p.x, p.y])
        inward = (middle - foot) / max(1.0, float(np.linalg.norm(middle - foot)))
        return _spot(desk, kind, variant, name, angle_deg=angle, center=foot + inward * (19.0 - out))
    anchor = _anchor(desk, kind)
    heading = float(rng.uniform(0, 2 * math.pi))
    if len(desk.spots) > 1 and rng.random() < habits.line:
        before = np.subtract(anchor.tile.center_mm, desk.spots[-2].tile.center_mm)
        heading = math.atan2(before[1], before[0]) + float(rng.normal(0, 0.25))
    if way == "flush" and rng.random() < habits.square_on:
        angle, heading = _square_on(desk, kind, variant, anchor, angle, heading)
    away = np.array([math.cos(heading), math.sin(heading)])
    start = np.asarray(anchor.tile.center_mm) + away * (anchor.reach_mm + 40.0)
    start = start + np.array([-away[1], away[0]]) * float(rng.normal(0, 5.0))
    outline = turned(desk.art.faces[kind][variant].outline, angle_deg=angle, center_mm=(start[0], start[1]))
    go = slide_mm(outline, anchor.outline, heading + math.pi)
    if not math.isfinite(go):
        return None
    if way == "flush":
        go += TOUCH_MM
    elif way == "near":
        go -= float(rng.uniform(desk.min_gap_mm, 6.0))
    else:
        go += float(rng.uniform(1.5, 4.0 + 26.0 * habits.deep * rng.random()))
    return _spot(desk, kind, variant, name, angle_deg=angle, center=start - away * go)


def _anchor(desk: _Desk, kind: str) -> _Spot:
    rng = desk.rng
    if rng.random() < desk.habits.line:
        return desk.spots[-1]
    like = [s for s in desk.spots if KINDS[s.tile.kind].category == KINDS[kind].category]
    pool = like if like and rng.random() < desk.habits.gathered else desk.spots
    return pool[int(rng.integers(len(pool)))]


def _square_on(
    desk: _Desk, kind: str, variant: int, anchor: _Spot, angle: float, heading: float
) -> tuple[float, float]:
    """Turn the tile so that a straight edge of it meets a straight edge of the anchor."""
    rng = desk.rng
    own = edge_normals_deg(desk.art.faces[kind][variant])
    other = edge_normals_deg(desk.art.faces[anchor.tile.kind][anchor.tile.variant])
    if len(other):
        normal = float(rng.choice(other)) + anchor.tile.angle_deg
        heading = math.radians(normal)
        if len(own):
            angle = normal + 180.0 - float(rng.choice(own))
    return angle, heading


def _fits(desk: _Desk, spot: _Spot, way: str) -> bool:
    """Say whether the tile may lie there, and note what it lies on (or under)."""
    if way == "hang":
        if not _hangs_well(desk, spot):
            return False
    elif not shapely.contains(desk.legal, spot.shape):
        return False
    near = [
        s
        for s in desk.spots
        if math.dist(s.tile.center_mm, spot.tile.center_mm) < s.reach_mm + spot.reach_mm + 0.3 + desk.min_gap_mm
    ]
    if not near:
        return True
    others = np.array([s.shape for s in near], dtype=object)
    gaps = shapely.distance(spot.shape, others)
    if ((gaps > 0.05) & (gaps < desk.min_gap_mm)).any():
        return False
    touching = [s for s, gap in zip(near, gaps, strict=True) if gap == 0.0]
    lapped = []
    for other in touching:
        shared = shared_mm2(spot.shape, other.shape)
        if shared <= OVER_MM2 * 0.8:
            continue
        if way not in ("lap", "hang") or shared < 0.015 * other.shape.area:
            return False
        lapped.append(other)
    return not lapped or _stack(desk, spot, lapped)


def _hangs_well(desk: _Desk, spot: _Spot) -> bool:
    """A hanging tile sticks out by `HANG_MM` at least, and its middle still lies on the board."""
    allowed = shapely.polygons(desk.board.inner_ring) if _bound_by_ring(desk) else desk.ground
    outside = shapely.distance(allowed, shapely.points(spot.outline))
    if not HANG_MM[0] + 0.3 < float(outside.max()) < HANG_MM[1] + 4:
        return False
    rest = shapely.distance(desk.ground, shapely.points(spot.outline)).max()
    return bool(shapely.contains(desk.ground, spot.shape.centroid)) and (rest == 0.0 or rest > HANG_MM[0])


def _bound_by_ring(desk: _Desk) -> bool:
    return desk.board.inner_ring is not None and desk.legal.area < 0.8 * desk.ground.area


def _stack(desk: _Desk, spot: _Spot, lapped: list[_Spot]) -> bool:
    name = spot.tile.id
    under = desk.rng.random() < desk.habits.under
    fresh = [(s.tile.id, name) if under else (name, s.tile.id) for s in lapped]
    return _accept(desk, [spot], fresh)


def _accept(desk: _Desk, spots: list[_Spot], fresh: list[tuple[str, str]]) -> bool:
    """Take the new pairs unless they hide a tile more than this board allows."""
    shapes = {s.tile.id: s.shape for s in (*desk.spots, *spots)}
    over = desk.over + fresh
    touched = {lower for _, lower in fresh}
    shares = visible_shares({n: shapes[n] for n in shapes}, [p for p in over if p[1] in touched])
    changed = [shares[n] for n in touched]
    low, high = UNCLEAR_SHARES
    if desk.clear_shares and any(low < s < high for s in changed):
        return False
    hidden = sum(s < 0.5 for s in changed)
    if hidden > desk.covered_left or any(s < (0.25 if desk.covered_left else 0.5) for s in changed):
        return False
    desk.covered_left -= hidden
    desk.over = over
    return True


def _lay_ring(desk: _Desk, kinds: list[str], index: int) -> bool:
    """Lay three tiles in a ring, each over the next."""
    rng = desk.rng
    left, top, right, bottom = desk.legal.bounds
    for _ in range(20):
        middle = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        radius, turn = float(rng.uniform(15.5, 20.0)), float(rng.uniform(0, 2 * math.pi))
        spots = []
        for i, kind in enumerate(kinds):
            a = turn + 2 * math.pi * i / 3
            center = middle + radius * np.array([math.cos(a), math.sin(a)])
            angle = float(rng.uniform(0, 360))
            variant = int(rng.integers(len(desk.art.faces[kind])))
            spots.append(_spot(desk, kind, variant, f"t{index + i}", angle_deg=angle, center=center))
        laps = [shared_mm2(spots[i].shape, spots[(i + 1) % 3].shape) for i in range(3)]
        clear = all(_fits(desk, s, "flush") for s in spots)
        pairs = [(spots[i].tile.id, spots[(i + 1) % 3].tile.id) for i in range(3)]
        if clear and min(laps) > 20.0 and _accept(desk, spots, pairs):
            desk.spots.extend(spots)
            return True
    return False

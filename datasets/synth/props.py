"""Things on a photo that are no tiles: cards, crumbs, coins, pens, real food, shadows of hands (outlines in mm)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from datasets.synth.scene import Polygon, Prop

CARD_MM = (63.0, 88.0)

KINDS = ("card", "paper", "coin", "pen", "biscuit", "slice", "nut", "glass", "crumb", "hand_shadow", "phone_shadow")
WEIGHTS = (0.26, 0.07, 0.07, 0.07, 0.1, 0.1, 0.07, 0.06, 0.12, 0.05, 0.03)


def draw_props(rng: np.random.Generator, *, board: Any, tiles: list[Any]) -> tuple[Prop, ...]:
    """Draw what lies about a board: `board` and `tiles` are polygons that only crumbs and shadows may meet."""
    taken = [board.buffer(2.0)]
    found: list[Prop] = []
    count = int(rng.choice([0, 1, 2, 4, 8], p=[0.25, 0.2, 0.25, 0.2, 0.1]))
    for _ in range(count):
        what = str(rng.choice(KINDS, p=WEIGHTS))
        found.extend(_crumbs(rng, board, tiles) if what == "crumb" else _one(rng, what, board, taken))
    return tuple(found)


def _one(rng: np.random.Generator, what: str, board: Any, taken: list[Any]) -> list[Prop]:
    outline = outline_of(what, rng)
    left, top, right, bottom = board.bounds
    if what.endswith("shadow"):
        at = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        return [Prop(what, outline + at, int(rng.integers(1 << 31)))]
    for _ in range(6):
        edge = board.exterior.interpolate(rng.random(), normalized=True)
        out = np.array([edge.x, edge.y]) - np.array(board.centroid.coords[0])
        reach = float(np.abs(outline).max())
        at = np.array([edge.x, edge.y]) + out / np.linalg.norm(out) * (
            float(rng.uniform(0.6, 1.6)) * reach + rng.uniform(2, 30)
        )
        shape = shapely.polygons(outline + at)
        if not any(shapely.intersects(shape, t) for t in taken):
            taken.append(shape)
            return [Prop(what, outline + at, int(rng.integers(1 << 31)))]
    return []


def draw_foreign(rng: np.random.Generator, count: int, *, board: Any, tiles: list[Any]) -> tuple[Prop, ...]:
    """Draw up to `count` round and square things of a tile's size that lie on the board clear of the tiles."""
    room = board.buffer(-_CLEAR_MM)
    taken = shapely.union_all(tiles).buffer(_CLEAR_MM)
    left, top, right, bottom = room.bounds
    found: list[Prop] = []
    for _ in range(40):
        if len(found) == count:
            break
        what = str(rng.choice(FOREIGN))
        is_round = what in ("coin", "slice") or (what == "biscuit" and rng.random() < 0.5)
        corner = 2.0 if what == "biscuit" else 0.3
        square = _rectangle(float(rng.uniform(28, 40)), float(rng.uniform(28, 40)), corner=corner)
        shape = _round(float(rng.uniform(15, 23))) if is_round else _turn(square, float(rng.uniform(0, 6.28)))
        outline = shape + np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        area = shapely.polygons(outline)
        if shapely.contains(room, area) and not shapely.intersects(area, taken):
            found.append(Prop(what, outline, int(rng.integers(1 << 31)), on_board=True))
            taken = taken.union(area.buffer(_CLEAR_MM))
    return tuple(found)


FOREIGN = ("coin", "biscuit", "slice", "paper")
_CLEAR_MM = 3.0


def outline_of(what: str, rng: np.random.Generator) -> Polygon:
    """Return an outline (n, 2) mm about (0, 0) for a prop of this name."""
    turn = float(rng.uniform(0, 2 * math.pi))
    if what == "card":
        return _turn(_rectangle(*CARD_MM, corner=3.0), turn)
    if what == "paper":
        return _turn(_rectangle(float(rng.uniform(50, 150)), float(rng.uniform(50, 110)), corner=0.2), turn)
    if what == "pen":
        return _turn(_rectangle(float(rng.uniform(120, 150)), float(rng.uniform(7, 12)), corner=3.0), turn)
    if what == "phone_shadow":
        return _turn(_rectangle(76.0, 150.0, corner=9.0) * float(rng.uniform(1, 1.5)), turn)
    if what == "hand_shadow":
        return _turn(_hand(rng), turn)
    if what == "coin":
        return _round(float(rng.uniform(8, 14)))
    if what == "glass":
        return _round(float(rng.uniform(28, 42)))
    if what == "nut":
        return _turn(_blob(rng, float(rng.uniform(4, 9)), rough=0.25) * [1.3, 0.8], turn)
    if what == "biscuit":
        side = float(rng.uniform(40, 75))
        square = _rectangle(side, side * float(rng.uniform(0.6, 1.0)), corner=4.0)
        return _turn(square, turn) if rng.random() < 0.5 else _round(side / 2)
    if what == "slice":
        return _blob(rng, float(rng.uniform(16, 45)), rough=0.05)
    return _blob(rng, float(rng.uniform(0.4, 2.2)), rough=0.4, count=9)


def _crumbs(rng: np.random.Generator, board: Any, tiles: list[Any]) -> list[Prop]:
    left, top, right, bottom = board.bounds
    middle = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
    places = middle + rng.normal(0, 35, (int(rng.integers(4, 30)), 2))
    _ = tiles
    return [Prop("crumb", outline_of("crumb", rng) + at, int(rng.integers(1 << 31))) for at in places]


def _turn(points: Polygon, rad: float) -> Polygon:
    c, s = math.cos(rad), math.sin(rad)
    turned: Polygon = points @ np.array([[c, s], [-s, c]])
    return turned


def _rectangle(width: float, height: float, *, corner: float) -> Polygon:
    box = shapely.box(-width / 2 + corner, -height / 2 + corner, width / 2 - corner, height / 2 - corner)
    points: Polygon = np.asarray(shapely.segmentize(box.buffer(corner, quad_segs=4).exterior, 12.0).coords)[:-1]
    return points


def _round(radius: float) -> Polygon:
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return radius * np.stack([np.cos(t), np.sin(t)], 1)


def _blob(rng: np.random.Generator, radius: float, *, rough: float, count: int = 40) -> Polygon:
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    r = np.ones(count)
    for k in (1, 2, 3, 4):
        r += rough / k * rng.normal() * np.cos(k * t + rng.uniform(0, 6.28))
    return radius * np.clip(r, 0.4, 1.8)[:, None] * np.stack([np.cos(t), np.sin(t)], 1)


def _hand(rng: np.random.Generator) -> Polygon:
    size = float(rng.uniform(0.9, 1.4))
    palm = shapely.box(-40, -45, 40, 45).buffer(12)
    fingers = [shapely.LineString([(x, 30), (x * 1.5, 130 - abs(x))]).buffer(9) for x in (-34, -12, 12, 34)]
    arm = shapely.box(-35, -400, 35, 0)
    shape = shapely.union_all([palm, arm, *fingers]).buffer(3).simplify(0.5)
    points: Polygon = np.asarray(shape.exterior.coords)[:-1] * size
    return points

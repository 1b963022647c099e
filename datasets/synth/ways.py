"""The ways players lay a tile: anywhere free, flush, near, lapping, hanging over the edge, three in a ring."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.desk import HANG_MM, Desk, Spot, accept, fits, spot_at
from datasets.synth.slide import edge_normals_deg, slide_mm
from datasets.synth.truth import shared_mm2, turned
from scoring.charcuterie.catalogue import KINDS

WAYS = ("free", "flush", "near", "lap")

TOUCH_MM = 0.004
"""Flush tiles are pressed together by this much: a 34 mm edge then shares 0.14 mm2, still no overlap."""

HIDING_MM = (15.0, 27.0)
"""How far a tile is pushed over another to hide more than half of it."""

USUALLY_COVERED = 2
"""While more tiles than these are still to be covered, each is laid over another."""

NESTLED = 0.2
"""Share of flush tiles that are pushed round until they meet a second tile."""

MOST_REACH_MM = 40.0
"""No point of a tile lies farther from its middle."""

TRIES = 26
"""Places tried for a tile before it is laid wherever there is room."""


def lay(desk: Desk, kind: str, name: str, *, hang: bool, allowed: Any) -> None:
    """Lay one tile, hanging over the edge of `allowed` on request; on a full board it is left out."""
    rng = desk.rng
    variant = int(rng.integers(len(desk.art.faces[kind])))
    for attempt in range(TRIES * 3):
        late = attempt >= TRIES
        way = "hang" if hang and not late else _way(desk, kind, late=late)
        spot = _place(desk, kind, variant, name, way=way, allowed=allowed)
        if spot is not None and fits(desk, spot, way):
            desk.spots.append(spot)
            return


def _way(desk: Desk, kind: str, *, late: bool) -> str:
    if not desk.spots:
        return "free"
    if desk.covered_left > USUALLY_COVERED:
        return "lap"
    first = all(KINDS[s.tile.kind].category != KINDS[kind].category for s in desk.spots)
    if first and desk.rng.random() < desk.habits.apart:
        return "free"
    if late:
        return ("free", "flush", "lap")[int(desk.rng.integers(3))]
    at = float(desk.rng.random())
    for way, share in zip(WAYS, desk.habits.ways, strict=True):
        at -= share
        if at < 0:
            return way
    return "free"


def _place(desk: Desk, kind: str, variant: int, name: str, *, way: str, allowed: Any) -> Spot | None:
    rng, habits = desk.rng, desk.habits
    angle = float(rng.uniform(0, 360))
    if habits.turn_deg is not None:
        angle = habits.turn_deg + 90.0 * int(rng.integers(4)) + float(rng.normal(0, 2))
    if way == "free":
        left, top, right, bottom = desk.legal.bounds
        center = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        return spot_at(desk, kind, variant, name, angle_deg=angle, center=center)
    if way == "hang":
        edge = allowed.exterior
        p = edge.interpolate(rng.uniform(0, edge.length))
        out = float(rng.uniform(*HANG_MM))
        middle = np.array(allowed.centroid.coords[0])
        foot = np.array([p.x, p.y])
        inward = (middle - foot) / max(1.0, float(np.linalg.norm(middle - foot)))
        return spot_at(desk, kind, variant, name, angle_deg=angle, center=foot + inward * (19.0 - out))
    anchor = _anchor(desk, kind)
    heading = float(rng.uniform(0, 2 * math.pi))
    if len(desk.spots) > 1 and rng.random() < habits.line:
        before = np.subtract(anchor.tile.center_mm, desk.spots[-2].tile.center_mm)
        heading = math.atan2(before[1], before[0]) + float(rng.normal(0, 0.25))
    if way == "flush" and rng.random() < habits.square_on:
        angle, heading = _square_on(desk, kind, variant, anchor, angle, heading)
    aside = float(rng.normal(0, 5.0))
    met = _reach(desk, kind, variant, anchor, angle=angle, heading=heading, aside=aside)
    if way == "flush" and met is not None and rng.random() < NESTLED:
        heading = _nestled(desk, kind, variant, anchor, angle=angle, heading=heading, aside=aside)
        met = _reach(desk, kind, variant, anchor, angle=angle, heading=heading, aside=aside)
    if met is None:
        return None
    away = np.array([math.cos(heading), math.sin(heading)])
    press = TOUCH_MM
    if way == "near":
        press = -float(rng.uniform(desk.min_gap_mm, 6.0))
    elif way == "lap":
        press = float(rng.uniform(1.5, 4.0 + 26.0 * habits.deep * rng.random()))
        if desk.covered_left > USUALLY_COVERED or (desk.covered_left and rng.random() < 0.5):
            press = float(rng.uniform(*HIDING_MM))
    return spot_at(desk, kind, variant, name, angle_deg=angle, center=met - away * press)


def _reach(
    desk: Desk, kind: str, variant: int, anchor: Spot, *, angle: float, heading: float, aside: float
) -> npt.NDArray[np.float64] | None:
    """Return the middle (2,) of a tile slid against the anchor from `heading` (rad), `aside` mm off its middle."""
    away = np.array([math.cos(heading), math.sin(heading)])
    start = np.asarray(anchor.tile.center_mm) + away * (anchor.reach_mm + 40.0)
    start = start + np.array([-away[1], away[0]]) * aside
    outline = turned(desk.art.faces[kind][variant].outline, angle_deg=angle, center_mm=(start[0], start[1]))
    go = slide_mm(outline, anchor.outline, heading + math.pi)
    return start - away * go if math.isfinite(go) else None


def _nestled(desk: Desk, kind: str, variant: int, anchor: Spot, *, angle: float, heading: float, aside: float) -> float:
    """Return the heading (rad) at which the tile, walking round the anchor, meets a second tile."""
    others = [s for s in desk.spots if s is not anchor]
    if not others:
        return heading
    shapes = np.array([s.shape for s in others], dtype=object)
    middles = np.array([s.tile.center_mm for s in others])

    def free(at: float) -> bool:
        met = _reach(desk, kind, variant, anchor, angle=angle, heading=at, aside=aside)
        if met is None:
            return False
        close = np.hypot(*(middles - met).T) < 2 * MOST_REACH_MM
        spot = spot_at(desk, kind, variant, "", angle_deg=angle, center=met)
        return not bool(shapely.intersects(spot.shape, shapes[close]).any())

    step = math.radians(9.0) * float(desk.rng.choice([-1, 1]))
    last = next((k for k in range(9) if not free(heading + k * step)), 0)
    if last == 0:
        return heading
    clear, met = heading + (last - 1) * step, heading + last * step
    for _ in range(11):
        middle = (clear + met) / 2
        clear, met = (middle, met) if free(middle) else (clear, middle)
    return clear


def _anchor(desk: Desk, kind: str) -> Spot:
    rng = desk.rng
    if rng.random() < desk.habits.line:
        return desk.spots[-1]
    like = [s for s in desk.spots if KINDS[s.tile.kind].category == KINDS[kind].category]
    pool = like if like and rng.random() < desk.habits.gathered else desk.spots
    return pool[int(rng.integers(len(pool)))]


def _square_on(desk: Desk, kind: str, variant: int, anchor: Spot, angle: float, heading: float) -> tuple[float, float]:
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


def lay_ring(desk: Desk, kinds: list[str], index: int) -> bool:
    """Lay three tiles in a ring, each over the next."""
    rng = desk.rng
    left, top, right, bottom = desk.legal.bounds
    for _ in range(50):
        middle = np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
        radius, turn = float(rng.uniform(14.5, 19.0)), float(rng.uniform(0, 2 * math.pi))
        spots = []
        for i, kind in enumerate(kinds):
            a = turn + 2 * math.pi * i / 3
            center = middle + radius * np.array([math.cos(a), math.sin(a)])
            angle = float(rng.uniform(0, 360))
            variant = int(rng.integers(len(desk.art.faces[kind])))
            spots.append(spot_at(desk, kind, variant, f"t{index + i}", angle_deg=angle, center=center))
        laps = [shared_mm2(spots[i].shape, spots[(i + 1) % 3].shape) for i in range(3)]
        clear = all(fits(desk, s, "flush") for s in spots)
        pairs = [(spots[i].tile.id, spots[(i + 1) % 3].tile.id) for i in range(3)]
        if clear and min(laps) > 20.0 and accept(desk, spots, pairs):
            desk.spots.extend(spots)
            return True
    return False

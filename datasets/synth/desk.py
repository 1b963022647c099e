"""What lies on the board so far, and whether one more tile may lie where somebody wants it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.boards import BoardShape
from datasets.synth.scene import Art, PlacedTile, Polygon
from datasets.synth.truth import OVER_MM2, shared_mm2, turned, visible_shares

HANG_MM = (2.0, 14.0)
"""How far an illegal tile sticks out over the edge."""

UNCLEAR_SHARES = (0.42, 0.58)
"""Visible shares that even a person could not call; left out on request."""


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
class Spot:
    """A tile in its place: outline (n, 2) mm, its shapely twin, the distance of its farthest point from its middle."""

    tile: PlacedTile
    outline: Polygon
    shape: Any
    reach_mm: float


@dataclass(slots=True)
class Desk:
    """Everything laid so far. `legal` is where tiles may lie; `covered_left` tiles may still be hidden too much."""

    rng: np.random.Generator
    art: Art
    board: BoardShape
    ground: Any
    legal: Any
    habits: Habits
    min_gap_mm: float
    clear_shares: bool
    spots: list[Spot] = field(default_factory=list)
    over: list[tuple[str, str]] = field(default_factory=list)
    covered_left: int = 0


def spot_at(
    desk: Desk, kind: str, variant: int, name: str, *, angle_deg: float, center: npt.NDArray[np.float64]
) -> Spot:
    """Return a tile with its middle at `center` (2,) mm, rounded as the truth is."""
    face = desk.art.faces[kind][variant]
    at = (round(float(center[0]), 4), round(float(center[1]), 4))
    angle_deg = round(angle_deg % 360.0, 4)
    outline = turned(face.outline, angle_deg=angle_deg, center_mm=at)
    reach = float(np.sqrt((face.outline**2).sum(axis=1).max()))
    return Spot(PlacedTile(name, kind, variant, at, angle_deg), outline, shapely.polygons(outline), reach)


def fits(desk: Desk, spot: Spot, way: str) -> bool:
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


def _hangs_well(desk: Desk, spot: Spot) -> bool:
    """A hanging tile sticks out by `HANG_MM` at least, and its middle still lies on the board."""
    allowed = shapely.polygons(desk.board.inner_ring) if bound_by_ring(desk) else desk.ground
    outside = shapely.distance(allowed, shapely.points(spot.outline))
    if not HANG_MM[0] + 0.3 < float(outside.max()) < HANG_MM[1] + 4:
        return False
    rest = shapely.distance(desk.ground, shapely.points(spot.outline)).max()
    return bool(shapely.contains(desk.ground, spot.shape.centroid)) and (rest == 0.0 or rest > HANG_MM[0])


def bound_by_ring(desk: Desk) -> bool:
    """Say whether tiles must lie inside the inner ring."""
    return desk.board.inner_ring is not None and desk.legal.area < 0.8 * desk.ground.area


def _stack(desk: Desk, spot: Spot, lapped: list[Spot]) -> bool:
    name = spot.tile.id
    under = desk.rng.random() < desk.habits.under
    fresh = [(s.tile.id, name) if under else (name, s.tile.id) for s in lapped]
    return accept(desk, [spot], fresh)


def accept(desk: Desk, spots: list[Spot], fresh: list[tuple[str, str]]) -> bool:
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

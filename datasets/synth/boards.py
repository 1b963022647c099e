"""Outlines of boards as they come: round, oval, rounded rectangle, paddle, irregular slab (mm, middle near (0, 0))."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
import shapely.affinity
from shapely.geometry import Polygon as Shape
from shapely.geometry.base import BaseGeometry

from datasets.synth.scene import Polygon

STYLES = ("round", "oval", "rectangle", "paddle", "slab")

RING_INSET_MM = (20.0, 33.0)
"""How far inside the edge the ring is engraved."""

SPACING_MM = 4.0
"""Distance of outline points on straight stretches: close enough that a lens bends the line between them."""


@dataclass(frozen=True, slots=True)
class BoardShape:
    """A board without tiles: outline (n, 2), holes inside it, the engraved inner ring or None; all in mm."""

    style: str
    outline: Polygon
    holes: tuple[Polygon, ...]
    inner_ring: Polygon | None


def draw_board(rng: np.random.Generator, *, ring: bool, room_mm2: float) -> BoardShape:
    """Draw a board whose usable ground is at least `room_mm2`; `ring` demands an inner ring."""
    style = str(rng.choice(STYLES, p=(0.12, 0.16, 0.24, 0.34, 0.14)))
    body, handle, hole = _body(style, rng)
    inset = float(rng.uniform(*RING_INSET_MM))
    for _ in range(12):
        inner = body.buffer(-inset)
        if (inner if ring else body.buffer(-4.0)).area >= room_mm2:
            break
        body, handle, hole = (shapely.affinity.scale(g, 1.06, 1.06, origin=(0, 0)) for g in (body, handle, hole))
    outline = shapely.union_all([body, handle]).buffer(-6, quad_segs=8).buffer(12, quad_segs=8).buffer(-6, quad_segs=8)
    has_ring = ring or rng.random() < 0.45
    return BoardShape(
        style,
        _ring(outline),
        () if hole.is_empty else (_ring(hole, spacing=2.0),),
        _ring(body.buffer(-inset, quad_segs=12)) if has_ring else None,
    )


def _body(style: str, rng: np.random.Generator) -> tuple[BaseGeometry, BaseGeometry, BaseGeometry]:
    """Return (body, handle, hole); handle and hole may be empty."""
    nothing = Shape()
    length = float(rng.uniform(285, 400))
    if style == "round":
        return shapely.Point(0, 0).buffer(min(length, 360) / 2, quad_segs=32), nothing, nothing
    if style == "oval":
        power = rng.uniform(2.0, 3.2)
        t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
        c, s = np.cos(t), np.sin(t)
        half = np.array([length / 2, length / 2 * rng.uniform(0.62, 0.85)])
        return (
            Shape(np.stack([np.sign(c) * abs(c) ** (2 / power), np.sign(s) * abs(s) ** (2 / power)], 1) * half),
            nothing,
            nothing,
        )
    if style == "slab":
        return _slab(length, rng), nothing, nothing
    width = length * float(rng.uniform(0.56, 0.86))
    corner = float(rng.choice([rng.uniform(4, 15), rng.uniform(15, 60)]))
    if style == "paddle":
        length = min(length, 330.0)
    body = shapely.box(-length / 2, -width / 2, length / 2, width / 2).buffer(-corner).buffer(corner, quad_segs=12)
    if style == "rectangle":
        return body, nothing, nothing
    reach, grip = float(rng.uniform(55, 120)), float(rng.uniform(32, 60))
    end = length / 2 + reach - grip / 2
    handle = shapely.LineString([(0, 0), (end, 0)]).buffer(grip / 2, quad_segs=12)
    hole = shapely.Point(end, 0).buffer(grip * rng.uniform(0.15, 0.3)) if rng.random() < 0.8 else nothing
    return body, handle, hole


def _slab(length: float, rng: np.random.Generator) -> BaseGeometry:
    """A cut through a trunk: two straight ends, two sides that wander."""
    half = length * float(rng.uniform(0.33, 0.42))
    x = np.linspace(-length / 2, length / 2, 40)
    sides = []
    for sign in (-1, 1):
        wave = sum(rng.normal(0, 7 / k) * np.sin(k * np.pi * x / length + rng.uniform(0, 6)) for k in (1, 2, 3, 5))
        sides.append(np.stack([x, sign * (half + wave)], 1)[::sign])
    return Shape(np.concatenate(sides)).buffer(0).buffer(-8).buffer(16, quad_segs=8).buffer(-8)


def _ring(shape: BaseGeometry, *, spacing: float = SPACING_MM) -> Polygon:
    pieces = getattr(shape, "geoms", [shape])
    largest = max(pieces, key=lambda g: g.area)
    exterior = shapely.segmentize(shapely.LineString(largest.exterior.coords).simplify(0.05), spacing)
    points: Polygon = np.asarray(exterior.coords)[:-1]
    return points

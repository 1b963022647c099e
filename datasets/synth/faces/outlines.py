"""Silhouettes in mm as plain polygons (n, 2), area centroid at (0, 0)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from datasets.synth.scene import Polygon as Points

MIN_VERTICES, MAX_VERTICES = 48, 112


@dataclass(frozen=True, slots=True)
class Wedge:
    """A cheese wedge, tip down: `tip` is the sector's centre in the outline's own frame."""

    outline: Points
    tip: tuple[float, float]
    length: float
    half_angle: float
    curved: bool


def circle(radius: float, *, center: tuple[float, float] = (0.0, 0.0), count: int = 72) -> Points:
    """A regular polygon standing in for a circle."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([center[0] + radius * np.cos(t), center[1] + radius * np.sin(t)], 1)


def ellipse(rx: float, ry: float, *, center: tuple[float, float], turn: float = 0.0, count: int = 40) -> Points:
    """An ellipse turned by `turn` radians."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return place(np.stack([rx * np.cos(t), ry * np.sin(t)], 1), center=center, turn=turn)


def place(points: Points, *, center: tuple[float, float], turn: float = 0.0) -> Points:
    """`points` turned by `turn` radians about the origin, then moved to `center`."""
    c, s = np.cos(turn), np.sin(turn)
    return points @ np.array([[c, s], [-s, c]]) + np.asarray(center)


def blob(radius: float, *, rng: np.random.Generator, rough: float = 0.2, lobes: int = 4, count: int = 40) -> Points:
    """A round shape with a smooth wandering radius."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    r = np.ones(count)
    for k in range(2, 2 + lobes):
        r += rough / k * rng.normal() * np.cos(k * t + rng.uniform(0, 6.28))
    return radius * np.clip(r, 0.4, 1.8)[:, None] * np.stack([np.cos(t), np.sin(t)], 1)


def rounded_square(side: float, *, corner: float) -> Points:
    """A square with rounded corners, centred."""
    half = side / 2 - corner
    box = Polygon([(-half, -half), (half, -half), (half, half), (-half, half)])
    return ring(box.buffer(corner, quad_segs=8), spacing=side / 14)


def wedge(length: float, *, angle_deg: float, back: str, tip_mm: float, corner_mm: float) -> Wedge:
    """A wedge of cheese. `back` is curve (an arc), soft (a flatter arc) or straight; `tip_mm` is cut off the tip."""
    half = np.deg2rad(angle_deg) / 2
    t = np.linspace(-half, half, 24)
    bulge = {"curve": 1.0, "soft": 0.45, "straight": 0.0}[back]
    chord = np.cos(half)
    radius = length * ((1 - bulge) * chord / np.cos(t) + bulge)
    arc = np.stack([radius * np.sin(t), -radius * np.cos(t)], 1)
    cut = Polygon(np.vstack([arc, [[0.0, 0.0]]]))
    if tip_mm > 0:
        cut = cut.difference(shapely.box(-length, -tip_mm, length, length))
    if corner_mm > 0:
        cut = cut.buffer(-corner_mm, join_style="mitre").buffer(corner_mm, quad_segs=6)
    reach = float(np.ptp(shapely.get_coordinates(cut)[:, 1]))
    cut = shapely.affinity.scale(cut, length / reach, length / reach, origin=(0, 0))
    points = ring(cut, spacing=length / 28)
    mid = shapely.Polygon(points).centroid
    back_mm = length / reach * length * ((1 - bulge) * chord + bulge)
    return Wedge(points - [mid.x, mid.y], (-mid.x, -mid.y), back_mm, float(half), back != "straight")


def largest(shape: BaseGeometry) -> Polygon:
    """The largest piece of a geometry, its holes filled."""
    pieces = [g for g in getattr(shape, "geoms", [shape]) if isinstance(g, Polygon)]
    if not pieces:
        raise ValueError(f"no polygon in a {shape.geom_type}")
    return Polygon(max(pieces, key=lambda g: g.area).exterior)


def ring(shape: Polygon | MultiPolygon, *, spacing: float = 1.4) -> Points:
    """The outer ring, dense on curves, with its vertex count kept within MIN_VERTICES..MAX_VERTICES."""
    piece = shapely.segmentize(largest(shape), spacing)
    tolerance = 0.01
    while len(piece.exterior.coords) - 1 > MAX_VERTICES:
        piece = largest(piece.simplify(tolerance))
        tolerance *= 1.5
    points = shapely.get_coordinates(piece)[:-1]
    if len(points) < MIN_VERTICES:
        piece = shapely.segmentize(piece, piece.length / MIN_VERTICES)
        points = shapely.get_coordinates(piece)[:-1]
    return points


def hug(parts: list[Points], *, make: str, margin_mm: float, scale: float = 1.0) -> Polygon:
    """The die line round several parts: `make` hug keeps the notches, soft rounds them, hull fills them."""
    close = {"hug": 1.2, "soft": 3.5, "blob": 9.0, "hull": 3.0}[make] * scale
    union = shapely.union_all([Polygon(p).buffer(0) for p in parts])
    if make == "hull":
        union = union.convex_hull
    grown = union.buffer(close + margin_mm, quad_segs=6).buffer(-close, quad_segs=6)
    soft = min(0.8 * scale, 2.0)
    return largest(largest(grown).buffer(-soft, quad_segs=6).buffer(soft, quad_segs=6))

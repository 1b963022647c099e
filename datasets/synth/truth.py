"""Truth about a scene, from geometry alone: who lies over whom, who touches, what is visible, what is illegal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.scene import Art, PlacedTile, Polygon

OVER_MM2 = 0.5
"""Footprints that share less ground than this only touch."""

CONTACT_MM = 0.1
"""Tiles nearer than this touch: half the play of a die-cut edge."""

Pairs = tuple[tuple[str, str], ...]


def turned(outline: Polygon, *, angle_deg: float, center_mm: tuple[float, float]) -> Polygon:
    """Return `outline` (n, 2) turned clockwise about the origin, then moved to `center_mm`."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    points: Polygon = outline @ np.array([[c, s], [-s, c]]) + np.asarray(center_mm)
    return points


def footprint_of(tile: PlacedTile, art: Art) -> Polygon:
    """Return the ground outline (n, 2) mm of a placed tile."""
    face = art.faces[tile.kind][tile.variant]
    return turned(face.outline, angle_deg=tile.angle_deg, center_mm=tile.center_mm)


def contacts_of(names: Sequence[str], shapes: npt.NDArray[Any]) -> Pairs:
    """Return every pair of tiles that overlap or lie within `CONTACT_MM`, in the order of `names`."""
    tree = shapely.STRtree(shapes)
    left, right = tree.query(shapes, predicate="dwithin", distance=CONTACT_MM)
    return tuple((names[a], names[b]) for a, b in sorted(zip(left.tolist(), right.tolist(), strict=True)) if a < b)


def shared_mm2(one: Any, other: Any) -> float:
    """Return the ground two footprints share, mm2."""
    return float(shapely.area(shapely.intersection(one, other)))


def visible_shares(shapes: Mapping[str, Any], over: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return 1 - (ground under the union of the tiles above) / (own ground) for each tile."""
    above: dict[str, list[Any]] = {name: [] for name in shapes}
    for upper, lower in over:
        above[lower].append(shapes[upper])
    return {name: _visible_share(shape, above[name]) for name, shape in shapes.items()}


def _visible_share(shape: Any, above: list[Any]) -> float:
    if not above:
        return 1.0
    cover = above[0] if len(above) == 1 else shapely.union_all(above)
    return 1.0 - float(shapely.area(shapely.intersection(shape, cover))) / float(shapely.area(shape))


def violations_of(
    shapes: Mapping[str, Any],
    over: Sequence[tuple[str, str]],
    *,
    board: Polygon,
    inner_ring: Polygon | None,
    players: int,
) -> Pairs:
    """Return (tile, rule) for every broken placement rule; the inner ring binds six players only."""
    found: list[tuple[str, str]] = []
    shares = visible_shares(shapes, over)
    ground = shapely.polygons(board)
    ring = shapely.polygons(inner_ring) if inner_ring is not None and players == 6 else None
    below: dict[str, list[Any]] = {name: [] for name in shapes}
    for upper, lower in over:
        below[upper].append(shapes[lower])
    for name, shape in shapes.items():
        if not shapely.covers(ground, shape):
            found.append((name, "off_board"))
        if ring is not None and not shapely.covers(ring, shape):
            found.append((name, "outside_ring"))
        if shares[name] < 0.5:
            found.append((name, "covered"))
        if below[name] and float(shapely.area(shapely.difference(shape, shapely.union_all(below[name])))) < OVER_MM2:
            found.append((name, "not_on_board"))
    return tuple(found)

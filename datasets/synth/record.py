"""Writes the truth of a photo as the contract has it, with what trainers need besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.camera import Camera
from datasets.synth.scene import Art, Polygon, Scene
from datasets.synth.truth import visible_shares
from scoring.charcuterie.catalogue import KINDS

LEAST_PART_PX2 = 4.0
"""Smaller visible parts are left out."""


def record(
    scene: Scene,
    art: Art,
    *,
    camera: Camera,
    footprints: Mapping[str, Polygon],
    shapes: Mapping[str, Any],
    tops: Mapping[str, Polygon],
    order: Sequence[str],
    has_board: bool = True,
) -> dict[str, Any]:
    """Return the board file of a photo. `tops` are outlines px of the top faces; `order` is how they were painted.

    Without `has_board` it is of an enrolment sheet: board and players are null.
    """
    shares = visible_shares(shapes, scene.over)
    parts = visible_parts(tops, scene.over, order=order, size=camera.size)
    board = {
        "outline": _listed(scene.board_outline, 2),
        "outline_px": _listed(camera.project(_flat(scene.board_outline)), 2),
        "inner_ring": None if scene.inner_ring is None else _listed(scene.inner_ring, 2),
    }
    tiles = [
        {
            "id": t.id,
            "kind": t.kind,
            "shape": KINDS[t.kind].shape,
            "footprint": _listed(footprints[t.id], 3),
            "polygon_px": _listed(tops[t.id], 2),
            "visible": round(shares[t.id], 4),
            "visible_px": [_listed(p, 2) for p in parts[t.id]],
        }
        for t in scene.tiles
    ]
    return {
        "format": "boardsnap.board/1",
        "game": "charcuterie",
        "players": scene.players if has_board else None,
        "variant": None,
        "board": board if has_board else None,
        "tiles": tiles,
        "over": [list(p) for p in scene.over],
        "contacts": [list(p) for p in scene.contacts],
        "violations": [list(v) for v in scene.violations],
        "camera": {"projection": camera.projection.tolist(), "k1": camera.k1, "size": list(camera.size)},
        "art": {"style": art.style, "seed": art.seed},
        "scene_seed": scene.seed,
    }


def visible_parts(
    tops: Mapping[str, Polygon], over: Sequence[tuple[str, str]], *, order: Sequence[str], size: tuple[int, int]
) -> dict[str, list[Polygon]]:
    """Return the rings (n, 2) px of what shows of each tile: its outline less those over it or painted after it."""
    names = list(tops)
    shapes = (
        shapely.make_valid(shapely.polygons([shapely.linearrings(tops[n]) for n in names])) if names else np.empty(0)
    )
    index = {n: i for i, n in enumerate(names)}
    rank = {n: i for i, n in enumerate(order)}
    above = set(over)
    left, right = shapely.STRtree(shapes).query(shapes, predicate="intersects") if names else ([], [])
    hiders: dict[str, list[Any]] = {n: [] for n in names}
    for i, j in zip(left, right, strict=True):
        one, other = names[i], names[j]
        if (other, one) in above or ((one, other) not in above and rank[other] > rank[one]):
            hiders[one].append(shapes[j])
    frame = shapely.box(0, 0, *size)
    parts: dict[str, list[Polygon]] = {}
    for name in names:
        shape = shapes[index[name]]
        if hiders[name]:
            shape = shapely.difference(shape, shapely.union_all(hiders[name]))
        if not shapely.contains_properly(frame, shape):
            shape = shapely.intersection(shape, frame)
        parts[name] = _rings(shape)
    return parts


def _rings(shape: Any) -> list[Polygon]:
    pieces = [g for g in getattr(shape, "geoms", [shape]) if g.geom_type == "Polygon" and g.area >= LEAST_PART_PX2]
    return [np.asarray(g.exterior.coords)[:-1] for g in sorted(pieces, key=lambda g: -g.area)]


def _listed(points: npt.NDArray[np.float64], digits: int) -> list[list[float]]:
    rounded: list[list[float]] = np.round(points, digits).tolist()
    return rounded


def _flat(points: Polygon) -> Polygon:
    return np.column_stack([points, np.zeros(len(points))])

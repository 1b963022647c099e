"""How tiles come to rest on each other: the plane of each tile's underside, by a simple lean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import shapely

Array = npt.NDArray[np.float64]

DIRECTIONS = 32
"""Ways a tile may lean that are tried; the best of them is within 6 degrees of the true one."""

ROUNDS = 5
"""Passes over the tiles: more than any stack has layers."""


@dataclass(frozen=True, slots=True)
class Lean:
    """The plane z = a x + b y + c (mm, z up, 0 on the board)."""

    a: float = 0.0
    b: float = 0.0
    c: float = 0.0

    def at(self, points: Array) -> Array:
        """Return the heights (n,) over points (n, 2)."""
        heights: Array = points[:, 0] * self.a + points[:, 1] * self.b + self.c
        return heights

    def raised(self, mm: float) -> Lean:
        """Return the plane `mm` higher."""
        return Lean(self.a, self.b, self.c + mm)


def rest(footprint: Array, supports: Array) -> Lean:
    """Return the plane over `footprint` (n, 2) that clears `supports` (m, 3) and the board, lowest at the middle."""
    if len(supports) == 0:
        return Lean()
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    ways = np.stack([np.cos(angles), np.sin(angles)], 1)
    low = (footprint @ ways.T).min(axis=0)
    reach = supports[:, :2] @ ways.T - low
    slope = (supports[:, 2:] / np.maximum(reach, 0.5)).max(axis=0)
    height = slope * (footprint.mean(axis=0) @ ways.T - low)
    best = int(np.argmin(height))
    top = float(supports[:, 2].max())
    if top <= height[best]:
        return Lean(0.0, 0.0, top)
    a, b = ways[best] * slope[best]
    return Lean(float(a), float(b), float(-low[best] * slope[best]))


def rest_all(
    footprints: Mapping[str, Array], shapes: Mapping[str, Any], over: Sequence[tuple[str, str]], *, thickness_mm: float
) -> dict[str, Lean]:
    """Return the underside plane of every tile.

    Tiles may lie on each other in a ring. No rigid plates can, and settling them one on another lifts them without end:
    within a ring each lies on its neighbour as if that lay flat on the board, cardboard giving way.
    """
    planes = {name: Lean() for name in footprints}
    patches: dict[str, list[tuple[str, Array]]] = {}
    for upper, lower in over:
        patch = shapely.get_coordinates(shapely.intersection(shapes[upper], shapes[lower]))
        patches.setdefault(upper, []).append((lower, patch))
    ring_of = _rings(over)
    for _ in range(ROUNDS):
        moved = 0.0
        for name, lying_on in patches.items():
            below = [(Lean() if low in ring_of.get(name, ()) else planes[low], p) for low, p in lying_on if len(p)]
            carried = [np.column_stack([p, plane.at(p) + thickness_mm]) for plane, p in below]
            plane = rest(footprints[name], np.concatenate(carried) if carried else np.empty((0, 3)))
            moved = max(moved, float(np.abs(plane.at(footprints[name]) - planes[name].at(footprints[name])).max()))
            planes[name] = plane
        if moved < 0.02:
            break
    return planes


def _rings(over: Sequence[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """The tiles that each tile of a ring lies in a ring with."""
    groups = nx.strongly_connected_components(nx.DiGraph(over))
    return {name: frozenset(group) for group in groups if len(group) > 1 for name in group}

"""Sliding one outline along a straight line until it meets another, exactly."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from datasets.synth.scene import Face, Polygon

Array = npt.NDArray[np.float64]

STRAIGHT_MM = 9.0
"""An edge this long is one a player lines up with another."""

SAME_EDGE_DEG = 2.5
"""Segments that turn by less belong to one straight edge."""


def slide_mm(moving: Polygon, still: Polygon, heading_rad: float) -> float:
    """Return how far `moving` (n, 2) travels along `heading_rad` until it touches `still` (m, 2); inf if never.

    The outlines must be apart, `still` wholly ahead.
    """
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    turn = np.array([[c, -s], [s, c]])
    a, b = moving @ turn, still @ turn
    return min(_ahead(a, b, sign=1.0), _ahead(b, a, sign=-1.0))


def _ahead(points: Array, ring: Array, *, sign: float) -> float:
    """Return the least x distance from points (n, 2) to the edges of ring (m, 2) in the direction `sign`."""
    low, high = points[:, 1].min(), points[:, 1].max()
    end = np.concatenate([ring[1:], ring[:1]])
    facing = (np.maximum(ring[:, 1], end[:, 1]) >= low) & (np.minimum(ring[:, 1], end[:, 1]) <= high)
    facing &= (end[:, 1] - ring[:, 1]) * (sign * turning(ring)) <= 0  # only the near side can be met first
    start, end = ring[facing], end[facing]
    y = points[:, 1][:, None]
    y0, y1 = start[:, 1], end[:, 1]
    spans = (np.minimum(y0, y1) <= y) & (y <= np.maximum(y0, y1)) & (y0 != y1)
    i, j = np.nonzero(spans)
    if len(i) == 0:
        return math.inf
    share = (points[i, 1] - y0[j]) / (y1[j] - y0[j])
    x = start[j, 0] + share * (end[j, 0] - start[j, 0])
    return float((sign * (x - points[i, 0])).min())


def turning(ring: Array) -> float:
    """Return 1.0 for a ring (n, 2) that runs clockwise as seen with y down, -1.0 for the other way."""
    x, y = ring[:, 0], ring[:, 1]
    return 1.0 if float(x[:-1] @ y[1:] - x[1:] @ y[:-1] + x[-1] * y[0] - x[0] * y[-1]) > 0 else -1.0


def edge_normals_deg(face: Face) -> Array:
    """Return the outward normals (k,) in degrees of the straight edges of a face's outline, at angle 0."""
    known = _normals.get(id(face))
    if known is None or known[0] is not face:
        known = _normals[id(face)] = (face, _edge_normals_deg(face))
    return known[1]


_normals: dict[int, tuple[Face, Array]] = {}


def _edge_normals_deg(face: Face) -> Array:
    ring = face.outline
    step = np.roll(ring, -1, axis=0) - ring
    length = np.hypot(step[:, 0], step[:, 1])
    normal = np.degrees(np.arctan2(-step[:, 0], step[:, 1])) + (0.0 if turning(ring) > 0 else 180.0)
    found: list[float] = []
    for way in normal[np.argsort(-length)]:
        close = np.abs((normal - way + 180.0) % 360.0 - 180.0) < SAME_EDGE_DEG
        known = any(abs((way - f + 180.0) % 360.0 - 180.0) < 12.0 for f in found)
        if not known and length[close].sum() > STRAIGHT_MM:
            found.append(float(way))
    return np.array(found)

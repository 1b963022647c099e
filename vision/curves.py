"""Closed curves, as points (n, 2): spaced evenly, their normals, filled, and turned."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import shapely

Floats = npt.NDArray[np.float64]


def evenly(curve: Floats, count: int) -> Floats:
    """The curve as `count` points evenly spaced, the first one kept."""
    at = np.linspace(0, 1, count, endpoint=False)
    return shapely.get_coordinates(shapely.line_interpolate_point(shapely.linearrings(curve), at, normalized=True))


def normals(curve: Floats, *, span: int = 1) -> Floats:
    """Unit normals (n, 2) pointing outwards, each from the points `span` before and after."""
    along = np.roll(curve, -span, 0) - np.roll(curve, span, 0)
    normal = np.c_[along[:, 1], -along[:, 0]] / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    area = np.sum(curve[:, 0] * np.roll(curve[:, 1], -1) - np.roll(curve[:, 0], -1) * curve[:, 1])
    return np.asarray(np.sign(area) * normal)


def grown(curve: Floats, by: float) -> Floats:
    """A closed curve moved outwards by `by`."""
    return curve + by * normals(curve)


def filled(curve_px: Floats, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """A mask (h, w) that is 1 within a curve in px."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(curve_px * 16).astype(np.int32)], 1, shift=4)
    return mask


def turns(angles: Floats) -> Floats:
    """Rotations (n, 2, 2) by angles (n,) in radians."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def best_paths(value: Floats, bends: Floats) -> npt.NDArray[np.int_]:
    """The places (curves, points) of the closed paths of most value; `value` (curves, points, places).

    `bends` (2 k + 1,) is what it costs to jump by -k to k places from one point to the next; no path jumps further.
    Each path is laid round and on for a while at both ends, and the middle of it taken, so that it closes.
    """
    count, points, places = value.shape
    most, beyond = len(bends) // 2, min(points // 2, _BEYOND)
    laps = [(i - beyond) % points for i in range(points + 2 * beyond)]
    padded = np.full((count, places + 2 * most), -1e9)
    jumps = np.lib.stride_tricks.sliding_window_view(padded, places, axis=1).transpose(1, 0, 2)
    best = padded[:, most : most + places]
    best[:] = value[:, laps[0]]
    back = np.zeros((len(laps), count, places), np.int8)
    for i, point in enumerate(laps[1:], start=1):
        steps = jumps - bends[:, None, None]
        back[i] = steps.argmax(0) - most
        best[:] = steps.max(0) + value[:, point]
    at = best.argmax(1)
    path = np.zeros((len(laps), count), int)
    for i in range(len(laps) - 1, -1, -1):
        path[i] = at
        at = at + back[i, np.arange(count), at]
    return path[beyond : beyond + points].T


_BEYOND = 60
"""Points after which a path has forgotten where it began."""

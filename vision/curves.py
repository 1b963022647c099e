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


def filled(curve_px: Floats, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """A mask (h, w) that is 1 within a curve in px."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(curve_px * 16).astype(np.int32)], 1, shift=4)
    return mask


def turns(angles: Floats) -> Floats:
    """Rotations (n, 2, 2) by angles (n,) in radians."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)

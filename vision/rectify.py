"""Photo pixels to millimetres: the plane of the tiles' faces, from the tiles themselves.

All round tiles are circles of one size, all squares squares of one size, all wedges have one area. A camera that makes
them so in the plane carries tilt and scale even where the board's outline is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ROUND_MM = 38.0
"""Diameter taken for a round tile where no true length is known."""
GENERIC_AREA_MM2 = {"round": np.pi * 19.0**2, "square": 35.5**2, "wedge": 940.0, "cluster": 1350.0}
"""Areas of tiles relative to a round one of 38 mm: the prior where no round tile is on the board."""
FOCAL_PRIOR = 0.78
"""Focal length over the longer side of the photo: 28 mm equivalent, the usual main camera of a phone."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The plane of the tiles' faces: homography (3, 3) from photo px to mm, and the camera's height over it.

    The origin of its millimetres lies straight below the camera.
    """

    to_mm: Floats
    camera_height_mm: float


@dataclass(frozen=True, slots=True)
class Blob:
    """Moments of one tile's mask in photo px: shape, area, centroid (2,), covariance (2, 2), weight 0..1."""

    shape: str
    area: float
    center: Floats
    covariance: Floats
    weight: float


def blob_of(polygon: npt.NDArray[np.float32], shape: str, weight: float) -> Blob | None:
    """Moments of a polygon (n, 2); None where it has no area."""
    if len(polygon) < 3:
        return None
    origin = polygon.mean(0)
    m = cv2.moments((polygon - origin).astype(np.float32).reshape(-1, 1, 2))
    if m["m00"] < 1:
        return None
    a = m["m00"]
    covariance = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]]) / a
    return Blob(shape, float(a), origin.astype(float) + np.array([m["m10"], m["m01"]]) / a, covariance, weight)


def _plane(parameters: Floats, center_px: Floats, side_px: float) -> Floats:
    """Homography (3, 3) from photo px to the plane seen by a camera tilted by two angles, with a focal length."""
    tilt_x, tilt_y, log_focal = parameters
    focal = side_px * FOCAL_PRIOR * np.exp(log_focal)
    turn = cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))[0]
    to_ray = np.array([[1 / focal, 0, -center_px[0] / focal], [0, 1 / focal, -center_px[1] / focal], [0, 0, 1]])
    return np.asarray(turn @ to_ray)


def _jacobians(homography: Floats, points: Floats) -> Floats:
    """Derivatives (n, 2, 2) of the map at points (n, 2)."""
    q = np.c_[points, np.ones(len(points))] @ homography.T
    x, y, w = q[:, 0], q[:, 1], q[:, 2]
    h = homography
    j = np.empty((len(points), 2, 2))
    for col in range(2):
        j[:, 0, col] = (h[0, col] * w - h[2, col] * x) / w**2
        j[:, 1, col] = (h[1, col] * w - h[2, col] * y) / w**2
    return j


def _residuals(parameters: Floats, blobs: Sequence[Blob], center_px: Floats, side_px: float) -> Floats:
    points = np.stack([b.center for b in blobs])
    j = _jacobians(_plane(parameters, center_px, side_px), points)
    covariance = j @ np.stack([b.covariance for b in blobs]) @ j.transpose(0, 2, 1)
    area = np.log(np.abs(np.linalg.det(j)) * np.array([b.area for b in blobs]))
    weight = np.array([b.weight for b in blobs])
    shape = np.array([b.shape for b in blobs])
    out = []
    for name, sigma in (("round", 0.05), ("square", 0.05), ("wedge", 0.06), ("cluster", 0.35)):
        here = shape == name
        if not here.any():
            continue
        level = _high_median(area[here], weight[here])
        out.append(_robust((area[here] - level) / sigma) * weight[here])
        if name in ("round", "square"):
            c = covariance[here]
            trace = c[:, 0, 0] + c[:, 1, 1]
            out.append(_robust((c[:, 0, 0] - c[:, 1, 1]) / trace / 0.03) * weight[here])
            out.append(_robust(2 * c[:, 0, 1] / trace / 0.03) * weight[here])
    out.append(np.array([parameters[0] / 0.6, parameters[1] / 0.6, parameters[2] / 0.25]))
    return np.concatenate(out)


def _high_median(values: Floats, weight: Floats) -> float:
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(total, 0.6 * total[-1])])


def _robust(r: Floats) -> Floats:
    """Residuals grow like a root beyond one sigma: a half-covered tile must not bend the plane."""
    return np.sign(r) * (np.sqrt(1 + 2 * np.abs(r)) - 1)


def fit_plane(blobs: Sequence[Blob], size_px: tuple[int, int]) -> Plane:
    """Find the plane of the tiles' faces on a photo of `size_px` (width, height).

    Scale: the median round tile is `ROUND_MM` across, else the generic areas decide. The photo's x axis stays the
    plane's x axis. With no blob at all the map is a plain scale of 1 mm to 4 px.
    """
    if not blobs:
        return Plane(np.diag([0.25, 0.25, 1.0]), 1000.0)
    center, side = np.array(size_px) / 2.0, float(max(size_px))
    starts = [np.zeros(3), *(0.35 * np.array([np.cos(a), np.sin(a), 0.0]) for a in np.arange(4) * np.pi / 2)]
    rough = [_minimise(start, blobs, center, side, rounds=3) for start in starts]
    best, _ = min(rough, key=lambda found: found[1])
    best, _ = _minimise(best, blobs, center, side, rounds=10)
    return _to_scale(_plane(best, center, side), blobs)


def _minimise(p: Floats, blobs: Sequence[Blob], center: Floats, side: float, *, rounds: int) -> tuple[Floats, float]:
    """Levenberg-Marquardt with differences for the Jacobian."""
    damping = 1e-2
    r = _residuals(p, blobs, center, side)
    for _ in range(rounds):
        step = 1e-4
        jac = np.stack([(_residuals(p + step * e, blobs, center, side) - r) / step for e in np.eye(3)], 1)
        delta = np.linalg.solve(jac.T @ jac + damping * np.eye(3), -jac.T @ r)
        tried = p + np.clip(delta, -0.2, 0.2)
        if np.hypot(tried[0], tried[1]) > 1.0:
            break
        again = _residuals(tried, blobs, center, side)
        if again @ again < r @ r:
            gain = r @ r - again @ again
            p, r, damping = tried, again, damping * 0.3
            if gain < 1e-4:
                break
        else:
            damping *= 10
    return p, float(r @ r)


def _to_scale(homography: Floats, blobs: Sequence[Blob]) -> Plane:
    points = np.stack([b.center for b in blobs])
    area = np.abs(np.linalg.det(_jacobians(homography, points))) * np.array([b.area for b in blobs])
    ratios, weights = [], []
    has_round = any(b.shape == "round" for b in blobs)
    for b, a in zip(blobs, area, strict=True):
        if b.shape == "round" or not has_round:
            ratios.append(a / GENERIC_AREA_MM2[b.shape])
            weights.append(b.weight)
    scale = 1 / np.sqrt(np.exp(_high_median(np.log(np.array(ratios)), np.array(weights))))
    # The rays of the turned camera have height 1 over the plane, so the scale is the camera's height in mm.
    return Plane(np.diag([scale, scale, 1.0]) @ homography, float(scale))

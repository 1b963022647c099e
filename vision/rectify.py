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


def boxed(blob: Blob, box: npt.NDArray[np.float32]) -> Blob:
    """The blob of an ellipse that fills a box (xyxy) and leans as the mask's moments do."""
    half = (box[2:].astype(float) - box[:2]) / 2
    c = blob.covariance
    lean = np.clip(c[0, 1] / np.sqrt(c[0, 0] * c[1, 1]), -0.9, 0.9)
    a, b = half**2 / 4
    cross = lean * np.sqrt(a * b)
    covariance = np.array([[a, cross], [cross, b]])
    area = 4 * np.pi * float(np.sqrt(np.linalg.det(covariance)))
    return Blob(blob.shape, area, (box[:2] + box[2:]).astype(float) / 2, covariance, blob.weight)


def stretch(a: Plane, b: Plane, at_px: Floats) -> float:
    """How much plane `b` stretches what plane `a` shows around a point of the photo: 0 where they differ by a turn."""
    ja, jb = _jacobians(np.stack([a.to_mm, b.to_mm]), at_px[None])[:, 0]
    return float(np.abs(np.linalg.svd(jb @ np.linalg.inv(ja), compute_uv=False) - 1).max())


@dataclass(frozen=True, slots=True)
class _Seen:
    """The blobs as arrays: centers (n, 2), covariances (n, 2, 2), log areas (n,), weights (n,), indices by shape."""

    centers: Floats
    covariances: Floats
    log_areas: Floats
    weights: Floats
    by_shape: dict[str, npt.NDArray[np.intp]]

    @classmethod
    def of(cls, blobs: Sequence[Blob]) -> _Seen:
        shapes = np.array([b.shape for b in blobs])
        return cls(
            np.stack([b.center for b in blobs]),
            np.stack([b.covariance for b in blobs]),
            np.log([b.area for b in blobs]),
            np.array([b.weight for b in blobs]),
            {name: np.flatnonzero(shapes == name) for name in _AREA_SIGMA if (shapes == name).any()},
        )


_AREA_SIGMA = {"round": 0.05, "square": 0.05, "wedge": 0.06, "cluster": 0.35}
_ROUNDNESS_SIGMA = 0.03
_PRIOR_SIGMA = np.array([0.6, 0.6, 0.25])
"""Tilt about either axis (radians) and log focal length: loose, for boards with few tiles to go by."""


def _planes(parameters: Floats, center_px: Floats, side_px: float) -> Floats:
    """Homographies (k, 3, 3) from photo px to the planes that cameras see, each with two tilts and a focal length."""
    tilt = np.concatenate([parameters[:, :2], np.zeros((len(parameters), 1))], 1)
    focal = side_px * FOCAL_PRIOR * np.exp(parameters[:, 2])
    to_ray = np.zeros((len(parameters), 3, 3))
    to_ray[:, 0, 0] = to_ray[:, 1, 1] = 1 / focal
    to_ray[:, 0, 2], to_ray[:, 1, 2] = -center_px[0] / focal, -center_px[1] / focal
    to_ray[:, 2, 2] = 1
    return np.stack([cv2.Rodrigues(t)[0] for t in tilt]) @ to_ray


def _jacobians(homographies: Floats, points: Floats) -> Floats:
    """Derivatives (k, n, 2, 2) of k maps at points (n, 2)."""
    q = np.concatenate([points, np.ones((len(points), 1))], 1) @ homographies.transpose(0, 2, 1)
    w = q[..., 2][..., None, None]
    top = homographies[:, None, :2, :2] * w - q[..., :2, None] * homographies[:, None, 2:, :2]
    return np.asarray(top / w**2)


def _residuals(parameters: Floats, seen: _Seen, center_px: Floats, side_px: float) -> Floats:
    """Residuals (k, m) of k sets of parameters (k, 3)."""
    j = _jacobians(_planes(parameters, center_px, side_px), seen.centers)
    area = np.log(np.abs(j[..., 0, 0] * j[..., 1, 1] - j[..., 0, 1] * j[..., 1, 0])) + seen.log_areas
    out = [parameters / _PRIOR_SIGMA]
    for name, here in seen.by_shape.items():
        weight = seen.weights[here]
        level = _high_medians(area[:, here], weight)
        out.append(_robust((area[:, here] - level[:, None]) / _AREA_SIGMA[name]) * weight)
        if name in ("round", "square"):
            c = j[:, here] @ seen.covariances[here] @ j[:, here].transpose(0, 1, 3, 2)
            trace = c[..., 0, 0] + c[..., 1, 1]
            out.append(_robust((c[..., 0, 0] - c[..., 1, 1]) / trace / _ROUNDNESS_SIGMA) * weight)
            out.append(_robust(2 * c[..., 0, 1] / trace / _ROUNDNESS_SIGMA) * weight)
    return np.concatenate(out, 1)


def _high_medians(values: Floats, weight: Floats) -> Floats:
    """Weighted 60 % quantiles of each row (k, n): a covered tile shows less than its area, never more."""
    order = np.argsort(values, axis=1)
    total = np.cumsum(weight[order], axis=1)
    at = (total < 0.6 * total[:, -1:]).sum(1)
    return np.asarray(np.take_along_axis(values, np.take_along_axis(order, at[:, None], 1), 1)[:, 0])


def _robust(r: Floats) -> Floats:
    """Residuals grow like a root beyond one sigma: a half-covered tile must not bend the plane."""
    return np.asarray(np.sign(r) * (np.sqrt(1 + 2 * np.abs(r)) - 1))


def fit_plane(blobs: Sequence[Blob], size_px: tuple[int, int]) -> Plane:
    """Find the plane of the tiles' faces on a photo of `size_px` (width, height).

    Scale: the median round tile is `ROUND_MM` across, else the generic areas decide. The photo's x axis stays the
    plane's x axis. With no blob at all the map is a plain scale of 1 mm to 4 px.
    """
    if not blobs:
        return Plane(np.diag([0.25, 0.25, 1.0]), 1000.0)
    seen, center, side = _Seen.of(blobs), np.array(size_px) / 2.0, float(max(size_px))
    turns = np.arange(4) * np.pi / 2
    starts = np.concatenate([np.zeros((1, 3)), 0.35 * np.stack([np.cos(turns), np.sin(turns), 0 * turns], 1)])
    best = _minimise(starts, seen, center, side)
    return _to_scale(_planes(best[None], center, side)[0], blobs)


_STEADY = 1e-4
"""Steps in tilt (radians) and log focal length below which a plane is found: 0.02 mm over a board."""


def _minimise(p: Floats, seen: _Seen, center: Floats, side: float) -> Floats:
    """Levenberg-Marquardt from starts (k, 3) side by side, with differences for the Jacobian; the best end (3,)."""
    k, step = len(p), 1e-4
    damping = np.full(k, 1e-2)
    shifts = np.concatenate([np.zeros((1, 3)), step * np.eye(3)])
    for _ in range(12):
        all_r = _residuals((p[:, None] + shifts).reshape(-1, 3), seen, center, side).reshape(k, 4, -1)
        r, jac = all_r[:, 0], (all_r[:, 1:] - all_r[:, :1]) / step
        lhs = jac @ jac.transpose(0, 2, 1) + damping[:, None, None] * np.eye(3)
        delta = -np.linalg.solve(lhs, jac @ r[..., None])[..., 0]
        tried = p + np.clip(delta, -0.2, 0.2)
        cost, before = (_residuals(tried, seen, center, side) ** 2).sum(1), (r**2).sum(1)
        better = cost < before
        better &= np.hypot(tried[:, 0], tried[:, 1]) < 1.0
        p = np.where(better[:, None], tried, p)
        damping = np.where(better, damping * 0.3, damping * 10)
        if np.abs(delta[np.minimum(cost, before).argmin()]).max() < _STEADY:
            break
    return np.asarray(p[(_residuals(p, seen, center, side) ** 2).sum(1).argmin()])


def _to_scale(homography: Floats, blobs: Sequence[Blob]) -> Plane:
    j = _jacobians(homography[None], np.stack([b.center for b in blobs]))[0]
    area = np.abs(np.linalg.det(j)) * np.array([b.area for b in blobs])
    rounds = [i for i, b in enumerate(blobs) if b.shape == "round"] or list(range(len(blobs)))
    ratios = np.log([area[i] / GENERIC_AREA_MM2[blobs[i].shape] for i in rounds])
    weights = np.array([blobs[i].weight for i in rounds])
    scale = float(np.exp(-0.5 * _high_medians(ratios[None], weights)[0]))
    # The rays of the turned camera have height 1 over the plane, so the scale is the camera's height in mm.
    return Plane(np.diag([scale, scale, 1.0]) @ homography, scale)

"""The fast camera: a true pinhole over the board and, behind it, a little radial lens distortion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FULL_FRAME_WIDTH_MM = 36.0
"""Width of the film that "28 mm equivalent" refers to."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes board-frame mm (x right, y down, z up from the board's top) to pixels of a picture of `size` (W, H).

    `projection` (3, 4) is the pinhole; pixel centres lie at .5. The lens then moves a point at distance r from the
    middle of the picture (in half diagonals) outwards by the factor 1 + k1 r^2.
    """

    projection: Array
    size: tuple[int, int]
    k1: float = 0.0

    def project(self, points: Array) -> Array:
        """Return the pixels (n, 2) of points (n, 3), the lens included."""
        return self.distort(self.pinhole(points))

    def pinhole(self, points: Array) -> Array:
        """Return the pixels (n, 2) of points (n, 3) as a perfect lens would show them."""
        rays = points @ self.projection[:, :3].T + self.projection[:, 3]
        pixels: Array = rays[:, :2] / rays[:, 2:]
        return pixels

    def distort(self, pixels: Array) -> Array:
        """Return where the lens puts the pinhole pixels (n, 2)."""
        if self.k1 == 0.0:
            return pixels
        middle = np.asarray(self.size, np.float64) / 2
        arm = pixels - middle
        r2 = (arm**2).sum(axis=1, keepdims=True) / (middle**2).sum()
        moved: Array = middle + arm * (1 + self.k1 * r2)
        return moved

    def plane(self, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Array:
        """Return the homography (3, 3) from (x, y) mm on the plane z = a x + b y + c to pinhole pixels."""
        p = self.projection
        homography: Array = np.column_stack([p[:, 0] + a * p[:, 2], p[:, 1] + b * p[:, 2], p[:, 3] + c * p[:, 2]])
        return homography

    def zoomed(self, factor: float) -> Camera:
        """Return the same pinhole without its lens, shrunk about the middle of the picture by `factor`."""
        w, h = self.size
        shrink = np.array([[factor, 0, w / 2 * (1 - factor)], [0, factor, h / 2 * (1 - factor)], [0, 0, 1.0]])
        return Camera(shrink @ self.projection, self.size)

    @property
    def position(self) -> Array:
        """Return the camera's place (3,) in mm, z up from the board."""
        place = -np.linalg.solve(self.projection[:, :3], self.projection[:, 3])
        return np.asarray(place, np.float64)


def aim(
    points: Array,
    *,
    size: tuple[int, int],
    equivalent_mm: float,
    tilt_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    fill: float,
    shift: tuple[float, float] = (0.0, 0.0),
    k1: float = 0.0,
) -> Camera:
    """Return a camera that shows the points (n, 3) mm.

    The camera stands `tilt_deg` off the vertical towards `azimuth_deg` and is rolled by `roll_deg`. The points fill the
    share `fill` of the frame in the tighter direction; their middle lies `shift` (shares of the frame) off its middle.
    """
    tilt, azimuth, roll = (math.radians(v) for v in (tilt_deg, azimuth_deg, roll_deg))
    back = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), math.cos(tilt)])
    side = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    down = np.cross(side, back)
    if down @ np.array([math.cos(azimuth), math.sin(azimuth), 0.0]) < 0:
        down = -down
    # x right, y down, z ahead; seen from above the board frame (y down, z up) is left-handed, so is this rotation
    right = np.array([down[1], -down[0], 0.0]) / max(1e-9, math.hypot(down[0], down[1]))
    turned = [math.cos(roll) * right + math.sin(roll) * down, -math.sin(roll) * right + math.cos(roll) * down, -back]
    rotation = np.array(turned)
    focal_px = equivalent_mm / FULL_FRAME_WIDTH_MM * max(size)
    target: Array = np.asarray(points.mean(axis=0), np.float64)
    distance = 600.0
    frame = np.asarray(size, np.float64)
    pixels: Array = np.zeros((1, 2))
    for _ in range(6):
        translation = np.array([0, 0, distance]) - rotation @ target
        camera = Camera(_matrix(rotation, translation, focal_px=focal_px, middle=frame / 2), size)
        pixels = camera.pinhole(points)
        span = float((np.ptp(pixels, axis=0) / frame).max())
        distance *= span / fill
        middle = (pixels.max(axis=0) + pixels.min(axis=0)) / 2
        target = target + rotation[:2].T @ ((middle - frame / 2) * distance / focal_px)
    wanted = frame / 2 + np.asarray(shift) * frame
    middle = (pixels.max(axis=0) + pixels.min(axis=0)) / 2
    # a shift of the picture against the lens axis: what cropping a photo does
    translation = np.array([0, 0, distance]) - rotation @ target
    crop = frame / 2 + (wanted - middle) * 1.0
    return Camera(_matrix(rotation, translation, focal_px=focal_px, middle=crop), size, k1)


def _matrix(rotation: Array, translation: Array, *, focal_px: float, middle: Array) -> Array:
    inner = np.array([[focal_px, 0, middle[0]], [0, focal_px, middle[1]], [0, 0, 1.0]])
    matrix: Array = inner @ np.column_stack([rotation, translation])
    return matrix

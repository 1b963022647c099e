"""The path tracer's camera: a pinhole whose very matrix also makes the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from datasets.synth.render.mesh import UNIT_MM

Array = npt.NDArray[np.float64]

FULL_FRAME_DIAGONAL_MM = 43.267
"""Diagonal of 36 x 24 mm: what "26 mm equivalent" refers to."""


@dataclass(frozen=True, slots=True)
class Pinhole:
    """`rotation` (3, 3) and `translation` (3,) take board-frame mm (z up) to the camera: x right, y down, z ahead."""

    rotation: Array
    translation: Array
    focal_px: float
    size: tuple[int, int]

    @property
    def projection(self) -> Array:
        """Return the 3x4 matrix from board-frame mm (x, y, z up, 1) to pixels; pixel centres lie at .5."""
        inner = np.array(
            [[self.focal_px, 0, self.size[0] / 2], [0, self.focal_px, self.size[1] / 2], [0, 0, 1]], dtype=np.float64
        )
        projection: Array = inner @ np.column_stack([self.rotation, self.translation])
        return projection

    @property
    def position(self) -> Array:
        """Return the camera's place (3,), mm in the board frame."""
        place: Array = -self.rotation.T @ self.translation
        return place

    def project(self, points: Array) -> Array:
        """Return pixels (n, 2) of points (n, 3)."""
        homogeneous = np.column_stack([points, np.ones(len(points))]) @ self.projection.T
        pixels: Array = homogeneous[:, :2] / homogeneous[:, 2:]
        return pixels

    def scene_matrix(self) -> Array:
        """Return the 4x4 camera-to-world matrix in scene units; there a camera looks along -z with y up."""
        flip = np.diag([1.0, -1.0, 1.0])  # the board frame has y down
        matrix = np.eye(4)
        matrix[:3, :3] = flip @ self.rotation.T @ np.diag([1.0, -1.0, -1.0])
        matrix[:3, 3] = flip @ self.position / UNIT_MM
        return matrix


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
) -> Pinhole:
    """Return a camera that sees `points` (n, 3), filling `fill` of the frame's tighter side.

    `tilt_deg` is the angle between the line of sight and the board's normal, `azimuth_deg` the side it is seen from,
    `roll_deg` the turn of the picture. `shift` moves the view off the centre, as a share of the frame.
    """
    focal = equivalent_mm / FULL_FRAME_DIAGONAL_MM * float(np.hypot(*size))
    rotation = _rotation(tilt_deg, azimuth_deg, roll_deg)
    target = points.mean(axis=0)
    distance = 1000.0
    for _ in range(12):  # converges to 0.1 px in six rounds
        camera = Pinhole(rotation, np.array([0.0, 0.0, distance]) - rotation @ target, focal, size)
        pixels = camera.project(points)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        wanted = np.array(size) * (np.array([0.5, 0.5]) + np.array(shift))
        offset = (low + high) / 2 - wanted
        target = target + rotation.T @ np.array([*(offset * distance / focal), 0.0])
        distance *= float(np.max((high - low) / np.array(size))) / fill
    return Pinhole(rotation, np.array([0.0, 0.0, distance]) - rotation @ target, focal, size)


def _rotation(tilt_deg: float, azimuth_deg: float, roll_deg: float) -> Array:
    """Return board frame to camera. Straight above: x to x, y to y, z up to z back.

    The board frame is left-handed with z up (x right, y down), so this has determinant -1.
    """
    above = np.diag([1.0, 1.0, -1.0])
    return _about_z(roll_deg) @ _about_x(tilt_deg) @ _about_z(azimuth_deg) @ above


def _about_z(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _about_x(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])

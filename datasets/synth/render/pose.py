"""Where each tile's cardboard lies in space, and the outline of its top face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from datasets.synth.render.lean import Plane
from datasets.synth.scene import Face, PlacedTile

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """A rigid motion (4x4, mm, z up) from a tile's own frame, where it stands on z = 0, to the board frame."""

    matrix: Array

    def apply(self, points: Array) -> Array:
        """Return points (n, 3) in the board frame."""
        moved: Array = points @ self.matrix[:3, :3].T + self.matrix[:3, 3]
        return moved


def turned(angle_deg: float) -> Array:
    """Return the 2x2 rotation, clockwise as seen with y down."""
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[c, -s], [s, c]])


def flat_footprint(tile: PlacedTile, face: Face) -> Array:
    """Return the outline (n, 2) of a tile lying flat, in the board frame."""
    footprint: Array = face.outline @ turned(tile.angle_deg).T + np.array(tile.center_mm)
    return footprint


def pose_of(tile: PlacedTile, plane: Plane, *, thickness_mm: float) -> Pose:
    """Return the pose that leans a tile onto its plane, the middle of its top face staying over `center_mm`."""
    nx, ny, nz = plane.normal
    lean = np.array(
        [
            [1 - nx * nx / (1 + nz), -nx * ny / (1 + nz), nx],
            [-nx * ny / (1 + nz), 1 - ny * ny / (1 + nz), ny],
            [-nx, -ny, nz],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = lean
    matrix[:3, :2] = lean[:, :2] @ turned(tile.angle_deg)
    foot = np.array(tile.center_mm) - plane.normal[:2] * thickness_mm
    matrix[:3, 3] = [*foot, float(plane.at(foot[None])[0])]
    return Pose(matrix)


def top_outline(face: Face, pose: Pose, *, height_mm: float) -> Array:
    """Return the outline (n, 3) of the top face in space; its x and y are the exact footprint of the leaning tile."""
    return pose.apply(np.column_stack([face.outline, np.full(len(face.outline), height_mm)]))

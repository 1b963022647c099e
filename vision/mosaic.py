"""What all crops of a photo say together, on one raster of the plane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX, TileLook, projected

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels on the plane: the mm (2,) at their corner `low`, how many go on a mm, and their number (width, height)."""

    low: Floats
    px_per_mm: float
    size: tuple[int, int]

    @property
    def from_plane(self) -> Floats:
        """Map (3, 3) from plane mm to raster px."""
        s = self.px_per_mm
        return np.array([[s, 0, -self.low[0] * s], [0, s, -self.low[1] * s], [0, 0, 1]])


def mosaic(looks: Sequence[TileLook], mask: int, raster: Raster) -> tuple[Floats32, Floats32]:
    """Mean of one mask of all crops on the raster (height, width), and its weight: a crop counts most in its middle."""
    total = np.zeros(raster.size[::-1], np.float32)
    weight = np.zeros_like(total)
    axis = np.minimum(np.arange(CROP_PX) + 0.5, CROP_PX - np.arange(CROP_PX) - 0.5) / (CROP_PX / 2)
    window = np.minimum.outer(axis, axis).astype(np.float32).clip(0, 1) ** 2
    for look, spot, here in _spots(looks, raster):
        size = (total[spot].shape[1], total[spot].shape[0])
        total[spot] += cv2.warpPerspective(look.masks[mask] * window, here, size)
        weight[spot] += cv2.warpPerspective(window, here, size)
    return np.asarray(total / np.maximum(weight, 1e-6), np.float32), weight


def highest(looks: Sequence[TileLook], mask: int, raster: Raster) -> Floats32:
    """Highest value of one mask of all crops on the raster (height, width); 0 where no crop reaches."""
    top = np.zeros(raster.size[::-1], np.float32)
    for look, spot, here in _spots(looks, raster):
        size = (top[spot].shape[1], top[spot].shape[0])
        top[spot] = np.maximum(top[spot], cv2.warpPerspective(look.masks[mask], here, size))
    return top


def _spots(looks: Sequence[TileLook], raster: Raster) -> Iterator[tuple[TileLook, Window, Floats]]:
    """Each look that lies on the raster, its place there, and the map (3, 3) from its crop's px to that place's."""
    corners = np.array([[0.0, 0.0], [CROP_PX, 0.0], [CROP_PX, CROP_PX], [0.0, CROP_PX]])
    for look in looks:
        from_crop = raster.from_plane @ np.linalg.inv(look.to_crop)
        reach = projected(corners, from_crop)
        x0, y0 = np.clip(np.floor(reach.min(0)), 0, raster.size).astype(int)
        x1, y1 = np.clip(np.ceil(reach.max(0)), 0, raster.size).astype(int)
        if x1 > x0 and y1 > y0:
            yield look, (slice(y0, y1), slice(x0, x1)), np.array([[1.0, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ from_crop

"""Antialiased masks of polygons in a region of the picture, without the half pixel cv2 adds to what it fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.float32]  # (h, w), 0..1

FINE = 4
"""Samples a pixel across and down."""

SUB_BITS = 4
"""Fixed-point bits of cv2's polygon corners."""


@dataclass(frozen=True, slots=True)
class Box:
    """A region of the picture, px: left, top included, right, bottom excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Say whether nothing of the picture lies in it."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def shape(self) -> tuple[int, int]:
        """Return (height, width)."""
        return self.bottom - self.top, self.right - self.left

    @property
    def window(self) -> tuple[slice, slice]:
        """Return the slices of a full picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def box_of(points: Array, *, size: tuple[int, int], margin: float = 2.0) -> Box:
    """Return the region around points (n, 2) px, clipped to a picture of `size` (W, H)."""
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    left, top = max(0, int(np.floor(low[0]))), max(0, int(np.floor(low[1])))
    return Box(left, top, min(size[0], int(np.ceil(high[0]))), min(size[1], int(np.ceil(high[1]))))


def mask_of(polygons: Sequence[Array], box: Box, *, fine: int = FINE) -> Mask:
    """Return how much of each pixel of `box` lies in the union of polygons (n, 2) px."""
    h, w = box.shape
    raw = np.zeros((h * fine, w * fine), np.uint8)
    for polygon in polygons:
        # cv2 fills every sample its outline crosses: half a sample too far on each side, taken back below
        corners = np.round(((polygon - (box.left, box.top)) * fine - 0.5) * (1 << SUB_BITS)).astype(np.int32)
        cv2.fillPoly(raw, [corners], 255, shift=SUB_BITS)
    small = cv2.resize(raw, (w, h), interpolation=cv2.INTER_AREA) if fine > 1 else raw
    mask: Mask = small.astype(np.float32) * np.float32(1 / 255)
    return mask


def blend(canvas: npt.NDArray[np.uint8], box: Box, paint: npt.NDArray[np.uint8], mask: Mask) -> None:
    """Lay `paint` (h, w, 3) over the box of the canvas with the weight of the mask."""
    window = canvas[box.window]
    canvas[box.window] = cv2.blendLinear(paint, window, mask, 1 - mask)


def shade(canvas: npt.NDArray[np.uint8], box: Box, mask: Mask, *, rgb: tuple[float, float, float] = (0, 0, 0)) -> None:
    """Darken the box of the canvas towards `rgb` with the weight of the mask."""
    h, w = box.shape
    blend(canvas, box, _plain(canvas.shape[0], canvas.shape[1], rgb)[:h, :w], mask)


@lru_cache(maxsize=16)
def _plain(height: int, width: int, rgb: tuple[float, float, float]) -> npt.NDArray[np.uint8]:
    return np.full((height, width, 3), rgb, np.uint8)

"""Grey fields in 0..1 from which every surface is made: cloud noise, cells, stripes, swirls.

Each returns a float32 array (h, w). Sizes are in pixels; randomness is passed in.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.floating[Any]]


def value_noise(shape: tuple[int, int], *, cell_px: float, rng: np.random.Generator) -> Field:
    """Smooth noise whose bumps are about `cell_px` wide, spread over 0..1."""
    h, w = shape
    cell = max(cell_px, 1.0)
    grid = rng.random((int(h / cell) + 4, int(w / cell) + 4)).astype(np.float32)
    big = cv2.resize(grid, None, fx=cell, fy=cell, interpolation=cv2.INTER_CUBIC)
    top, left = (int(v) for v in rng.integers(0, max(int(cell), 1), 2))
    return np.clip(np.asarray(big[top : top + h, left : left + w], np.float32), 0, 1)


def fbm(shape: tuple[int, int], *, cell_px: float, rng: np.random.Generator, octaves: int = 3) -> Field:
    """Cloud noise: octaves of value noise, each half as wide and half as strong, stretched to 0..1."""
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        if octave and cell_px / 2**octave < 1.2:
            break
        total += value_noise(shape, cell_px=cell_px / 2**octave, rng=rng) * np.float32(0.5**octave)
    lo, hi = float(total.min()), float(total.max())
    return np.asarray((total - lo) / max(hi - lo, 1e-6), np.float32)


def ridges(shape: tuple[int, int], *, cell_px: float, rng: np.random.Generator) -> Field:
    """Branching veins: 1 on the level line of a cloud, falling off to 0 beside it."""
    return np.asarray(1 - np.clip(np.abs(fbm(shape, cell_px=cell_px, rng=rng) - 0.5) * 6, 0, 1), np.float32)


def cells(shape: tuple[int, int], *, cell_px: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """A Voronoi mosaic: (a random grey per cell, distance to the cell's seed over `cell_px`)."""
    h, w = shape
    ink = np.full((h, w), 255, np.uint8)
    count = max(4, int(h * w / max(cell_px, 2.0) ** 2))
    ink[rng.integers(0, h, count), rng.integers(0, w, count)] = 0
    distance, labels = cv2.distanceTransformWithLabels(ink, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    greys = rng.random(int(labels.max()) + 1).astype(np.float32)
    return greys[labels], np.clip(np.asarray(distance, np.float32) / np.float32(cell_px), 0, 1)


def stripes(x: Field, y: Field, *, angle_deg: float, period: float, warp: Field | None = None) -> Field:
    """Sine stripes across coordinates `x`, `y`; `warp` (in periods) bends them."""
    a = np.deg2rad(angle_deg)
    phase = (x * np.cos(a) + y * np.sin(a)) / period
    if warp is not None:
        phase = phase + warp
    return np.asarray(0.5 + 0.5 * np.sin(2 * np.pi * phase), np.float32)


def swirl(x: Field, y: Field, *, pitch: float, arms: int = 1, turn: float = 0.0, warp: Field | None = None) -> Field:
    """A spiral about the origin with `arms` arms, `pitch` apart."""
    phase = np.hypot(x, y) / pitch + arms * np.arctan2(y, x) / (2 * np.pi) + turn
    if warp is not None:
        phase = phase + warp
    return np.asarray(0.5 + 0.5 * np.sin(2 * np.pi * phase), np.float32)


def step(values: Field, edge: float | Field, *, soft: float = 0.05) -> Field:
    """0 below `edge`, 1 above, a ramp `soft` wide to either side."""
    return np.asarray(np.clip((values - edge) / (2 * soft) + 0.5, 0, 1), np.float32)

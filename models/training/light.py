"""Pictures in other light, for training."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


def relit(image: Pixels, rng: np.random.Generator) -> Pixels:
    """The picture (h, w, 3) under other gains and gamma, sometimes blurred or noisy."""
    x = np.arange(256) / 255.0
    gamma, gain = math.exp(rng.normal(0, 0.18)), math.exp(rng.normal(0, 0.15))
    table = np.stack([np.clip(255 * gain * math.exp(rng.normal(0, 0.07)) * x**gamma, 0, 255) for _ in range(3)], -1)
    out = cv2.LUT(image, table[None].astype(np.uint8))
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.3:
        out = np.clip(out + rng.normal(0, rng.uniform(1, 8), out.shape), 0, 255).astype(np.uint8)
    return out

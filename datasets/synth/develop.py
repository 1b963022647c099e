"""What light, lens and phone do to a picture: gradients, glare, colour, distortion, blur, noise."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth.camera import Camera

Image = npt.NDArray[np.uint8]

METERED_GRAY = 112.0
"""What a phone's exposure aims at, more or less."""

MIDDLE_GRAY = (38.0, 165.0)
"""A phone's exposure keeps the mean of the middle of the picture within these levels."""

NOISE_SIGMA = 30.0
"""Standard deviation of the kept noise; a photo takes a share of it."""


def light_up(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture under uneven, coloured light, with glare on some."""
    h, w = image.shape[:2]
    field = _light(rng)
    seen = float(image[h // 4 : -h // 4 : 16, w // 4 : -w // 4 : 16].mean())
    field *= np.float32((METERED_GRAY / max(12.0, seen)) ** rng.uniform(0.1, 0.8))
    middle = seen * float(field[6:-6, 8:-8].mean())
    field *= np.float32(np.clip(middle, *MIDDLE_GRAY) / max(1.0, middle))
    level = cv2.resize(field, (w, h), interpolation=cv2.INTER_LINEAR)
    lit: Image = cv2.multiply(image, level, dtype=cv2.CV_8U)
    if rng.random() < 0.4:
        glare = np.clip(_glare(rng), 0, 255).astype(np.uint8)
        lit = cv2.add(lit, cv2.resize(glare, (w, h), interpolation=cv2.INTER_CUBIC))
    return lit


def _grid() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    y, x = np.mgrid[0:24, 0:32].astype(np.float32)
    return (x - 15.5) / 16, (y - 11.5) / 16


def _light(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    x, y = _grid()
    turn = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0, 0.45) ** 1.3
    level = 1 + slope * (x * np.cos(turn) + y * np.sin(turn))
    if rng.random() < 0.35:  # a lamp near the table
        cx, cy, r = rng.uniform(-1, 1), rng.uniform(-0.7, 0.7), rng.uniform(0.5, 1.4)
        level = level + rng.uniform(0.1, 0.7) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r))
    level = level * (1 - rng.uniform(0, 0.25) * (x * x + y * y))
    gain = float(np.exp(rng.normal(-0.08, 0.28)))
    if rng.random() < 0.15:
        gain *= float(rng.uniform(0.35, 0.7))
    warm = rng.normal(0, 0.09)
    tint = np.array([1 + warm, 1 + rng.normal(0, 0.025), 1 - warm]) * gain
    other = 1 + rng.normal(0, 0.05, 3) * (x * np.sin(turn) - y * np.cos(turn))[:, :, None]
    field: npt.NDArray[np.float32] = (np.maximum(level, 0.15)[:, :, None] * tint * other).astype(np.float32)
    return np.clip(field, 0.08, 2.2)


def _glare(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    x, y = _grid()
    total = np.zeros((24, 32, 3), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = rng.uniform(-1, 1), rng.uniform(-0.75, 0.75)
        turn, long, wide = rng.uniform(0, np.pi), rng.uniform(0.08, 0.6), rng.uniform(0.05, 0.3)
        u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
        v = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
        blob = np.exp(-((u / long) ** 2 + (v / wide) ** 2)) * rng.uniform(15, 130)
        total += blob[:, :, None] * np.array([1, rng.uniform(0.9, 1), rng.uniform(0.75, 1)], np.float32)
    return total


def through_lens(image: Image, camera: Camera, *, zoom: float) -> Image:
    """Return the picture as the lens bends it; the pinhole picture was shrunk by `zoom` to have enough around."""
    if camera.k1 == 0.0:
        return image
    w, h = camera.size
    half = float(np.hypot(w, h)) / 2
    k = camera.k1
    center = (w / 2 - 0.5, h / 2 - 0.5)
    seen = np.array([[half, 0, center[0]], [0, half, center[1]], [0, 0, 1.0]])
    source = np.array([[half * zoom, 0, center[0]], [0, half * zoom, center[1]], [0, 0, 1.0]])
    inverse = np.array([-k, 3 * k * k, 0.0, 0.0, -12 * k**3])  # the series of r = s (1 + k s^2) solved for s
    one, two = cv2.initUndistortRectifyMap(source, inverse, np.eye(3), seen, (w, h), cv2.CV_16SC2)
    bent: Image = cv2.remap(image, one, two, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return bent


def zoom_for(k1: float) -> float:
    """Return how far a pinhole picture must be shrunk so that the lens finds something at its corners."""
    if k1 >= 0.0:
        return 1.0
    r = 1.0
    for _ in range(20):
        r = 1.0 / (1 + k1 * r * r)
    return 1.0 / (r * 1.002)


def blur(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture a little out of focus, or shaken."""
    chance = rng.random()
    if chance < 0.12:
        length = float(rng.uniform(1.5, 6.0))
        side = int(np.ceil(length)) | 1
        kernel = np.zeros((side + 2, side + 2), np.float32)
        mid = (side + 2) / 2 - 0.5
        way = rng.uniform(0, np.pi)
        step = np.array([np.cos(way), np.sin(way)]) * length / 2
        ends = [np.round((np.array([mid, mid]) + s * step) * 16).astype(int) for s in (-1, 1)]
        cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_AA, 4)
        return np.asarray(cv2.filter2D(image, -1, kernel / max(1e-6, float(kernel.sum()))))
    if chance < 0.75:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.gamma(2.0, 0.3)) + 0.25))
    if chance < 0.85:  # sharpened by the phone
        soft = cv2.GaussianBlur(image, (0, 0), 1.0)
        amount = float(rng.uniform(0.2, 1.0))
        return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0))
    return image


@lru_cache(maxsize=2)
def _noise(kind: int) -> Image:
    rng = np.random.default_rng(kind + 5)
    raw = rng.standard_normal((1400, 1800, 3), dtype=np.float32)
    if kind == 1:  # denoised by the phone: coarser, mostly gray
        raw = cv2.GaussianBlur(raw, (0, 0), 0.9)
        raw = 0.7 * raw.mean(axis=2, keepdims=True) * 1.7 + 0.3 * raw
        raw /= raw.std()
    return np.clip(raw * NOISE_SIGMA + 128, 0, 255).astype(np.uint8)


def add_noise(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture with sensor noise of 0.5 to about 8 gray levels."""
    sigma = float(rng.gamma(1.5, 1.6)) + 0.4
    pool = _noise(int(rng.integers(2)))
    h, w = image.shape[:2]
    if h > pool.shape[0] or w > pool.shape[1]:
        pool = cv2.resize(pool, (max(w, pool.shape[1]), max(h, pool.shape[0])), interpolation=cv2.INTER_NEAREST)
    top, left = (int(rng.integers(0, pool.shape[i] - n + 1)) for i, n in enumerate((h, w)))
    share = sigma / NOISE_SIGMA
    return np.asarray(cv2.addWeighted(image, 1.0, pool[top : top + h, left : left + w], share, -128 * share))


def tone(image: Image, rng: np.random.Generator) -> Image:
    """Return the picture with another saturation, contrast and gamma."""
    grey = np.full((3, 3), 1 / 3, np.float32) * np.array([0.9, 1.2, 0.9], np.float32)
    saturation = float(np.clip(rng.normal(1.0, 0.18), 0.4, 1.5))
    matrix = saturation * np.eye(3, dtype=np.float32) + (1 - saturation) * grey
    mixed = cv2.transform(image, matrix) if abs(saturation - 1) > 0.05 else image
    t = np.linspace(0, 1, 256)
    curve = t ** float(np.exp(rng.normal(0, 0.2)))
    contrast = float(rng.uniform(-0.35, 0.35))
    curve = curve + contrast * (curve - 0.5) * (1 - np.abs(2 * curve - 1))
    low, high = (float(rng.uniform(0, 0.12)), 1 - float(rng.uniform(0, 0.15))) if rng.random() < 0.35 else (0.0, 1.0)
    table = np.clip((low + (high - low) * curve) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(mixed, table))

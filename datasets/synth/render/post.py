"""What a phone does to the light after the lens: vignette, softness, noise, white balance, JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Finish:
    """`vignette` is the share of light lost in the corners, `noise` a standard deviation in grey levels at mid grey."""

    seed: int
    vignette: float
    blur_px: float
    sharpen: float
    noise: float
    cast: tuple[float, float, float]
    quality: int


def draw_finish(rng: np.random.Generator, *, dim: bool) -> Finish:
    """Draw a finish; dim scenes are noisier."""
    return Finish(
        seed=int(rng.integers(2**31)),
        vignette=float(rng.uniform(0.0, 0.22)),
        blur_px=float(rng.uniform(0.3, 0.9)),
        sharpen=float(rng.choice([0.0, rng.uniform(20, 80)])),
        noise=float(rng.uniform(0.8, 3.0) * (2.0 if dim else 1.0)),
        cast=(float(rng.uniform(0.96, 1.04)), 1.0, float(rng.uniform(0.95, 1.05))),
        quality=int(rng.integers(85, 96)),
    )


def develop(picture: Picture, finish: Finish) -> Picture:
    """Return the finished picture (h, w, 3)."""
    rng = np.random.default_rng(finish.seed)
    soft = Image.fromarray(picture).filter(ImageFilter.GaussianBlur(finish.blur_px))
    if finish.sharpen:
        soft = soft.filter(ImageFilter.UnsharpMask(radius=2.0, percent=round(finish.sharpen), threshold=1))
    values = np.asarray(soft, dtype=np.float32)
    height, width = values.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    values = values * (1.0 - finish.vignette * (x * x + y * y) / 2.0)[:, :, None] ** 0.45
    values = values * np.array(finish.cast, dtype=np.float32)
    strength = finish.noise * (0.6 + 0.8 * np.sqrt(np.clip(values, 0, 255) / 255.0))
    fine = rng.normal(0.0, 1.0, values.shape).astype(np.float32)
    grey = rng.normal(0.0, 1.0, (height, width, 1)).astype(np.float32)
    noisy: Picture = np.clip(values + strength * (0.5 * fine + 0.7 * grey) + 0.5, 0, 255).astype(np.uint8)
    return noisy


def save(picture: Picture, path: Path, finish: Finish) -> None:
    """Write the finished picture as JPEG."""
    Image.fromarray(develop(picture, finish)).save(path, quality=finish.quality, subsampling="4:2:0")

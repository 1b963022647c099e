"""Trims of faces: a printed rim of one colour along the cut, and the whole print tinted.

The painters' styles have a margin each, most of them white. A copy of the game may have any, or none: networks that are
to tell where a tile ends have to see rims of all colours and widths, touching each other and on grounds alike.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth.scene import Art, Face

Array = npt.NDArray[np.float32]
Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Trim:
    """A rim `width_mm` wide in a colour (0..255), a line in another within it, and the tint of the whole print.

    The tint is a gain of each channel, a power of the lightness, and how much of the colour is left (1: all).
    """

    width_mm: float
    colour: Rgb
    line_mm: float
    line_colour: Rgb
    gain: Rgb
    power: float
    saturation: float


def draw_trim(rng: np.random.Generator) -> Trim:
    """Draw a trim; a quarter of them have no rim."""
    gain = np.exp(rng.normal(0, 0.08, 3))
    return Trim(
        width_mm=0.0 if rng.random() < 0.25 else float(rng.uniform(0.3, 2.8)),
        colour=_colour(rng),
        line_mm=float(rng.uniform(0.2, 0.7)) if rng.random() < 0.35 else 0.0,
        line_colour=_colour(rng),
        gain=(float(gain[0]), float(gain[1]), float(gain[2])),
        power=float(np.exp(rng.normal(0, 0.25))),
        saturation=float(rng.uniform(0.5, 1.4)),
    )


def _colour(rng: np.random.Generator) -> Rgb:
    """Light in a third of the draws, dark in a quarter, else anything."""
    which = rng.random()
    if which < 0.33:
        saturation, value = rng.uniform(0, 0.15), rng.uniform(0.8, 1.0)
    elif which < 0.58:
        saturation, value = rng.uniform(0, 0.5), rng.uniform(0.05, 0.3)
    else:
        saturation, value = rng.uniform(0.1, 0.9), rng.uniform(0.2, 1.0)
    red, green, blue = colorsys.hsv_to_rgb(float(rng.random()), float(saturation), float(value))
    return 255 * red, 255 * green, 255 * blue


def trimmed(art: Art, trim: Trim) -> Art:
    """Return the art with all its faces trimmed alike."""
    return replace(art, faces={kind: tuple(_face(face, trim) for face in faces) for kind, faces in art.faces.items()})


def _face(face: Face, trim: Trim) -> Face:
    rgb = _tinted(face.rgba[..., :3].astype(np.float32), trim)
    if trim.width_mm > 0:
        inside = _depth_mm(face)
        edge = 1 / face.px_per_mm
        for depth, colour in ((trim.width_mm + trim.line_mm, trim.line_colour), (trim.width_mm, trim.colour)):
            share = np.clip((depth - inside) / edge + 0.5, 0, 1)[..., None]
            rgb += share * (np.array(colour, np.float32) - rgb)
    rgba = face.rgba.copy()
    rgba[..., :3] = np.clip(rgb, 0, 255).round()
    return replace(face, rgba=rgba)


def _tinted(rgb: Array, trim: Trim) -> Array:
    grey = rgb.mean(2, keepdims=True)
    coloured = grey + trim.saturation * (rgb - grey)
    light = 255 * (np.clip(coloured, 0, 255) / 255) ** np.float32(trim.power)
    return np.asarray(light * np.array(trim.gain, np.float32), np.float32)


def _depth_mm(face: Face) -> Array:
    """How far each pixel lies within the cut (mm); 0 outside."""
    mask = np.zeros(face.rgba.shape[:2], np.uint8)
    at = (face.outline - face.corner_mm) * face.px_per_mm - 0.5
    cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 1, shift=4)
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5) / np.float32(face.px_per_mm), np.float32)

"""Prints: the faces of a known copy as points to compare with a photo, coarse and fine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from vision.faces import FACE_MM, FACE_PX, Art, Face
from vision.outlines import Template, alike, middle
from vision.rectify import ROUND_MM

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

STEPS_MM = (3.2, 1.6)
"""Distances between the points of a print, coarse and fine."""
_BLURS_PX = (4.0, 1.4)
"""What a face's picture (256 px) is blurred by, so that its slopes point the way from half a step and more away."""
_RIM_MM = 0.8
"""The outermost part of a face mixes with the ground."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points of a print: where (n, 2) mm about the outline's centroid, colours (n, 3) 0..1, slopes (n, 3, 2) a mm."""

    where: Floats32
    colours: Floats32
    slopes: Floats32


@dataclass(frozen=True, slots=True)
class Print:
    """One face as it is compared: its outline's template, and its points, coarse and fine."""

    kind: str
    template: Template
    levels: tuple[Points, ...]


def round_mm(art: Art) -> float:
    """Diameter of the art's round tiles, as it tells its millimetres."""
    rounds = [2 * np.sqrt(Polygon(f.outline).area / np.pi) for f in art.faces if KINDS[f.kind].shape == "round"]
    return float(np.median(rounds)) if rounds else ROUND_MM


@lru_cache(maxsize=6)
def prints_of(art: Art) -> tuple[Print, ...]:
    """The prints of an art's faces, in order, at the scale at which a round tile is `rectify.ROUND_MM` across.

    Tiles of one shape share one outline, but for clusters.
    """
    scale = ROUND_MM / round_mm(art)
    outlines = [face.outline * scale for face in art.faces]
    for shape in ("round", "square", "wedge"):
        here = [i for i, face in enumerate(art.faces) if KINDS[face.kind].shape == shape]
        shared = alike(shape, [outlines[i] for i in here]) if here else []
        for i, outline in zip(here, shared, strict=True):
            outlines[i] = outline
    return tuple(_print(face, outline, scale) for face, outline in zip(art.faces, outlines, strict=True))


def _print(face: Face, outline: Floats, scale: float) -> Print:
    levels = (_points(face, scale, outline, step, blur) for step, blur in zip(STEPS_MM, _BLURS_PX, strict=True))
    return Print(face.kind, Template.of(outline), tuple(levels))


def _points(face: Face, scale: float, outline: Floats, step: float, blur: float) -> Points:
    inside = shapely.buffer(Polygon(outline), -_RIM_MM)
    axis = np.arange(-40, 40, step) + step / 2
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    grid = grid[shapely.contains_xy(inside, grid[:, 0], grid[:, 1])]
    picture = cv2.GaussianBlur(face.picture.astype(np.float32) / 255, (0, 0), blur)
    per_mm = FACE_PX / FACE_MM / scale
    slopes = (cv2.Sobel(picture, cv2.CV_32F, *way, ksize=3) / 8 * per_mm for way in ((1, 0), (0, 1)))
    at = (grid * per_mm + FACE_PX / 2 - 0.5).astype(np.float32)
    colours, across, down = (
        cv2.remap(layer, at[:, :1], at[:, 1:], cv2.INTER_LINEAR).reshape(-1, 3) for layer in (picture, *slopes)
    )
    where = (grid - middle(outline)).astype(np.float32)
    return Points(where, np.asarray(colours), np.stack([across, down], -1))

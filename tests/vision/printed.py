"""Tiles with a printed picture as a camera would see them: for tests of what compares prints with photos."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import circle, cluster, filled, look_of, points_of, rounded, wedge
from vision.crops import CROP_PX, TileLook
from vision.faces import DESCRIPTOR, FACE_MM, FACE_PX, Art, Face
from vision.outlines import placed

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Light = Callable[[Floats32], Floats32]
Shown = tuple[Face, tuple[float, float, float], float]  # face, pose (x, y in mm, turn in degrees), size

OUTLINES = {"round": circle(0, 0), "square": rounded(0, 0), "wedge": wedge(0, 0), "cluster": cluster(0, 0)}
GROUND = 0.45
OVER = np.array([0.8, 0.2, 0.1], np.float32)
"""The colour of what covers tiles."""


def texture(seed: int, *, patch_mm: float = 5.0) -> Floats32:
    """Soft coloured patches (256, 256, 3), 0..1."""
    cells = round(FACE_MM / patch_mm)
    coarse = np.random.default_rng(seed).uniform(0.1, 0.9, (cells, cells, 3)).astype(np.float32)
    return cv2.resize(coarse, (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC).clip(0, 1)


def printed(kind: str, *, seed: int, scale: float = 1.0, print_: Floats32 | None = None) -> Face:
    """A face of a kind with its outline in millimetres times `scale`, on a grey ground."""
    outline = points_of(OUTLINES[KINDS[kind].shape]) * scale
    per_mm = FACE_PX / FACE_MM
    to_px = np.array([[per_mm, 0, FACE_PX / 2 - 0.5], [0, per_mm, FACE_PX / 2 - 0.5], [0, 0, 1]])
    inside = filled([Polygon(outline)], to_px, (FACE_PX, FACE_PX))[..., None]
    picture = inside * (texture(seed) if print_ is None else print_) + (1 - inside) * GROUND
    descriptor = np.random.default_rng(seed).normal(size=DESCRIPTOR)
    unit = np.asarray(descriptor / np.linalg.norm(descriptor), np.float32)
    return Face(kind, (255 * picture).round().astype(np.uint8), outline, unit)


def art_of(*faces: Face) -> Art:
    return Art("printed", faces)


def lying(face: Face, pose: tuple[float, float, float], size: float = 1.0) -> Polygon:
    """A face's outline where its tile lies."""
    return Polygon(placed(face.outline * size, np.array([pose[0], pose[1], np.radians(pose[2])])))


def look_at(
    *shown: Shown, covered_by: Sequence[Polygon] = (), light: Light | None = None, kind: str | None = None
) -> TileLook:
    """The look at tiles drawn as one, those after over those before, under things of which a flat colour is seen."""
    outline = shapely.union_all([lying(*tile) for tile in shown])
    look = look_of(outline, covered_by=covered_by, kind=kind or shown[0][0].kind)
    return replace(look, pixels=pixels(look.to_crop, shown, covered_by, light))


def pixels(
    to_crop: Floats, shown: Sequence[Shown], covered_by: Sequence[Polygon] = (), light: Light | None = None
) -> Floats32:
    """What a crop shows, (128, 128, 3), with a little noise."""
    canvas = np.full((CROP_PX, CROP_PX, 3), GROUND, np.float32)
    for face, pose, size in shown:
        inside = filled([lying(face, pose, size)], to_crop, (CROP_PX, CROP_PX))[..., None]
        canvas = inside * _warped(face, pose, size, to_crop) + (1 - inside) * canvas
    for thing in covered_by:
        inside = filled([thing], to_crop, (CROP_PX, CROP_PX))[..., None]
        canvas = inside * OVER + (1 - inside) * canvas
    canvas = canvas if light is None else light(canvas)
    noise = np.random.default_rng(11).normal(0, 0.01, canvas.shape)
    return (canvas + noise).clip(0, 1).astype(np.float32)


def _warped(face: Face, pose: tuple[float, float, float], size: float, to_crop: Floats) -> Floats32:
    """The face's whole picture in a crop, drawn at twice its size and averaged."""
    mm = FACE_MM / FACE_PX
    to_mm = np.array([[mm, 0, -(FACE_PX / 2 - 0.5) * mm], [0, mm, -(FACE_PX / 2 - 0.5) * mm], [0, 0, 1]])
    c, s = size * np.cos(np.radians(pose[2])), size * np.sin(np.radians(pose[2]))
    to_plane = np.array([[c, -s, pose[0]], [s, c, pose[1]], [0, 0, 1]])
    finer = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    source = face.picture.astype(np.float32) / 255
    large = cv2.warpPerspective(source, finer @ to_crop @ to_plane @ to_mm, (2 * CROP_PX, 2 * CROP_PX))
    return cv2.resize(large, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)

"""All faces of an art on one sheet, to look at."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth.scene import Art, Face

Image = npt.NDArray[np.uint8]
CELL_MM, COLUMNS = 62.0, 7


def cut_out(face: Face, *, ground: tuple[int, int, int]) -> Image:
    """The face cut along its outline on a plain ground, RGB (h, w, 3)."""
    mask = np.zeros(face.rgba.shape[:2], np.uint8)
    px = (face.outline - np.asarray(face.corner_mm)) * face.px_per_mm
    cv2.fillPoly(mask, [np.round(px * 64).astype(np.int32)], 255, lineType=cv2.LINE_AA, shift=6)
    alpha = mask[..., None].astype(np.float32) / 255
    return (face.rgba[..., :3] * alpha + np.asarray(ground, np.float32) * (1 - alpha)).astype(np.uint8)


def contact_sheet(art: Art, *, ground: tuple[int, int, int] = (96, 112, 118)) -> Image:
    """Every face of `art` at its true relative size in a grid, RGB (h, w, 3)."""
    faces = [face for kind in sorted(art.faces) for face in art.faces[kind]]
    scale = faces[0].px_per_mm
    cell = int(CELL_MM * scale)
    sheet = np.full((-(-len(faces) // COLUMNS) * cell, COLUMNS * cell, 3), ground, np.uint8)
    for k, face in enumerate(faces):
        picture = cut_out(face, ground=ground)[:cell, :cell]
        h, w = picture.shape[:2]
        top, left = (k // COLUMNS) * cell + (cell - h) // 2, (k % COLUMNS) * cell + (cell - w) // 2
        sheet[top : top + h, left : left + w] = picture
    return sheet

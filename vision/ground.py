"""The board's outline and its inner ring in the plane, sharp where tiles lie near them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from vision.crops import BOARD, CROP_PX, RING, TileLook, projected
from vision.detector import Thing
from vision.rectify import Plane

Floats = npt.NDArray[np.float64]

_PX_PER_MM = 2.0


def ground_outline(
    board: Thing, looks: Sequence[TileLook], plane: Plane, *, mask: int, tile_mm: float
) -> Polygon | None:
    """Outline of the board (`mask` BOARD) or of its ring (RING) in plane mm; None where nothing of it is seen.

    The detector's rough mask says where the board is; the crops of the tiles redraw it around each tile, and alone know
    of the ring. The board lies `tile_mm` below the plane of the faces: seen from the camera over the plane's origin it
    looks that much smaller, and is scaled back.
    """
    rough = board.outline()
    if len(rough) < 3:
        return None
    rough_mm = cv2.perspectiveTransform(rough[None].astype(float), plane.to_mm)[0]
    low, high = rough_mm.min(0) - 30, rough_mm.max(0) + 30
    size = np.ceil((high - low) * _PX_PER_MM).astype(int)
    if size.max() > 4000:
        return None
    canvas = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(canvas, [np.round(((rough_mm - low) * _PX_PER_MM - 0.5) * 16).astype(np.int32)], 255, shift=4)
    total, weight = _from_crops(looks, low, size, mask)
    known, sharp = weight > 0.05, (total / np.maximum(weight, 1e-6)).astype(np.float32)
    elsewhere = canvas / 255.0 if mask == BOARD else np.minimum(_nearest(sharp, known), canvas / 255.0)
    outline = _largest(np.where(known, sharp, elsewhere))
    if outline is None:
        return None
    points = (outline / _PX_PER_MM + low) * (1 + tile_mm / plane.camera_height_mm)
    polygon = shapely.simplify(Polygon(points).buffer(0), 0.15)
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon


def _from_crops(
    looks: Sequence[TileLook], low: Floats, size: npt.NDArray[np.int_], mask: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Sum of the crops' masks and of their weights on the plane's raster; a crop counts most in its middle."""
    total = np.zeros((size[1], size[0]), np.float32)
    weight = np.zeros_like(total)
    axis = np.minimum(np.arange(CROP_PX) + 0.5, CROP_PX - np.arange(CROP_PX) - 0.5) / (CROP_PX / 2)
    window = np.minimum.outer(axis, axis).astype(np.float32).clip(0, 1) ** 2
    to_raster = np.array([[_PX_PER_MM, 0, -low[0] * _PX_PER_MM], [0, _PX_PER_MM, -low[1] * _PX_PER_MM], [0, 0, 1]])
    corners = np.array([[0.0, 0.0], [CROP_PX, 0.0], [CROP_PX, CROP_PX], [0.0, CROP_PX]])
    for look in looks:
        from_crop = to_raster @ np.linalg.inv(look.to_crop)
        spot = projected(corners, from_crop)
        x0, y0 = np.clip(np.floor(spot.min(0)), 0, size).astype(int)
        x1, y1 = np.clip(np.ceil(spot.max(0)), 0, size).astype(int)
        if x1 <= x0 or y1 <= y0:
            continue
        here = np.array([[1.0, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ from_crop
        total[y0:y1, x0:x1] += cv2.warpPerspective(look.masks[mask] * window, here, (x1 - x0, y1 - y0))
        weight[y0:y1, x0:x1] += cv2.warpPerspective(window, here, (x1 - x0, y1 - y0))
    return total, weight


def _nearest(picture: npt.NDArray[np.float32], known: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """A picture (h, w) with every pixel that is not known as the nearest known one; all 0 where none is.

    The ring runs well within the board, so that the detector's mask of the board says nothing of it.
    """
    if not known.any():
        return np.zeros_like(picture)
    unknown = (~known).astype(np.uint8)
    _, labels = cv2.distanceTransformWithLabels(unknown, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    values = np.zeros(labels.max() + 1, np.float32)
    values[labels[known]] = picture[known]
    return values[labels]


def _largest(picture: npt.NDArray[np.float64]) -> Floats | None:
    contours, _ = cv2.findContours((picture > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)[:, 0].astype(float)
    return contour + 0.5 if len(contour) > 8 else None


def board_outline(board: Thing, looks: Sequence[TileLook], plane: Plane, *, tile_mm: float) -> Polygon | None:
    """The board's outline in plane mm."""
    return ground_outline(board, looks, plane, mask=BOARD, tile_mm=tile_mm)


def ring_outline(board: Thing, looks: Sequence[TileLook], plane: Plane, *, tile_mm: float) -> Polygon | None:
    """The inner ring in plane mm."""
    return ground_outline(board, looks, plane, mask=RING, tile_mm=tile_mm)

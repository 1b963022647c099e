"""The board's outline and its inner ring in the plane."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from vision.board_edge import board_edge
from vision.crops import RING, TileLook, projected
from vision.curves import filled
from vision.detector import Thing
from vision.mosaic import Raster, mosaic
from vision.picture import Picture
from vision.rectify import Plane

Floats = npt.NDArray[np.float64]

_AROUND_MM = 30.0
"""How much of the table is looked at."""
_MOST_MM = 2000.0


def board_outline(
    picture: Picture, board: Thing, tiles: Sequence[Polygon], plane: Plane, *, tile_mm: float
) -> Polygon | None:
    """The board's outline in plane mm, drawn by `board_edge` on the photo (h, w, 3) RGB, or None if nothing is seen.

    `tiles` lie on it, in plane mm. The board lies `tile_mm` below the plane of the faces: seen from the camera over the
    plane's origin it looks that much smaller, and is scaled back.
    """
    rough_mm = _rough_mm(board, plane)
    raster = None if rough_mm is None else _raster_around(rough_mm, px_per_mm=1.0)
    if rough_mm is None or raster is None:
        return None
    rough = filled(projected(rough_mm, raster.from_plane) - 0.5, raster.size[::-1])
    places = [projected(np.asarray(tile.exterior.coords)[:-1], raster.from_plane) - 0.5 for tile in tiles]
    outline = board_edge(_on_raster(picture, plane, raster), rough, places)
    return None if outline is None else _lowered(outline / raster.px_per_mm + raster.low, plane, tile_mm)


def rough_outline(board: Thing, plane: Plane, *, tile_mm: float) -> Polygon | None:
    """The board as the detector alone sees it, in plane mm."""
    rough_mm = _rough_mm(board, plane)
    return None if rough_mm is None else _lowered(rough_mm, plane, tile_mm)


def ring_outline(board: Thing, looks: Sequence[TileLook], plane: Plane, *, tile_mm: float) -> Polygon | None:
    """The inner ring in plane mm, which the crops of the tiles alone know of; None where nothing of it is seen."""
    rough_mm = _rough_mm(board, plane)
    raster = None if rough_mm is None else _raster_around(rough_mm, px_per_mm=2.0)
    if rough_mm is None or raster is None:
        return None
    rough = filled(projected(rough_mm, raster.from_plane) - 0.5, raster.size[::-1])
    sharp, weight = mosaic(looks, RING, raster)
    known = weight > 0.05
    outline = _largest(np.where(known, sharp, np.minimum(_nearest(sharp, known), rough)))
    return None if outline is None else _lowered(outline / raster.px_per_mm + raster.low, plane, tile_mm)


def _rough_mm(board: Thing, plane: Plane) -> Floats | None:
    """The detector's outline of the board (n, 2) in plane mm; None where it has none."""
    rough = board.outline()
    return projected(rough, plane.to_mm) if len(rough) >= 3 else None


def _raster_around(rough_mm: Floats, *, px_per_mm: float) -> Raster | None:
    """A raster of the board and what lies around it; None where that is larger than any board."""
    low, high = rough_mm.min(0) - _AROUND_MM, rough_mm.max(0) + _AROUND_MM
    if (high - low).max() > _MOST_MM:
        return None
    width, height = np.ceil((high - low) * px_per_mm).astype(int)
    return Raster(low, px_per_mm, (int(width), int(height)))


def _on_raster(picture: Picture, plane: Plane, raster: Raster) -> npt.NDArray[np.uint8]:
    """The photo as the raster shows it, averaged over its pixels, whose centres lie at .5; black beyond the photo."""
    fine = Raster(raster.low, 2 * raster.px_per_mm, (2 * raster.size[0], 2 * raster.size[1]))
    centred = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    shown = picture.cut(np.asarray(centred @ fine.from_plane @ plane.to_mm), fine.size, beyond=(0, 0, 0))
    return np.asarray(cv2.resize(shown, raster.size, interpolation=cv2.INTER_AREA), np.uint8)


def _lowered(outline: Floats, plane: Plane, tile_mm: float) -> Polygon:
    """An outline (n, 2) mm, seen in the plane of the faces, where it lies on the board."""
    polygon = shapely.simplify(Polygon(outline * (1 + tile_mm / plane.camera_height_mm)).buffer(0), 0.15)
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon


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

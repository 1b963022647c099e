"""Tiles as networks that never err would draw them: ideal masks, for tests of what comes after the networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from vision.crops import CROP_MM, CROP_PX, SHAPES, TileLook
from vision.detector import INPUT_PX, MASK_STRIDE, Thing, frame
from vision.identify import KIND_IDS

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
FINE = 8
"""Masks are filled at this many times their resolution and averaged."""


def circle(x: float, y: float, radius: float = 19.0) -> Polygon:
    """A round tile."""
    return shapely.Point(x, y).buffer(radius, quad_segs=24)


def rounded(x: float, y: float, *, side: float = 35.0, corner: float = 3.0, turn_deg: float = 0.0) -> Polygon:
    """A square tile with rounded corners."""
    core = shapely.box(-side / 2 + corner, -side / 2 + corner, side / 2 - corner, side / 2 - corner)
    return posed(core.buffer(corner), x, y, turn_deg)


def wedge(x: float, y: float, *, length: float = 41.0, angle_deg: float = 62.0, turn_deg: float = 0.0) -> Polygon:
    """A wedge of cheese with its corners a little rounded."""
    t = np.radians(np.linspace(-angle_deg / 2, angle_deg / 2, 24))
    sector = Polygon([(0, 0), *zip(length * np.cos(t), length * np.sin(t), strict=True)])
    return posed(sector.buffer(-1.0).buffer(1.0), x, y, turn_deg)


def cluster(x: float, y: float, *, turn_deg: float = 0.0) -> Polygon:
    """Three grapes, one die line around them."""
    grapes = shapely.union_all([circle(-13, 4, 11), circle(1, -6, 12.5), circle(15, 3, 9.5)])
    return posed(grapes.buffer(2.5).buffer(-2.5), x, y, turn_deg)


def posed(outline: Polygon, x: float, y: float, turn_deg: float) -> Polygon:
    """An outline turned about its centroid, which is moved to (x, y)."""
    middle = outline.centroid
    turned = shapely.affinity.rotate(outline, turn_deg, origin=middle)
    return shapely.affinity.translate(turned, x - middle.x, y - middle.y)


def points_of(polygon: Polygon) -> Floats:
    """The outline (n, 2) of a polygon, not closed."""
    return shapely.get_coordinates(polygon.exterior)[:-1]


def filled(polygons: Iterable[Polygon], to_px: Floats, size: tuple[int, int]) -> Floats32:
    """How much of each pixel of a picture of `size` (W, H) lies in polygons, moved there by `to_px` (3, 3)."""
    w, h = size
    canvas = np.zeros((h * FINE, w * FINE), np.uint8)
    for part in (p for polygon in polygons for p in shapely.get_parts(polygon) if p.geom_type == "Polygon"):
        if part.area > 0:
            px = cv2.perspectiveTransform(points_of(part)[None], to_px)[0]
            cv2.fillPoly(canvas, [np.round(((px + 0.5) * FINE - 0.5) * 16).astype(np.int32)], 255, shift=4)
    return cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def thing_of(cls: str, outline_px: Polygon, photo_size: tuple[int, int], *, confidence: float = 0.9) -> Thing:
    """What the detector makes of an outline in the pixels of a photo of `photo_size` (W, H)."""
    to_input = np.vstack([frame(np.zeros(2), np.array(photo_size, float), fill=1.0), [0, 0, 1]])
    shrink, shift = 1 / MASK_STRIDE, 0.5 / MASK_STRIDE - 0.5
    to_mask = np.array([[shrink, 0, shift], [0, shrink, shift], [0, 0, 1]]) @ to_input
    mask = filled([outline_px], to_mask, (INPUT_PX[0] // MASK_STRIDE, INPUT_PX[1] // MASK_STRIDE))
    return Thing(cls, confidence, np.array(outline_px.bounds, np.float32), mask, to_mask)


def look_of(
    outline: Polygon,
    *,
    covered_by: Sequence[Polygon] = (),
    board: Polygon | None = None,
    ring: Polygon | None = None,
    beside: Sequence[Polygon] = (),
    kind: str = "swiss",
) -> TileLook:
    """What the tile network makes of a tile whose full outline lies in plane mm, under others and beside others."""
    seen = shapely.difference(outline, shapely.union_all(list(covered_by))) if covered_by else outline
    scale, middle = CROP_PX / CROP_MM, seen.centroid
    to_crop = np.array(
        [[scale, 0, CROP_PX / 2 - scale * middle.x], [0, scale, CROP_PX / 2 - scale * middle.y], [0, 0, 1]]
    )
    everywhere = outline.buffer(2 * CROP_MM)
    drawn = ([outline], [seen], [board or everywhere], [ring or everywhere], [outline, *covered_by, *beside])
    masks = np.stack([filled(polygons, to_crop, (CROP_PX, CROP_PX)) for polygons in drawn])
    kinds = np.full(len(KIND_IDS), 1e-4, np.float32)
    kinds[KIND_IDS.index(kind)] = 0.997
    shapes = np.full(len(SHAPES), 1e-4, np.float32)
    shapes[SHAPES.index(KINDS[kind].shape)] = 0.999
    thing = thing_of(KINDS[kind].shape, circle(100, 100), (400, 300))
    return TileLook(thing, to_crop, masks, np.zeros(96, np.float32), kinds, shapes)


def iou(a: Polygon, b: Polygon) -> float:
    """Common area over the area of both."""
    return float(a.intersection(b).area / a.union(b).area)

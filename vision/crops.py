"""Crops of single tiles, upright in the plane of the faces, and what the tile network says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.curves import grown
from vision.detector import Thing, sigmoid
from vision.picture import Picture

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

CROP_PX = 128
CROP_MM = 72.0
"""Side of a crop in the plane: the longest cluster with some ground around it; a pixel is about half a millimetre."""
HINT_BOX = 128
"""What the inside of the detector's box is in the fourth channel, of 255."""
SHAPES = ("wedge", "cluster", "round", "square", "none")
FULL, SEEN, BOARD, RING, TILES = range(5)


@dataclass(frozen=True, slots=True)
class TileLook:
    """What the tile network says of one thing.

    `masks` (5, 128, 128) probabilities: full outline, visible part, board, ground within the ring, what is seen of any
    tile; `to_crop` (3, 3) maps plane mm to crop px; `embedding` (96,); `kinds` (27,) and `shapes` (5,) probabilities;
    `pixels` (128, 128, 3) RGB of the crop, 0..1.
    """

    thing: Thing
    to_crop: Floats
    masks: Floats32
    embedding: Floats32
    kinds: Floats32
    shapes: Floats32
    pixels: Floats32 | None = None

    def sample(self, mask: int, points_mm: Floats) -> Floats32:
        """Probabilities of one mask at points (n, 2) mm; 0 outside the crop."""
        px = projected(points_mm, self.to_crop).astype(np.float32)
        values = cv2.remap(
            self.masks[mask], px[:, 0], px[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0
        )
        return np.asarray(values.ravel(), np.float32)

    def seen_in(self, plane_from_own: Floats) -> TileLook:
        """The same look told in another plane's mm; `plane_from_own` (3, 3) maps this plane's mm to that one's."""
        return replace(self, to_crop=np.asarray(self.to_crop @ np.linalg.inv(plane_from_own)))


def projected(points: npt.NDArray[Any], homography: Floats) -> Floats:
    """Points (n, 2) under a homography (3, 3); (0, 2) for none."""
    if len(points) == 0:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], homography)[0])


def looked_up(layers: Floats32, px: Floats32, border: int = cv2.BORDER_CONSTANT) -> Floats32:
    """Values (n, channels) of a picture (h, w, channels) at points (n, 2) px; by default 0 outside."""
    out = np.empty((len(px), layers.shape[2]), np.float32)
    for k in range(0, len(px), _MOST_POINTS):
        part = px[k : k + _MOST_POINTS]
        found = cv2.remap(layers, part[:, :1], part[:, 1:], cv2.INTER_LINEAR, borderMode=border)
        out[k : k + _MOST_POINTS] = found.reshape(len(part), -1)
    return out


_MOST_POINTS = 30_000
"""OpenCV looks up fewer than 32,768 points at a time; all tiles of a cluttered photo together are more."""


def cut_crops(
    picture: Picture, things: Sequence[Thing], centers_mm: Floats, to_plane: Floats
) -> tuple[Floats32, list[Floats]]:
    """Crops (n, 4, 128, 128) around `centers_mm` (n, 2), and their maps (3, 3) from plane mm to crop px.

    The first three channels are RGB, the fourth is the hint (see `_hint`); all 0..1.
    """
    batch = np.empty((len(things), 4, CROP_PX, CROP_PX), np.float32)
    maps = []
    scale = CROP_PX / CROP_MM
    for i, (thing, center) in enumerate(zip(things, centers_mm, strict=True)):
        to_crop = np.array(
            [[scale, 0, CROP_PX / 2 - scale * center[0]], [0, scale, CROP_PX / 2 - scale * center[1]], [0, 0, 1]]
        )
        batch[i, :3] = picture.cut(to_crop @ to_plane, (CROP_PX, CROP_PX)).transpose(2, 0, 1)
        batch[i, 3] = _hint(thing, to_crop @ to_plane)
        maps.append(to_crop)
    batch /= 255
    return batch, maps


def _hint(thing: Thing, to_crop: Floats) -> npt.NDArray[np.uint8]:
    """The detector's box in the crop, at one half: its boxes are surer than its masks, which are not shown."""
    x0, y0, x1, y1 = (float(v) for v in thing.box)
    corners = cv2.perspectiveTransform(np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]]), to_crop)[0]
    canvas = np.zeros((CROP_PX, CROP_PX), np.uint8)
    cv2.fillPoly(canvas, [np.round(corners * 16).astype(np.int32)], HINT_BOX, shift=4)
    return canvas


def look_at_tiles(
    picture: Picture,
    things: Sequence[Thing],
    centers_mm: Floats,
    to_plane: Floats,
    forward: Callable[[Floats32], list[Floats32]],
) -> list[TileLook]:
    """Cut a crop for each thing and run the tile network on them."""
    if not things:
        return []
    batch, maps = cut_crops(picture, things, centers_mm, to_plane)
    masks, embedding, kinds, shapes = forward(batch)
    masks = sigmoid(masks)
    kinds, shapes = softmax(kinds), softmax(shapes)
    pixels = batch[:, :3].transpose(0, 2, 3, 1)
    return [
        TileLook(thing, maps[i], masks[i], embedding[i], kinds[i], shapes[i], pixels[i])
        for i, thing in enumerate(things)
    ]


def softmax(logits: Floats32) -> Floats32:
    """Probabilities (n, k) from logits (n, k), row by row."""
    e = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True), np.float32)


def contour_mm(look: TileLook, mask: int, *, count: int = 96) -> Floats:
    """Largest contour of a mask at one half, `count` points (count, 2) mm evenly spaced; (0, 2) where there is none."""
    rows, columns = (np.flatnonzero((look.masks[mask] > 0.5).any(axis)) for axis in (1, 0))
    if len(rows) == 0:
        return np.zeros((0, 2))
    top, left = max(int(rows[0]) - 2, 0), max(int(columns[0]) - 2, 0)
    part = look.masks[mask][top : int(rows[-1]) + 3, left : int(columns[-1]) + 3]
    fine = cv2.resize(part, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    contours, _ = cv2.findContours(
        (fine > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(4 * left, 4 * top)
    )
    if not contours:
        return np.zeros((0, 2))
    contour = max(contours, key=cv2.contourArea)[:, 0].astype(float)
    if cv2.contourArea(contour.astype(np.float32)) < 400:
        return np.zeros((0, 2))
    sums = np.cumsum(np.r_[np.zeros((1, 2)), contour[-3:], contour, contour[:3]], axis=0)
    smooth = (sums[7:] - sums[:-7]) / 7
    step = np.r_[0, np.cumsum(np.linalg.norm(np.diff(np.r_[smooth, smooth[:1]], axis=0), axis=1))]
    at = np.linspace(0, step[-1], count, endpoint=False)
    closed = np.r_[smooth, smooth[:1]]
    points = np.c_[np.interp(at, step, closed[:, 0]), np.interp(at, step, closed[:, 1])]
    # Pixels above one half lie inside: their centres are half a fine pixel within the true line.
    points = grown((points + 0.5) / 4 - 0.5, 0.125)
    return projected(points, np.asarray(np.linalg.inv(look.to_crop), np.float64))

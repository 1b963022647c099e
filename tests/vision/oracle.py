"""Networks that never err, made from the truth of a photo, to test everything between them and the board.

The picture they are shown is a chart: its red and green say where on the photo each pixel lies. So the oracle can tell
which part of the photo it is asked about, whatever was cut out of it, turned and scaled.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import shapely
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import filled
from vision.crops import CROP_PX, SHAPES
from vision.detector import CLASSES, INPUT_PX, MASK_STRIDE
from vision.identify import KIND_IDS, KnownArts
from vision.image import Photo
from vision.seams import CHANNELS, SAID, SEAM_PX

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
PROTOS = 32


def chart(size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """A picture of `size` (W, H): red grows to the right, green downwards, blue is full. Dithered: means hold."""
    x, y = np.meshgrid(np.arange(size[0]) / size[0], np.arange(size[1]) / size[1])
    levels = np.dstack([255 * x, 255 * y, np.full_like(x, 255)])
    return np.floor(levels + np.random.default_rng(0).random(levels.shape)).clip(0, 255).astype(np.uint8)


class Oracle:
    """The networks of a reading for one photo with truth; `photo` is the chart to be read in its place."""

    arts: KnownArts | None = None

    def __init__(self, truth: dict[str, Any]) -> None:
        self.size: tuple[int, int] = tuple(truth["camera"]["size"])
        self.photo = Photo(chart(self.size), (self.size[1], self.size[0]))
        self.kinds = [tile["kind"] for tile in truth["tiles"]]
        self.full = [Polygon(tile["polygon_px"]).buffer(0) for tile in truth["tiles"]]
        self.seen = [shapely.union_all([Polygon(p).buffer(0) for p in tile["visible_px"]]) for tile in truth["tiles"]]
        self.board = Polygon(truth["board"]["outline_px"])
        index = {tile["id"]: k for k, tile in enumerate(truth["tiles"])}
        self.said = {(index[a], index[b]): "touching" for pair in truth["contacts"] for a, b in (pair, pair[::-1])}
        self.said |= {(index[a], index[b]): "first over second" for a, b in truth["over"]}
        self.said |= {(index[b], index[a]): "second over first" for a, b in truth["over"]}

    def detector(self, batch: Floats32) -> list[Floats32]:
        """Rows and prototypes: one row and one prototype a thing."""
        from_photo = np.linalg.inv(self._to_photo(batch[0, :3], affine=True))
        shrink, shift = 1 / MASK_STRIDE, 0.5 / MASK_STRIDE - 0.5
        to_mask = np.array([[shrink, 0, shift], [0, shrink, shift], [0, 0, 1]]) @ from_photo
        grid = (INPUT_PX[0] // MASK_STRIDE, INPUT_PX[1] // MASK_STRIDE)
        things = [(KINDS[kind].shape, seen) for kind, seen in zip(self.kinds, self.seen, strict=True) if seen.area > 0]
        things.append(("board", self.board))
        rows = np.zeros((1, 4 + len(CLASSES) + PROTOS, len(things)), np.float32)
        protos = np.zeros((1, PROTOS, grid[1], grid[0]), np.float32)
        for k, (cls, area) in enumerate(things):
            corners = cv2.perspectiveTransform(shapely.get_coordinates(area)[None], from_photo)[0]
            rows[0, :4, k] = *(corners.min(0) + corners.max(0)) / 2, *np.ptp(corners, axis=0)
            rows[0, 4 + CLASSES.index(cls), k] = 0.9
            rows[0, 4 + len(CLASSES) + k, k] = 1
            protos[0, k] = _logit(filled([area], to_mask, grid))
        return [rows, protos]

    def tilenet(self, batch: Floats32) -> list[Floats32]:
        """Masks, embeddings, kinds and shapes of the tiles that the crops' hints are of."""
        answers = [self._look(crop) for crop in batch]
        return [np.stack(column) for column in zip(*answers, strict=True)]

    def seamnet(self, batch: Floats32) -> list[Floats32]:
        """What there is to say of the two tiles whose outlines are drawn in the wider square of each seam."""
        out = np.zeros((len(batch), len(SAID)), np.float32)
        for row, wide in zip(out, batch[:, CHANNELS:], strict=True):
            to_square = np.linalg.inv(self._to_photo(wide[:3]))
            tiles = [filled([area], to_square, (SEAM_PX, SEAM_PX)) for area in self.full]
            first, second = (int(np.argmin([np.abs(tile - mask).sum() for tile in tiles])) for mask in wide[3:5])
            row[SAID.index(self.said.get((first, second), "apart"))] = 10
        return [out]

    def _look(self, crop: Floats32) -> tuple[Floats32, Floats32, Floats32, Floats32]:
        to_photo = self._to_photo(crop[:3])
        index = self._meant(crop[3], to_photo)
        areas = (self.full[index], self.seen[index], self.board, self.board, shapely.union_all(self.seen))
        to_crop = np.linalg.inv(to_photo)
        masks = np.stack([_logit(filled([area], to_crop, (CROP_PX, CROP_PX))) for area in areas])
        kind = self.kinds[index]
        kinds = np.where(np.array(KIND_IDS) == kind, 10, 0).astype(np.float32)
        shapes = np.where(np.array(SHAPES) == KINDS[kind].shape, 10, 0).astype(np.float32)
        return masks, np.zeros(96, np.float32), kinds, shapes

    def _meant(self, hint: Floats32, to_photo: Floats) -> int:
        """The tile whose visible part fills the hinted box."""
        y, x = np.nonzero(hint > 0.25)
        at = cv2.perspectiveTransform(np.column_stack([x, y]).astype(float)[None], to_photo)[0]
        box = np.concatenate([at.min(0), at.max(0)])
        return int(np.argmin([np.abs(np.array(seen.bounds) - box).sum() for seen in self.seen]))

    def _to_photo(self, picture: Floats32, *, affine: bool = False) -> Floats:
        """Homography (3, 3) from the pixels of a picture (3, h, w) cut from the chart to the photo's."""
        y, x = np.nonzero(picture[2] > 0.99)
        here = np.column_stack([x, y]).astype(float)
        there = (picture[:2, y, x].T * self.size).astype(float)
        if not affine:
            return np.asarray(cv2.findHomography(here, there)[0])
        solution = np.linalg.lstsq(np.column_stack([here, np.ones(len(here))]), there, rcond=None)[0]
        return np.vstack([solution.T, [0, 0, 1]])


def _logit(p: Floats32) -> Floats32:
    bounded = p.clip(1e-4, 1 - 1e-4)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float32)

"""A close look at the seam of two tiles: whether they touch, and who lies over whom, told by the picture itself.

Outlines are drawn to half a millimetre each, which is too little to tell a gap of two millimetres from none; the seam
network sees the photo along the seam, the outlines and what the tile network took for visible, and weighs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from scoring.geometry import near_pairs
from vision.crops import SEEN, TileLook, projected, softmax
from vision.picture import Picture

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Pair = tuple[int, int]

SEAM_PX = 48
SIDES_MM = (19.2, 48.0)
"""Sides of the two squares cut about a seam: one shows the gap, the other the two tiles."""
CHANNELS = 8
"""Of each square: RGB, the outlines of the first tile, the second and all others filled, what is seen of each."""
SAID = ("apart", "touching", "first over second", "second over first")
Forward = Callable[[Floats32], list[Floats32]]
NEAR_MM = 6.0
"""Tiles further apart than this have no seam: three times the smallest gap that counts as one."""


@dataclass(frozen=True, slots=True)
class Seam:
    """What is seen where two tiles meet: probabilities of what `SAID` lists."""

    apart: float
    touching: float
    first_over: float
    second_over: float


@dataclass(frozen=True, slots=True)
class SeamTile:
    """A tile as it looks: its outline (n, 2) in plane mm, and a crop of what is seen of it.

    `seen` (128, 128) is 255 where the tile is seen; `to_crop` (3, 3) maps plane mm to its px.
    """

    outline: Floats
    seen: npt.NDArray[np.uint8]
    to_crop: Floats

    @classmethod
    def of(cls, outline: Floats, look: TileLook) -> SeamTile:
        """The tile of a look."""
        return cls(outline, (255 * look.masks[SEEN]).astype(np.uint8), look.to_crop)


def seams_of(picture: Picture, to_plane: Floats, tiles: Sequence[SeamTile], network: Forward) -> Mapping[Pair, Seam]:
    """What is seen of each pair (i < j) of tiles that lie near each other; arguments as in `cut_seams`."""
    pairs = pairs_with_seam([tile.outline for tile in tiles])
    if not pairs:
        return {}
    (logits,) = network(cut_seams(picture, to_plane, tiles, pairs))
    return {pair: Seam(*map(float, row)) for pair, row in zip(pairs, softmax(logits), strict=True)}


def pairs_with_seam(outlines: Sequence[Floats]) -> list[Pair]:
    """The pairs (i < j) of outlines (n, 2) mm that lie nearer than `NEAR_MM`."""
    return near_pairs(_widened(outlines), within_mm=0.0)


def cut_seams(picture: Picture, to_plane: Floats, tiles: Sequence[SeamTile], pairs: Sequence[Pair]) -> Floats32:
    """What the seam network is shown of each pair of tiles: (n, 2 * `CHANNELS`, 48, 48), all 0..1.

    `to_plane` (3, 3) maps px of the photo to plane mm, `tiles` are all tiles as they look there. The squares
    are turned so that the second tile of a pair lies to the right of the first.
    """
    batch = np.zeros((len(pairs), len(SIDES_MM) * CHANNELS, SEAM_PX, SEAM_PX), np.uint8)
    if not pairs:
        return batch.astype(np.float32)
    wide = _widened([tile.outline for tile in tiles])
    first, second = np.array(pairs).T
    seams = shapely.get_coordinates(shapely.centroid(shapely.intersection(wide[first], wide[second])))
    middles = shapely.get_coordinates(shapely.centroid(wide))
    ways = middles[second] - middles[first]
    from_crop = [np.linalg.inv(tile.to_crop) for tile in tiles]
    for row, pair, seam, way in zip(batch, pairs, seams, ways, strict=True):
        away = np.linalg.norm(middles - seam, axis=1)
        for level, side in enumerate(SIDES_MM):
            near = [int(k) for k in np.flatnonzero(away < side / np.sqrt(2) + _REACH_MM)]
            to_square = _square(seam, way, side)
            layers = row[level * CHANNELS : (level + 1) * CHANNELS]
            layers[:3] = picture.cut(to_square @ to_plane, (SEAM_PX, SEAM_PX)).transpose(2, 0, 1)
            for k in near:
                layer = layers[3 + (pair.index(k) if k in pair else 2)]
                points = projected(tiles[k].outline, to_square)
                cv2.fillPoly(layer, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            for layer, k in zip(layers[6:], pair, strict=True):
                cv2.warpPerspective(tiles[k].seen, to_square @ from_crop[k], layer.shape, layer, cv2.INTER_LINEAR)
    return batch.astype(np.float32) / np.float32(255)


_REACH_MM = 45.0
"""No tile reaches further from its middle: the longest cluster is 70 mm long."""


def _widened(outlines: Sequence[Floats]) -> npt.NDArray[np.object_]:
    """Outlines grown so that those of tiles with a seam overlap."""
    areas = shapely.make_valid(np.array([shapely.Polygon(points) for points in outlines], dtype=object))
    return np.asarray(shapely.buffer(areas, NEAR_MM / 2, quad_segs=3), dtype=object)


def _square(middle: Floats, way: Floats, side_mm: float) -> Floats:
    """The map (3, 3) from plane mm to the px of a square about `middle`, turned so that `way` points to the right."""
    x, y = way / max(float(np.linalg.norm(way)), 1e-9)
    turned = np.array([[x, y], [-y, x]]) * (SEAM_PX / side_mm)
    shift = (SEAM_PX - 1) / 2 - turned @ middle
    return np.vstack([np.c_[turned, shift], [0, 0, 1]])

"""Tiles overlooked by the detector are found in the crops of their neighbours; nothing else is."""

import numpy as np
import pytest
from shapely import Polygon

from tests.vision.drawn import Floats32, circle, filled, look_of, rounded
from vision.crops import CROP_MM, CROP_PX, FULL, SEEN, TILES, TileLook
from vision.overlooked import look_for_overlooked
from vision.picture import Picture
from vision.rectify import Plane

PX_PER_MM = 4.0
PLANE = Plane(np.array([[1 / PX_PER_MM, 0, -100.0], [0, 1 / PX_PER_MM, -100.0], [0, 0, 1]]), 600.0)
SIDE_MM = 200.0
_AT = np.linspace(0, 255, 800).astype(np.uint8)
PHOTO = np.dstack([*np.meshgrid(_AT, _AT), np.zeros((800, 800), np.uint8)])
"""A photo whose red and green tell where on the plane a pixel lies."""
LEFT, RIGHT = circle(-19, 0), circle(19, 0)


class Asked:
    """A tile network that draws one tile wherever it is asked, and notes the boxes it was given as hints."""

    def __init__(self, drawn: Polygon, around: tuple[Polygon, ...] = ()) -> None:
        self.drawn, self.around = drawn, (*around, drawn)
        self.boxes_mm: list[Floats32] = []

    def __call__(self, batch: Floats32) -> list[Floats32]:
        masks = np.stack([self._masks(crop) for crop in batch])
        kinds = np.zeros((len(batch), 27), np.float32)
        return [masks, np.zeros((len(batch), 96), np.float32), kinds, np.tile([0, 0, 9, 0, 0], (len(batch), 1))]

    def _masks(self, crop: Floats32) -> Floats32:
        y, x = np.nonzero(crop[3] > 0.25)
        scale, half = CROP_PX / CROP_MM, CROP_PX // 2
        self.boxes_mm.append(np.array([np.ptp(x) + 1, np.ptp(y) + 1], np.float32) / scale)
        middle = crop[:2, half - 2 : half + 2, half - 2 : half + 2].mean((1, 2)) * SIDE_MM - SIDE_MM / 2
        to_crop = np.array([[scale, 0, half - scale * middle[0]], [0, scale, half - scale * middle[1]], [0, 0, 1]])
        masks = np.zeros((5, CROP_PX, CROP_PX), np.float32)
        for index, polygons in ((FULL, [self.drawn]), (SEEN, [self.drawn]), (TILES, self.around)):
            masks[index] = filled(polygons, to_crop, (CROP_PX, CROP_PX))
        return np.where(masks > 0.5, 9, -9).astype(np.float32)


def look_between(looks: list[TileLook], network: Asked) -> list[TileLook]:
    return look_for_overlooked(Picture(PHOTO), looks, PLANE, network)


def test_where_every_tile_is_explained_nothing_is_looked_at() -> None:
    network = Asked(circle(0, 30))
    looks = [look_of(LEFT, beside=[RIGHT]), look_of(RIGHT, beside=[LEFT])]
    assert look_between(looks, network) == []
    assert network.boxes_mm == []


def test_without_any_find_there_is_nothing_to_look_between() -> None:
    assert look_between([], Asked(LEFT)) == []


def test_what_neighbours_show_and_nobody_explains_is_looked_at_as_a_whole() -> None:
    missing = circle(0, 31)
    network = Asked(missing, (LEFT, RIGHT))
    looks = [look_of(LEFT, beside=[RIGHT, missing]), look_of(RIGHT, beside=[LEFT, missing])]
    (found,) = look_between(looks, network)
    assert network.boxes_mm[-1] == pytest.approx([38, 38], abs=3)
    assert found.thing.box == pytest.approx(np.add(missing.bounds, 100) * PX_PER_MM, abs=12)
    assert found.thing.confidence < 0.5


@pytest.mark.parametrize(
    "scrap", [rounded(0, 25, side=12, corner=1), Polygon([(-30, 21), (30, 21), (30, 26), (-30, 26)])]
)
def test_a_scrap_or_a_sliver_is_no_tile(scrap: Polygon) -> None:
    network = Asked(circle(0, 31))
    looks = [look_of(LEFT, beside=[RIGHT, scrap]), look_of(RIGHT, beside=[LEFT, scrap])]
    assert look_between(looks, network) == []
    assert network.boxes_mm == []


def test_a_look_at_a_tile_found_before_is_dropped() -> None:
    missing = circle(0, 31)
    looks = [look_of(LEFT, beside=[RIGHT, missing]), look_of(RIGHT, beside=[LEFT, missing])]
    assert look_between(looks, Asked(LEFT, (RIGHT, missing))) == []


def test_a_tile_that_the_crops_show_in_part_is_looked_for_before_it_is_looked_at() -> None:
    far = circle(0, 43)
    network = Asked(far, (LEFT, RIGHT))
    (found,) = look_between([look_of(LEFT, beside=[RIGHT, far]), look_of(RIGHT, beside=[LEFT, far])], network)
    assert network.boxes_mm[0][1] < 16
    assert found.thing.box == pytest.approx(np.add(far.bounds, 100) * PX_PER_MM, abs=12)

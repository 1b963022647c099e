"""The board is drawn from its colours, its ring by the crops of the tiles; both lie below the tiles' faces."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, look_of, points_of, thing_of
from vision.crops import TileLook
from vision.curves import filled
from vision.detector import Thing
from vision.ground import board_outline, ring_outline, rough_outline
from vision.picture import Picture
from vision.rectify import Plane

PHOTO = (1280, 960)
HEIGHT_MM = 600.0
PLANE = Plane(np.array([[0.25, 0, -160.0], [0, 0.25, -120.0], [0, 0, 1]]), HEIGHT_MM)
BOARD, RING = circle(0, 0, 105), circle(0, 0, 70)


def on_photo(area: Polygon) -> Polygon:
    return shapely.affinity.affine_transform(area, [4, 0, 0, 4, 640, 480])


def rough_board() -> Thing:
    return thing_of("board", on_photo(BOARD), PHOTO)


def tiles(distance_mm: float, count: int = 8) -> list[TileLook]:
    """Tiles laid in a circle about the middle of the board."""
    angles = 2 * np.pi * np.arange(count) / count
    places = [circle(distance_mm * np.cos(a), distance_mm * np.sin(a)) for a in angles]
    return [look_of(place, board=BOARD, ring=RING) for place in places]


def photo() -> npt.NDArray[np.uint8]:
    """A light board on a dark table."""
    w, h = PHOTO
    board = filled(points_of(on_photo(BOARD)), (h, w))[..., None]
    noise = np.random.default_rng(5).normal(0, 6, (h, w, 3))
    return np.clip(np.where(board > 0, (200, 160, 110), (70, 60, 60)) + noise, 1, 255).astype(np.uint8)


@pytest.mark.parametrize(("lying", "off_mm"), [([], 1.0), ([circle(90, 0), circle(0, -20)], 2.5)])
def test_the_board_is_drawn_from_its_colours_and_on_under_tiles(lying: list[Polygon], off_mm: float) -> None:
    outline = board_outline(Picture(photo()), rough_board(), lying, PLANE, tile_mm=0)
    assert outline is not None
    assert shapely.hausdorff_distance(outline.exterior, BOARD.exterior) < off_mm


def test_the_rough_outline_is_the_detectors_own() -> None:
    outline = rough_outline(rough_board(), PLANE, tile_mm=0)
    assert outline is not None
    assert shapely.hausdorff_distance(outline.exterior, BOARD.exterior) < 4.0


def test_the_ring_is_drawn_from_the_crops() -> None:
    outline = ring_outline(rough_board(), tiles(65), PLANE, tile_mm=0)
    assert outline is not None
    assert shapely.hausdorff_distance(outline.exterior, RING.exterior) < 1.0


def test_a_ring_that_no_crop_shows_is_not_made_up() -> None:
    assert ring_outline(rough_board(), [], PLANE, tile_mm=0) is None


def test_the_board_lies_a_tile_below_the_faces_and_is_scaled_back() -> None:
    seen, true = (board_outline(Picture(photo()), rough_board(), [], PLANE, tile_mm=t) for t in (0.0, 2.0))
    assert seen is not None
    assert true is not None
    assert true.area / seen.area == pytest.approx((1 + 2 / HEIGHT_MM) ** 2, rel=1e-3)


def test_a_board_that_is_not_seen_has_no_outline() -> None:
    unseen = replace(rough_board(), mask=np.zeros((88, 112), np.float32))
    assert board_outline(Picture(photo()), unseen, [], PLANE, tile_mm=2) is None
    assert rough_outline(unseen, PLANE, tile_mm=2) is None
    assert ring_outline(unseen, tiles(65), PLANE, tile_mm=2) is None


def test_a_board_beyond_all_bounds_has_no_outline() -> None:
    far_off = Plane(np.diag([10.0, 10.0, 1.0]), HEIGHT_MM)
    assert board_outline(Picture(photo()), rough_board(), [], far_off, tile_mm=2) is None
    assert ring_outline(rough_board(), tiles(65), far_off, tile_mm=2) is None

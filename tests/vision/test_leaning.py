"""Tiles on others lie as low as cardboard can: level between two, leaning on one."""

import numpy as np
import pytest
from shapely import Polygon

from tests.vision.drawn import circle, points_of
from vision.leaning import Lean, leans

THICK_MM, CAMERA_MM = 2.0, 500.0


def resting(*tiles: Polygon, over: tuple[tuple[int, int], ...]) -> list[Lean]:
    return leans(tiles, over, thickness_mm=THICK_MM, camera_height_mm=CAMERA_MM)


def test_a_tile_on_the_board_lies_flat() -> None:
    (lean,) = resting(circle(0, 0), over=())
    assert lean.height(points_of(circle(0, 0))).max() == 0.0


@pytest.mark.parametrize(("one_mm", "other_mm"), [(28.0, 28.0), (14.0, 32.0), (33.0, 20.0)])
@pytest.mark.parametrize("between_deg", [100, 140, 180])
def test_a_tile_on_two_others_lies_level_on_both(between_deg: float, one_mm: float, other_mm: float) -> None:
    angle = np.radians(between_deg)
    upper, one = circle(0, 0), circle(one_mm, 0)
    other = circle(other_mm * np.cos(angle), other_mm * np.sin(angle))
    heights = resting(upper, one, other, over=((0, 1), (0, 2)))[0].height(points_of(upper))
    assert heights == pytest.approx(THICK_MM, abs=0.5)


@pytest.mark.parametrize("turn_deg", range(0, 360, 60))
def test_a_tile_on_the_rim_of_one_other_leans_on_it_from_its_far_side(turn_deg: float) -> None:
    way = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    upper, lower = circle(0, 0), circle(*(30.0 * way))
    lean = resting(upper, lower, over=((0, 1),))[0]
    far, near = lean.height(np.array([-19.0 * way, 11.0 * way]))
    assert far == pytest.approx(0.0, abs=0.1)
    assert near == pytest.approx(THICK_MM, abs=0.15)


def test_a_tile_right_over_another_lies_level_on_it() -> None:
    lean = resting(circle(0, 0), circle(1, 0), over=((0, 1),))[0]
    assert np.allclose(lean.height(points_of(circle(0, 0))), THICK_MM)


def test_what_looks_displaced_is_put_back_where_it_lies() -> None:
    upper = circle(100, 40)
    lean = resting(upper, circle(70, 40), over=((0, 1),))[0]
    points = points_of(upper)
    assert np.abs(lean.ground(lean.apparent(points)) - points).max() < 0.01

"""Footprints of tiles that are seen beside each other do not overlap."""

import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, rounded
from vision.laying import moved_apart
from vision.seams import Seam

TOUCHING, APART, OVER = Seam(0.02, 0.98, 0.0, 0.0), Seam(0.98, 0.02, 0.0, 0.0), Seam(0.0, 0.02, 0.98, 0.0)


def common_mm2(a: Polygon, b: Polygon) -> float:
    return float(a.intersection(b).area)


@pytest.mark.parametrize("seam", [TOUCHING, APART])
@pytest.mark.parametrize("turn_deg", [0.0, 33.0])
def test_tiles_beside_each_other_are_moved_off_each_other_by_as_much(seam: Seam, turn_deg: float) -> None:
    pair = [shapely.affinity.rotate(rounded(x, 0), turn_deg, origin=(0, 0)) for x in (0.0, 33.8)]
    a, b = moved_apart(pair, {(0, 1): seam})
    assert common_mm2(a, b) < 0.1 * common_mm2(*pair)
    for before, after in zip(pair, (a, b), strict=True):
        assert after.centroid.distance(before.centroid) == pytest.approx(0.6, abs=0.1)
        assert after.area == pytest.approx(before.area)
    assert a.distance(b) < 0.1


def test_tiles_in_a_row_make_room_for_one_another() -> None:
    row = [rounded(34.4 * k, 0) for k in range(3)]
    seams = {(0, 1): TOUCHING, (1, 2): TOUCHING}
    moved = moved_apart(row, seams)
    assert moved[1].centroid.distance(row[1].centroid) < 0.05
    assert all(common_mm2(moved[k], moved[k + 1]) < 0.3 * common_mm2(row[k], row[k + 1]) for k in range(2))


def test_tiles_over_each_other_and_tiles_apart_stay_where_they_are() -> None:
    over, apart = [circle(0, 0), circle(25, 0)], [circle(0, 0), circle(41, 0)]
    assert moved_apart(over, {(0, 1): OVER}) == over
    assert moved_apart(apart, {(0, 1): TOUCHING}) == apart


def test_tiles_that_overlap_by_half_are_not_moved_whatever_the_seam_says() -> None:
    tiles = [circle(0, 0), circle(20, 0)]
    assert moved_apart(tiles, {(0, 1): TOUCHING}) == tiles

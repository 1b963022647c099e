"""Who lies on whom follows from whose face is seen; who touches whom from the footprints."""

import numpy as np
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, look_of, rounded
from vision.leaning import flat
from vision.stacking import Meeting, grid_points, meetings, order_of, visible_shares


def met(*tiles: tuple[Polygon, tuple[Polygon, ...]]) -> list[Meeting]:
    """The meetings of tiles, each with those that lie over it."""
    polygons = [outline for outline, _ in tiles]
    looks = [look_of(outline, covered_by=over) for outline, over in tiles]
    return meetings(polygons, looks, [flat(600.0)] * len(tiles), within_mm=6.0, sliver_mm=0.9)


def test_the_tile_whose_face_is_seen_lies_over_the_other() -> None:
    lower, upper = circle(0, 0), circle(25, 0)
    (meeting,) = met((lower, (upper,)), (upper, ()))
    assert meeting.upper < -0.8
    assert meeting.gap_mm < -3
    assert order_of([meeting]) == [(1, 0)]
    assert order_of(met((upper, ()), (lower, (upper,)))) == [(0, 1)]


def test_flush_edges_are_a_contact_without_an_order() -> None:
    (meeting,) = met((rounded(0, 0), ()), (rounded(35, 0), ()))
    assert meeting.upper == 0
    assert meeting.gap_mm == pytest.approx(0, abs=0.05)


def test_outlines_that_overlap_by_less_than_a_sliver_have_no_order() -> None:
    (meeting,) = met((rounded(0, 0), ()), (rounded(34.4, 0), (rounded(0, 0),)))
    assert meeting.upper == 0
    assert -1.0 < meeting.gap_mm < 0


@pytest.mark.parametrize("gap_mm", [0.4, 2.0, 5.0])
def test_a_gap_is_measured(gap_mm: float) -> None:
    (meeting,) = met((circle(0, 0), ()), (circle(38 + gap_mm, 0), ()))
    assert meeting.upper == 0
    assert meeting.gap_mm == pytest.approx(gap_mm, abs=0.05)
    assert meeting.overlap_mm2 == 0


def test_tiles_further_apart_do_not_meet() -> None:
    assert met((circle(0, 0), ()), (circle(45, 0), ())) == []


def test_three_tiles_may_lie_in_a_ring() -> None:
    angles = np.radians([0, 120, 240])
    a, b, c = (circle(17 * np.cos(t), 17 * np.sin(t)) for t in angles)
    ring = met((a, (b,)), (b, (c,)), (c, (a,)))
    assert sorted(order_of(ring)) == [(0, 2), (1, 0), (2, 1)]


def test_the_visible_share_counts_ground_covered_twice_once() -> None:
    lower = shapely.box(0, 0, 10, 10)
    left, top = shapely.box(-5, 0, 5, 10), shapely.box(0, -5, 10, 5)
    shares = visible_shares([lower, left, top], [(1, 0), (2, 0), (2, 1)])
    assert shares == pytest.approx([0.25, 0.75, 1.0])


def test_a_grid_that_misses_a_thin_area_falls_back_to_its_middle() -> None:
    assert grid_points(shapely.box(0, 0, 0.2, 0.2), 1.0) == pytest.approx(np.array([[0.1, 0.1]]))
    assert len(grid_points(shapely.box(0, 0, 10, 5), 1.0)) == 50

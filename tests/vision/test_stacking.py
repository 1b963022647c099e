"""Who lies on whom follows from whose face is seen; who touches whom from the footprints."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, look_of, rounded
from tests.vision.printed import art_of, look_at, lying, pixels, printed
from vision.alignment import align
from vision.leaning import flat
from vision.outlines import edge_of
from vision.prints import prints_of
from vision.shown import Shown
from vision.stacking import Meeting, grid_points, meetings, order_of, visible_shares

Pose = tuple[float, float, float]
SALAMI, TOMATO = printed("salami", seed=1), printed("tomato", seed=2)
PRINTED = art_of(SALAMI, TOMATO)


def met(*tiles: tuple[Polygon, tuple[Polygon, ...]]) -> list[Meeting]:
    """The meetings of tiles, each with those that lie over it."""
    polygons = [outline for outline, _ in tiles]
    looks = [look_of(outline, covered_by=over) for outline, over in tiles]
    return meetings(polygons, looks, [flat(600.0)] * len(tiles), [None] * len(tiles), within_mm=6.0)


def printed_over(under: Pose, over: Pose, *, known: bool) -> Meeting:
    """The meeting of two printed tiles which the masks both show whole, so that they tell no order."""
    lying_so = [(SALAMI, under, 1.0), (TOMATO, over, 1.0)]
    polygons = [lying(face, pose) for face, pose, _ in lying_so]
    looks = [look_at(one) for one in lying_so]
    looks = [replace(look, pixels=pixels(look.to_crop, lying_so)) for look in looks]
    edges = [edge_of(look) for look in looks]
    laid = align(looks, edges, list(enumerate(prints_of(PRINTED))))
    prints = [Shown(look, alignment) if known else None for look, alignment in zip(looks, laid, strict=True)]
    (meeting,) = meetings(polygons, looks, [flat(600.0)] * 2, prints, within_mm=6.0)
    return meeting


@pytest.mark.parametrize(("under", "over"), [((0, 0, 20), (25, 3, 140)), ((25, 3, 140), (0, 0, 20))])
def test_prints_tell_who_lies_over_whom_where_the_masks_do_not(under: Pose, over: Pose) -> None:
    assert printed_over(under, over, known=True).upper < -0.3
    assert abs(printed_over(under, over, known=False).upper) < 0.1


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

"""Who lies on whom and who touches whom, from what is seen at the seams; gaps and overlaps from the footprints."""

import numpy as np
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, rounded
from vision.seams import Seam
from vision.stacking import Meeting, meetings, order_of, visible_shares

APART, TOUCHING = Seam(0.99, 0.01, 0.0, 0.0), Seam(0.05, 0.9, 0.05, 0.0)
FIRST_OVER, SECOND_OVER = Seam(0.0, 0.1, 0.9, 0.0), Seam(0.0, 0.1, 0.09, 0.81)


def met(a: Polygon, b: Polygon, seam: Seam) -> Meeting:
    (meeting,) = meetings([a, b], {(0, 1): seam})
    return meeting


@pytest.mark.parametrize(("seam", "upper", "order"), [(FIRST_OVER, 1.0, (0, 1)), (SECOND_OVER, -0.8, (1, 0))])
def test_the_tile_seen_on_top_lies_over_the_other(seam: Seam, upper: float, order: tuple[int, int]) -> None:
    meeting = met(circle(0, 0), circle(25, 0), seam)
    assert meeting.upper == pytest.approx(upper)
    assert meeting.touches
    assert meeting.gap_mm < -3
    assert order_of([meeting]) == [order]


def test_flush_edges_are_a_contact_without_an_order() -> None:
    meeting = met(rounded(0, 0), rounded(35, 0), TOUCHING)
    assert meeting.touches
    assert meeting.upper == 0
    assert meeting.gap_mm == pytest.approx(0, abs=0.05)


def test_outlines_that_overlap_a_little_are_no_contact_where_ground_is_seen_between() -> None:
    meeting = met(rounded(0, 0), rounded(34.4, 0), APART)
    assert not meeting.touches
    assert -1.0 < meeting.gap_mm < 0
    assert order_of([meeting]) == []


def test_a_tile_cannot_lie_over_one_beside_it_but_touches_it() -> None:
    meeting = met(rounded(0, 0), rounded(36, 0), FIRST_OVER)
    assert meeting.touches
    assert order_of([meeting]) == []


@pytest.mark.parametrize("gap_mm", [0.4, 2.0, 5.0])
def test_a_gap_is_measured(gap_mm: float) -> None:
    meeting = met(circle(0, 0), circle(38 + gap_mm, 0), APART)
    assert meeting.gap_mm == pytest.approx(gap_mm, abs=0.05)
    assert meeting.overlap_mm2 == 0


def test_tiles_without_a_seam_do_not_meet() -> None:
    assert meetings([circle(0, 0), circle(45, 0)], {}) == []


def test_three_tiles_may_lie_in_a_ring() -> None:
    angles = np.radians([0, 120, 240])
    ring = [circle(17 * np.cos(t), 17 * np.sin(t)) for t in angles]
    order = order_of(meetings(ring, {(0, 1): SECOND_OVER, (1, 2): SECOND_OVER, (0, 2): FIRST_OVER}))
    assert sorted(order) == [(0, 2), (1, 0), (2, 1)]


def test_the_visible_share_counts_ground_covered_twice_once() -> None:
    lower = shapely.box(0, 0, 10, 10)
    left, top = shapely.box(-5, 0, 5, 10), shapely.box(0, -5, 10, 5)
    shares = visible_shares([lower, left, top], [(1, 0), (2, 0), (2, 1)])
    assert shares == pytest.approx([0.25, 0.75, 1.0])


@pytest.mark.parametrize(("gap_mm", "touches"), [(0.0, True), (1.0, True), (4.0, False), (5.5, False)])
def test_where_the_seam_shows_little_the_gap_decides(gap_mm: float, touches: bool) -> None:
    meeting = met(circle(0, 0), circle(38 + gap_mm, 0), Seam(0.5, 0.5, 0.0, 0.0))
    assert meeting.touches == touches
    assert 0.03 < meeting.touching < 0.97


def test_a_seam_seen_clearly_decides_whatever_the_gap() -> None:
    assert not met(circle(0, 0), circle(38, 0), Seam(0.999, 0.001, 0.0, 0.0)).touches
    assert met(circle(0, 0), circle(40, 0), Seam(0.01, 0.99, 0.0, 0.0)).touches

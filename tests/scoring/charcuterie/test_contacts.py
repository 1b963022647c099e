from __future__ import annotations

import pytest

from scoring import Board
from scoring.charcuterie.contacts import contacts_of
from tests.builders import board, disc, placed, square


@pytest.mark.parametrize(("gap_mm", "touch"), [(-5.0, True), (0.0, True), (0.02, True), (0.3, False), (2.0, False)])
def test_footprints_that_overlap_or_meet_touch(gap_mm: float, touch: bool) -> None:
    assert bool(contacts_of(placed(square(0, 0), square(30 + gap_mm, 0)))) is touch


def test_corners_that_meet_touch() -> None:
    assert contacts_of(placed(square(0, 0), square(30, 30))) == (("t0", "t1"),)


def test_a_tile_lying_on_another_touches_it() -> None:
    assert contacts_of(placed(disc(0, 0), disc(0, 10), over=(("t1", "t0"),))) == (("t0", "t1"),)


def test_contacts_that_are_given_are_the_truth() -> None:
    assert contacts_of(placed(square(0, 0), square(10, 0), contacts=())) == ()


def test_an_empty_board_has_no_contacts() -> None:
    assert contacts_of(Board()) == ()


def test_contacts_do_not_need_footprints() -> None:
    assert contacts_of(board("swiss bleu", touching="1-0")) == (("t1", "t0"),)

"""The overlay shows the reading on a copy of the photo."""

from dataclasses import dataclass

import numpy as np
import pytest

from scoring import Board, Placement
from vision.overlay import CATEGORY_COLOURS, VIOLATION, draw_overlay

IMAGE = np.full((600, 800, 3), 100, np.uint8)


@dataclass(frozen=True)
class About:
    """A check or a question about some tiles."""

    tiles: tuple[str, ...]


def box_px(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + 100, y), (x + 100, y + 100), (x, y + 100))


BOARD = Board(
    (
        Placement("t0", "swiss", polygon_px=box_px(300, 300)),
        Placement("t1", "salami", polygon_px=box_px(400, 300)),
        Placement("t2", "bleu"),
    ),
    contacts=(("t0", "t1"), ("t1", "t2")),
)


def test_outlines_have_the_colour_of_their_category() -> None:
    drawn = draw_overlay(IMAGE, BOARD)
    assert drawn.shape == IMAGE.shape
    assert tuple(drawn[380, 300]) == CATEGORY_COLOURS["cheese"]
    assert tuple(drawn[380, 500]) == CATEGORY_COLOURS["meat"]


def test_the_photo_itself_is_not_drawn_on() -> None:
    image = IMAGE.copy()
    draw_overlay(image, BOARD, title="31 points", checks=[About(("t0",))], questions=[About(("t1",))])
    assert np.array_equal(image, IMAGE)


def test_tiles_that_break_a_rule_are_red() -> None:
    drawn = draw_overlay(IMAGE, BOARD, checks=[About(("t0", "t2"))])
    assert tuple(drawn[380, 300]) == VIOLATION


def test_a_tile_in_doubt_is_marked() -> None:
    plain, marked = draw_overlay(IMAGE, BOARD), draw_overlay(IMAGE, BOARD, questions=[About(("t0",))])
    changed = np.argwhere((plain != marked).any(2))
    assert len(changed)
    assert (np.abs(changed - [350, 350]) < 50).all()


def test_a_legend_and_the_title_stand_in_the_corner() -> None:
    drawn = draw_overlay(IMAGE, BOARD)
    for colour in CATEGORY_COLOURS.values():
        assert (drawn[:200, :160] == colour).all(2).any()
    assert not np.array_equal(draw_overlay(IMAGE, BOARD, title="31 points"), drawn)


@pytest.mark.parametrize(("shape", "expected"), [((3000, 4000), (1200, 1600)), ((4000, 1000), (1600, 400))])
def test_the_picture_is_1600_pixels_at_most(shape: tuple[int, int], expected: tuple[int, int]) -> None:
    assert draw_overlay(np.zeros((*shape, 3), np.uint8), BOARD).shape[:2] == expected


def test_a_small_photo_and_an_empty_board_are_drawn() -> None:
    assert draw_overlay(np.zeros((60, 80, 3), np.uint8), Board(())).shape == (60, 80, 3)

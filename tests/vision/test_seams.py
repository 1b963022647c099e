"""What the seam network is shown, and how its answers are read."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.crops import projected
from vision.curves import turns
from vision.picture import Picture
from vision.seams import CHANNELS, SAID, SEAM_PX, SIDES_MM, Pair, SeamTile, cut_seams, pairs_with_seam, seams_of

Floats = npt.NDArray[np.float64]
PX_PER_MM = 4.0
TO_PLANE = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])


def square(x: float, y: float, side: float = 20.0) -> Floats:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    return np.asarray(corners + np.array([x, y]))


def painted(*tiles: tuple[Floats, tuple[int, int, int]]) -> npt.NDArray[np.uint8]:
    """A grey table of 120 by 120 mm with tiles of one colour each, later ones on top."""
    picture = np.full((480, 480, 3), 90, np.uint8)
    for outline, colour in tiles:
        cv2.fillPoly(picture, [np.round(outline * PX_PER_MM).astype(np.int32)], colour)
    return picture


def seen_whole(outlines: list[Floats]) -> list[SeamTile]:
    """Tiles of which all is seen, each in a crop of 72 mm about its first corner."""
    tiles = []
    for outline in outlines:
        to_crop = np.array(
            [[128 / 72, 0, 64 - outline[0, 0] * 128 / 72], [0, 128 / 72, 64 - outline[0, 1] * 128 / 72], [0, 0, 1]]
        )
        crop = np.zeros((128, 128), np.uint8)
        cv2.fillPoly(crop, [np.round(projected(outline, to_crop)).astype(np.int32)], 255)
        tiles.append(SeamTile(outline, crop, to_crop))
    return tiles


def shown(picture: npt.NDArray[np.uint8], outlines: list[Floats], pair: Pair = (0, 1)) -> npt.NDArray[np.float32]:
    (seam,) = cut_seams(Picture(picture), TO_PLANE, seen_whole(outlines), [pair])
    return seam


RED, GREEN = (255, 0, 0), (0, 255, 0)


@pytest.mark.parametrize("angle", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("gap_mm", [0.0, 2.0])
def test_a_seam_stands_upright_between_the_first_tile_and_the_second(angle: float, gap_mm: float) -> None:
    turn = turns(np.array([angle]))[0]
    outlines = [square(sign * (10 + gap_mm / 2), 0) @ turn.T + 60 for sign in (-1, 1)]
    seam = shown(painted((outlines[0], RED), (outlines[1], GREEN)), outlines)
    for level, side in enumerate(SIDES_MM):
        row = seam[level * CHANNELS : (level + 1) * CHANNELS, SEAM_PX // 2]
        assert row[0].mean() == pytest.approx(row[3].mean(), abs=0.15)
        assert row[3, SEAM_PX // 2 - 4] > 0.9 > 0.1 > row[3, SEAM_PX // 2 + 4]
        assert row[4, SEAM_PX // 2 + 4] > 0.9 > 0.1 > row[4, SEAM_PX // 2 - 4]
        assert row[5].max() == 0
        assert row[6:8] == pytest.approx(row[3:5], abs=0.75)
        assert np.abs(row[6:8] - row[3:5]).mean() < 0.05
        ground_mm = (1 - row[3] - row[4]).clip(0, 1)[8:-8].sum() * side / SEAM_PX
        # Edges are drawn over the pixels they touch: half a pixel of each tile more than there is.
        assert level == 1 or ground_mm == pytest.approx(max(gap_mm - side / SEAM_PX, 0), abs=0.3)


def test_the_other_way_round_the_picture_is_turned_by_half_a_turn() -> None:
    outlines = [square(50, 60), square(71, 64)]
    picture = painted((outlines[0], RED), (outlines[1], GREEN))
    there, back = shown(picture, outlines, (0, 1)), shown(picture, outlines, (1, 0))
    swapped = there[[0, 1, 2, 4, 3, 5, 7, 6, 8, 9, 10, 12, 11, 13, 15, 14]]
    assert np.abs(back - swapped[:, ::-1, ::-1]).mean() < 0.001


def test_what_else_lies_there_is_shown_apart() -> None:
    outlines = [square(50, 60), square(70, 60), square(60, 75), square(110, 110)]
    seam = shown(painted(), outlines)
    assert seam[5].mean() > 0.05
    assert seam[5].max() == 1
    assert shown(painted(), outlines[:2])[5].max() == 0


@pytest.mark.parametrize(("gap_mm", "near"), [(-5.0, True), (0.0, True), (5.5, True), (6.5, False)])
def test_tiles_near_each_other_have_a_seam(gap_mm: float, near: bool) -> None:
    assert pairs_with_seam([square(0, 0), square(20 + gap_mm, 0)]) == ([(0, 1)] if near else [])


def test_an_outline_that_crosses_itself_has_seams_as_well() -> None:
    bow = np.array([(40.0, 40.0), (60.0, 60.0), (60.0, 40.0), (40.0, 60.0)])
    assert pairs_with_seam([bow, square(71, 50)]) == [(0, 1)]
    assert np.isfinite(shown(painted(), [bow, square(71, 50)])).all()


def test_answers_are_probabilities_of_what_can_be_said() -> None:
    def network(batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        assert batch.shape == (1, 2 * CHANNELS, SEAM_PX, SEAM_PX)
        return [np.log(np.array([[0.1, 0.2, 0.3, 0.4]], np.float32)) + 5]

    seams = seams_of(
        Picture(painted()), TO_PLANE, seen_whole([square(50, 60), square(71, 60), square(110, 110)]), network
    )
    assert list(seams) == [(0, 1)]
    seam = seams[0, 1]
    assert (seam.apart, seam.touching) == pytest.approx((0.1, 0.2))
    assert (seam.first_over, seam.second_over) == pytest.approx((0.3, 0.4))
    assert SAID == ("apart", "touching", "first over second", "second over first")


def test_a_single_tile_asks_nothing_of_the_network() -> None:
    def network(batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        raise AssertionError

    assert seams_of(Picture(painted()), TO_PLANE, seen_whole([square(50, 60)]), network) == {}
    assert seams_of(Picture(painted()), TO_PLANE, [], network) == {}

"""Cuts of a photo: where they lie, how sharp they are, and what lies beyond the photo."""

import numpy as np
import pytest

from vision.picture import GREY, Picture


def ramp(width: int, height: int) -> np.ndarray:
    """Red grows to the right, green downwards, by 1 every 10 px."""
    y, x = np.mgrid[0:height, 0:width]
    return np.dstack([x // 10, y // 10, np.full_like(x, 9)]).astype(np.uint8)


def shrinking(times: float, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Photo px to cut px: `times` smaller, the centre of the first px of the cut at that of a block."""
    k = 1 / times
    return np.array([[k, 0, (k - 1) / 2 + shift[0]], [0, k, (k - 1) / 2 + shift[1]], [0, 0, 1]])


@pytest.mark.parametrize("times", [1.0, 1.5, 2.0, 3.0, 4.4, 9.0])
@pytest.mark.parametrize("size", [(1200, 900), (1201, 907)])
def test_every_cut_shows_the_place_it_is_of(times: float, size: tuple[int, int]) -> None:
    cut = Picture(ramp(*size)).cut(shrinking(times), (100, 80))
    y, x = np.mgrid[5:75, 5:95]
    assert np.abs(cut[5:75, 5:95, 0] - ((x + 0.5) * times / 10 - 0.5)).max() < 1.3
    assert np.abs(cut[5:75, 5:95, 1] - ((y + 0.5) * times / 10 - 0.5)).max() < 1.3


def test_a_small_cut_averages_what_it_shows() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (800, 800, 3)).astype(np.uint8)
    cut = Picture(noise).cut(shrinking(8), (100, 100))
    assert cut[10:90, 10:90].std() < 0.25 * noise.std()
    assert cut.mean() == pytest.approx(127.5, abs=1)


def test_a_cut_of_the_same_size_is_the_photo() -> None:
    picture = Picture(ramp(60, 40))
    assert (picture.cut(np.eye(3), (60, 40)) == picture.rgb).all()
    assert picture.size == (60, 40)


def test_beyond_the_photo_lies_grey() -> None:
    picture = Picture(ramp(60, 40))
    assert (picture.cut(np.array([[1.0, 0, 30], [0, 1, 0], [0, 0, 1]]), (20, 20))[:, :20] == GREY).all()
    assert (picture.cut(shrinking(2, (25, 0)), (20, 10), beyond=(0, 0, 0)) == 0).all()


def test_a_photo_is_halved_no_further_than_to_a_pixel() -> None:
    assert Picture(ramp(5, 3)).cut(shrinking(1000), (2, 2)).shape == (2, 2, 3)

"""Enrolment photos: tiles in rows as a page is read, edges measured, faces described alike whichever way they lay."""

import numpy as np
import numpy.typing as npt
import pytest
import shapely

from vision.enrolment import describe, edge_width_mm, finds_of_tiles, in_rows, is_faint
from vision.faces import FACE_MM, FACE_PX, Face

RNG = np.random.default_rng(8)
CIRCLE = 19 * np.stack([np.cos(a := np.linspace(0, 2 * np.pi, 90, endpoint=False)), np.sin(a)], axis=1)


def page(*rows: int, turn_deg: float = 0.0, wobble_mm: float = 0.0) -> npt.NDArray[np.float64]:
    """Middles of tiles laid in rows, 55 mm apart, the whole page turned."""
    points = np.array([(55.0 * x, 60.0 * y) for y, count in enumerate(rows) for x in range(count)])
    points += wobble_mm * RNG.uniform(-1, 1, points.shape)
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return points @ np.array([[c, s], [-s, c]])


@pytest.mark.parametrize("turn_deg", [-30, -12, 0, 7, 25])
@pytest.mark.parametrize("rows", [(7, 7, 7, 6), (3,), (1, 1, 1), (9, 9, 9), (5, 2)])
def test_tiles_are_taken_row_by_row_however_the_page_is_turned(turn_deg: float, rows: tuple[int, ...]) -> None:
    centers = page(*rows, turn_deg=turn_deg if len(rows) > 1 and rows[0] > 1 else 0.0, wobble_mm=4.0)
    shuffled = RNG.permutation(len(centers))
    found = in_rows(centers[shuffled], 15.0)
    assert [int(shuffled[i]) for _, i in found] == list(range(len(centers)))
    assert [row for row, _ in found] == [row for row, count in enumerate(rows) for _ in range(count)]


def test_no_tiles_are_no_rows() -> None:
    assert in_rows(np.zeros((0, 2)), 15.0) == []


def picture(blur_mm: float) -> npt.NDArray[np.uint8]:
    """A dark round tile on a light ground whose edge falls off over about `blur_mm`."""
    mm = (np.arange(FACE_PX) + 0.5) / FACE_PX * FACE_MM - FACE_MM / 2
    level = np.clip((np.hypot(mm[None], mm[:, None]) - 19.0) / blur_mm + 0.5, 0, 1)
    return np.repeat((60 + 150 * level)[:, :, None], 3, axis=2).astype(np.uint8)


@pytest.mark.parametrize("blur_mm", [0.6, 1.5, 3.0])
def test_the_width_of_an_edge_is_measured_in_mm(blur_mm: float) -> None:
    assert edge_width_mm(picture(blur_mm), CIRCLE) == pytest.approx(blur_mm, rel=0.35, abs=0.2)


def test_a_tile_without_contrast_has_no_edge_to_measure() -> None:
    assert edge_width_mm(np.full((FACE_PX, FACE_PX, 3), 90, np.uint8), CIRCLE) is None


def test_a_face_is_described_from_four_sides_with_unit_length() -> None:
    shown: list[npt.NDArray[np.float32]] = []

    def sees(batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        shown.append(batch)
        return [batch, batch[:, :3].mean((2, 3)).repeat(32, axis=1)]

    (descriptor,) = describe([picture(0.6)], [CIRCLE], sees)
    assert len(shown) == 4
    assert np.linalg.norm(descriptor) == pytest.approx(1.0, abs=1e-5)
    np.testing.assert_array_equal(np.rot90(shown[0], 1, axes=(2, 3)), shown[1])


def test_nothing_is_described_as_nothing() -> None:
    assert describe([], [], lambda batch: [batch]).shape == (0, 96)


def test_halves_of_a_tile_find_each_other_and_not_the_whole_tile_beside_them() -> None:
    grapes, crown, stalk = shapely.box(0, 0, 30, 40), shapely.box(0, 42, 30, 58), shapely.box(5, 58.5, 25, 80)
    whole = 1000.0
    assert finds_of_tiles([grapes, crown, stalk], [whole] * 3, 3.0) == [(0,), (1, 2)]
    assert finds_of_tiles([stalk, grapes, crown], [whole] * 3, 3.0) == [(0, 2), (1,)]


def test_a_fragment_is_of_the_tile_beside_it_and_tiles_apart_are_two() -> None:
    tile, fragment, other = shapely.box(0, 0, 30, 35), shapely.box(30.5, 0, 36, 30), shapely.box(45, 0, 75, 35)
    assert finds_of_tiles([tile, fragment, other], [1000.0] * 3, 3.0) == [(0, 1), (2,)]


@pytest.mark.parametrize(("levels", "faint"), [(0.0, True), (2.0, True), (12.0, False)])
def test_a_print_that_hardly_shows_is_faint_whatever_the_light(levels: float, faint: bool) -> None:
    noise = np.random.default_rng(1).normal(0, levels, (FACE_PX, FACE_PX, 1))
    lamp = np.linspace(120, 230, FACE_PX)[None, :, None]
    picture = np.clip(lamp + noise, 0, 255).repeat(3, axis=2).astype(np.uint8)
    angles = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    outline = 19 * np.column_stack([np.cos(angles), np.sin(angles)])
    assert is_faint(Face("baguette", picture, outline, np.zeros(96, np.float32), "photo")) is faint

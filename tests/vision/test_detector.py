"""The rows of the network become things on the photo, whichever way it was held."""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.detector import CLASSES, INPUT_PX, Thing, detect, frame
from vision.picture import Picture

Floats = npt.NDArray[np.float32]
W, H = INPUT_PX
GRAY = np.full((960, 1280, 3), 114, np.uint8)
Row = tuple[str, float, tuple[float, float, float, float]]  # class, score, box as cx, cy, w, h in network px


class MadeUp:
    """A network that answers with given rows, one list a call; the mask of a row is the ellipse in its box."""

    def __init__(self, *answers: list[Row]) -> None:
        self.answers, self.pictures = list(answers), list[Floats]()

    def __call__(self, batch: Floats) -> list[Floats]:
        self.pictures.append(batch[0])
        found = self.answers.pop(0)
        rows = np.zeros((1, 4 + len(CLASSES) + 32, max(len(found), 1) + 5), np.float32)
        protos = np.full((1, 32, H // 4, W // 4), -10, np.float32)
        for k, (cls, score, (cx, cy, w, h)) in enumerate(found):
            rows[0, :4, k] = cx, cy, w, h
            rows[0, 4 + CLASSES.index(cls), k] = score
            rows[0, 4 + len(CLASSES) + k, k] = 1
            mask = np.zeros((H, W), np.float32)
            cv2.ellipse(mask, (round(cx), round(cy)), (round(w / 2), round(h / 2)), 0, 0, 360, 1, -1)
            protos[0, k] = 20 * cv2.resize(mask, (W // 4, H // 4), interpolation=cv2.INTER_AREA) - 10
        return [rows, protos]


def found(network: Callable[[Floats], list[Floats]], image: npt.NDArray[np.uint8] = GRAY) -> list[Thing]:
    return detect(Picture(image), network, confidence=0.25, look_again_below=0.7)


def test_a_row_becomes_a_thing_in_photo_pixels() -> None:
    (thing,) = found(MadeUp([("round", 0.8, (100, 150, 40, 40))]))
    scale = min(W / 1280, H / 960)
    left, top = (W - 1280 * scale) / 2, (H - 960 * scale) / 2
    assert thing.cls == "round"
    assert thing.confidence == pytest.approx(0.8)
    expected = [(80 - left) / scale, (130 - top) / scale, (120 - left) / scale, (170 - top) / scale]
    assert thing.box == pytest.approx(np.array(expected), abs=1)
    outline = thing.outline()
    assert outline.min(0) == pytest.approx(thing.box[:2], abs=8)
    assert outline.max(0) == pytest.approx(thing.box[2:], abs=8)


def test_rows_under_the_confidence_are_dropped_and_none_is_no_fault() -> None:
    assert found(MadeUp([("round", 0.2, (100, 150, 40, 40))])) == []
    assert found(MadeUp([])) == []


def test_boxes_of_one_tile_are_merged_even_if_their_shapes_differ() -> None:
    (thing,) = found(MadeUp([("round", 0.5, (100, 150, 40, 40)), ("square", 0.8, (101, 150, 40, 40))]))
    assert thing.cls == "square"


def test_neighbours_stay_apart_and_come_surest_first() -> None:
    things = found(MadeUp([("round", 0.5, (100, 150, 40, 40)), ("wedge", 0.8, (125, 150, 40, 40))]))
    assert [thing.cls for thing in things] == ["wedge", "round"]


def test_a_board_never_competes_with_a_tile() -> None:
    rows: list[Row] = [("board", 0.9, (224, 176, 400, 300)), ("round", 0.6, (224, 176, 400, 300))]
    assert {thing.cls for thing in found(MadeUp(rows))} == {"board", "round"}


def test_an_upright_photo_is_turned_and_its_things_are_turned_back() -> None:
    image = np.full((1280, 960, 3), 114, np.uint8)
    cv2.circle(image, (200, 300), 60, (255, 0, 0), -1)
    a = frame(np.zeros(2), np.array([960.0, 1280.0]), fill=1.0)
    x, y = a @ np.array([200.0, 300.0, 1.0])
    network = MadeUp([("round", 0.8, (x, y, 120 * W / 1280, 120 * W / 1280))])
    (thing,) = found(network, image)
    assert network.pictures[0][:, round(y), round(x)] == pytest.approx(np.array([1, 0, 0]), abs=0.01)
    assert thing.box == pytest.approx(np.array([140, 240, 260, 360]), abs=2)
    assert thing.outline().mean(0) == pytest.approx(np.array([200, 300]), abs=8)


def test_a_small_board_is_looked_at_again() -> None:
    far: list[Row] = [("board", 0.9, (224, 176, 160, 120)), ("round", 0.4, (200, 170, 14, 14))]
    near: list[Row] = [("board", 0.9, (224, 176, 400, 300)), ("square", 0.9, (224, 176, 40, 40))]
    network = MadeUp(far, near)
    things = found(network)
    assert len(network.pictures) == 2
    assert [thing.cls for thing in things if thing.cls != "board"] == ["square"]
    small, large = network.pictures
    assert small.shape == large.shape == (3, H, W)
    box = next(thing.box for thing in things if thing.cls == "square")
    assert box[2] - box[0] == pytest.approx(40 * 160 / 400 * 1280 / W, rel=0.15)


def test_a_second_look_that_loses_the_board_is_forgotten() -> None:
    far: list[Row] = [("board", 0.9, (224, 176, 160, 120)), ("round", 0.4, (200, 170, 14, 14))]
    things = found(MadeUp(far, [("round", 0.9, (224, 176, 40, 40))]))
    assert {thing.cls for thing in things} == {"board", "round"}


def test_a_board_that_fills_the_photo_is_looked_at_once() -> None:
    network = MadeUp([("board", 0.9, (224, 176, 400, 300))])
    found(network)
    assert len(network.pictures) == 1


def test_the_frame_keeps_the_longer_side_across() -> None:
    for size in ([1280.0, 960.0], [960.0, 1280.0], [3000.0, 500.0]):
        a = frame(np.zeros(2), np.array(size), fill=1.0)
        corners = np.array([[0, 0], size]) @ a[:, :2].T + a[:, 2]
        low, high = corners.min(0), corners.max(0)
        assert (low > -1e-6).all()
        assert (high < np.array(INPUT_PX) + 1e-6).all()
        assert np.linalg.det(a[:, :2]) > 0
        assert high[0] - low[0] >= high[1] - low[1]


def test_an_empty_mask_has_no_outline() -> None:
    nothing = Thing("round", 0.9, np.zeros(4, np.float32), np.zeros((H // 4, W // 4), np.float32), np.eye(3))
    assert nothing.outline().shape == (0, 2)

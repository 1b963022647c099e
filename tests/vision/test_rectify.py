"""The plane of the faces comes from the tiles alone: tilt, scale and the camera's height."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, points_of, rounded, wedge
from vision.rectify import ROUND_MM, Blob, Plane, blob_of, fit_plane

Floats = npt.NDArray[np.float64]
SIZE_PX = (1280, 960)
FOCAL_PX = 0.80 * SIZE_PX[0]
DISTANCE_MM = 620.0
SHAPES = ("round", "square", "wedge", "round", "square")


def view(*, tilt_deg: float, towards_deg: float = 0.0, roll_deg: float = 0.0) -> Floats:
    """Homography (3, 3) from the plane's mm to the pixels of a camera that looks at its origin."""
    way = np.radians(towards_deg)
    tilt = cv2.Rodrigues(np.radians(tilt_deg) * np.array([np.cos(way), np.sin(way), 0.0]))[0]
    roll = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(roll_deg)]))[0]
    inner = np.array([[FOCAL_PX, 0, SIZE_PX[0] / 2], [0, FOCAL_PX, SIZE_PX[1] / 2], [0, 0, 1]])
    return np.asarray(inner @ roll @ np.column_stack([tilt[:, 0], tilt[:, 1], [0, 0, DISTANCE_MM]]))


def laid_tiles(shapes: tuple[str, ...] = SHAPES) -> list[tuple[str, Polygon]]:
    """A board of 5 x 4 tiles, turned this way and that."""
    makers = {"square": rounded, "wedge": wedge}
    tiles = []
    for i in range(20):
        shape, x, y = shapes[i % len(shapes)], 55.0 * (i % 5 - 2), 50.0 * (i // 5 - 1.5)
        tiles.append((shape, circle(x, y) if shape == "round" else makers[shape](x, y, turn_deg=37.0 * i)))
    return tiles


def seen(polygon: Polygon, to_px: Floats) -> npt.NDArray[np.float32]:
    dense = shapely.segmentize(polygon, 1.0)
    return cv2.perspectiveTransform(points_of(dense)[None], to_px)[0].astype(np.float32)


def blobs(tiles: list[tuple[str, Polygon]], to_px: Floats) -> list[Blob]:
    found = [blob_of(seen(polygon, to_px), shape, 1.0) for shape, polygon in tiles]
    return [blob for blob in found if blob is not None]


def diameters(plane: Plane, tiles: list[tuple[str, Polygon]], to_px: Floats) -> Floats:
    """Shortest and longest diameter (n, 2) in mm of the whole rounds, as the plane has them."""
    out = []
    for shape, polygon in tiles:
        if shape == "round":
            outline = cv2.perspectiveTransform(seen(polygon, to_px).astype(float)[None], plane.to_mm)[0]
            blob = blob_of(outline.astype(np.float32), "round", 1.0)
            assert blob is not None
            out.append(4 * np.sqrt(np.linalg.eigvalsh(blob.covariance)))
    return np.array(out)


@pytest.mark.parametrize("tilt_deg", [0.0, 10.0, 20.0, 30.0])
@pytest.mark.parametrize(("towards_deg", "roll_deg"), [(0.0, 0.0), (70.0, 0.0), (200.0, 95.0)])
def test_rounds_are_round_and_equal_whatever_the_tilt_and_roll(
    tilt_deg: float, towards_deg: float, roll_deg: float
) -> None:
    to_px, tiles = view(tilt_deg=tilt_deg, towards_deg=towards_deg, roll_deg=roll_deg), laid_tiles()
    plane = fit_plane(blobs(tiles, to_px), SIZE_PX)
    assert diameters(plane, tiles, to_px) == pytest.approx(ROUND_MM, rel=0.01)


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0, 30.0])
def test_the_camera_height_is_found_within_a_tenth(tilt_deg: float) -> None:
    plane = fit_plane(blobs(laid_tiles(), view(tilt_deg=tilt_deg)), SIZE_PX)
    assert plane.camera_height_mm == pytest.approx(DISTANCE_MM * np.cos(np.radians(tilt_deg)), rel=0.1)


def test_the_origin_lies_straight_below_the_camera() -> None:
    tilt_deg = 25.0
    to_px = view(tilt_deg=tilt_deg)
    below = DISTANCE_MM * np.sin(np.radians(tilt_deg))  # from the point looked at, along y
    plane = fit_plane(blobs(laid_tiles(), to_px), SIZE_PX)
    middle_px = cv2.perspectiveTransform(np.zeros((1, 1, 2)), to_px)
    distance = np.linalg.norm(cv2.perspectiveTransform(middle_px, plane.to_mm))
    assert distance == pytest.approx(below, rel=0.1)


def test_a_few_half_covered_tiles_do_not_bend_the_plane() -> None:
    to_px, tiles = view(tilt_deg=18.0, towards_deg=40.0), laid_tiles()
    shown = [
        (shape, polygon & shapely.box(-500, -500, polygon.centroid.x, 500) if i in (2, 6, 13, 15) else polygon)
        for i, (shape, polygon) in enumerate(tiles)
    ]
    plane = fit_plane(blobs(shown, to_px), SIZE_PX)
    assert diameters(plane, tiles, to_px) == pytest.approx(ROUND_MM, rel=0.02)


def test_squares_alone_give_the_plane_and_a_scale() -> None:
    to_px, tiles = view(tilt_deg=20.0), laid_tiles(("square",))
    plane = fit_plane(blobs(tiles, to_px), SIZE_PX)
    areas = [Polygon(cv2.perspectiveTransform(seen(p, to_px)[None], plane.to_mm)[0]).area for _, p in tiles]
    assert max(areas) / min(areas) < 1.02
    assert np.sqrt(np.mean(areas)) == pytest.approx(35.5, rel=0.02)


def test_without_tiles_the_plane_is_a_plain_scale() -> None:
    plane = fit_plane([], SIZE_PX)
    assert np.array_equal(plane.to_mm, np.diag([0.25, 0.25, 1.0]))


def test_a_line_or_a_point_has_no_moments() -> None:
    assert blob_of(np.zeros((2, 2), np.float32), "round", 1.0) is None
    assert blob_of(np.array([[0, 0], [5, 0], [9, 0]], np.float32), "round", 1.0) is None

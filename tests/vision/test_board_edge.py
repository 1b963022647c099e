"""The board's edge is where its colours end, straight on or round under tiles, whatever the detector made of it."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, points_of, rounded
from vision.board_edge import board_edge
from vision.curves import filled

Pixels = npt.NDArray[np.uint8]
SIZE = (300, 380)
"""Height and width, mm and px."""
OAK, SLATE, RED = (186, 142, 92), (92, 98, 108), (190, 30, 40)
ROUND = circle(190, 150, 110)
RECTANGLE = rounded(190, 150, side=200, corner=18)
SHARP = shapely.box(80, 60, 300, 240)
PADDLE = shapely.union_all([rounded(160, 150, side=190, corner=20), shapely.box(240, 130, 340, 172)])
BOARDS = {"round": ROUND, "rectangle": RECTANGLE, "sharp": SHARP, "paddle": PADDLE}


def mask(area: Polygon) -> Pixels:
    return filled(points_of(area) - 0.5, SIZE)


def picture(board: Polygon, tiles: tuple[Polygon, ...] = (), *, table: tuple[int, int, int] = SLATE) -> Pixels:
    """A board with grain on a table, in light that falls off to one side, with tiles on it."""
    rng = np.random.default_rng(3)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (*SIZE, 1)).astype(np.float32), (41, 3), 0)[..., None]
    canvas = np.where(mask(board)[..., None] > 0, np.array(OAK) + grain, np.array(table) + grain / 2)
    for tile in tiles:
        canvas = np.where(mask(tile)[..., None] > 0, np.array(RED), canvas)
    light = np.linspace(1.15, 0.8, SIZE[1])[None, :, None]
    return np.clip(canvas * light + rng.normal(0, 4, canvas.shape), 1, 255).astype(np.uint8)


def edge(board: Polygon, rough: Polygon, tiles: tuple[Polygon, ...] = (), **seen: tuple[int, int, int]) -> Polygon:
    outline = board_edge(picture(board, tiles, **seen), mask(rough), [points_of(tile) - 0.5 for tile in tiles])
    assert outline is not None
    return Polygon(outline)


def off_mm(found: Polygon, board: Polygon) -> float:
    return float(shapely.hausdorff_distance(found.exterior, board.exterior, densify=0.01))


@pytest.mark.parametrize("name", BOARDS)
def test_the_edge_is_found_though_the_detector_is_well_off(name: str) -> None:
    board = BOARDS[name]
    rough = shapely.affinity.translate(board, 6, -5).union(circle(board.bounds[0], 150, 14))
    found = edge(board, rough)
    assert off_mm(found, board) < (6.0 if name in ("sharp", "paddle") else 2.5)  # corners come out round
    assert found.symmetric_difference(board).area / board.length < 1.0


@pytest.mark.parametrize("name", ["round", "rectangle", "sharp"])
@pytest.mark.parametrize("along", [0.1, 0.3, 0.62])
def test_under_a_tile_that_hangs_over_the_edge_goes_on(name: str, along: float) -> None:
    board = BOARDS[name]
    at = board.exterior.interpolate(along, normalized=True)
    tile = circle(at.x, at.y)
    found = edge(board, board.union(tile.buffer(6)), (tile,))
    hang, true = (shapely.hausdorff_distance(tile.union(b).exterior, b.exterior) for b in (found, board))
    assert true > 15
    assert hang == pytest.approx(true, abs=2.5)


def test_a_tile_in_a_corner_does_not_hang_over() -> None:
    tile = shapely.box(82, 62, 116, 96)
    assert edge(SHARP, SHARP, (tile,)).buffer(2.0).covers(tile)


def test_a_row_of_tiles_along_the_edge_bends_it_little() -> None:
    tiles = tuple(shapely.box(x, 205, x + 34, 239) for x in range(120, 260, 36))
    found = edge(SHARP, SHARP.buffer(-4), tiles)
    assert shapely.distance(found.exterior, shapely.points([(x, 240) for x in range(110, 270, 5)])).max() < 6.0


def test_where_table_and_board_look_alike_the_detector_is_believed() -> None:
    assert off_mm(edge(ROUND, ROUND, table=OAK), ROUND) < 4.0


def test_the_photo_may_end_at_the_board() -> None:
    seen = picture(RECTANGLE)
    seen[:, :88] = 0
    outline = board_edge(seen, mask(RECTANGLE), [])
    assert outline is not None
    right = shapely.box(120, 0, 400, 300)
    assert off_mm(Polygon(outline).intersection(right), RECTANGLE.intersection(right)) < 2.5


def test_without_a_board_there_is_no_edge() -> None:
    assert board_edge(picture(ROUND), np.zeros(SIZE, np.uint8), []) is None

"""Outlines drawn too small or too large move to the edges that pictures of tiles on a plain ground show."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, cluster, filled, iou, points_of, rounded, wedge
from tests.vision.printed import texture
from vision.contours import ContourSettings, drawn_closer
from vision.faces import FACE_MM, FACE_PX, Pixels
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Colour = tuple[float, float, float]

ROUND, SQUARE = circle(0, 0), rounded(0, 0, turn_deg=12)
TILES = (SQUARE, wedge(0, 0, turn_deg=40), cluster(0, 0))
WOOD, SLATE, PAPER = (0.55, 0.40, 0.25), (0.15, 0.15, 0.17), (0.92, 0.90, 0.88)
RED, CARD = (0.60, 0.15, 0.12), (0.90, 0.88, 0.82)
SHADOW = 0.35
SETTINGS = load_section("contours", ContourSettings)
PX_PER_MM = FACE_PX / FACE_MM


def covered(area: Polygon, *, soft_mm: float = 0.0) -> Floats32:
    """How much of each pixel (256, 256, 1) of a face's picture lies in an area."""
    middle = FACE_PX / 2 - 0.5
    to_px = np.array([[PX_PER_MM, 0, middle], [0, PX_PER_MM, middle], [0, 0, 1]])
    mask = filled([area], to_px, (FACE_PX, FACE_PX))
    return (cv2.GaussianBlur(mask, (0, 0), soft_mm * PX_PER_MM) if soft_mm else mask)[..., None]


def picture(
    tile: Polygon, colour: Colour, ground: Colour, *, shadow: float = 0.0, margin_mm: float | None = None
) -> Pixels:
    """A tile on a plain ground, a little blurred and noisy; with a margin, what lies within it is inked."""
    canvas = np.broadcast_to(np.array(ground, np.float32), (FACE_PX, FACE_PX, 3))
    if shadow:
        canvas = canvas * (1 - shadow * covered(shapely.affinity.translate(tile, 1.2, 1.5), soft_mm=0.8))
    face = np.broadcast_to(np.array(colour, np.float32), canvas.shape)
    if margin_mm is not None:
        inked = covered(tile.buffer(-margin_mm))
        face = inked * 0.7 * texture(3) + (1 - inked) * face
    here = covered(tile)
    canvas = cv2.GaussianBlur(here * face + (1 - here) * canvas, (0, 0), 0.8)
    canvas = canvas + np.random.default_rng(5).normal(0, 0.008, canvas.shape)
    return (255 * canvas).clip(0, 255).astype(np.uint8)


def off(outline: Floats, tile: Polygon) -> Floats:
    """How far the points of an outline lie outside of a tile's edge, mm; negative inside."""
    points = shapely.points(outline)
    return np.asarray(shapely.distance(points, tile.exterior) * np.where(shapely.contains(tile, points), -1, 1))


def assert_at_the_edge(outlines: Sequence[Floats], *, mm: float = 0.3) -> None:
    for outline, tile in zip(outlines, TILES, strict=True):
        assert np.abs(off(outline, tile)).mean() < mm
        assert np.abs(off(outline, tile)).max() < mm + 0.2
        assert iou(Polygon(outline), tile) > 0.96


@pytest.mark.parametrize(
    ("colour", "ground", "shadow", "by_mm"),
    [(RED, WOOD, 0.0, -0.6), (RED, PAPER, SHADOW, 0.6), (CARD, WOOD, SHADOW, -0.6), (CARD, SLATE, 0.0, 0.6)],
)
def test_outlines_drawn_too_small_or_too_large_move_to_the_edge(
    colour: Colour, ground: Colour, shadow: float, by_mm: float
) -> None:
    pictures = [picture(tile, colour, ground, shadow=shadow) for tile in TILES]
    assert_at_the_edge(drawn_closer(pictures, [points_of(tile.buffer(by_mm)) for tile in TILES]))


@pytest.mark.parametrize("ground", [WOOD, SLATE])
def test_a_white_margin_belongs_to_the_tile_though_a_network_stopped_at_the_ink(ground: Colour) -> None:
    pictures = [picture(tile, CARD, ground, shadow=SHADOW, margin_mm=1.5) for tile in TILES]
    assert_at_the_edge(drawn_closer(pictures, [points_of(tile.buffer(-1.4)) for tile in TILES]))


def test_an_outline_that_runs_the_other_way_round_moves_alike() -> None:
    tile, drawn = wedge(0, 0), points_of(wedge(0, 0).buffer(-0.6))
    for outline in drawn_closer([picture(tile, RED, WOOD)] * 2, [drawn, drawn[::-1]]):
        assert np.abs(off(outline, tile)).mean() < 0.2


def test_an_outline_that_takes_in_a_millimetre_of_shadow_leaves_it() -> None:
    tile = SQUARE
    shaded = tile.union(shapely.affinity.translate(tile, 0.7, 0.9))
    (found,) = drawn_closer([picture(tile, CARD, WOOD, shadow=SHADOW)], [points_of(shaded)])
    assert off(points_of(shaded.segmentize(1.0)), tile).max() > 1.0
    assert np.abs(off(found, tile)).max() < 0.45


def test_a_margin_in_the_grounds_colour_is_kept_where_the_outlines_of_the_other_tiles_were_right() -> None:
    """The second pass expects every outline off by what most are."""
    tile = ROUND
    alike = picture(tile, WOOD, WOOD, margin_mm=1.5)
    (alone,) = drawn_closer([alike], [points_of(tile)])
    *_, among = drawn_closer([*[picture(tile, RED, WOOD)] * 2, alike], [points_of(tile)] * 3)
    assert np.median(off(alone, tile)) < -1.2
    assert np.abs(off(among, tile)).mean() < 0.4


def test_a_loose_hull_is_drawn_in_to_a_cluster() -> None:
    tile = cluster(0, 0)
    hull = tile.convex_hull.buffer(3.0)
    (found,) = drawn_closer([picture(tile, RED, WOOD, shadow=SHADOW)], [points_of(hull)])
    assert iou(hull, tile) < 0.7
    assert iou(Polygon(found), tile) > 0.88
    assert np.median(np.abs(off(found, tile))) < 0.3


def test_an_edge_that_can_just_be_told_from_the_ground_stays_within_reach() -> None:
    tile = cluster(0, 0)
    (found,) = drawn_closer([picture(tile, (0.572, 0.416, 0.26), WOOD)], [points_of(tile)])
    assert np.abs(off(found, tile)).max() <= SETTINGS.reach_mm + 0.05


@pytest.mark.xfail(
    strict=True, reason="where nothing tells the tile from the ground, it is taken for a hull around one"
)
def test_a_tile_that_cannot_be_told_from_the_ground_keeps_its_outline_within_reach() -> None:
    (found,) = drawn_closer([picture(ROUND, WOOD, WOOD)], [points_of(ROUND)])
    assert np.abs(off(found, ROUND)).max() <= SETTINGS.reach_mm + 0.05


@pytest.mark.xfail(strict=True, reason="of a tight hull too few normals see ground for 2.5 mm to be taken for one")
def test_a_tight_hull_is_drawn_in_to_a_cluster() -> None:
    tile = cluster(0, 0)
    (found,) = drawn_closer([picture(tile, RED, WOOD)], [points_of(tile.convex_hull)])
    assert iou(tile.convex_hull, tile) < 0.9
    assert iou(Polygon(found), tile) > 0.91


def test_outlines_are_closed_and_evenly_drawn() -> None:
    """No seam where the path begins."""
    (found,) = drawn_closer([picture(ROUND, RED, WOOD)], [points_of(ROUND.buffer(0.5))])
    steps = np.linalg.norm(np.roll(found, -1, 0) - found, axis=1)
    assert found.shape == (160, 2)
    assert steps.max() < 1.2 * steps.min()


def test_without_tiles_nothing_is_drawn() -> None:
    assert drawn_closer([], []) == []

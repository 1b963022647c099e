"""Photos: the truth in pixels is where the pixels are."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from datasets.make import Order, make_dataset, make_photo, write_photo
from datasets.synth.camera import Camera, aim
from datasets.synth.compose import Photo, draw_light, photograph
from datasets.synth.develop import through_lens, zoom_for
from datasets.synth.layout import make_scene
from datasets.synth.masks import Box, mask_of
from datasets.synth.objects import cards_seen
from datasets.synth.resting import Lean, rest
from datasets.synth.scene import Art, PlacedTile, Prop
from datasets.synth.sheets import enrolment_scene
from datasets.synth.tiles import lay, paint_tile
from datasets.synth.truth import footprint_of, turned
from models.training.crops import cut, read_board_photo
from models.training.photos import read_photo_with_truth
from scoring.charcuterie.catalogue import KINDS
from tests.datasets.art_dummy import dummy_art
from vision.detector import CLASSES

SIZE = (800, 600)


@cache
def photo(seed: int, *, plain: bool = False) -> Photo:
    return photograph(make_scene(seed, dummy_art()), dummy_art(), np.random.default_rng(seed), size=SIZE, plain=plain)


def camera_of(truth: dict) -> Camera:  # type: ignore[type-arg]
    return Camera(np.array(truth["camera"]["projection"]), tuple(truth["camera"]["size"]), truth["camera"]["k1"])


def test_the_same_seed_gives_the_same_photo() -> None:
    scene = make_scene(0, dummy_art())
    again = photograph(scene, dummy_art(), np.random.default_rng(0), size=SIZE)
    assert np.array_equal(photo(0).image, again.image)
    assert photo(0).truth == again.truth


def test_a_sheet_shows_every_kind_on_the_bare_table(tmp_path: Path) -> None:
    sheet = enrolment_scene(dummy_art(), np.random.default_rng(0))
    made = photograph(sheet, dummy_art(), np.random.default_rng(0), size=SIZE, tilt_deg=(0.0, 15.0), has_board=False)
    assert made.truth["board"] is None
    assert made.truth["players"] is None
    assert [tile["kind"] for tile in made.truth["tiles"]] == list(KINDS)
    assert all(tile["visible"] == 1.0 for tile in made.truth["tiles"])
    file = tmp_path / "sheet.json"
    write_photo(made, file)
    photo = read_photo_with_truth(file, max_side_px=400, classes=CLASSES)
    assert len(photo.instances) == len(KINDS)
    assert CLASSES.index("board") not in {instance.cls for instance in photo.instances}
    crops = read_board_photo(file, list(KINDS))
    assert crops.board is None
    some = cut(crops, np.zeros((600, 800, 3), np.uint8), crops.tiles[0], np.random.default_rng(0))
    assert not some.board.any()
    assert some.full.any()


def test_a_photo_has_the_size_asked_for() -> None:
    assert photo(0).image.shape == (600, 800, 3)
    assert photo(0).image.dtype == np.uint8


@pytest.mark.parametrize("seed", range(2))
def test_polygons_are_footprints_projected_at_the_height_of_the_top(seed: int) -> None:
    truth = photo(seed).truth
    camera = camera_of(truth)
    over = {upper for upper, _ in truth["over"]}
    flat = [t for t in truth["tiles"] if t["id"] not in over]
    assert flat
    for tile in flat:
        ground = np.array(tile["footprint"])
        top = np.column_stack([ground, np.full(len(ground), dummy_art().thickness_mm)])
        assert np.abs(camera.project(top) - tile["polygon_px"]).max() < 0.02


@pytest.mark.parametrize("seed", range(2))
def test_tiles_that_lie_on_others_are_seen_higher(seed: int) -> None:
    truth = photo(seed).truth
    camera = camera_of(truth)
    for name in {upper for upper, _ in truth["over"]}:
        tile = next(t for t in truth["tiles"] if t["id"] == name)
        ground = np.array(tile["footprint"])
        flat = camera.project(np.column_stack([ground, np.full(len(ground), dummy_art().thickness_mm)]))
        assert np.abs(flat - tile["polygon_px"]).max() < 25.0


@pytest.mark.parametrize("seed", range(2))
def test_visible_parts_lie_in_the_outline_and_the_hidden_ones_are_gone(seed: int) -> None:
    truth = photo(seed).truth
    tops = {t["id"]: shapely.make_valid(shapely.Polygon(t["polygon_px"])) for t in truth["tiles"]}
    seen = {t["id"]: shapely.union_all([shapely.Polygon(p) for p in t["visible_px"]]) for t in truth["tiles"]}
    for name, part in seen.items():
        assert part.difference(tops[name].buffer(0.1)).area < 0.5
    for upper, lower in truth["over"]:
        assert seen[lower].intersection(tops[upper]).area < 0.02 * tops[lower].area


@pytest.mark.parametrize("seed", range(2))
def test_tiles_have_their_colour_inside_their_visible_outline(seed: int) -> None:
    shot = photo(seed, plain=True)
    grown = 0
    for tile in shot.truth["tiles"]:
        colour = dummy_art().faces[tile["kind"]][0].rgba[0, 0, :3].astype(float)
        body = max((shapely.Polygon(p) for p in tile["visible_px"]), key=lambda p: p.area).buffer(-2.5)
        inside = _pixels(body, shot.image)
        if len(inside) < 50:
            continue
        scale = np.median(inside @ colour) / (colour @ colour)
        close = np.abs(inside - colour * scale).max(axis=1) < 25
        grown += close.mean() > 0.8
    assert grown > 0.8 * len(shot.truth["tiles"])


def _pixels(body: shapely.Geometry, image: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    if body.is_empty:
        return np.empty((0, 3))
    left, top, right, bottom = (int(v) for v in body.bounds)
    y, x = np.mgrid[max(0, top) : min(bottom, 599) + 1, max(0, left) : min(right, 799) + 1]
    chosen = shapely.contains_xy(body, x.ravel() + 0.5, y.ravel() + 0.5)
    found: np.ndarray = image[y.ravel()[chosen], x.ravel()[chosen]].astype(float)  # type: ignore[type-arg]
    return found


def test_what_is_printed_on_a_tile_is_seen_where_the_camera_puts_it() -> None:
    face = dummy_art().faces["salami"][0]
    ground = np.zeros_like(face.rgba)
    ground[:, :, 3] = 255
    at = (np.mgrid[: ground.shape[0], : ground.shape[1]][::-1].transpose(1, 2, 0) + 0.5) / 5.0 + face.corner_mm
    ground[np.hypot(*(at - (6.0, 3.0)).transpose(2, 0, 1)) < 4.0] = 255
    art = replace(dummy_art(), faces={"salami": (replace(face, rgba=ground),)})
    tile = PlacedTile("t0", "salami", 0, (40.0, -20.0), 33.0)
    board = np.array([[-150.0, -100, 0], [150, -100, 0], [150, 100, 0], [-150, 100, 0]])
    view = aim(board, size=SIZE, equivalent_mm=28, tilt_deg=25, azimuth_deg=70, roll_deg=10, fill=0.9)
    laid = lay(tile, art, footprint=footprint_of(tile, art), lean=Lean(0.05, 0.02, 1.0), view=view)
    canvas = np.zeros((600, 800, 3), np.uint8)
    light = replace(draw_light(np.random.default_rng(0)), rim=0.0, edge_soft_px=0.0)
    rng = np.random.default_rng(0)
    paint_tile(canvas, laid, art=art, view=view, light=light, under=[], already_over=[], rng=rng)
    spot = turned(np.array([[6.0, 3.0]]), angle_deg=33.0, center_mm=(40.0, -20.0))
    x, y = view.project(np.column_stack([spot, laid.lean.at(spot) + art.thickness_mm]))[0]
    left, top = int(x) - 15, int(y) - 15
    weight = np.maximum(canvas[top : top + 30, left : left + 30, 0].astype(float) - 10, 0)
    yy, xx = np.mgrid[top : top + 30, left : left + 30] + 0.5
    assert (weight * xx).sum() / weight.sum() == pytest.approx(x, abs=0.15)
    assert (weight * yy).sum() / weight.sum() == pytest.approx(y, abs=0.15)


def test_a_mask_covers_exactly_its_polygon() -> None:
    circle = np.asarray(shapely.Point(50.3, 40.7).buffer(20, quad_segs=32).exterior.coords)[:-1]
    mask = mask_of([circle], Box(10, 10, 90, 80))
    assert mask.sum() == pytest.approx(shapely.Polygon(circle).area, rel=0.02)
    y, x = np.mgrid[10:80, 10:90] + 0.5
    assert (mask * x).sum() / mask.sum() == pytest.approx(50.3, abs=0.05)
    assert (mask * y).sum() / mask.sum() == pytest.approx(40.7, abs=0.05)


@pytest.mark.parametrize("k1", [-0.03, 0.03])
def test_the_lens_moves_pixels_to_where_it_moves_points(k1: float) -> None:
    board = np.array([[-150.0, -100, 0], [150, -100, 0], [150, 100, 0], [-150, 100, 0]])
    camera = aim(board, size=SIZE, equivalent_mm=28, tilt_deg=20, azimuth_deg=70, roll_deg=10, fill=0.9, k1=k1)
    zoom = zoom_for(k1)
    image = np.zeros((600, 800, 3), np.uint8)
    spots = camera.zoomed(zoom).pinhole(board)
    for x, y in spots:
        dot = np.asarray(shapely.Point(x, y).buffer(6).exterior.coords)[:-1]
        image = np.maximum(image, (mask_of([dot], Box(0, 0, 800, 600)) * 255).astype(np.uint8)[:, :, None])
    bent = through_lens(image, camera, zoom=zoom)[:, :, 0].astype(float)
    for x, y in camera.project(board):
        yy, xx = np.mgrid[max(0, int(y) - 12) : int(y) + 12, max(0, int(x) - 12) : int(x) + 12]
        yy, xx = np.clip(yy, 0, 599), np.clip(xx, 0, 799)
        weight = bent[yy, xx]
        assert (weight * (xx + 0.5)).sum() / weight.sum() == pytest.approx(x, abs=0.3)
        assert (weight * (yy + 0.5)).sum() / weight.sum() == pytest.approx(y, abs=0.3)


def test_a_tile_on_one_other_leans_and_a_tile_on_two_lies_level() -> None:
    square = np.array([[-17.0, -17], [17, -17], [17, 17], [-17, 17]])
    left = np.column_stack([square[[0, 3]], [2.0, 2.0]])
    lean = rest(square, left)
    assert lean.at(square) == pytest.approx([2.0, 0.0, 0.0, 2.0], abs=0.05)
    both = np.column_stack([square, np.full(4, 2.0)])
    assert rest(square, both).at(square) == pytest.approx([2.0] * 4)
    assert rest(square, np.empty((0, 3))).at(square) == pytest.approx([0.0] * 4)


def test_unknown_renderers_and_splits_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="crayon"):
        make_dataset(tmp_path, count=1, seed=0, renderer="crayon")
    with pytest.raises(ValueError, match="holiday"):
        make_dataset(tmp_path, count=1, seed=0, split="holiday")


def test_cards_count_only_where_they_show() -> None:
    board = np.array([[-150.0, -100, 0], [150, -100, 0], [150, 100, 0], [-150, 100, 0]])
    view = aim(board, size=SIZE, equivalent_mm=28, tilt_deg=0, azimuth_deg=0, roll_deg=-90, fill=0.6)
    rectangle = np.array([[-30.0, -40], [30, -40], [30, 40], [-30, 40]])
    whole, half, none = (Prop("card", rectangle + at, 0) for at in ([200, 0], [150, 0], [0, 0]))
    seen = cards_seen((whole, half, none), view, table_mm=0.0, hiders=[view.project(board)])
    assert len(seen) == 2
    areas = [shapely.Polygon(c).area for c in seen]
    assert areas[1] == pytest.approx(areas[0] / 2, rel=0.02)


def test_foreign_things_lie_on_the_board_clear_of_the_tiles_and_stand_in_the_truth() -> None:
    class Shelf:
        def art(self, style: str, seed: int) -> Art:
            return dummy_art()

    order = Order(Path(), 1, 3, ("dummy",), "foreign", SIZE)
    taken = make_photo(order, 0, Shelf())  # type: ignore[arg-type]
    truth = taken.truth
    assert len(truth["tiles"]) == 12
    assert 1 <= len(truth["foreign_px"]) <= 3
    things, tiles = _outlines(truth)
    board = shapely.Polygon(truth["board"]["outline_px"])
    for thing in things:
        assert board.covers(thing.centroid)
        assert all(thing.intersection(tile).area < 0.1 * thing.area for tile in tiles)


def _outlines(truth: dict[str, Any]) -> tuple[list[shapely.Polygon], list[shapely.Polygon]]:
    """Outlines px of the foreign things and of the tiles."""
    tiles = [tile["polygon_px"] for tile in truth["tiles"]]
    return [shapely.Polygon(p).buffer(0) for p in truth["foreign_px"]], [shapely.Polygon(p).buffer(0) for p in tiles]

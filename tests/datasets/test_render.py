"""The path-traced camera: how stacked tiles rest, what the truth says, and one tiny picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from datasets.synth.render.job import write_job
from datasets.synth.render.lean import LeanError, Plane, rest_on, settle
from datasets.synth.render.mesh import extrude
from datasets.synth.render.pinhole import aim
from datasets.synth.render.pose import pose_of
from datasets.synth.render.run import NoBlender, Quality, Request, find_bpy_python, render_photos, truth_of
from datasets.synth.render.sets import requests_of
from datasets.synth.render.shot import Shot, take
from datasets.synth.scene import Art, Face, PlacedTile, Scene
from datasets.synth.sheets import ROWS, enrolment_scene
from scoring.charcuterie.catalogue import KINDS

THICK = 2.0
BOARD = np.array([[-160.0, -90.0], [160.0, -90.0], [160.0, 90.0], [-160.0, 90.0]])


def square(x: float, y: float, side: float = 36.0) -> np.ndarray:
    half = side / 2
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


def one_art() -> Art:
    rgba = np.full((200, 200, 4), 255, dtype=np.uint8)
    rgba[:, :100, :3] = (200, 60, 40)
    faces: dict[str, tuple[Face, ...]] = {
        kind: (Face(kind, square(0, 0), rgba, 5.0, (-20.0, -20.0)),) for kind in KINDS
    }
    return Art("test-0", "test", 0, faces)


def stacked_scene() -> Scene:
    tiles = (
        PlacedTile("t0", "swiss", 0, (-40.0, 0.0), 0.0),
        PlacedTile("t1", "ranch", 0, (-14.0, 8.0), 20.0),
        PlacedTile("t2", "dates", 0, (60.0, 20.0), 45.0),
    )
    return Scene(5, 3, BOARD, (), None, "oak", tiles, (("t1", "t0"),), (("t0", "t1"),), ())


def shot_of(scene: Scene, **more: Any) -> Shot:
    return take(scene, one_art(), rng=np.random.default_rng(3), size=(320, 240), **more)


def deepest_mm(upper: tuple[np.ndarray, Plane], lower: tuple[np.ndarray, Plane]) -> float:
    """Return how far the upper tile's underside lies under the lower one's top, at its worst."""
    left, bottom, right, top = shapely.polygons(upper[0]).bounds
    x, y = np.meshgrid(np.linspace(left, right, 60), np.linspace(bottom, top, 60))
    points = np.column_stack([x.ravel(), y.ravel()])
    inside = shapely.contains_xy(shapely.polygons(upper[0]), points) & shapely.contains_xy(
        shapely.polygons(lower[0]), points
    )
    return float((lower[1].raised(THICK).at(points[inside]) - upper[1].at(points[inside])).max(initial=0.0))


def test_a_tile_alone_lies_flat_on_the_board() -> None:
    assert settle({"t0": square(0, 0)}, [], thickness_mm=THICK)["t0"] == Plane(0.0, 0.0, 0.0)


def test_a_tile_over_the_edge_of_another_leans_with_its_far_side_on_the_board() -> None:
    planes = settle({"t0": square(0, 0), "t1": square(26, 0)}, [("t1", "t0")], thickness_mm=THICK)
    far = np.array([[44.0, 0.0]])
    edge = np.array([[18.0, 0.0]])
    assert planes["t1"].at(far)[0] == pytest.approx(0.0, abs=0.02)
    assert planes["t1"].at(edge)[0] == pytest.approx(THICK, abs=0.02)
    assert planes["t1"].b == pytest.approx(0.0, abs=1e-6)


def test_a_tile_whose_middle_is_carried_lies_flat_on_the_lower_one() -> None:
    planes = settle({"t0": square(0, 0), "t1": square(6, 4)}, [("t1", "t0")], thickness_mm=THICK)
    assert planes["t1"] == Plane(0.0, 0.0, THICK)


def test_a_tile_across_two_others_bridges_them() -> None:
    tiles = {"a": square(0, 0), "b": square(60, 0), "c": square(30, 0, side=50.0)}
    planes = settle(tiles, [("c", "a"), ("c", "b")], thickness_mm=THICK)
    assert planes["c"] == Plane(0.0, 0.0, THICK)


def test_a_tile_that_hangs_over_the_board_stays_up_while_its_middle_is_carried() -> None:
    board = shapely.polygons(BOARD)
    planes = settle({"t0": square(150, 0)}, [], thickness_mm=THICK, board=board, drop_mm=9.0)
    assert planes["t0"].lean_deg == pytest.approx(0.0, abs=1e-6)


def test_a_tile_mostly_over_the_edge_tips_onto_the_table() -> None:
    board = shapely.polygons(BOARD)
    planes = settle({"t0": square(165, 0)}, [], thickness_mm=THICK, board=board, drop_mm=9.0)
    outer = np.array([[183.0, 0.0]])
    assert planes["t0"].at(outer)[0] == pytest.approx(-9.0, abs=0.05)


def test_tiles_in_a_ring_are_an_error_that_names_them() -> None:
    tiles = {"a": square(0, 0), "b": square(20, 0), "c": square(10, 18)}
    with pytest.raises(LeanError, match=r"\['a', 'b', 'c'\]"):
        settle(tiles, [("a", "b"), ("b", "c"), ("c", "a")], thickness_mm=THICK)


@pytest.mark.parametrize("seed", range(12))
def test_no_tile_of_a_heap_enters_another(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = {}
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    for index in range(8):
        wave = 19.0 + rng.uniform(0, 4) * np.cos(rng.integers(2, 6) * turn)
        tiles[f"t{index}"] = np.column_stack([np.cos(turn), np.sin(turn)]) * wave[:, None] + rng.uniform(-45, 45, 2)
    shapes = {name: shapely.polygons(points) for name, points in tiles.items()}
    names = list(tiles)
    over = [(u, n) for i, u in enumerate(names) for n in names[:i] if shapes[u].intersection(shapes[n]).area > 0.5]
    planes = settle(tiles, over, thickness_mm=THICK)
    for upper, lower in over:
        assert deepest_mm((tiles[upper], planes[upper]), (tiles[lower], planes[lower])) < 0.2
    assert all(float(planes[name].at(tiles[name]).min()) > -0.05 for name in names)


def test_the_lowest_plane_touches_three_carriers() -> None:
    points = np.array([[0.0, 0.0, 0.0], [40.0, 0.0, 0.0], [40.0, 40.0, 0.0], [0.0, 40.0, 0.0], [10.0, 20.0, 2.0]])
    plane = rest_on(points, np.array([20.0, 20.0]))
    gaps = plane.at(points[:, :2]) - points[:, 2]
    assert (np.abs(gaps) < 1e-6).sum() >= 3
    assert gaps.min() > -1e-6


def test_a_leaning_tile_keeps_its_size_and_its_middle() -> None:
    tile = PlacedTile("t0", "swiss", 0, (30.0, -10.0), 35.0)
    pose = pose_of(tile, Plane(0.06, -0.03, 1.0), thickness_mm=THICK)
    flat = np.column_stack([square(0, 0), np.full(4, THICK)])
    top = pose.apply(flat)
    assert np.linalg.norm(top[0] - top[2]) == pytest.approx(np.linalg.norm(flat[0] - flat[2]))
    assert top[:, :2].mean(axis=0) == pytest.approx(np.array([30.0, -10.0]))
    under = pose.apply(np.column_stack([square(0, 0), np.zeros(4)]))
    assert Plane(0.06, -0.03, 1.0).at(under[:, :2]) == pytest.approx(under[:, 2])


def test_a_camera_straight_above_sees_the_board_as_it_lies() -> None:
    points = np.column_stack([BOARD, np.zeros(4)])
    camera = aim(points, size=(800, 600), equivalent_mm=35, tilt_deg=0, azimuth_deg=0, roll_deg=0, fill=0.8)
    pixels = camera.project(points)
    assert pixels.min(axis=0) == pytest.approx([80.0, 120.0], abs=0.1)
    assert pixels.max(axis=0) == pytest.approx([720.0, 480.0], abs=0.1)
    assert pixels[0, 0] < pixels[1, 0]  # x to the right
    assert pixels[0, 1] < pixels[2, 1]  # y down


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 30.0])
def test_the_camera_of_the_scene_is_the_camera_of_the_truth(tilt_deg: float) -> None:
    points = np.column_stack([BOARD, np.zeros(4)])
    camera = aim(
        points, size=(800, 600), equivalent_mm=28, tilt_deg=tilt_deg, azimuth_deg=70, roll_deg=20, fill=0.8,
        shift=(0.03, -0.02),
    )  # fmt: skip
    matrix = camera.scene_matrix()
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1.0)
    scene = points * [1, -1, 1] / 100.0
    local = (scene - matrix[:3, 3]) @ matrix[:3, :3]  # x right, y up, looking along -z
    pixels = np.column_stack([local[:, 0], -local[:, 1]]) / -local[:, 2:] * camera.focal_px + [400, 300]
    assert camera.project(points) == pytest.approx(pixels)
    normal = (np.array([0.0, 0.0, 1.0]) @ matrix[:3, :3])[2]
    assert np.degrees(np.arccos(min(1.0, normal))) == pytest.approx(tilt_deg, abs=1e-4)


def test_a_plate_with_a_hole_is_closed_and_its_normals_point_out() -> None:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    hole = np.column_stack([np.cos(turn), np.sin(turn)]) * 6.0
    mesh = extrude(square(0, 0), thickness_mm=8.0, bevel_mm=0.0, holes=[hole])
    corners = mesh.vertices[mesh.faces]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    area = 36.0**2 - shapely.polygons(hole).area
    assert volume == pytest.approx(area * 8.0)


def test_the_truth_holds_the_leaning_outline_and_its_shadow_on_the_ground() -> None:
    shot = shot_of(stacked_scene(), tilt_deg=(25.0, 25.0))
    truth = truth_of(shot)
    assert [tile["id"] for tile in truth["tiles"]] == ["t0", "t1", "t2"]
    projection = np.array(truth["camera"]["projection"])
    for tile in truth["tiles"]:
        top = shot.tops[tile["id"]]
        assert np.array(tile["footprint"]) == pytest.approx(top[:, :2], abs=0.01)
        pixels = np.column_stack([top, np.ones(len(top))]) @ projection.T
        assert np.array(tile["polygon_px"]) == pytest.approx(pixels[:, :2] / pixels[:, 2:], abs=0.02)
    assert truth["tiles"][0]["visible"] < 1.0
    assert truth["tiles"][1]["visible"] == 1.0
    assert shot.planes["t1"].lean_deg > 1.0
    outline = np.array(truth["board"]["outline_px"])
    assert outline.min() > 0
    assert (outline.max(axis=0) < [320, 240]).all()


def test_an_enrolment_photo_holds_every_kind_in_rows_and_no_board() -> None:
    rng = np.random.default_rng(0)
    scene = enrolment_scene(one_art(), rng)
    assert [tile.kind for tile in scene.tiles] == list(KINDS)
    assert sum(ROWS) == len(KINDS)
    truth = truth_of(shot_of(scene, has_board=False))
    assert truth["board"] is None
    shapes = [shapely.polygons(np.array(tile["footprint"])) for tile in truth["tiles"]]
    middles = [np.array(tile["polygon_px"]).mean(axis=0) for tile in truth["tiles"]]
    assert middles[0][0] < middles[6][0] - 100  # the first row runs to the right, the last lies lowest
    assert middles[0][1] < middles[21][1] - 60
    assert min(a.distance(b) for i, a in enumerate(shapes) for b in shapes[:i]) > 2.0


def test_a_job_names_only_meshes_and_materials_it_has(tmp_path: Path) -> None:
    write_job(shot_of(stacked_scene()), tmp_path, rng=np.random.default_rng(1), samples=2, threads=1)
    job = json.loads((tmp_path / "job.json").read_text())
    with np.load(tmp_path / "meshes.npz") as arrays:
        for entry in job["objects"]:
            assert f"{entry['mesh']}.v" in arrays
            assert set(entry["materials"]) <= set(job["materials"])
    pictures = [m["image"] for m in job["materials"].values() if m["type"] == "face"]
    assert all((tmp_path / picture).exists() for picture in pictures)


def test_sets_are_named_and_an_unknown_one_is_an_error() -> None:
    assert [r.name for r in requests_of("eval", count=2)] == ["eval_000", "eval_001"]
    with pytest.raises(ValueError, match="known: eval, trained, enrol"):
        requests_of("holiday")


def test_a_missing_blender_is_said_with_the_way_to_get_it() -> None:
    with pytest.raises(NoBlender, match="make bpy-env"):
        find_bpy_python("/nowhere/python")


@pytest.mark.render
def test_a_tiny_photo_is_path_traced(tmp_path: Path) -> None:
    try:
        python = find_bpy_python()
    except NoBlender as reason:
        pytest.skip(str(reason))

    def shoot(rng: np.random.Generator) -> Shot:
        return take(stacked_scene(), one_art(), rng=rng, size=(160, 120))

    request = Request("tiny", (1,), shoot)
    assert list(render_photos([request], tmp_path, quality=Quality(2, 1), bpy_python=python)) == ["tiny"]
    assert json.loads((tmp_path / "tiny.json").read_text())["format"] == "boardsnap.board/1"
    assert (tmp_path / "tiny.jpg").stat().st_size > 1000
    assert list(render_photos([request], tmp_path, quality=Quality(2, 1), bpy_python=python)) == []

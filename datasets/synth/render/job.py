"""Writes a shot as a job folder that the Blender side renders without knowing any of our types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.render import looks
from datasets.synth.render.mesh import UNIT_MM, Array, Mesh, extrude, moved, plate
from datasets.synth.render.props import build_prop
from datasets.synth.render.shot import BEVEL_MM, Shot, face_of
from datasets.synth.scene import Face, Prop

MASK_PX_PER_MM = 4.0
TABLE_HALF_MM = 2500.0
ROUNDED = ("glass", "pen", "nut", "crumb")
"""Props whose facets are shaded as one round surface."""


class _Job:
    """A job folder while it is filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.materials: dict[str, dict[str, Any]] = {}
        self.objects: list[dict[str, Any]] = []
        self.arrays: dict[str, npt.NDArray[np.generic]] = {}

    def add(self, name: str, mesh: Mesh, materials: list[str], **more: Any) -> None:
        self.arrays.update(mesh.arrays(name))
        self.objects.append({"name": name, "mesh": name, "materials": materials, **more})


def write_job(shot: Shot, folder: Path, *, rng: np.random.Generator, samples: int, threads: int) -> dict[str, Any]:
    """Write `job.json`, `meshes.npz` and the pictures; return the job's dict."""
    folder.mkdir(parents=True, exist_ok=True)
    job = _Job(folder)
    _add_table(job, shot, rng)
    if shot.has_board:
        _add_board(job, shot, rng)
    _add_tiles(job, shot, rng)
    for index, prop in enumerate(shot.scene.props):
        _add_prop(job, shot, prop, f"prop{index}")
    place = shot.camera.position / UNIT_MM
    world, lamps, view = looks.light(rng, camera=(float(place[0]), float(-place[1]), float(place[2])))
    entry: dict[str, Any] = {
        "size": list(shot.camera.size),
        "samples": samples,
        "threads": threads,
        "seed": int(rng.integers(2**31)),
        "camera": {"matrix": shot.camera.scene_matrix().tolist(), "focal_px": shot.camera.focal_px},
        "view": view,
        "world": world,
        "lights": lamps,
        "materials": job.materials,
        "objects": job.objects,
    }
    (folder / "job.json").write_text(json.dumps(entry))
    np.savez(folder / "meshes.npz", **job.arrays)  # type: ignore[arg-type]
    return entry


def _add_table(job: _Job, shot: Shot, rng: np.random.Generator) -> None:
    job.materials["table"] = looks.table(rng)
    job.add("table", plate(TABLE_HALF_MM, -shot.board_thickness_mm), ["table"])


def _add_board(job: _Job, shot: Shot, rng: np.random.Generator) -> None:
    scene = shot.scene
    look = looks.board(rng, scene.board_style)
    corner = scene.board_outline.min(axis=0) - 2.0
    extent = scene.board_outline.max(axis=0) + 2.0 - corner
    if look["type"] == "wood" and scene.inner_ring is not None:
        _write_ring(job.folder / "ring.png", scene.inner_ring - corner, extent, width_mm=float(rng.uniform(0.8, 1.8)))
        burnt = [channel * float(rng.uniform(0.1, 0.6)) for channel in look["dark"]]
        look.update(mask="ring.png", mask_rgb=burnt, mask_strength=float(rng.uniform(0.6, 1.0)))
    job.materials["board"] = look
    mesh = extrude(
        scene.board_outline,
        thickness_mm=shot.board_thickness_mm,
        bevel_mm=float(rng.uniform(0.4, 1.4)),
        holes=scene.holes,
        picture=((float(corner[0]), float(corner[1])), (float(extent[0]), float(extent[1]))),
    )
    job.add("board", moved(mesh, _lift(-shot.board_thickness_mm)), ["board"])


def _write_ring(path: Path, ring: Array, extent: Array, *, width_mm: float) -> None:
    """Draw the engraved line, white on black."""
    width, height = (int(np.ceil(side * MASK_PX_PER_MM)) for side in extent)
    picture = np.zeros((height, width), dtype=np.uint8)
    scale = np.array([width, height]) / extent
    points = np.round(ring * scale * 16).astype(np.int32)[:, None]
    cv2.polylines(picture, [points], True, 255, round(width_mm * MASK_PX_PER_MM), cv2.LINE_AA, 4)
    cv2.imwrite(str(path), cv2.GaussianBlur(picture, (0, 0), 1.0))


def _add_tiles(job: _Job, shot: Shot, rng: np.random.Generator) -> None:
    finish = {"roughness": float(rng.uniform(0.25, 0.6)), "bump": float(rng.uniform(0.0, 0.15))}
    if rng.uniform() < 0.2:  # laminated printing
        finish.update(coat=float(rng.uniform(0.3, 0.8)), coat_roughness=float(rng.uniform(0.08, 0.3)))
    core = [looks.to_linear(channel / 255.0) for channel in shot.art.core_rgb]
    job.materials["core"] = {"type": "plain", "rgb": core, "uneven": 0.2, "scale": 30.0, "roughness": 0.9}
    for tile in shot.scene.tiles:
        face = face_of(shot.art, tile)
        name = f"{tile.kind}_{tile.variant}"
        if name not in job.materials:
            _write_face(job.folder / f"{name}.png", face)
            job.materials[name] = {"type": "face", "image": f"{name}.png", **finish}
        height, width = face.rgba.shape[:2]
        mesh = extrude(
            face.outline,
            thickness_mm=shot.thickness_mm,
            bevel_mm=BEVEL_MM,
            picture=(face.corner_mm, (width / face.px_per_mm, height / face.px_per_mm)),
            side_material=1,
        )
        job.add(tile.id, moved(mesh, shot.poses[tile.id].matrix), [name, "core"])


def _write_face(path: Path, face: Face) -> None:
    bgr = cv2.cvtColor(np.ascontiguousarray(face.rgba[:, :, :3]), cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(path), bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])


def _add_prop(job: _Job, shot: Shot, prop: Prop, name: str) -> None:
    mesh, materials, hidden = build_prop(prop, _height_under(shot, prop))
    if not hidden and _hides_tiles(shot, mesh):
        return
    names = [f"{name}_{index}" for index in range(len(materials))]
    job.materials.update(zip(names, materials, strict=True))
    job.add(name, mesh, names, hidden=hidden, smooth=prop.what in ROUNDED)


def _height_under(shot: Shot, prop: Prop) -> float:
    """Return the height of what a prop stands on: a tile, the board or the table."""
    center = shapely.polygons(prop.outline).centroid
    tops = [
        float(shot.planes[name].raised(shot.thickness_mm).at(np.array([[center.x, center.y]]))[0])
        for name, footprint in shot.footprints.items()
        if shapely.covers(shapely.polygons(footprint), center)
    ]
    on_board = shot.has_board and shapely.covers(shapely.polygons(shot.scene.board_outline), center)
    return max([*tops, 0.0 if on_board else -shot.board_thickness_mm])


def _hides_tiles(shot: Shot, mesh: Mesh) -> bool:
    """Say whether a prop hides more than 3 % of a tile on the picture, which the truth could not tell."""
    shade = shapely.convex_hull(shapely.multipoints(shot.camera.project(mesh.vertices)))
    for top in shot.tops.values():
        tile = shapely.make_valid(shapely.polygons(shot.camera.project(top)))
        if shapely.intersection(shade, tile).area > 0.03 * tile.area:
            return True
    return False


def _lift(z_mm: float) -> Array:
    matrix = np.eye(4)
    matrix[2, 3] = z_mm
    return matrix

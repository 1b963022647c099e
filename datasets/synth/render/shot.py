"""One photo before it is rendered: the scene's tiles come to rest, and a camera that sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from datasets.synth.render.lean import Plane, settle
from datasets.synth.render.mesh import Array
from datasets.synth.render.pinhole import Pinhole, aim
from datasets.synth.render.pose import Pose, flat_footprint, pose_of, top_outline
from datasets.synth.scene import Art, Face, PlacedTile, Scene

BEVEL_MM = 0.12
"""How far the print is pressed over the rim of a die-cut tile."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A scene at rest. `tops[id]` (n, 3) mm is each tile's full outline in space, on its printed side."""

    scene: Scene
    art: Art
    has_board: bool
    board_thickness_mm: float
    thickness_mm: float
    planes: dict[str, Plane]
    poses: dict[str, Pose]
    tops: dict[str, Array]
    camera: Pinhole
    tilt_deg: float

    @property
    def footprints(self) -> dict[str, Array]:
        """Return the ground (n, 2) mm under each outline: the exact vertical projection of the leaning tile."""
        return {name: top[:, :2] for name, top in self.tops.items()}


def face_of(art: Art, tile: PlacedTile) -> Face:
    """Return the printed face of a placed tile."""
    return art.faces[tile.kind][tile.variant]


def take(
    scene: Scene,
    art: Art,
    *,
    rng: np.random.Generator,
    size: tuple[int, int],
    tilt_deg: tuple[float, float] = (0.0, 30.0),
    has_board: bool = True,
) -> Shot:
    """Lay the tiles and place the camera.

    `has_board` is false for an enrolment photo: tiles on a bare table, their rows along the picture's, upright.
    """
    thickness = art.thickness_mm
    board_thickness = float(rng.uniform(6.0, 12.0)) if has_board else 0.0
    flat = {tile.id: flat_footprint(tile, face_of(art, tile)) for tile in scene.tiles}
    area = shapely.polygons(scene.board_outline) if has_board else None
    planes = settle(flat, scene.over, thickness_mm=thickness, board=area, drop_mm=board_thickness)
    poses = {tile.id: pose_of(tile, planes[tile.id], thickness_mm=thickness) for tile in scene.tiles}
    tops = {
        tile.id: top_outline(face_of(art, tile), poses[tile.id], height_mm=thickness - BEVEL_MM) for tile in scene.tiles
    }
    seen = list(tops.values())
    if has_board:
        seen.append(_on(scene.board_outline, 0.0))
    tilt = float(rng.uniform(*tilt_deg))
    camera = _aim(np.concatenate(seen), rng=rng, size=size, tilt_deg=tilt, upright=not has_board)
    return Shot(scene, art, has_board, board_thickness, thickness, planes, poses, tops, camera, tilt)


def _aim(points: Array, *, rng: np.random.Generator, size: tuple[int, int], tilt_deg: float, upright: bool) -> Pinhole:
    """Draw a view: two photos in three with the board along the frame's long side, the others turned at will."""
    long_deg = _long_side_deg(points[:, :2]) + (90.0 if size[1] > size[0] else 0.0)
    across = float(rng.choice([0.0, 180.0])) + float(rng.normal(0.0, 6.0)) - long_deg
    turn = across if rng.uniform() < 2 / 3 else float(rng.uniform(0.0, 360.0))
    azimuth = float(rng.uniform(0.0, 360.0))
    if upright:
        turn = float(rng.normal(0.0, 4.0))
    if upright or rng.uniform() < 0.6:  # people stand at the near side of the picture and lean over the board
        azimuth = turn + float(rng.normal(0.0, 15.0))
    fill = float(rng.uniform(0.76, 0.93))  # below 0.76 a 2 mm gap can shrink to 3 px
    room = (1.0 - fill) / 2 * 0.6
    shift = (float(rng.uniform(-room, room)), float(rng.uniform(-room, room)))
    return aim(
        points,
        size=size,
        equivalent_mm=float(rng.uniform(26.0, 50.0)),
        tilt_deg=tilt_deg,
        azimuth_deg=azimuth,
        roll_deg=turn - azimuth,
        fill=fill,
        shift=shift,
    )


def _long_side_deg(points: Array) -> float:
    """Return the direction of the longer side of the smallest rectangle around points (n, 2)."""
    box: Any = shapely.get_coordinates(shapely.oriented_envelope(shapely.multipoints(points)))
    sides = np.diff(box[:3], axis=0)
    longest = sides[int(np.argmax(np.linalg.norm(sides, axis=1)))]
    return float(np.degrees(np.arctan2(longest[1], longest[0])))


def _on(outline: Array, z_mm: float) -> Array:
    return np.column_stack([outline, np.full(len(outline), z_mm)])

"""The fast 2-D camera: a scene becomes a photo with truth in about a fifth of a second, one core."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth import develop, ground
from datasets.synth.camera import Camera, aim
from datasets.synth.objects import cards_seen, on_board_px, paint_props, paint_shadows
from datasets.synth.record import record
from datasets.synth.resting import rest_all
from datasets.synth.scene import Art, Scene
from datasets.synth.tiles import Light, lay, paint_order, paint_tile
from datasets.synth.truth import footprint_of

SIZE = (1280, 960)


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture (H, W, 3) RGB, its truth as the contract writes it, and the JPEG quality it was taken with."""

    image: npt.NDArray[np.uint8]
    truth: dict[str, Any]
    jpeg_quality: int


def photograph(
    scene: Scene,
    art: Art,
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = SIZE,
    tilt_deg: tuple[float, float] | None = None,
    plain: bool = False,
    has_board: bool = True,
) -> Photo:
    """Return a photo of the scene, without `has_board` of tiles on the bare table.

    `plain` leaves out blur, noise, glare and tone, for looking at edges.
    """
    footprints = {t.id: footprint_of(t, art) for t in scene.tiles}
    shapes = {name: shapely.polygons(points) for name, points in footprints.items()}
    leans = rest_all(footprints, shapes, scene.over, thickness_mm=art.thickness_mm)
    camera = draw_camera(scene, rng, size=size, tilt_deg=tilt_deg)
    zoom = develop.zoom_for(camera.k1)
    view = camera.zoomed(zoom)
    light, look = draw_light(rng), ground.draw_look(rng)
    look = look if has_board else replace(look, thick_mm=0.0)
    tiles = {t.id: lay(t, art, footprint=footprints[t.id], lean=leans[t.id], view=view) for t in scene.tiles}
    depth = {name: float(np.linalg.norm(view.position[:2] - t.footprint.mean(axis=0))) for name, t in tiles.items()}
    order = paint_order(list(tiles), scene.over, depth=depth)

    canvas = ground.paint_table(look, view)
    paint_props(canvas, scene.props, layer="table", view=view, light=light, z_mm=-look.thick_mm)
    if has_board:
        ground.paint_board(canvas, scene, look=look, view=view, light=light, rng=rng)
    paint_props(canvas, scene.props, layer="board", view=view, light=light, z_mm=0.0)
    ground.paint_ground_shadows(canvas, list(tiles.values()), thickness_mm=art.thickness_mm, view=view, light=light)
    done: set[str] = set()
    for name in order:
        under = [tiles[low] for up, low in scene.over if up == name]
        already = [tiles[up] for up, low in scene.over if low == name and up in done]
        paint_tile(canvas, tiles[name], art=art, view=view, light=light, under=under, already_over=already, rng=rng)
        done.add(name)
    paint_props(canvas, scene.props, layer="all", view=view, light=light, z_mm=art.thickness_mm)
    paint_shadows(canvas, scene.props, view=view, rng=rng)
    image = canvas if plain else develop.light_up(canvas, rng)
    image = develop.through_lens(image, camera, zoom=zoom)
    if not plain:
        image = develop.tone(develop.add_noise(develop.blur(image, rng), rng), rng)
    tops = {
        name: camera.project(np.column_stack([t.footprint, t.lean.at(t.footprint) + art.thickness_mm]))
        for name, t in tiles.items()
    }
    truth = record(
        scene,
        art,
        camera=camera,
        footprints=footprints,
        shapes=shapes,
        tops=tops,
        order=order,
        has_board=has_board,
    )
    truth["cards_px"] = cards_seen(
        scene.props,
        camera,
        table_mm=-look.thick_mm,
        hiders=[*ground.board_levels(scene, camera, thick_mm=look.thick_mm), *tops.values()],
    )
    if foreign := on_board_px(scene.props, camera):
        truth["foreign_px"] = foreign
    return Photo(image, truth, int(rng.integers(60, 96)))


def draw_camera(
    scene: Scene, rng: np.random.Generator, *, size: tuple[int, int], tilt_deg: tuple[float, float] | None = None
) -> Camera:
    """Draw a view of the board as a phone held over it has."""
    outline = scene.board_outline
    points = np.column_stack([outline, np.zeros(len(outline))])
    tilt = (
        float(rng.uniform(*tilt_deg))
        if tilt_deg
        else float(rng.uniform(0, 30) if rng.random() < 0.88 else rng.uniform(30, 40))
    )
    roll = float(rng.uniform(0, 360))
    if rng.random() < 0.5:  # the board lies square in most people's pictures
        roll = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 6))
    azimuth = float(rng.uniform(0, 360))
    if rng.random() < 0.6:
        azimuth = 90.0 - roll + float(rng.normal(0, 12))
    fill = float(rng.uniform(0.62, 0.97) if rng.random() < 0.85 else rng.uniform(0.45, 0.62))
    room = max(0.0, (1 - fill) / 2)
    k1 = 0.0 if rng.random() < 0.6 else float(np.clip(rng.normal(0, 0.012), -0.03, 0.03))
    return aim(
        points,
        size=size,
        equivalent_mm=float(rng.uniform(24, 50)),
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=roll + azimuth - 90.0,
        fill=fill * (1 - max(0.0, k1)),
        shift=(float(rng.uniform(-room, room)), float(rng.uniform(-room, room))),
        k1=k1,
    )


def draw_light(rng: np.random.Generator) -> Light:
    """Draw where the light comes from and how hard it is."""
    way, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 2.2)
    return Light(
        shift=np.array([np.cos(way), np.sin(way)]) * low,
        cast=float(rng.choice([rng.uniform(0.02, 0.15), rng.uniform(0.15, 0.6)])),
        contact=float(rng.choice([0.0, rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.55)])),
        soft_px=float(rng.uniform(0.8, 8.0)),
        edge_soft_px=float(rng.choice([0.0, rng.uniform(0.2, 0.7)])),
        rim=float(rng.choice([0.0, rng.uniform(0.05, 0.5)])),
        rim_width_px=float(rng.choice([-1.0, 1.0])),
    )

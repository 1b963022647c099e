"""Paints what tiles lie on: the table, the board with its edge, engraved ring and shadow, and shadows on both."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth import surfaces
from datasets.synth.camera import Camera
from datasets.synth.masks import Box, blend, box_of, mask_of, shade
from datasets.synth.scene import Scene
from datasets.synth.tiles import LaidTile, Light

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SHADOW_SHRINK = 2
"""Shadows are soft: they are painted at half size."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours and patterns of one photo's table and board; `thick_mm` is the board's height over the table."""

    table: str
    table_variant: int
    table_ramp: surfaces.Ramp
    table_place: Array
    board: str
    board_variant: int
    board_ramp: surfaces.Ramp
    board_place: Array
    thick_mm: float
    line: float
    printed: str


def draw_look(rng: np.random.Generator) -> Look:
    """Draw a table and a board; in a third of the photos they hardly differ in colour."""
    weights = np.array([4, 4, 2, 1.5, 2, 1, 1, 1, 0.7, 0.8])
    table = str(rng.choice(surfaces.TABLES, p=weights / weights.sum()))
    ramp = surfaces.table_ramp(rng, table)
    alike = ramp if rng.random() < 0.33 else None
    board = str(rng.choice(["board", "butcher", "marble", "plain"], p=[0.8, 0.1, 0.05, 0.05]))
    wooden = board in ("board", "butcher")
    return Look(
        table=table,
        table_variant=int(rng.integers(surfaces.VARIANTS)),
        table_ramp=ramp,
        table_place=surfaces.placement(rng, turn_deg=float(rng.uniform(0, 360)), scale=float(rng.uniform(0.6, 2.0))),
        board=board,
        board_variant=int(rng.integers(2 * surfaces.VARIANTS)),
        board_ramp=surfaces.wood_ramp(rng, near=alike) if wooden else surfaces.table_ramp(rng, board),
        board_place=surfaces.placement(
            rng, turn_deg=float(rng.choice([0, 180, 90])) + float(rng.normal(0, 2)), scale=float(rng.uniform(0.7, 1.8))
        ),
        thick_mm=float(rng.uniform(5, 22)),
        line=float(rng.uniform(0.15, 0.85)),
        printed=str(rng.choice(["flowers", "stripes", "marble", "dots"])) if rng.random() < 0.1 else "",
    )


def paint_table(look: Look, view: Camera) -> Image:
    """Return the bare table as a full picture."""
    w, h = view.size
    plane = view.plane(c=-look.thick_mm)
    seen = surfaces.laid(look.table, look.table_variant, plane, box=(0, 0, w, h), place=look.table_place)
    return surfaces.coloured(seen, look.table_ramp)


def paint_board(
    canvas: Image, scene: Scene, *, look: Look, view: Camera, light: Light, rng: np.random.Generator
) -> None:
    """Paint the board's shadow, side, top, ring and edge."""
    outline = scene.board_outline
    low = view.pinhole(_at(outline, -look.thick_mm))
    top = view.pinhole(_at(outline, 0.0))
    steps = max(1, int(np.ceil(float(np.abs(top - low).max()) / 4)))
    thrown = [
        view.pinhole(_at(outline + light.shift * look.thick_mm * t, -look.thick_mm)) for t in np.linspace(0, 1, 4)
    ]
    soften(canvas, thrown, soft_px=light.soft_px * 2 + 1, dark=min(0.8, light.cast * 1.2 + 0.1))
    box = box_of(np.concatenate([low, top]), size=view.size)
    whole = mask_of([low + (top - low) * (k / steps) for k in range(steps + 1)], box, fine=2)
    face = mask_of([top], box, fine=2)
    for hole in scene.holes:
        opening = mask_of([view.pinhole(_at(hole, 0.0))], box, fine=2)
        through = opening * mask_of([view.pinhole(_at(hole, -look.thick_mm))], box, fine=2)
        shade(canvas, box, through * np.float32(0.6))
        face, whole = face * (1 - opening), whole * (1 - through)
    edges = (box.left, box.top, box.right, box.bottom)
    gray = surfaces.laid(look.board, look.board_variant, view.plane(), box=edges, place=look.board_place)
    wood = surfaces.coloured(gray, look.board_ramp)
    blend(canvas, box, cv2.convertScaleAbs(wood, alpha=float(rng.uniform(0.5, 0.85))), whole)
    blend(canvas, box, wood, face)
    if look.printed:
        seen = surfaces.laid(look.printed, look.board_variant, view.plane(), box=edges, place=look.table_place)
        ink = cv2.threshold(seen, 140, 255, cv2.THRESH_BINARY)[1].astype(np.float32)
        tone = tuple(float(v) for v in look.table_ramp[int(rng.integers(256))])
        shade(canvas, box, face * ink * np.float32(rng.uniform(0.1, 0.6) / 255), rgb=(tone[0], tone[1], tone[2]))
    lines = [outline, *scene.holes]
    _stroke(canvas, box, [view.pinhole(_at(line, 0.0)) for line in lines], width_px=1, dark=look.line * 0.5, rng=rng)
    if scene.inner_ring is not None:
        width = max(1, round(float(rng.uniform(0.6, 2.2)) * _density(top, outline)))
        _stroke(canvas, box, [view.pinhole(_at(scene.inner_ring, 0.0))], width_px=width, dark=look.line, rng=rng)


def board_levels(scene: Scene, camera: Camera, *, thick_mm: float) -> list[Array]:
    """Return outlines px of the board at several heights, from its top to the table: together what it hides."""
    return [camera.project(_at(scene.board_outline, -thick_mm * share)) for share in (0.0, 0.33, 0.67, 1.0)]


def _density(pixels: Array, mm: Array) -> float:
    return float(np.ptp(pixels, axis=0).max() / max(1.0, np.ptp(mm, axis=0).max()))


def _stroke(
    canvas: Image, box: Box, lines: list[Array], *, width_px: int, dark: float, rng: np.random.Generator
) -> None:
    mask = np.zeros(box.shape, np.uint8)
    points = [np.round((line - (box.left, box.top) - 0.5) * 16).astype(np.int32) for line in lines]
    cv2.polylines(mask, points, True, 255, width_px, cv2.LINE_AA, 4)
    tone = (255, 245, 225) if rng.random() < 0.12 else (24, 14, 6)
    shade(canvas, box, mask.astype(np.float32) * np.float32(dark / 255), rgb=tone)


def paint_ground_shadows(
    canvas: Image, tiles: list[LaidTile], *, thickness_mm: float, view: Camera, light: Light
) -> None:
    """Darken board and table where tiles keep the light away."""
    close = [t.foot_px for t in tiles]
    cast: list[Array] = []
    for t in tiles:
        for share in (0.5, 1.0):
            height = t.lean.at(t.footprint) + thickness_mm * share
            cast.append(view.pinhole(_at(t.footprint + light.shift * height[:, None], 0.0)))
    soften(canvas, cast, soft_px=light.soft_px, dark=light.cast)
    soften(canvas, close, soft_px=1.6, dark=light.contact)


def soften(
    canvas: Image, polygons: list[Array], *, soft_px: float, dark: float, rgb: tuple[float, float, float] = (0, 0, 0)
) -> None:
    """Darken the picture under polygons (n, 2) px with a soft border."""
    if dark < 0.01 or not polygons:
        return
    h, w = canvas.shape[:2]
    box = box_of(np.concatenate(polygons), size=(w, h), margin=3 * soft_px + 2)
    box = Box(box.left, box.top, box.right - (box.right - box.left) % 2, box.bottom - (box.bottom - box.top) % 2)
    if box.empty:
        return
    small = Box(0, 0, (box.right - box.left) // SHADOW_SHRINK, (box.bottom - box.top) // SHADOW_SHRINK)
    mask = mask_of([(p - (box.left, box.top)) / SHADOW_SHRINK for p in polygons], small, fine=1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, soft_px / SHADOW_SHRINK)) * np.float32(dark)
    shade(canvas, box, cv2.resize(mask, (box.shape[1], box.shape[0]), interpolation=cv2.INTER_LINEAR), rgb=rgb)


def _at(points: Array, z_mm: float) -> Array:
    return np.column_stack([points, np.full(len(points), z_mm)])

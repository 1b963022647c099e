"""Paints cardboard tiles into a picture: cut edge, printed face, shadow on what lies under them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth.camera import Camera
from datasets.synth.masks import Box, Mask, blend, box_of, mask_of, shade
from datasets.synth.resting import Lean
from datasets.synth.scene import Art, Face, PlacedTile

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SHRINKS = (1.0, 1.3, 1.7, 2.2, 2.9, 3.8)
"""Faces are kept in these reductions; the photo takes the one just finer than itself."""


@dataclass(frozen=True, slots=True)
class Light:
    """Where light comes from and what it does: `shift` (2,) mm of shadow a mm of height, darkness 0..1."""

    shift: Array
    cast: float
    contact: float
    soft_px: float
    edge_soft_px: float
    rim: float
    rim_width_px: float


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile ready to paint: its plane, and its outline (n, 2) in pinhole pixels at its top and at its underside."""

    tile: PlacedTile
    face: Face
    footprint: Array
    lean: Lean
    top_px: Array
    foot_px: Array


_shrunk: dict[int, tuple[Face, dict[float, Image]]] = {}


def lay(tile: PlacedTile, art: Art, *, footprint: Array, lean: Lean, view: Camera) -> LaidTile:
    """Return the tile with its outlines as the camera sees them."""
    face = art.faces[tile.kind][tile.variant]
    low = lean.at(footprint)
    top = view.pinhole(np.column_stack([footprint, low + art.thickness_mm]))
    return LaidTile(tile, face, footprint, lean, top, view.pinhole(np.column_stack([footprint, low])))


def paint_tile(
    canvas: Image,
    laid: LaidTile,
    *,
    art: Art,
    view: Camera,
    light: Light,
    under: list[LaidTile],
    already_over: list[LaidTile],
    rng: np.random.Generator,
) -> None:
    """Paint one tile. `under` lie below it; `already_over` lie over it but were painted before (a ring)."""
    size = view.size
    for lower in under:
        _shadow_on(canvas, laid, lower, art=art, view=view, light=light)
    box = box_of(np.concatenate([laid.top_px, laid.foot_px]), size=size)
    if box.empty:
        return
    top, whole = mask_of([laid.top_px], box), mask_of(_sweep(laid.foot_px, laid.top_px), box)
    if light.edge_soft_px > 0.05:
        top = cv2.GaussianBlur(top, (0, 0), light.edge_soft_px)
    for upper in already_over:
        clear = 1 - mask_of(_sweep(upper.foot_px, upper.top_px), box)
        top, whole = top * clear, whole * clear
    blend(canvas, box, _side(box, laid, art, light), whole)
    blend(canvas, box, _face(laid, art, view, box, rng), top)
    if light.rim > 0.01:
        _rim(canvas, box, laid, light, top)


def _sweep(foot: Array, top: Array) -> list[Array]:
    steps = max(1, int(np.ceil(float(np.abs(top - foot).max()))))
    return [foot + (top - foot) * (k / steps) for k in range(steps + 1)]


def _side(box: Box, laid: LaidTile, art: Art, light: Light) -> Image:
    """The cut edge: cardboard, brighter where it faces the light."""
    h, w = box.shape
    middle = laid.foot_px.mean(axis=0) - (box.left, box.top)
    dx = np.arange(w, dtype=np.float32)[None, :] - np.float32(middle[0])
    dy = np.arange(h, dtype=np.float32)[:, None] - np.float32(middle[1])
    toward = -light.shift / max(1e-6, float(np.linalg.norm(light.shift)))
    facing = (dx * np.float32(toward[0]) + dy * np.float32(toward[1])) / np.sqrt(dx * dx + dy * dy + 1)
    level = np.clip(0.72 + 0.3 * facing, 0.3, 1.1)
    core = np.asarray(art.core_rgb, np.float32)
    return np.clip(level[:, :, None] * core, 0, 255).astype(np.uint8)


def _face(laid: LaidTile, art: Art, view: Camera, box: Box, rng: np.random.Generator) -> Image:
    face, tile = laid.face, laid.tile
    density = float(np.sqrt(_area(laid.top_px) / max(1.0, _area(laid.footprint))))
    picture = _reduced(face, density)
    per_mm = np.array([picture.shape[1] / face.rgba.shape[1], picture.shape[0] / face.rgba.shape[0]]) * face.px_per_mm
    c, s = np.cos(np.radians(tile.angle_deg)), np.sin(np.radians(tile.angle_deg))
    turn = np.array([[c, -s, tile.center_mm[0]], [s, c, tile.center_mm[1]], [0, 0, 1.0]])
    own = np.array([[1 / per_mm[0], 0, face.corner_mm[0]], [0, 1 / per_mm[1], face.corner_mm[1]], [0, 0, 1.0]])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    into = np.array([[1, 0, -box.left - 0.5], [0, 1, -box.top - 0.5], [0, 0, 1.0]])
    plane = laid.lean.raised(art.thickness_mm)
    matrix = into @ view.plane(plane.a, plane.b, plane.c) @ turn @ own @ half
    h, w = box.shape
    seen: Image = cv2.warpPerspective(picture, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    gain = 1.0 + 0.03 * float(rng.standard_normal()) + 2.0 * float(laid.lean.a * light_x(rng))
    return np.asarray(cv2.convertScaleAbs(seen, alpha=min(1.2, max(0.8, gain))))


def light_x(rng: np.random.Generator) -> float:
    """How much a leaning face brightens or darkens by chance."""
    return float(rng.uniform(-1, 1))


def _reduced(face: Face, density: float) -> Image:
    """Return the face's picture just finer than `density` px a mm."""
    if id(face) not in _shrunk:
        _shrunk[id(face)] = (face, {})
    kept = _shrunk[id(face)][1]
    factor = max((f for f in SHRINKS if face.px_per_mm / f >= 0.95 * density), default=1.0)
    if factor not in kept:
        rgb = np.ascontiguousarray(face.rgba[:, :, :3])
        size = (round(rgb.shape[1] / factor), round(rgb.shape[0] / factor))
        kept[factor] = rgb if factor == 1.0 else cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    return kept[factor]


def _rim(canvas: Image, box: Box, laid: LaidTile, light: Light, top: Mask) -> None:
    """A thin line along the die cut, where the print is pressed over or the white of the card shows."""
    line = np.zeros(box.shape, np.uint8)
    points = np.round((laid.top_px - (box.left, box.top) - 0.5) * 16).astype(np.int32)
    cv2.polylines(line, [points], True, 255, 1, cv2.LINE_AA, 4)
    weight = line.astype(np.float32) * np.float32(abs(light.rim) / 255) * np.minimum(top, 1)
    tone = (255, 255, 255) if light.rim_width_px > 0 else (20, 16, 12)
    shade(canvas, box, weight, rgb=tone)


def _shadow_on(canvas: Image, laid: LaidTile, lower: LaidTile, *, art: Art, view: Camera, light: Light) -> None:
    """Darken the part of a lower tile next to the edge of the tile that lies on it."""
    moved = laid.footprint + light.shift * art.thickness_mm
    thrown = view.pinhole(np.column_stack([moved, lower.lean.at(moved) + art.thickness_mm]))
    soft = max(0.6, light.soft_px * 0.5)
    reach = 3 * soft + 2
    box = box_of(np.concatenate([thrown, laid.foot_px]), size=view.size, margin=reach)
    other = box_of(lower.top_px, size=view.size)
    box = Box(
        max(box.left, other.left), max(box.top, other.top), min(box.right, other.right), min(box.bottom, other.bottom)
    )
    if box.empty:
        return
    cast = cv2.GaussianBlur(mask_of([thrown], box, fine=1), (0, 0), soft) * np.float32(light.cast)
    close = cv2.GaussianBlur(mask_of([laid.foot_px], box, fine=1), (0, 0), 1.2) * np.float32(light.contact)
    shade(canvas, box, np.maximum(cast, close) * mask_of([lower.top_px], box, fine=2))


def _area(points: Array) -> float:
    x, y = points[:, 0], points[:, 1]
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def paint_order(names: list[str], over: tuple[tuple[str, str], ...], *, depth: dict[str, float]) -> list[str]:
    """Return names with lower tiles before upper ones, far ones first; a ring is broken at its farthest tile."""
    waiting = {name: {low for up, low in over if up == name} for name in names}
    order: list[str] = []
    while waiting:
        ready = [n for n, lows in waiting.items() if not lows]
        pool = ready or list(waiting)
        name = max(pool, key=lambda n: (-len(waiting[n]), depth[n]))
        order.append(name)
        del waiting[name]
        for lows in waiting.values():
            lows.discard(name)
    return order

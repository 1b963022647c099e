"""Paints what is no tile: cards, paper, coins, pens, real food, glasses, crumbs, shadows of hands."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from datasets.synth.camera import Camera
from datasets.synth.ground import soften
from datasets.synth.masks import Box, blend, box_of, mask_of
from datasets.synth.scene import Polygon, Prop
from datasets.synth.surfaces import noise
from datasets.synth.tiles import Light

Array = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

HEIGHT_MM = {"card": 0.4, "paper": 0.1, "coin": 1.9, "pen": 8.0, "biscuit": 6.0, "slice": 2.5, "nut": 9.0, "glass": 0.5}
CARD_SEEN = 0.25
"""A card cut off by the frame counts when at least this share of it shows."""

_grain: list[npt.NDArray[np.float32]] = []


def paint_props(canvas: Image, props: tuple[Prop, ...], *, layer: str, view: Camera, light: Light, z_mm: float) -> None:
    """Paint the things that lie on `layer`, at the height `z_mm`; shadows are painted by `paint_shadows`."""
    for prop in props:
        if prop.layer == layer and not prop.what.endswith("shadow"):
            _paint(canvas, prop, view=view, light=light, z_mm=z_mm)


def _paint(canvas: Image, prop: Prop, *, view: Camera, light: Light, z_mm: float) -> None:
    rng = np.random.default_rng(prop.seed)
    height = HEIGHT_MM.get(prop.what, 0.8)
    low, top = view.pinhole(_at(prop.outline, z_mm)), view.pinhole(_at(prop.outline, z_mm + height))
    box = box_of(np.concatenate([low, top]), size=view.size)
    if box.empty:
        return
    thrown = view.pinhole(_at(prop.outline + light.shift * height * 0.7, z_mm))
    soften(canvas, [thrown], soft_px=light.soft_px, dark=light.cast)
    soften(canvas, [low], soft_px=1.6, dark=light.contact)
    steps = max(1, int(np.ceil(float(np.abs(top - low).max()) / 2)))
    body = mask_of([low + (top - low) * (k / steps) for k in range(steps + 1)], box)
    paint = _picture(prop, view, box, z_mm + height, rng)
    blend(canvas, box, cv2.convertScaleAbs(paint, alpha=0.7), body)
    face = mask_of([top], box)
    if prop.what in ("biscuit", "slice", "nut", "pen"):  # rounded bodies: no sharp rim
        face = cv2.GaussianBlur(face, (0, 0), float(rng.uniform(0.8, 2.5)))
        face = face * (body > 0)
    blend(canvas, box, paint, face * np.float32(0.45 if prop.what == "glass" else 1.0))


def _picture(prop: Prop, view: Camera, box: Box, z_mm: float, rng: np.random.Generator) -> Image:
    """Draw the looks of a prop on a small sheet and lay it where the camera sees it."""
    low, high = prop.outline.min(axis=0) - 1, prop.outline.max(axis=0) + 1
    per_mm = 3.0
    if prop.what in ("card", "paper"):
        corner, across, down = _frame(prop.outline)
        sheet = _card(rng) if prop.what == "card" else _paper(rng)
        h, w = sheet.shape[:2]
        own = np.array([[across[0] / w, down[0] / h, corner[0]], [across[1] / w, down[1] / h, corner[1]], [0, 0, 1.0]])
    else:
        size = np.maximum(4, np.ceil((high - low) * per_mm)).astype(int)
        sheet = _stuff(prop.what, int(size[0]), int(size[1]), rng)
        own = np.array([[1 / per_mm, 0, low[0]], [0, 1 / per_mm, low[1]], [0, 0, 1.0]])
    into = np.array([[1, 0, -box.left - 0.5], [0, 1, -box.top - 0.5], [0, 0, 1.0]])
    h, w = box.shape
    matrix = into @ view.plane(c=z_mm) @ own
    seen: Image = cv2.warpPerspective(sheet, matrix, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen


def _frame(outline: Polygon) -> tuple[Array, Array, Array]:
    """Return (corner, across, down) of the rectangle around a turned card."""
    box = shapely.get_coordinates(shapely.oriented_envelope(shapely.multipoints(outline)))
    corner, one, other = box[0], box[1] - box[0], box[3] - box[0]
    if np.linalg.norm(one) > np.linalg.norm(other):
        one, other = other, one
    if one[0] * other[1] - one[1] * other[0] < 0:  # seen from behind: print would be mirrored
        return corner + one, -one, other
    return corner, one, other


def _card(rng: np.random.Generator) -> Image:
    """A game card: coloured frame, picture, title, lines of text; or a back."""
    w, h = 189, 264
    sheet = np.empty((h, w, 3), np.uint8)
    sheet[:] = _colour(rng, saturation=(0.0, 0.9), value=(0.3, 1.0))
    cv2.rectangle(sheet, (8, 8), (w - 9, h - 9), _colour(rng, saturation=(0.0, 0.5), value=(0.6, 1.0)), -1)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(2, 9))):
            at = (int(rng.integers(w)), int(rng.integers(h)))
            cv2.circle(sheet, at, int(rng.integers(8, 60)), _colour(rng), int(rng.choice([2, 4, -1])), cv2.LINE_AA)
        return sheet
    cv2.rectangle(sheet, (16, 40), (w - 17, int(h * rng.uniform(0.4, 0.62))), _colour(rng), -1)
    for _ in range(int(rng.integers(1, 7))):
        at = (int(rng.uniform(30, w - 30)), int(rng.uniform(55, 130)))
        if rng.random() < 0.5:
            cv2.circle(sheet, at, int(rng.integers(6, 32)), _colour(rng), -1, cv2.LINE_AA)
        else:
            cv2.ellipse(
                sheet,
                at,
                (int(rng.integers(8, 40)), int(rng.integers(6, 24))),
                float(rng.uniform(0, 180)),
                0,
                360,
                _colour(rng),
                -1,
            )
    ink = (30, 25, 25)
    cv2.putText(
        sheet,
        "".join(rng.choice(list("ABCDEFGHILMNOPRSTU"), 9)),
        (18, 33),
        cv2.FONT_HERSHEY_SIMPLEX,
        0.6,
        ink,
        2,
        cv2.LINE_AA,
    )
    for y in range(int(h * 0.68), h - 16, 13):
        text = "".join(rng.choice(list("aeinorstlm  ,"), int(rng.integers(8, 22))))
        cv2.putText(sheet, text, (18, y), cv2.FONT_HERSHEY_SIMPLEX, 0.38, ink, 1, cv2.LINE_AA)
    return sheet


def _paper(rng: np.random.Generator) -> Image:
    sheet = np.empty((200, 260, 3), np.uint8)
    sheet[:] = _colour(rng, saturation=(0.0, 0.7), value=(0.6, 1.0))
    ink = _colour(rng, saturation=(0.0, 0.9), value=(0.0, 0.5))
    if rng.random() < 0.6:
        for y in range(20, 190, 18):
            text = "".join(rng.choice(list("aeinorstlm  0123456789"), int(rng.integers(0, 24))))
            cv2.putText(sheet, text, (10, y), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 0.6, ink, 1, cv2.LINE_AA)
    return sheet


def _stuff(what: str, w: int, h: int, rng: np.random.Generator) -> Image:
    """Uneven matter shaded as a low dome."""
    if not _grain:
        made = np.random.default_rng(9)
        _grain.extend(noise(made, cells=(n, n), octaves=4, side=256) for n in (6, 14, 30))
    grain = cv2.resize(_grain[int(rng.integers(3))], (w, h), interpolation=cv2.INTER_AREA)
    hues = {"biscuit": (0.06, 0.13), "nut": (0.04, 0.1), "crumb": (0.07, 0.12), "coin": (0.05, 0.15)}
    low, high = hues.get(what, (0.0, 1.0))
    base = np.array(colorsys.hsv_to_rgb(rng.uniform(low, high), rng.uniform(0.1, 0.85), rng.uniform(0.25, 0.95)))
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    r2 = x * x + y * y
    relief = 1.05 - np.float32(rng.uniform(0, 0.35)) * r2 + np.float32(rng.uniform(0.1, 0.7)) * (grain - 0.5)
    picture = relief[:, :, None] * base.astype(np.float32) * 255
    if what == "slice" and rng.random() < 0.8:  # rind
        rind = np.array(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.8)), np.float32)
        picture[r2 > 0.8] = rind * 255
    if what == "biscuit":
        for _ in range(int(rng.integers(0, 14))):
            at = (int(rng.uniform(0.15, 0.85) * w), int(rng.uniform(0.15, 0.85) * h))
            cv2.circle(picture, at, max(1, w // 60), (base * 120).tolist(), -1, cv2.LINE_AA)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _colour(
    rng: np.random.Generator, *, saturation: tuple[float, float] = (0.1, 0.9), value: tuple[float, float] = (0.2, 0.95)
) -> tuple[int, int, int]:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return int(r * 255), int(g * 255), int(b * 255)


def paint_shadows(canvas: Image, props: tuple[Prop, ...], *, view: Camera, rng: np.random.Generator) -> None:
    """Darken everything under a hand or a phone held over the table."""
    for prop in props:
        if prop.what.endswith("shadow"):
            seen = view.pinhole(_at(prop.outline, 0.0))
            soften(canvas, [seen], soft_px=float(rng.uniform(5, 40)), dark=float(rng.uniform(0.1, 0.5)))


def on_board_px(props: tuple[Prop, ...], camera: Camera) -> list[list[list[float]]]:
    """Return the outlines px of the things that lie on the board among the tiles."""
    tops = [_at(p.outline, HEIGHT_MM.get(p.what, 0.8)) for p in props if p.layer == "board"]
    return [np.round(camera.project(top), 1).tolist() for top in tops]


def cards_seen(
    props: tuple[Prop, ...], camera: Camera, *, table_mm: float, hiders: list[Array]
) -> list[list[list[float]]]:
    """Return the outlines px of the cards where they show: cut to the picture and by the outlines `hiders` px.

    A card of which less than `CARD_SEEN` shows is left out.
    """
    frame = shapely.box(0, 0, *camera.size)
    hidden = shapely.union_all(shapely.make_valid([shapely.Polygon(h) for h in hiders]))
    found = []
    for prop in props:
        if prop.what != "card":
            continue
        whole = shapely.polygons(camera.project(_at(prop.outline, table_mm + HEIGHT_MM["card"])))
        left = shapely.difference(shapely.intersection(whole, frame), hidden)
        pieces = [g for g in getattr(left, "geoms", [left]) if g.geom_type == "Polygon"]
        seen = max(pieces, key=lambda g: float(g.area), default=shapely.Polygon())
        if seen.area > CARD_SEEN * whole.area:
            found.append(np.round(np.asarray(seen.exterior.coords)[:-1], 1).tolist())
    return found


def _at(points: Polygon, z_mm: float) -> Array:
    return np.column_stack([points, np.full(len(points), z_mm)])

"""How one part of a cluster is painted. Units are mm."""

from __future__ import annotations

import numpy as np
import shapely

from datasets.synth.faces import textures
from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.kinds.clusters import Part
from datasets.synth.faces.outlines import circle, ellipse, place
from datasets.synth.faces.palette import mix, shade
from datasets.synth.faces.textures import Field
from datasets.synth.scene import Polygon as Points

LIGHT = (1.0, 0.98, 0.94)


def paint_part(c: Canvas, part: Part) -> None:
    """Paint one part and its details; a thin shadow of its own sets it off from what lies under it."""
    if c.style.shade in ("dome", "soft", "wash") and part.detail not in ("plain", "leaf"):
        drop = np.array([np.cos(c.light), np.sin(c.light)]) * 0.7
        c.fill(c.mask(part.points - drop), (0.08, 0.05, 0.07), alpha=0.3)
    m = c.item(part.points, c.pal[part.role])
    if c.style.shade == "flat" and c.ink_mm < 0.05:
        c.fill(c.lines_mask([part.points], 0.45, closed=True) * m, shade(c.pal[part.role], 0.72))
    _DETAILS[part.detail](c, part, m)


def _frame(c: Canvas, part: Part) -> tuple[Field, Field]:
    """Coordinates along and across a part, from its centre."""
    x, y = c.x - np.float32(part.center[0]), c.y - np.float32(part.center[1])
    cos, sin = np.float32(np.cos(part.turn)), np.float32(np.sin(part.turn))
    return x * cos + y * sin, y * cos - x * sin


def _size(part: Part) -> float:
    return float(np.sqrt(shapely.Polygon(part.points).area / np.pi))


def _plain(c: Canvas, part: Part, m: Field) -> None:
    """Nothing more."""


def _leaf(c: Canvas, part: Part, m: Field) -> None:
    reach = 0.85 * _size(part) * 1.6
    rib = place(np.array([[-reach, 0.0], [reach, 0.0]]), center=part.center, turn=part.turn)
    c.fill(c.lines_mask([rib], 0.5) * m, c.pal["leaf_dark"])


def _drupelets(c: Canvas, part: Part, m: Field) -> None:
    gap = _size(part) * c.draw("drupe", 0.36, 0.52)
    base, shine = c.pal["blackberry"], c.pal["blackberry_shine"]
    make = c.pick("drupelets", ("balls", "rings", "lights"), held_out=("cells", "net"))
    if make in ("cells", "net"):
        _, distance = c.cells(gap)
        c.fill(m * textures.step(-distance, -0.4, soft=0.15), mix(base, shine, 0.7))
        c.fill(m * textures.step(distance, 0.7, soft=0.06), shade(base, 0.5))
        return
    pts = c.scatter(gap, within=m, jitter=0.12)
    toward = np.array([np.cos(c.light), np.sin(c.light)]) * gap * 0.15
    c.fill(c.dots_mask(pts, gap * 0.5) * m, shade(base, 0.55))
    c.fill(c.dots_mask(pts + toward * 0.4, gap * 0.42) * m, mix(base, shine, 0.35 if make != "rings" else 0.6))
    if make == "rings":
        c.fill(c.dots_mask(pts, gap * 0.25) * m, base)
    c.fill(c.dots_mask(pts + toward, gap * 0.14) * m, mix(shine, LIGHT, 0.5))


def _wrinkles(c: Canvas, part: Part, m: Field) -> None:
    u, v = _frame(c, part)
    size = _size(part)
    make = c.pick("wrinkles", ("lines", "cloud", "shine"), held_out=("rings", "hatch"))
    if make == "lines":
        lines = textures.stripes(v, u, angle_deg=0, period=size * 0.42, warp=c.noise(size) * 0.9)
        c.fill(m * textures.step(lines, 0.78, soft=0.1), c.pal["date_dark"], alpha=0.8)
    elif make == "rings":
        c.fill(m * textures.step(textures.stripes(u, v, angle_deg=10, period=size * 0.5), 0.8), c.pal["date_dark"])
    elif make == "hatch":
        c.glaze(m, textures.stripes(u, v, angle_deg=40, period=0.9), amount=0.25)
    else:
        c.fill(m * textures.step(c.noise(size * 0.8), 0.6), c.pal["date_dark"], alpha=0.7)
    if make in ("shine", "lines"):
        c.fill(m * np.exp(-((v + size * 0.3) ** 2) / (size * 0.12) ** 2 - (u / size) ** 2 * 1.5), LIGHT, alpha=0.5)


def _grape(c: Canvas, part: Part, m: Field) -> None:
    size = _size(part)
    toward = np.asarray(part.center) + np.array([np.cos(c.light), np.sin(c.light)]) * size * 0.4
    make = c.pick("grape", ("spot", "crescent", "bloom"), held_out=("window", "dot"))
    tint = mix(c.pal[part.role], LIGHT, 0.6)
    if make == "crescent":
        c.fill(c.dots_mask(np.array([part.center]), size * 0.82) * m, tint, alpha=0.6)
        c.fill(
            c.dots_mask(np.asarray(part.center)[None] * 1 - (toward - part.center) * 0.35, size * 0.82) * m,
            c.pal[part.role],
        )
    elif make == "bloom":
        c.fill(m * np.exp(-((c.x - toward[0]) ** 2 + (c.y - toward[1]) ** 2) / (size * 0.6) ** 2), tint, alpha=0.7)
    elif make == "window":
        c.fill(c.mask(place(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size * 0.2, center=tuple(toward))), tint)
    else:
        c.fill(c.dots_mask(toward[None], size * (0.2 if make == "spot" else 0.11)) * m, tint)


def _strawberry(c: Canvas, part: Part, m: Field) -> None:
    seeds = c.pick("straw_seeds", ("drops", "dots", "dashes"), held_out=("holes", "none"))
    if seeds == "none":
        return
    colour = c.pal["seed"] if seeds != "holes" else shade(c.pal["strawberry"], 0.6)
    pts = c.scatter(_size(part) * 0.42, within=m, jitter=0.12)
    size = _size(part)
    radius = {"drops": 0.085, "dots": 0.06, "dashes": 0.1, "holes": 0.07}[seeds] * size
    squash = {"drops": 0.6, "dots": 1.0, "dashes": 0.3, "holes": 1.0}[seeds]
    c.fill(c.dots_mask(pts, radius, squash=squash, turn=part.turn) * m, colour)


def _halved(c: Canvas, part: Part, m: Field) -> None:
    center = np.asarray(part.center)
    inner = (part.points - center) * 0.82 + center
    c.item(inner, mix(c.pal["strawberry"], (1.0, 0.85, 0.8), 0.45), depth=0.2, ink=False)
    c.item((part.points - center) * [0.4, 0.4] + center, mix(c.pal["strawberry"], LIGHT, 0.85), depth=0.1, ink=False)


def _carrot(c: Canvas, part: Part, m: Field) -> None:
    u, v = _frame(c, part)
    make = c.pick("carrot_marks", ("rings", "ticks", "cloud"), held_out=("lines", "dots"))
    dark = c.pal["carrot_dark"]
    if make == "rings":
        c.fill(m * textures.step(textures.stripes(u, v, angle_deg=0, period=4.2, warp=c.noise(4) * 0.7), 0.9), dark)
    elif make == "ticks":
        ticks = textures.stripes(u, v, angle_deg=0, period=3.6)
        c.fill(m * textures.step(ticks, 0.85) * textures.step(c.noise(3.0), 0.5), dark)
    elif make == "lines":
        c.fill(m * textures.step(textures.stripes(u, v, angle_deg=90, period=2.4, warp=c.noise(6) * 0.4), 0.85), dark)
    elif make == "dots":
        c.dots(c.scatter(3.0, within=m), 0.4, dark, within=m)
    else:
        c.fill(m * c.noise(3.5), dark, alpha=0.55)


def _stick(c: Canvas, part: Part, m: Field) -> None:
    _, v = _frame(c, part)
    c.fill(m * textures.step(v, 0.18 * _size(part), soft=0.15), c.pal["carrot_dark"], alpha=0.6)


def _coin(c: Canvas, part: Part, m: Field) -> None:
    size = _size(part)
    core = circle(size * 0.52, center=part.center, count=30)
    c.item(core, mix(c.pal["carrot"], (1.0, 0.9, 0.5), 0.35), depth=0.3, ink=False)
    t = np.arange(8) * np.pi / 4
    rays = [np.asarray(part.center) + np.array([[np.cos(a), np.sin(a)]]) * size * np.array([[0.58], [0.86]]) for a in t]
    c.fill(c.lines_mask(rays, 0.4) * m, c.pal["carrot_dark"])


def _olive(c: Canvas, part: Part, m: Field) -> None:
    size = _size(part)
    end = np.asarray(part.center) + np.array([np.cos(part.turn), np.sin(part.turn)]) * size * 0.45
    make = c.pick("olive_eye", ("pimento", "hole", "center"), held_out=("cross", "shine"))
    dark = shade(c.pal[part.role], 0.55)
    if make == "cross":
        arms = [
            place(np.array([[-1.0, 0.0], [1.0, 0.0]]) * size * 0.25, center=tuple(end), turn=a) for a in (0.5, 2.07)
        ]
        c.fill(c.lines_mask(arms, 0.6) * m, dark)
        return
    if make == "shine":
        c.shine(part.points, size, alpha=0.8)
        return
    at: Points = np.asarray(part.center) if make == "center" else end
    eye = ellipse(size * 0.36, size * 0.3, center=(at[0], at[1]), turn=part.turn, count=24)
    c.item(eye, dark, depth=0, ink=False, grain=-1)
    if make != "hole":
        inner = ellipse(size * 0.27, size * 0.22, center=(at[0], at[1]), turn=part.turn, count=20)
        c.item(inner, c.pal["pimento"], depth=0.6, ink=False, grain=-1)


def _floret(c: Canvas, part: Part, m: Field) -> None:
    dark = c.pal[f"{part.role}_dark"]
    size = _size(part)
    make = c.pick("floret_buds", ("buds", "cloud", "curls"), held_out=("stipple", "cells"))
    if make == "cloud":
        c.fill(m * textures.step(c.noise(1.8), 0.56, soft=0.12), dark, alpha=0.75)
    elif make == "cells":
        grey, _ = c.cells(1.8)
        c.fill(m * grey, dark, alpha=0.8)
    else:
        gap = {"buds": 0.42, "curls": 0.6, "stipple": 0.26}[make] * size
        pts = c.scatter(gap, within=m)
        toward = np.array([np.cos(c.light), np.sin(c.light)]) * gap * 0.14
        c.fill(c.dots_mask(pts, gap * 0.36) * m, dark)
        if make != "stipple":
            c.fill(c.dots_mask(pts + toward, gap * 0.28) * m, shade(c.pal[part.role], 1.15))


def _spiral(c: Canvas, part: Part, m: Field) -> None:
    x, y = c.x - np.float32(part.center[0]), c.y - np.float32(part.center[1])
    pitch = _size(part) / c.draw("rose_turns", 2.4, 4.0)
    arms = 3 if part.detail == "ruffle" else 1
    fold = textures.swirl(x, y, pitch=pitch, arms=arms, turn=part.turn, warp=c.noise(8) * 0.4)
    c.fill(m * textures.step(fold, 0.55, soft=0.3), c.pal["rose_fat"], alpha=0.9)
    c.fill(m * textures.step(-fold, -0.1, soft=0.06), c.pal["rose_dark"])
    c.ink(part.points)


def _petal(c: Canvas, part: Part, m: Field) -> None:
    center = np.asarray(part.center)
    inward = -np.array([np.cos(part.turn), np.sin(part.turn)]) * _size(part) * 0.22
    make = c.pick("petal", ("rim", "fade", "streaks"), held_out=("marbled", "double"))
    fat, dark = c.pal["rose_fat"], c.pal["rose_dark"]
    inner = (part.points - center) * 0.86 + center + inward
    if make in ("rim", "double"):
        c.fill(m, fat)
        c.item(inner, c.pal["rose"], depth=0.8, ink=make == "double", within=m)
    elif make == "fade":
        u, _ = _frame(c, part)
        c.fill(m * np.clip(0.45 - u / _size(part) * 0.5, 0, 1), dark, alpha=0.8)
    elif make == "streaks":
        u, v = _frame(c, part)
        c.fill(m * textures.step(textures.stripes(u, v, angle_deg=90, period=2.6, warp=c.noise(3)), 0.7, soft=0.1), fat)
    else:
        c.fill(m * textures.step(c.noise(2.2), 0.6), fat)
    c.ink(part.points)


_DETAILS = {
    "plain": _plain, "leaf": _leaf, "drupelets": _drupelets, "wrinkles": _wrinkles, "grape": _grape,
    "strawberry": _strawberry, "halved": _halved, "carrot": _carrot, "stick": _stick, "coin": _coin, "olive": _olive,
    "floret": _floret, "spiral": _spiral, "ruffle": _spiral, "petal": _petal,
}  # fmt: skip

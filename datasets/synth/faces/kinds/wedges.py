"""The six cheeses, on one wedge: tip down, back up. Units are mm."""

from __future__ import annotations

import numpy as np

from datasets.synth.faces import textures
from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.outlines import Wedge, blob, ellipse
from datasets.synth.faces.palette import Rgb, mix, rgb, shade
from datasets.synth.faces.textures import Field
from datasets.synth.scene import Polygon as Points


class Cheese:
    """A painted wedge: `face` is the mask of its cut face, without the rind."""

    def __init__(self, c: Canvas, w: Wedge, colour: Rgb) -> None:
        self.c, self.w = c, w
        self.all = c.item(c.picture, colour)
        x, y = c.x - np.float32(w.tip[0]), np.float32(w.tip[1]) - c.y
        self.along = np.hypot(x, y) if w.curved else y
        self.across = np.asarray(np.arctan2(x, np.maximum(y, 1e-3)) / w.half_angle, np.float32)
        self.back = float((self.along * (self.all > 0.5)).max())
        self.face = self.all
        if c.draw("side", 0, 1) < c.style.side_face:
            self._side(colour)

    def _side(self, colour: Rgb) -> None:
        """The cut side of a thick wedge, along its left edge, in shadow."""
        x, y = self.c.x - np.float32(self.w.tip[0]), np.float32(self.w.tip[1]) - self.c.y
        edge = x * np.cos(self.w.half_angle) + y * np.sin(self.w.half_angle)
        side = self.all * textures.step(-edge, -(self.c.margin_mm + self.c.draw("side_mm", 3.0, 5.5)), soft=0.12)
        self.c.fill(side, mix(shade(colour, 0.82), self.c.pal["cheese_side"], 0.35))
        self.face = self.all * (1 - side)

    def rind(self, colour: Rgb, width: float, *, line: bool = True) -> Field:
        """A rind of `width` along the back."""
        m = self.all * textures.step(self.along, self.back - width, soft=0.12)
        self.c.fill(m, colour)
        if line and self.c.ink_mm > 0.15:
            edge = textures.step(-np.abs(self.along - (self.back - width)), -self.c.ink_mm / 2, soft=0.1)
            self.c.fill(edge * self.all, rgb(self.c.style.ink))
        self.face = self.face * (1 - m)
        self.c.grain(m)
        return m

    def finish(self) -> None:
        """The ink line again, over what was drawn across it."""
        self.c.ink(self.c.picture)


def parmesan(c: Canvas, w: Wedge) -> None:
    """Parmesan: grainy straw, a thick tan rind."""
    cheese = Cheese(c, w, c.pal["parmesan"])
    cheese.rind(c.pal["parmesan_rind"], c.draw("parmesan_rind", 2.6, 5.2))
    make = c.pick("parmesan", ("specks", "cracks", "crystals"), held_out=("chips", "grain"))
    dark, pale = shade(c.pal["parmesan"], 0.8), shade(c.pal["parmesan"], 1.6)
    if make in ("specks", "crystals"):
        c.dots(c.scatter(2.1, within=cheese.face), 0.28, dark, within=cheese.face)
        c.dots(c.scatter(3.4, within=cheese.face), 0.35 if make == "specks" else 0.7, pale, within=cheese.face)
    elif make == "cracks":
        pts = c.scatter(4.5, within=cheese.face)
        flakes = [p + np.cumsum(c.rng.normal(scale=[0.9, 0.5], size=(4, 2)), 0) for p in pts]
        c.fill(c.lines_mask(flakes, 0.4) * cheese.face, dark)
    elif make == "chips":
        for p in c.scatter(5.5, within=cheese.face):
            c.fill(c.mask(blob(1.5, rng=c.rng, rough=0.5, count=6) + p) * cheese.face, dark, alpha=0.6)
    else:
        c.fill(cheese.face * textures.step(c.noise(1.0, octaves=1), 0.66), dark)
    cheese.finish()


def swiss(c: Canvas, w: Wedge) -> None:
    """Swiss: pale yellow with round holes."""
    cheese = Cheese(c, w, c.pal["swiss"])
    if c.pick("swiss_rind", ("none", "thin", "none")) == "thin":
        cheese.rind(shade(c.pal["swiss_hole"], 0.9), 1.2)
    make = c.pick("swiss", ("few", "many", "ovals"), held_out=("rims", "moons"))
    hole = c.pal["swiss_hole"]
    pts = c.scatter({"few": 9.0, "many": 6.0, "ovals": 7.5, "rims": 8.0, "moons": 7.0}[make], within=cheese.all)
    top = {"few": 3.6, "many": 2.3, "ovals": 2.8, "rims": 3.0, "moons": 2.8}[make]
    radii = c.rng.uniform(0.35, 1.0, len(pts)) * top
    squash = 0.65 if make == "ovals" else 1.0
    toward = np.array([np.cos(c.light), np.sin(c.light)])
    if make == "rims":
        c.fill(c.dots_mask(pts, radii) * cheese.all, shade(hole, 0.7))
        c.fill(c.dots_mask(pts, radii - 0.6) * cheese.all, shade(c.pal["swiss"], 1.3))
    elif make == "moons":
        c.fill(c.dots_mask(pts, radii) * cheese.all, hole)
        c.fill(c.dots_mask(pts - toward * 0.9, radii * 0.85) * cheese.all, c.pal["swiss"])
    else:
        m = c.dots_mask(pts, radii, squash=squash, turn=0.3) * cheese.all
        c.fill(m, hole)
        if c.style.shade != "flat":
            deep = c.dots_mask(pts + toward * 0.3, radii * 0.9, squash=squash, turn=0.3)
            c.fill(m * (1 - c.dots_mask(pts - toward * 0.6, radii, squash=squash, turn=0.3)), shade(hole, 0.7))
            c.fill(deep * m, shade(hole, 1.1), alpha=0.3)
    if c.ink_mm > 0.2:
        for p, r in zip(pts, radii, strict=True):
            ring = ellipse(r, r * squash, center=(p[0], p[1]), turn=0.3)
            c.ink(ring, factor=0.7, within=cheese.all)
    cheese.finish()


def cheddar(c: Canvas, w: Wedge) -> None:
    """Cheddar: plain orange, a little crumbly."""
    cheese = Cheese(c, w, c.pal["cheddar"])
    make = c.pick("cheddar", ("plain", "crumbs", "clouds", "creases"), held_out=("bands", "flecks"))
    dark = c.pal["cheddar_dark"]
    if make == "crumbs":
        c.dots(c.scatter(5.5, within=cheese.face), 0.4, dark, within=cheese.face, squash=0.5)
    elif make == "clouds":
        c.fill(cheese.face * c.noise(5.0), dark, alpha=0.5)
    elif make == "creases":
        lines = [
            p + np.cumsum(c.rng.normal(scale=[1.6, 0.3], size=(5, 2)), 0) for p in c.scatter(9, within=cheese.face)
        ]
        c.fill(c.lines_mask(lines, 0.45) * cheese.face, dark)
    elif make == "bands":
        band = textures.stripes(c.x, c.y, angle_deg=80, period=5, warp=c.noise(9) * 0.8)
        c.fill(cheese.face * textures.step(band, 0.75, soft=0.1), dark, alpha=0.55)
    elif make == "flecks":
        c.dots(c.scatter(4.0, within=cheese.face), 0.5, shade(c.pal["cheddar"], 1.35), within=cheese.face)
    if c.pick("cheddar_rind", ("none", "none", "thin")) == "thin":
        cheese.rind(shade(dark, 0.85), 1.1)
    cheese.finish()


def gouda(c: Canvas, w: Wedge) -> None:
    """Gouda: golden, with a red rind and a few small eyes."""
    cheese = Cheese(c, w, c.pal["gouda"])
    cheese.rind(c.pal["gouda_rind"], c.draw("gouda_rind", 1.9, 4.2))
    make = c.pick("gouda", ("eyes", "none", "wax"), held_out=("round", "slits"))
    eye = shade(c.pal["gouda"], 0.8)
    if make in ("eyes", "wax", "slits"):
        c.dots(
            c.scatter(8.0, within=cheese.face), 0.55, eye, within=cheese.face, squash=0.3 if make == "slits" else 0.8
        )
    if make == "wax":
        c.fill(
            cheese.all * textures.step(-np.abs(cheese.along - cheese.back + 1.2), -0.25, soft=0.15),
            (1, 1, 1),
            alpha=0.5,
        )
    if make == "round":
        c.fill(
            cheese.face * textures.step(cheese.across, 0.86 - 0.5 / np.maximum(cheese.along, 1)), c.pal["gouda_rind"]
        )
    cheese.finish()


def colby(c: Canvas, w: Wedge) -> None:
    """Colby: orange and cream marbled."""
    cheese = Cheese(c, w, c.pal["colby"])
    make = c.pick("colby", ("cloud", "mosaic", "camouflage"), held_out=("strokes", "pebbles"))
    deep = c.pal["colby_orange"]
    if make == "cloud":
        m = textures.step(c.noise(6.5, octaves=2), 0.5, soft=0.04)
    elif make == "mosaic":
        grey, _ = c.cells(4.5)
        m = textures.step(grey, 0.5, soft=0.01)
    elif make == "camouflage":
        m = textures.step(textures.stripes(c.x, c.y, angle_deg=50, period=8, warp=c.noise(7) * 2.4), 0.5, soft=0.06)
    elif make == "pebbles":
        _, distance = c.cells(5.5)
        m = textures.step(-distance, -0.42, soft=0.04)
    else:
        pts = c.scatter(4.5, within=cheese.face)
        m = c.dots_mask(pts, c.rng.uniform(1.2, 2.8, len(pts)), squash=0.4)
    c.fill(cheese.face * m, deep)
    cheese.finish()


def _vein(c: Canvas, start: Points, *, steps: int, stride: float, heading: float) -> Points:
    """A wandering line."""
    turns = heading + np.cumsum(c.rng.normal(scale=0.55, size=steps))
    return start + np.cumsum(stride * np.stack([np.cos(turns), np.sin(turns)], 1), 0)


def bleu(c: Canvas, w: Wedge) -> None:
    """Bleu: ivory with blue veins."""
    cheese = Cheese(c, w, c.pal["bleu"])
    vein = c.pal["bleu_vein"]
    make = c.pick("bleu", ("veins", "blots", "ridges"), held_out=("specks", "cells"))
    if make == "veins":
        lines = [
            _vein(c, p, steps=9, stride=1.5, heading=c.rng.uniform(0, 6.28)) for p in c.scatter(8, within=cheese.face)
        ]
        c.fill(c.lines_mask(lines, 0.55) * cheese.face, vein)
        c.dots(np.vstack([v[::3] for v in lines]), 0.75, vein, within=cheese.face)
    elif make == "blots":
        for p in c.scatter(6.5, within=cheese.face):
            c.fill(c.mask(blob(c.rng.uniform(0.6, 1.9), rng=c.rng, rough=0.5) + p) * cheese.face, vein)
    elif make == "ridges":
        m = textures.ridges(c.shape, cell_px=8 * c.ppm, rng=c.rng)
        c.fill(cheese.face * textures.step(m * (0.55 + 0.6 * c.noise(4)), 0.6, soft=0.1), vein)
    elif make == "specks":
        pts = c.scatter(2.4, within=cheese.face * textures.step(c.noise(7), 0.45))
        c.dots(pts, c.rng.uniform(0.3, 0.9, len(pts)), vein, within=cheese.face)
    else:
        _, distance = c.cells(7.0)
        c.fill(cheese.face * textures.step(distance * (0.6 + 0.7 * c.noise(4)), 0.7, soft=0.06), vein)
    cheese.finish()


PAINTERS = {f.__name__: f for f in (parmesan, swiss, cheddar, gouda, colby, bleu)}

"""The round kinds: cracker, baguette, salami, soppressata, orange, tomato, cucumber. Units are mm."""

from __future__ import annotations

import numpy as np
import shapely

from datasets.synth.faces import textures
from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.outlines import blob, circle, place
from datasets.synth.faces.palette import Rgb, mix, shade
from datasets.synth.faces.textures import Field
from datasets.synth.scene import Polygon as Points


def disc(c: Canvas, colour: Rgb, *, share: float = 1.0, depth: float = 1.0, ink: bool = True) -> Field:
    """A disc of `share` of the picture's radius."""
    points = c.picture * share if share != 1 else c.picture
    return c.item(points, colour, depth=depth, ink=ink)


def polar(r: Field | float, t: Field) -> Points:
    """Points at radius `r` and angle `t`."""
    return np.stack([np.asarray(r) * np.cos(t), np.asarray(r) * np.sin(t)], 1)


def toast(c: Canvas, m: Field, colour: Rgb, *, amount: float = 0.6, size_mm: float = 5.0) -> None:
    """A browned rim and browned patches."""
    edge = np.clip((c.r / c.radius - 0.55) / 0.45, 0, 1) ** 2
    if c.style.shade not in ("flat", "cel"):
        c.fill(m * edge * (0.4 + 0.6 * c.noise(size_mm)), colour, alpha=amount)
    else:
        c.fill(m * textures.step(c.r, c.radius * 0.86, soft=0.25), colour, alpha=amount)


def round_cracker(c: Canvas) -> None:
    """A round cracker with dock holes."""
    m = disc(c, c.pal["cracker"])
    dark = c.pal["cracker_dark"]
    toast(c, m, dark)
    r = c.radius
    make = c.pick("cracker_holes", ("grid", "rings", "flower", "scallop"), held_out=("spiral", "dashes"))
    hole = r * c.draw("hole", 0.035, 0.065)
    if make in ("grid", "dashes"):
        gap = r * c.draw("hole_gap", 0.3, 0.44)
        k = np.arange(-4, 5) * gap
        pts = np.stack([a.ravel() for a in np.meshgrid(k, k)], 1)
        pts = pts[np.hypot(pts[:, 0], pts[:, 1]) < 0.8 * r]
    elif make == "spiral":
        k = np.arange(2.0, 34.0)
        pts = polar(r * 0.82 * np.sqrt(k / 34), k * 2.39996)
    else:
        rings = ((0.0, 1), (0.36, 6), (0.7, 12)) if make != "flower" else ((0.0, 1), (0.55, 8))
        pts = np.vstack([polar(q * r, np.arange(n) * 2 * np.pi / n + c.draw("turn", 0, 1)) for q, n in rings])
    if make == "scallop":
        n = int(c.draw("scallops", 18, 30))
        c.dots(polar(r * 1.02, np.arange(n) * 2 * np.pi / n), r * 0.06, dark, within=m)
    if make == "dashes":
        c.fill(c.lines_mask([p + np.array([[-hole * 1.5, 0], [hole * 1.5, 0]]) for p in pts], hole * 1.3), dark)
    else:
        c.dots(pts, hole, shade(dark, 0.75), within=m)
    if c.pick("salt", ("none", "salt", "herbs")) == "salt":
        c.dots(c.scatter(4.5, within=m), 0.3, (0.98, 0.96, 0.9), within=m)


def baguette(c: Canvas) -> None:
    """A slice of baguette: a brown crust round an airy crumb."""
    disc(c, c.pal["crust"])
    share = 1 - c.draw("crust", 0.07, 0.15)
    m = c.item(blob(c.radius * share, rng=c.rng, rough=0.02), c.pal["crumb"], depth=0.4, ink=c.ink_mm > 0.25)
    hole = c.pal["crumb_hole"]
    make = c.pick("crumb", ("ovals", "cloud", "bubbles", "specks"), held_out=("cells", "arcs"))
    airy(c, m, hole, make=make)


def airy(c: Canvas, m: Field, hole: Rgb, *, make: str) -> None:
    """The pores of bread crumb."""
    if make == "cloud":
        c.fill(m * textures.step(c.noise(2.6), 0.62), hole)
    elif make == "cells":
        _, distance = c.cells(3.0)
        c.fill(m * textures.step(distance, 0.55, soft=0.1), hole)
    elif make == "arcs":
        pts = c.scatter(4.2, within=m)
        arc = np.linspace(0, 3.4, 9)
        turns = c.rng.uniform(0, 6.28, len(pts))
        bows = [polar(c.rng.uniform(0.5, 1.4), arc) for _ in pts]
        arcs = [place(bow, center=(p[0], p[1]), turn=t) for bow, p, t in zip(bows, pts, turns, strict=True)]
        c.fill(c.lines_mask(arcs, 0.4) * m, shade(hole, 0.8))
    else:
        gap, top = {"ovals": (4.2, 1.5), "bubbles": (3.0, 1.1), "specks": (1.9, 0.45)}[make]
        pts = c.scatter(gap, within=m)
        radii = c.rng.uniform(0.3 * top, top, len(pts))
        c.dots(pts, radii, hole, within=m, squash=0.55 if make == "ovals" else 1.0)


def salami(c: Canvas) -> None:
    """Salami: fine pale grains in bright red."""
    _sausage(c, c.pal["salami"], c.pal["salami_fat"], size_mm=c.draw("fine", 0.45, 0.8))


def soppressata(c: Canvas) -> None:
    """Soppressata: coarse, uneven fat in dark red, with pepper."""
    m = _sausage(c, c.pal["soppressata"], c.pal["soppressata_fat"], size_mm=c.draw("coarse", 1.25, 2.1))
    if c.pick("pepper", ("yes", "no", "yes")) == "yes":
        c.dots(c.scatter(7, within=m), c.draw("peppercorn", 0.4, 0.75), c.pal["pepper"], within=m)


def _sausage(c: Canvas, meat: Rgb, fat: Rgb, *, size_mm: float) -> Field:
    casing = c.pick("casing", ("thin", "none", "thick", "pale"))
    if casing != "none":
        disc(c, c.pal["casing"] if casing != "pale" else mix(meat, fat, 0.6))
    share = {"thin": 0.965, "none": 1.0, "thick": 0.92, "pale": 0.95}[casing]
    m = disc(c, meat, share=share, depth=0.6, ink=casing == "none")
    make = c.pick("fat", ("dots", "chips", "cloud", "mosaic"), held_out=("dashes", "squares"))
    if make == "cloud":
        c.fill(m * textures.step(c.noise(size_mm * 2.6, octaves=2), 0.6, soft=0.05), fat)
    elif make == "mosaic":
        grey, distance = c.cells(size_mm * 2.1)
        c.fill(m * textures.step(grey, 0.72, soft=0.01) * textures.step(-distance, -0.62), fat)
    else:
        pts = c.scatter(size_mm * 3.1, within=m)
        radii = c.rng.uniform(0.55, 1.15, len(pts)) * size_mm
        if make == "dots":
            c.dots(pts, radii, fat, within=m)
        elif make == "dashes":
            c.dots(pts, radii * 1.4, fat, within=m, squash=0.3)
        else:
            if len(pts) >= 90:  # grains too fine for their corners to show
                c.dots(pts, radii, fat, within=m, squash=0.7)
                return m
            sides = 4 if make == "squares" else 7
            for (x, y), r in zip(pts, radii, strict=True):
                chip = blob(r * 1.1, rng=c.rng, rough=0.45 if make == "chips" else 0.1, count=sides)
                c.fill(c.mask(chip + np.array([x, y])) * m, fat)
    return m


def segments(count: int, *, inner: float, outer: float, round_mm: float, turn: float, gap: float) -> list[Points]:
    """`count` rounded sectors between two radii."""
    out = []
    half = np.pi / count
    for k in range(count):
        t = np.linspace(-half, half, 7) + turn + 2 * half * k
        sector = np.vstack([polar(outer, t), polar(inner, t[::-1])])
        piece = shapely.Polygon(sector).buffer(-gap - round_mm).buffer(round_mm, quad_segs=4)
        if not piece.is_empty and piece.geom_type == "Polygon":
            out.append(np.asarray(piece.exterior.coords)[:-1])
    return out


def orange(c: Canvas) -> None:
    """A slice of orange: peel, pith, segments."""
    disc(c, c.pal["orange_peel"])
    disc(c, c.pal["orange_pith"], share=1 - c.draw("peel", 0.06, 0.1), depth=0.2, ink=False)
    flesh, r = c.pal["orange"], c.radius
    count = round(c.draw("segments", 8, 11.4))
    outer = r * (1 - c.draw("pith", 0.1, 0.19))
    make = c.pick("segments", ("rounded", "sharp", "lines"), held_out=("petals", "fine"))
    turn = c.draw("orange_turn", 0, 1)
    if make in ("lines", "fine"):
        m = disc(c, flesh, share=outer / r, depth=0.3, ink=False)
        t = np.arange(count) * 2 * np.pi / count + turn
        rays = [polar(np.array([0, outer]), np.array([a, a])) for a in t]
        c.fill(c.lines_mask(rays, 0.5 if make == "fine" else 1.0) * m, c.pal["orange_pith"])
        c.fill(c.dots_mask(np.zeros((1, 2)), r * 0.08), c.pal["orange_pith"])
    else:
        rounding = {"rounded": 1.1, "sharp": 0.3, "petals": 2.2}[make] * r / 18
        for piece in segments(count, inner=r * 0.06, outer=outer, round_mm=rounding, turn=turn, gap=r * 0.02):
            c.item(piece, flesh, depth=0.5, ink=c.ink_mm > 0.35)
    pulp = c.pick("pulp", ("none", "streaks", "drops"))
    m = textures.step(-c.r, -outer, soft=0.3)
    if pulp == "streaks":
        c.glaze(m, textures.stripes(c.t * 40, c.r, angle_deg=0, period=2.1, warp=c.noise(3) * 2), amount=0.09)
    elif pulp == "drops":
        c.dots(c.scatter(2.6, within=m), 0.5, shade(flesh, 1.25), within=m * 0.6, squash=0.5)


def tomato(c: Canvas) -> None:
    """A slice of tomato: skin, walls, chambers of seeds."""
    disc(c, c.pal["tomato_skin"])
    m = disc(c, c.pal["tomato"], share=1 - c.draw("skin", 0.05, 0.1), depth=0.5, ink=False)
    r = c.radius
    count = round(c.draw("locules", 2.6, 6.4))
    turn = c.draw("tomato_turn", 0, 6)
    make = c.pick("locules", ("sectors", "beans", "ovals"), held_out=("crescents", "star"))
    gel = c.pal["tomato_gel"]
    t = np.arange(count) * 2 * np.pi / count + turn
    chambers: list[Points] = []
    if make in ("sectors", "star"):
        inner = r * (0.14 if make == "star" else 0.26)
        chambers = segments(count, inner=inner, outer=r * 0.8, round_mm=r * 0.1, turn=turn, gap=r * 0.05)
    else:
        rough = {"beans": 0.35, "ovals": 0.05, "crescents": 0.1}[make]
        squash = {"beans": 0.8, "ovals": 0.75, "crescents": 0.45}[make]
        size = min(r * 0.28, r * 0.52 * np.sin(np.pi / count) / max(squash, 0.62))
        for a in t:
            shape = blob(size, rng=c.rng, rough=rough, lobes=2) * [squash, 1.2]
            chambers.append(place(shape, center=(r * 0.52 * np.cos(a), r * 0.52 * np.sin(a)), turn=a))
    inside = np.zeros(c.shape, np.float32)
    for chamber in chambers:
        inside = np.maximum(inside, c.item(chamber, gel, depth=0.4, ink=c.ink_mm > 0.3, within=m))
    seeds = c.scatter(c.draw("seed_gap", 2.0, 3.0), within=inside)
    c.dots(seeds, 0.65, c.pal["tomato_seed"], within=inside, squash=0.6)
    if c.pick("core", ("yes", "no")) == "yes":
        c.fill(c.dots_mask(np.zeros((1, 2)), r * 0.1), mix(gel, (1, 1, 0.9), 0.5), alpha=0.7)


def cucumber(c: Canvas) -> None:
    """A slice of cucumber: dark skin, pale flesh, a ring of seeds."""
    disc(c, c.pal["cucumber_skin"])
    if c.pick("peel", ("plain", "striped", "plain")) == "striped":
        n = int(c.draw("peel_stripes", 8, 16))
        t = np.arange(n) * 2 * np.pi / n
        bands = [polar(np.array([c.radius * 0.85, c.radius * 1.05]), np.array([a, a])) for a in t]
        c.fill(c.lines_mask(bands, 1.6) * c.mask(c.picture), c.pal["cucumber"])
    share = 1 - c.draw("cucumber_skin", 0.05, 0.11)
    m = disc(c, c.pal["cucumber"], share=share, depth=0.3, ink=False)
    r = c.radius
    make = c.pick("cucumber_core", ("three", "disc", "ring"), held_out=("hexagon", "spokes"))
    lobes = {"three": 3, "disc": 0, "ring": 0, "hexagon": 6, "spokes": 0}[make]
    zone = np.hypot(c.x, c.y) / (r * (0.55 + (0.09 * np.cos(lobes * c.t + 1) if lobes else 0)))
    core = m * textures.step(-np.asarray(zone, np.float32), -1, soft=0.06)
    c.fill(core, c.pal["cucumber_core"])
    turn = c.draw("cucumber_turn", 0, 6)
    count = {"three": 18, "disc": 14, "ring": 12, "hexagon": 12, "spokes": 9}[make]
    t = np.arange(count) * 2 * np.pi / count + turn
    if make == "spokes":
        rays = [polar(np.array([0.12 * r, 0.5 * r]), np.array([a, a])) for a in t]
        c.fill(c.lines_mask(rays, 0.7), c.pal["cucumber_seed"])
        return
    ring = r * (0.38 + (0.07 * np.cos(3 * t) if make == "three" else 0 * t))
    for x, y in polar(ring, t):
        seed = place(circle(1.0, count=14) * [r * 0.085, r * 0.035], center=(x, y), turn=float(np.arctan2(y, x)))
        c.item(seed, c.pal["cucumber_seed"], depth=0.2, ink=False, grain=-1)


PAINTERS = {f.__name__: f for f in (round_cracker, baguette, salami, soppressata, orange, tomato, cucumber)}

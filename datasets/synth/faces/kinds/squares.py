"""The square kinds: square cracker, ciabatta and the four dips. Units are mm."""

from __future__ import annotations

import numpy as np

from datasets.synth.faces import textures
from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.kinds.rounds import airy
from datasets.synth.faces.outlines import blob, circle, ellipse, rounded_square
from datasets.synth.faces.palette import mix, shade
from datasets.synth.faces.textures import Field
from datasets.synth.scene import Polygon as Points


def half_side(c: Canvas) -> float:
    """Half the picture's side."""
    return float(np.abs(c.picture).max())


def chebyshev(c: Canvas) -> Field:
    """Distance from the centre in the square's own measure, 1 at its side."""
    return np.asarray(np.maximum(np.abs(c.x), np.abs(c.y)) / half_side(c), np.float32)


def square_cracker(c: Canvas) -> None:
    """A square cracker: a grid of dock holes, browned edges."""
    m = c.item(c.picture, c.pal["cracker"])
    dark, half = c.pal["cracker_dark"], half_side(c)
    rim = np.clip((chebyshev(c) - 0.6) / 0.4, 0, 1) ** 2
    c.fill(m * rim * (0.4 + 0.6 * c.noise(5)), dark, alpha=0.6)
    make = c.pick("square_cracker", ("grid", "quincunx", "teeth"), held_out=("score", "ring"))
    n = round(c.draw("dock", 2.6, 5.4))
    k = (np.arange(n) - (n - 1) / 2) * (1.5 * half / n)
    pts = np.stack([a.ravel() for a in np.meshgrid(k, k)], 1)
    if make == "quincunx":
        step = k[1] - k[0]
        pts = np.vstack([pts, pts[(pts[:, 0] < k[-1] - 0.1) & (pts[:, 1] < k[-1] - 0.1)] + step / 2])
    if make == "ring":
        pts = np.vstack([rounded_square(q * half, corner=1.0)[::4] for q in (0.7, 1.45)])
    if make == "teeth":
        t = np.linspace(-half, half, 15)
        side = np.stack([t, np.full(15, half)], 1)
        c.dots(np.vstack([side, -side, side[:, ::-1], -side[:, ::-1]]), half * 0.055, dark, within=m)
    if make == "score":
        cross = [np.array([[-half, 0], [half, 0]]), np.array([[0, -half], [0, half]])]
        c.fill(c.lines_mask(cross, 0.8) * m, dark, alpha=0.8)
    c.dots(pts, half * c.draw("square_hole", 0.04, 0.07), shade(dark, 0.75), within=m)
    c.ink(c.picture)


def ciabatta(c: Canvas) -> None:
    """Ciabatta: floured, mottled crust, or an airy slice with a crust round it."""
    make = c.pick("ciabatta", ("floured", "slice", "slashed"), held_out=("dusty", "crackled"))
    m = c.item(c.picture, c.pal["ciabatta"])
    half = half_side(c)
    flour, dark = c.pal["flour"], c.pal["ciabatta_dark"]
    if make == "slice":
        crumb = c.item(
            rounded_square(2 * half * 0.84, corner=half * 0.3), c.pal["crumb"], depth=0.3, ink=c.ink_mm > 0.25
        )
        airy(c, crumb, c.pal["crumb_hole"], make=c.pick("ciabatta_crumb", ("ovals", "cloud")))
        return
    if make == "crackled":
        _, distance = c.cells(6.0)
        c.fill(m * textures.step(distance, 0.6, soft=0.05), dark)
        c.fill(m * textures.step(-distance, -0.22, soft=0.1), flour, alpha=0.8)
    elif make == "dusty":
        c.fill(m * textures.stripes(c.x, c.y, angle_deg=45, period=7, warp=c.noise(6)) * c.noise(1.5), flour)
    else:
        c.fill(m * textures.step(c.noise(7), 0.55, soft=0.08), flour, alpha=0.9)
        c.fill(m * textures.step(c.noise(3), 0.72, soft=0.05), dark, alpha=0.6)
    if make == "slashed":
        for k in (-0.45, 0.0, 0.45):
            cut = ellipse(half * 0.75, half * 0.09, center=(k * half * 0.5, k * half), turn=-0.5)
            c.item(cut, mix(c.pal["crumb"], dark, 0.15), depth=0.5)
    c.ink(c.picture)


def _ground(c: Canvas, half: float) -> Field:
    """What the bowl stands on: napkin, checked cloth, wood, slate, plate or a plain colour."""
    make = c.style.ground[int(c.draw("ground", 0, len(c.style.ground) - 1e-6))]
    base = {"napkin": "napkin", "check": "napkin", "wood": "wood", "slate": "slate", "plate": "plate", "fill": "bowl"}
    m = c.item(c.picture, c.pal[base[make]], depth=0.3)
    if make == "wood":
        grain = textures.stripes(c.x, c.y, angle_deg=90, period=3.2, warp=c.noise(14) * 2.2)
        c.fill(m * grain * (0.5 + 0.5 * c.noise(2)), c.pal["wood_dark"], alpha=0.7)
    elif make == "check":
        gap = half / 2.5
        bands = ((c.x / gap).astype(int) + (c.x < 0)) % 2 + ((c.y / gap).astype(int) + (c.y < 0)) % 2
        c.fill(m * bands.astype(np.float32) / 2, c.pal["napkin_stripe"], alpha=0.8)
    elif make == "napkin":
        ring = textures.step(-np.abs(chebyshev(c) - 0.88), -0.035, soft=0.01)
        c.fill(m * ring, c.pal["napkin_stripe"])
    elif make == "slate":
        c.glaze(m, c.noise(6), amount=0.25)
    return m


def _bowl(c: Canvas) -> tuple[Field, float]:
    """A bowl seen from above on its ground, or nothing when the dip fills the square: (the inside, its radius)."""
    half = half_side(c)
    make = c.pick("dip", ("bowl", "bowl", "fill", "square_bowl"), held_out=("scalloped", "jar"))
    if make == "fill" or "fill" in c.style.ground:
        return c.item(c.picture, (0.5, 0.5, 0.5), depth=0), half
    ground = _ground(c, half)
    r = half * c.draw("bowl", 0.82, 0.95)
    wall = r * c.draw("wall", 0.1, 0.2)
    names = ("bowl", "bowl_blue", "bowl_terra", "bowl_dark", "bowl_green")
    shared = c.pick("bowl_colour", (*names, "mixed"))
    own = {"tapenade": "bowl", "ranch": "bowl_blue", "hummus": "bowl_terra", "fig_jam": "bowl_green"}
    colour = c.pal[own[c.kind] if shared == "mixed" else shared]
    outer = circle(r)
    if make == "square_bowl":
        outer = rounded_square(2 * r, corner=r * 0.4)
    elif make == "scalloped":
        t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
        outer = (r * (0.96 + 0.04 * np.cos(14 * t)))[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
    drop = -np.array([np.cos(c.light), np.sin(c.light)]) * 1.1
    if c.style.shade != "flat":
        c.fill(c.mask(outer + drop) * ground, (0.1, 0.08, 0.08), alpha=0.35)
    c.item(outer, colour)
    inner = outer * ((r - wall) / r) if make != "jar" else circle(r - 2 * wall)
    m = c.item(inner, shade(colour, 0.75), depth=0, grain=-1)
    return m, r - wall


def _chunks(c: Canvas, m: Field, role: str, *, gap: float, size: float, rough: float = 0.4) -> None:
    pts = c.scatter(gap, within=m)[:60]
    for p in pts:
        piece = blob(c.rng.uniform(0.5, 1.0) * size, rng=c.rng, rough=rough, count=9) + p
        c.item(piece, c.pal[role], depth=0.6, ink=False, within=m, grain=-1)


def _spread(c: Canvas, role: str) -> tuple[Field, float]:
    """The bowl, filled with one colour and its own soft relief."""
    m, r = _bowl(c)
    c.fill(m, c.pal[role])
    relief = c.pick(f"{role}_relief", ("spiral", "waves", "none", "spiral"), held_out=("heart", "rings"))
    warp = c.noise(8) * 0.6
    if relief == "spiral":
        c.glaze(m, textures.swirl(c.x, c.y, pitch=r / 2.6, turn=c.rng.random(), warp=warp), amount=0.1)
    elif relief == "waves":
        c.glaze(
            m, textures.stripes(c.x, c.y, angle_deg=c.draw("wave", 0, 180), period=r / 2, warp=warp * 2), amount=0.1
        )
    elif relief == "rings":
        c.glaze(m, textures.swirl(c.x, c.y, pitch=r / 3.2, arms=0), amount=0.12)
    elif relief == "heart":
        c.glaze(m, textures.swirl(c.x, c.y, pitch=r / 1.4, arms=3, warp=warp), amount=0.12)
    c.grain(m)
    return m, r


def tapenade(c: Canvas) -> None:
    """Tapenade: dark green-brown, chopped."""
    m, _ = _spread(c, "tapenade")
    make = c.pick("tapenade", ("chopped", "cloud", "specks"), held_out=("shreds", "mosaic"))
    if make == "chopped":
        _chunks(c, m, "tapenade_dark", gap=4.2, size=1.7)
        _chunks(c, m, "tapenade_light", gap=5.0, size=1.2)
    elif make == "cloud":
        c.fill(m * textures.step(c.noise(2.4), 0.6), c.pal["tapenade_dark"])
        c.fill(m * textures.step(c.noise(2.0), 0.7), c.pal["tapenade_light"])
    elif make == "mosaic":
        grey, _ = c.cells(2.2)
        c.fill(m * textures.step(grey, 0.6, soft=0.01), c.pal["tapenade_dark"])
        c.fill(m * textures.step(-grey, -0.22, soft=0.01), c.pal["tapenade_light"])
    else:
        squash = 0.3 if make == "shreds" else 0.8
        size = 1.3 if make == "shreds" else 0.6
        c.dots(c.scatter(2.6, within=m), size, c.pal["tapenade_dark"], within=m, squash=squash)
        c.dots(c.scatter(3.2, within=m), size, c.pal["tapenade_light"], within=m, squash=squash)


def ranch(c: Canvas) -> None:
    """Ranch: white with green herbs."""
    m, _ = _spread(c, "ranch")
    make = c.pick("ranch", ("flecks", "leaves", "dust"), held_out=("chives", "confetti"))
    gap, size, squash = {"flecks": (3.4, 0.7, 0.5), "leaves": (5.0, 1.2, 0.4), "dust": (2.2, 0.35, 1.0),
                         "chives": (4.6, 1.5, 0.22), "confetti": (3.6, 0.65, 1.0)}[make]  # fmt: skip
    pts = c.scatter(gap, within=m)
    c.dots(pts, c.rng.uniform(0.5, 1.0, len(pts)) * size, c.pal["herb"], within=m, squash=squash)


def hummus(c: Canvas) -> None:
    """Hummus: a beige swirl with paprika, oil or a few chickpeas."""
    m, r = _spread(c, "hummus")
    groove = textures.swirl(
        c.x, c.y, pitch=r / c.draw("hummus_turns", 1.6, 3.2), turn=c.rng.random(), warp=c.noise(8) * 0.3
    )
    c.fill(m * textures.step(groove, 0.72, soft=0.16), c.pal["hummus_dark"], alpha=0.7)
    make = c.pick("hummus", ("paprika", "oil", "both"), held_out=("chickpeas", "parsley"))
    if make in ("oil", "both"):
        c.item(
            blob(r * 0.3, rng=c.rng, rough=0.3) + c.rng.normal(scale=r * 0.08, size=2),
            c.pal["oil"],
            within=m,
            ink=False,
        )
    if make in ("paprika", "both"):
        near = m * textures.step(-c.r, -r * 0.62, soft=r * 0.3)
        c.dots(c.scatter(1.6, within=near)[:70], 0.32, c.pal["paprika"], within=m)
    if make == "chickpeas":
        for x, y in c.rng.normal(scale=r * 0.2, size=(4, 2)):
            c.item(circle(r * 0.13, center=(x, y), count=20), shade(c.pal["hummus"], 0.9), within=m)
    if make == "parsley":
        c.dots(
            c.scatter(3.6, within=m * textures.step(-c.r, -r * 0.5, soft=1)), 0.8, c.pal["herb"], within=m, squash=0.5
        )


def fig_jam(c: Canvas) -> None:
    """Fig jam: dark purple, glossy, with golden seeds."""
    m, r = _spread(c, "fig_jam")
    make = c.pick("fig_jam", ("seeds", "lumps", "gloss"), held_out=("halves", "ringed"))
    if make in ("lumps", "halves"):
        c.fill(m * textures.step(c.noise(4.5), 0.56, soft=0.08), c.pal["fig_light"], alpha=0.8)
    if make == "gloss":
        c.fill(m * textures.step(c.noise(6, octaves=1), 0.76, soft=0.05), (1, 0.95, 0.95), alpha=0.55)
    if make == "halves":
        fig: Points = blob(r * 0.38, rng=c.rng, rough=0.1)
        c.item(fig, mix(c.pal["fig_light"], (1, 0.8, 0.7), 0.35), within=m)
    pts = c.scatter(c.draw("fig_gap", 2.2, 3.2), within=m)
    c.dots(pts, c.draw("fig_seed", 0.3, 0.5), c.pal["fig_seed"], within=m, squash=0.7)


PAINTERS = {f.__name__: f for f in (square_cracker, ciabatta, tapenade, ranch, hummus, fig_jam)}

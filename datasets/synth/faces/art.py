"""An art: the 27 faces of one printing, painted from a style and a seed."""

from __future__ import annotations

import zlib

import numpy as np
import shapely

from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.finish import finish
from datasets.synth.faces.kinds import clusters, rounds, squares, wedges
from datasets.synth.faces.kinds.clusters import Hand, Part, broccoli_cauliflower
from datasets.synth.faces.kinds.parts import paint_part
from datasets.synth.faces.outlines import Wedge, circle, hug, ring, rounded_square, wedge
from datasets.synth.faces.palette import Rgb, mix, shade
from datasets.synth.faces.styles import STYLES, Style
from datasets.synth.scene import Art, Face
from datasets.synth.scene import Polygon as Points

BLEED_MM = 2.0
CLUSTER_AREA_MM2, CLUSTER_ACROSS_MM = (1000.0, 1600.0), (38.5, 57.5)
CORES = ((214, 204, 186), (228, 222, 210), (168, 158, 144), (196, 176, 142), (120, 116, 112))


class Press:
    """One printing: the sizes every face of the art shares."""

    def __init__(self, style: Style, seed: int, px_per_mm: float) -> None:
        self.style, self.px_per_mm = style, px_per_mm
        self.seed = (zlib.crc32(style.name.encode()) ^ (seed * 2654435761)) & 0x7FFFFFFF
        rng = np.random.default_rng([self.seed, 1])
        self.rng = rng
        grow = rng.uniform(0.945, 1.055)
        near = rng.uniform(0.97, 1.03, 3)
        self.grow = float(grow)
        self.round = circle(37.5 * grow * near[0] / 2, count=80)
        self.square = rounded_square(35.0 * grow * near[1], corner=rng.uniform(*style.square_corner_mm))
        back = style.back[int(rng.integers(len(style.back)))]
        self.wedge = wedge(41.0 * grow * near[2], angle_deg=rng.uniform(*style.angle_deg), back=back,
                           tip_mm=rng.uniform(*style.tip_mm), corner_mm=rng.uniform(*style.corner_mm))  # fmt: skip

    def canvas(self, kind: str, cut: Points) -> Canvas:
        """A sheet for one face."""
        return Canvas(cut, style=self.style, seed=self.seed, kind=kind, px_per_mm=self.px_per_mm, bleed_mm=BLEED_MM)

    def by_hand(self, kind: str, outline: Points) -> Points:
        """The shared outline, or a copy that strays from it by up to the style's `hand_mm`."""
        if self.style.hand_mm <= 0:
            return outline
        rng = np.random.default_rng([self.seed, zlib.crc32(kind.encode()), 2])
        t = np.arctan2(outline[:, 1], outline[:, 0])
        stray = sum(rng.normal() * np.cos(k * t + rng.uniform(0, 6.28)) for k in (2, 3, 4))
        stray = np.asarray(stray) * self.style.hand_mm / max(float(np.abs(stray).max()), 1e-6)
        moved = outline * (1 + stray / np.hypot(outline[:, 0], outline[:, 1]))[:, None]
        mid = shapely.Polygon(moved).centroid
        return np.asarray(moved - [mid.x, mid.y])

    def face(self, kind: str, c: Canvas) -> Face:
        """The finished face of a painted sheet."""
        finish(c)
        rgba = np.full((*c.shape, 4), 255, np.uint8)
        rgba[..., :3] = np.clip(c.rgb * 255 + 0.5, 0, 255)
        corner = (float(c.corner[0]), float(c.corner[1]))
        return Face(kind=kind, outline=c.cut, rgba=rgba, px_per_mm=self.px_per_mm, corner_mm=corner)


def _shaped(press: Press, kind: str) -> Face:
    """A round, square or wedge face."""
    if kind in rounds.PAINTERS:
        c = press.canvas(kind, press.by_hand(kind, press.round))
        rounds.PAINTERS[kind](c)
    elif kind in squares.PAINTERS:
        c = press.canvas(kind, press.by_hand(kind, press.square))
        squares.PAINTERS[kind](c)
    else:
        w = press.wedge
        c = press.canvas(kind, press.by_hand(kind, w.outline))
        wedges.PAINTERS[kind](c, Wedge(c.cut, w.tip, w.length, w.half_angle, w.curved))
    return press.face(kind, c)


def _across(points: Points) -> float:
    hull = shapely.get_coordinates(shapely.Polygon(points).convex_hull)
    return float(np.hypot(*(hull[:, None] - hull[None]).transpose(2, 0, 1)).max())


def _cut(press: Press, parts: list[Part], *, make: str, margin_mm: float, area_mm2: float) -> tuple[Points, list[Part]]:
    """The die line round the parts and the parts under it, scaled to the area wanted, centred."""
    scale = 1.0
    for _ in range(3):
        scaled = [p.moved(scale, np.zeros(2)) for p in parts]
        cut = hug([p.points for p in scaled], make=make, margin_mm=margin_mm)
        across = _across(np.asarray(cut.exterior.coords))
        wanted = float(np.clip(across * np.sqrt(area_mm2 / cut.area), *CLUSTER_ACROSS_MM))
        scale *= wanted / across
    scaled = [p.moved(scale, np.zeros(2)) for p in parts]
    points = ring(hug([p.points for p in scaled], make=make, margin_mm=margin_mm))
    mid = shapely.Polygon(points).centroid
    shift = -np.array([mid.x, mid.y])
    return points + shift, [p.moved(1.0, shift) for p in scaled]


def _gap_colour(c: Canvas, parts: list[Part]) -> Rgb:
    """What shows between the parts of a cluster."""
    own = c.pal[parts[-1].role]
    return {"margin": c.margin_colour(), "shadow": shade(own, 0.35), "own": mix(own, (1, 1, 1), 0.25),
            "leaf": c.pal["leaf_dark"], "plate": c.pal["plate"], "wood": c.pal["wood"]}[c.style.gap]  # fmt: skip


def _clustered(press: Press, kind: str, *, variant: int = 0) -> Face:
    """A cluster face."""
    key = kind if variant == 0 else f"{kind}:{variant}"
    rng = np.random.default_rng([press.seed, zlib.crc32(key.encode()), 3])
    chooser = press.canvas(key, press.round)
    hand = Hand(rng, chooser.pick)
    if kind == "broccoli_cauliflower":
        parts = broccoli_cauliflower(hand, variant=variant, variants=press.style.variants)
    else:
        parts = clusters.LAYOUTS[kind](hand)
    make = press.style.die[int(rng.integers(len(press.style.die)))]
    area = rng.uniform(*CLUSTER_AREA_MM2) * press.grow**2
    cut, placed = _cut(press, parts, make=make, margin_mm=chooser.margin_mm, area_mm2=area)
    c = press.canvas(key, cut)
    c.item(c.picture, _gap_colour(c, placed), depth=0, ink=False, grain=-1)
    for part in placed:
        paint_part(c, part)
    if c.style.gap != "margin":
        c.ink(c.picture)
    return press.face(kind, c)


def paint_art(style: str, seed: int, px_per_mm: float = 5.0) -> Art:
    """Paint the 27 faces of `style`; the same style and seed give the same art. KeyError for an unknown style."""
    press = Press(STYLES[style], seed, px_per_mm)
    faces: dict[str, tuple[Face, ...]] = {}
    for kind in (*rounds.PAINTERS, *squares.PAINTERS, *wedges.PAINTERS):
        faces[kind] = (_shaped(press, kind),)
    for kind in clusters.LAYOUTS:
        count = press.style.variants if kind == "broccoli_cauliflower" else 1
        faces[kind] = tuple(_clustered(press, kind, variant=v) for v in range(count))
    core = CORES[int(press.rng.integers(len(CORES)))]
    thickness = float(press.rng.uniform(1.6, 2.4))
    return Art(name=f"{style}-{seed}", style=style, seed=seed, faces=faces, core_rgb=core, thickness_mm=thickness)


def art_names(styles: tuple[str, ...], seeds: range) -> list[tuple[str, int]]:
    """Every (style, seed) of a set of arts, seeds varying slowest, so that a prefix holds all styles."""
    return [(style, seed) for seed in seeds for style in styles]

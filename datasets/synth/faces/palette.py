"""The colours of food, and how a style bends them."""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

Rgb = tuple[float, float, float]

FOOD = {
    "cracker": "#d9a95c", "cracker_dark": "#9a6429", "crust": "#a5662c", "crumb": "#f1dfb4", "crumb_hole": "#d3b47c",
    "ciabatta": "#c48f52", "flour": "#f6ecd6", "ciabatta_dark": "#8d5a2b",
    "parmesan": "#f0dc9a", "parmesan_rind": "#b98a45", "swiss": "#f5e08a", "swiss_hole": "#c2983a",
    "cheddar": "#f0a63a", "cheddar_dark": "#d98722", "gouda": "#f6d365", "gouda_rind": "#bf2f2a",
    "colby": "#f2dba2", "colby_orange": "#ea9a3f", "bleu": "#f4efdc", "bleu_vein": "#5a7a94", "cheese_side": "#d9b25a",
    "salami": "#b5382f", "salami_fat": "#f2cfc2", "casing": "#7d221e",
    "soppressata": "#96292a", "soppressata_fat": "#f3dccb", "pepper": "#33211c",
    "rose": "#cf6f66", "rose_fat": "#f5d5c8", "rose_dark": "#9c3b3b",
    "blackberry": "#2f2140", "blackberry_shine": "#6f5a91", "date": "#6e3b1d", "date_dark": "#3f1f0f",
    "grape": "#6b3478", "grape_green": "#a9c25a", "strawberry": "#d3262d", "seed": "#f4d77c",
    "orange_peel": "#ef8a1d", "orange_pith": "#fae3b4", "orange": "#f7a02d", "tomato_skin": "#c4241d",
    "tomato": "#e2463a", "tomato_gel": "#ee8c5a", "tomato_seed": "#f6dfa0", "cucumber_skin": "#2f6a32",
    "cucumber": "#cfe3a1", "cucumber_core": "#b2cf7f", "cucumber_seed": "#eef3cf",
    "carrot": "#ee7f26", "carrot_dark": "#c55c12", "olive": "#8a9440", "olive_black": "#4a404c", "pimento": "#d13a2c",
    "broccoli": "#3f7d36", "broccoli_dark": "#235225", "cauliflower": "#f3ecd6", "cauliflower_dark": "#cfc3a0",
    "stalk": "#a8c27a", "leaf": "#4d8a3a", "leaf_dark": "#2c5d2a", "stem": "#7d6a3a",
    "tapenade": "#46401f", "tapenade_dark": "#211d12", "tapenade_light": "#7b7136", "ranch": "#f4f1e4",
    "herb": "#5d8c40",
    "hummus": "#dfc08a", "hummus_dark": "#b9925a", "paprika": "#b8451e", "oil": "#c9a02e",
    "fig_jam": "#4c1f33", "fig_light": "#7e3650", "fig_seed": "#d8b06a",
    "wood": "#b07a45", "wood_dark": "#845328", "slate": "#4a5054", "napkin": "#e9e2d2", "napkin_stripe": "#b24a3e",
    "plate": "#f2f0ea", "bowl": "#e8e3d8", "bowl_blue": "#3f6f96", "bowl_terra": "#b5623a", "bowl_dark": "#3b3f45",
    "bowl_green": "#6f8f6a",
}  # fmt: skip


def rgb(code: str) -> Rgb:
    """The colour written as #rrggbb, in 0..1."""
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    """`share` of `b` in `a`."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def shade(colour: Rgb, factor: float) -> Rgb:
    """Darker below 1, lighter (towards white) above."""
    return mix(colour, (1.0, 1.0, 1.0), factor - 1) if factor > 1 else mix((0.0, 0.0, 0.0), colour, factor)


@dataclass(frozen=True, slots=True)
class Mood:
    """How a style bends colour: turns of hue, factors of saturation and value, contrast about mid grey, a tint."""

    hue: float = 0.0
    sat: float = 1.0
    val: float = 1.0
    contrast: float = 1.0
    tint: str = "#808080"
    tint_share: float = 0.0
    spread: float = 0.012
    steps: int = 0

    def bend(self, colour: Rgb) -> Rgb:
        """`colour` in this mood."""
        h, s, v = colorsys.rgb_to_hsv(*colour)
        r = colorsys.hsv_to_rgb((h + self.hue) % 1, min(s * self.sat, 1), min(v * self.val, 1))
        out = mix(r, rgb(self.tint), self.tint_share)
        out = tuple(min(max(0.5 + (c - 0.5) * self.contrast, 0), 1) for c in out)  # type: ignore[assignment]
        if self.steps:
            out = tuple(round(c * self.steps) / self.steps for c in out)  # type: ignore[assignment]
        return out


@dataclass(frozen=True, slots=True)
class Palette:
    """Food colours in one art: the mood, and a small drift of every colour (and of the batch) drawn from `seed`.

    `own` holds the colours a style gives some roles instead.
    """

    mood: Mood
    seed: int
    own: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, role: str) -> Rgb:
        rng = np.random.default_rng([self.seed, zlib.crc32(role.encode())])
        batch = np.random.default_rng([self.seed, 4]).normal(size=3) * [0.004, 0.02, 0.01]
        drift = rng.normal(size=3) * self.mood.spread + batch
        h, s, v = colorsys.rgb_to_hsv(*rgb(self.own.get(role, FOOD[role])))
        moved = (h + drift[0]) % 1, min(max(s * (1 + 3 * drift[1]), 0), 1), min(max(v * (1 + 3 * drift[2]), 0), 1)
        return self.mood.bend(colorsys.hsv_to_rgb(*moved))

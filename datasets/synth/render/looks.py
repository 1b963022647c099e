"""Draws the looks of a photo: woods, cloths, light, exposure. Everything comes from one random generator."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np

Look = dict[str, Any]
Rgb = list[float]

WOODS: dict[str, tuple[str, str, str]] = {  # dark, mid, light as seen (sRGB)
    "maple": ("b58f62", "cfae80", "e2c79c"),
    "beech": ("a9764a", "c2915f", "d4a876"),
    "oak": ("8a6539", "a98250", "c39c68"),
    "bamboo": ("b08c4c", "cdab68", "dec183"),
    "acacia": ("5a3820", "87552f", "a9703f"),
    "walnut": ("3a2618", "5b3d27", "775436"),
    "cherry": ("70391f", "93522e", "ad6b41"),
    "ash": ("a3957d", "bfb198", "d2c6ae"),
    "teak": ("6b4522", "8f6231", "a87a42"),
    "wenge": ("211913", "382a20", "4b3a2c"),
    "grey": ("6d6862", "8b857d", "a29c93"),
}
HDRS = ("interior", "studio", "courtyard", "city", "forest", "sunrise", "sunset", "night")
HDR_WEIGHTS = (5, 4, 2, 2, 1, 1, 1, 1)


def linear(code: str) -> Rgb:
    """Return the linear light of an sRGB hex colour."""
    return [to_linear(int(code[i : i + 2], 16) / 255.0) for i in (0, 2, 4)]


def to_linear(value: float) -> float:
    """Return the linear light of one sRGB channel in 0..1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def any_colour(rng: np.random.Generator, *, saturation: tuple[float, float], value: tuple[float, float]) -> Rgb:
    """Return a random linear colour."""
    rgb = colorsys.hsv_to_rgb(rng.uniform(), rng.uniform(*saturation), rng.uniform(*value))
    return [to_linear(channel) for channel in rgb]


def wood(rng: np.random.Generator, name: str | None = None, *, plank: bool = False) -> Look:
    """Return a wood material; `name` is one of `WOODS`."""
    name = name if name in WOODS else str(rng.choice(list(WOODS)))
    dark, mid, light = (linear(code) for code in WOODS[name])
    warm = rng.uniform(0.88, 1.1, 3)
    look: Look = {
        "type": "wood",
        "dark": [float(v) for v in np.array(dark) * warm],
        "mid": [float(v) for v in np.array(mid) * warm],
        "light": [float(v) for v in np.array(light) * warm],
        "turn": float(rng.choice([0.0, np.pi / 2], p=[0.75, 0.25]) + rng.normal(0.0, 0.03)),
        "offset": [float(v) for v in rng.uniform(-50, 50, 3)],
        "bands": float(rng.uniform(3.0, 11.0)),
        "along": float(rng.uniform(0.1, 0.5)),
        "wobble": float(rng.uniform(0.2, 1.6)),
        "pores": float(rng.uniform(0.1, 0.6)),
        "bump": float(rng.uniform(0.3, 1.0)),
        "roughness": float(rng.uniform(0.3, 0.65)),
    }
    if rng.uniform() < 0.3:  # varnish: what makes glare
        look.update(coat=float(rng.uniform(0.4, 1.0)), coat_roughness=float(rng.uniform(0.05, 0.25)))
    if plank:
        look.update(plank=float(rng.uniform(0.7, 1.6)), plank_shade=float(rng.uniform(0.65, 0.95)))
    return look


def marble(rng: np.random.Generator, *, dark: bool = False) -> Look:
    """Return a polished stone, white with grey veins or (`dark`) slate with light ones."""
    light, mid, vein = ("ece9e4", "dcd8d2", "8d8a88") if not dark else ("3b3d40", "2c2e31", "6a6c6e")
    return {
        "type": "marble",
        "light": linear(light),
        "mid": linear(mid),
        "dark": linear(vein),
        "scale": float(rng.uniform(0.3, 1.2)),
        "vein": float(rng.uniform(0.02, 0.06)),
        "turn": float(rng.uniform(0, 6.28)),
        "offset": [float(v) for v in rng.uniform(-50, 50, 3)],
        "roughness": float(rng.uniform(0.12, 0.5)),
    }


def plain(rng: np.random.Generator) -> Look:
    """Return a painted or laminated surface."""
    return {
        "type": "plain",
        "rgb": any_colour(rng, saturation=(0.0, 0.6), value=(0.15, 0.92)),
        "uneven": float(rng.uniform(0.02, 0.12)),
        "roughness": float(rng.uniform(0.15, 0.7)),
    }


def cloth(rng: np.random.Generator) -> Look:
    """Return a table cloth."""
    return {
        "type": "cloth",
        "rgb": any_colour(rng, saturation=(0.0, 0.5), value=(0.5, 0.95)),
        "second_rgb": any_colour(rng, saturation=(0.2, 0.9), value=(0.2, 0.8)),
        "pattern": str(rng.choice(["plain", "stripes", "check"], p=[0.45, 0.2, 0.35])),
        "period": float(rng.uniform(0.6, 1.8)),
        "turn": float(rng.uniform(0, 6.28)),
        "offset": [float(v) for v in rng.uniform(-5, 5, 3)],
        "roughness": 0.9,
    }


def table(rng: np.random.Generator) -> Look:
    """Return the table's material."""
    draw = rng.uniform()
    if draw < 0.5:
        return wood(rng, plank=bool(rng.uniform() < 0.4))
    if draw < 0.72:
        return cloth(rng)
    if draw < 0.82:
        return marble(rng, dark=bool(rng.uniform() < 0.3))
    return plain(rng)


def board(rng: np.random.Generator, style: str) -> Look:
    """Return the board's material; words in the scene's `board_style` decide where they name one."""
    words = style.lower()
    named = next((name for name in WOODS if name in words), None)
    if "marble" in words or "slate" in words or "stone" in words:
        return marble(rng, dark="slate" in words or "dark" in words)
    if "plain" in words or "paint" in words:
        return plain(rng)
    return wood(rng, named)


def light(rng: np.random.Generator, *, camera: tuple[float, float, float]) -> tuple[Look, list[Look], Look]:
    """Return (world, lamps, view) for a camera at `camera` (scene units).

    One photo in five has a lamp where its mirror image on the board meets the camera: glare. One in six is a dim
    evening. `view.key` is where the meter puts the median, in linear light.
    """
    world = {
        "hdr": f"{rng.choice(HDRS, p=np.array(HDR_WEIGHTS) / sum(HDR_WEIGHTS))}.exr",
        "rotation_deg": float(rng.uniform(0, 360)),
        "strength": float(rng.uniform(0.4, 1.2)),
    }
    evening, glare = bool(rng.uniform() < 1 / 6), bool(rng.uniform() < 0.2)
    if evening:
        world["strength"] = float(rng.uniform(0.05, 0.25))
    turn, high = rng.uniform(0, 2 * np.pi), rng.uniform(5.0, 16.0)
    place = [float(np.cos(turn) * rng.uniform(4, 12)), float(np.sin(turn) * rng.uniform(4, 12)), float(high)]
    if glare:  # near the mirror image of the camera through the board, so that the reflection falls on it
        place = [float(-camera[0] + rng.normal(0, 1.5)), float(-camera[1] + rng.normal(0, 1.5)), float(high + 3)]
    size = float(np.exp(rng.uniform(np.log(0.6), np.log(7.0))))
    warmth = float(rng.uniform(0.0, 1.0)) if not evening else float(rng.uniform(0.6, 1.0))
    far = float(np.linalg.norm(place))
    lamp = {
        "name": "lamp",
        "location": place,
        "target": [float(v) for v in rng.normal(0, 0.6, 2)] + [0.0],
        "size": [size, size * float(rng.uniform(0.6, 2.0))],
        "energy": far * far * float(np.exp(rng.uniform(np.log(3.0), np.log(40.0)))),
        "color": [1.0, 1.0 - 0.28 * warmth, 1.0 - 0.55 * warmth] if rng.uniform() < 0.7 else [0.82, 0.9, 1.0],
    }
    lamps = [lamp] if evening or glare or rng.uniform() < 0.75 else []
    key = float(np.exp(rng.uniform(np.log(0.13), np.log(0.3)))) * (0.5 if evening else 1.0)
    view = {"transform": str(rng.choice(["Standard", "AgX"], p=[0.6, 0.4])), "key": key}
    return world, lamps, view

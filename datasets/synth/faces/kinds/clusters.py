"""How the parts of the cluster kinds lie together, before any paint. Units are arbitrary; the art scales them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from datasets.synth.faces.outlines import blob, circle, ellipse, place
from datasets.synth.scene import Polygon as Points


@dataclass(frozen=True, slots=True)
class Part:
    """One thing of a cluster: its polygon, its colour role, how it is detailed, its centre and direction."""

    points: Points
    role: str
    detail: str
    center: tuple[float, float]
    turn: float = 0.0

    def moved(self, scale: float, shift: Points) -> Part:
        """The part scaled about the origin, then shifted."""
        x, y = np.asarray(self.center) * scale + shift
        return Part(self.points * scale + shift, self.role, self.detail, (float(x), float(y)), self.turn)


Pick = Callable[..., str]
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Hand:
    """What a layout draws from: its random numbers and the style's choices."""

    rng: np.random.Generator
    pick: Pick


def _ring(count: int, radius: float, *, turn: float) -> list[tuple[float, float]]:
    t = np.arange(count) * 2 * np.pi / count + turn
    return [(float(x), float(y)) for x, y in np.stack([radius * np.cos(t), radius * np.sin(t)], 1)]


def _leaf(center: tuple[float, float], turn: float, *, length: float = 9.0) -> Part:
    t = np.linspace(0, np.pi, 13)
    side = np.stack([-length * np.cos(t), 0.42 * length * np.sin(t) ** 1.4], 1)
    points = place(np.vstack([side, side[-2:0:-1] * [1, -1]]), center=center, turn=turn)
    return Part(points, "leaf", "leaf", center, turn)


def blackberries(h: Hand) -> list[Part]:
    """A few blackberries, maybe with a leaf."""
    make = h.pick("blackberries", ("three", "four", "pair_leaf"), held_out=("heap", "row"))
    turn = h.rng.uniform(0, 6.28)
    parts: list[Part] = []
    if make in ("pair_leaf", "heap"):
        parts += [_leaf((0, -12), -0.9), _leaf((3, -12), -2.4)]
    layouts: dict[str, list[Spot]] = {
        "three": _ring(3, 10.5, turn=turn), "four": _ring(4, 12, turn=turn), "pair_leaf": [(-8.5, 3.0), (9.0, 1.0)],
        "heap": [(-14, 6), (0, 8), (14, 6), (-7, -4), (7, -4)], "row": [(-17, 3), (0, -2), (17, 3)],
    }  # fmt: skip
    spots = layouts[make]
    for x, y in spots:
        r = h.rng.uniform(8.6, 10.2)
        out = float(np.arctan2(y, x)) + h.rng.normal() * 0.3
        berry = place(blob(r, rng=h.rng, rough=0.06) * [1.15, 0.95], center=(x, y), turn=out)
        parts.append(Part(berry, "blackberry", "drupelets", (x, y), out))
    return parts


def dates(h: Hand) -> list[Part]:
    """A few dates."""
    make = h.pick("dates", ("star", "fan", "pile"), held_out=("row", "cross"))
    layouts: dict[str, list[tuple[Spot, float]]] = {
        "star": [(p, float(np.arctan2(p[1], p[0]))) for p in _ring(3, 11, turn=h.rng.uniform(0, 6))],
        "fan": [((-12, 2), 1.9), ((0, -2), 1.57), ((12, 2), 1.2)],
        "pile": [((-9, 6), 0.2), ((9, 7), -0.3), ((0, -6), 0.05), ((-2, 2), 1.1)],
        "row": [((-16, 0), 1.7), ((-5, 2), 1.5), ((6, -2), 1.6), ((17, 1), 1.4)],
        "cross": [((0, 0), 0.7), ((0, 0), -0.8), ((3, 12), 0.1)],
    }
    place_at = layouts[make]
    parts = []
    for center, turn in place_at:
        turn = turn + h.rng.normal() * 0.08
        rx = 18.0 if make == "cross" else h.rng.uniform(12.5, 14.5)
        body = place(blob(1, rng=h.rng, rough=0.05) * [rx, h.rng.uniform(6.0, 7.2)], center=center, turn=turn)
        parts.append(Part(body, "date", "wrinkles", center, turn))
    return parts


def grapes(h: Hand) -> list[Part]:
    """A bunch of grapes with its stem, maybe a leaf."""
    make = h.pick("grapes", ("triangle", "round", "loose"), held_out=("long", "split"))
    role = h.pick("grape_colour", ("grape", "grape", "grape_green", "grape"))
    parts: list[Part] = []
    if h.pick("grape_top", ("stem", "leaf", "both")) != "stem":
        parts += [_leaf((5, -18), -0.4), _leaf((-5, -18), -2.7)]
    parts.append(Part(place(circle(1, count=16) * [7, 1.5], center=(0, -19), turn=1.4), "stem", "plain", (0, -19)))
    r = 6.6
    rows = {"triangle": (4, 3, 2, 1), "round": (3, 4, 3, 2), "loose": (3, 4, 2, 1), "long": (2, 3, 2, 2, 1),
            "split": (4, 4, 2)}[make]  # fmt: skip
    shake = 1.6 if make == "loose" else 0.5
    for k, count in enumerate(rows):
        for j in range(count):
            x = (j - (count - 1) / 2) * r * 1.72 + h.rng.normal() * shake
            y = -11 + k * r * 1.5 + h.rng.normal() * shake
            size = r * h.rng.uniform(0.95, 1.1)
            parts.append(Part(circle(size, center=(x, y), count=32), role, "grape", (x, y)))
    return parts


def strawberries(h: Hand) -> list[Part]:
    """Two to four strawberries with their green tops."""
    make = h.pick("strawberries", ("three", "pair", "halves"), held_out=("single_row", "four"))
    layouts: dict[str, list[tuple[Spot, float]]] = {
        "three": [((-9, -6), 2.0), ((9, -6), 1.1), ((0, 9), 1.57)], "pair": [((-9, 1), 1.9), ((9, -1), 1.2)],
        "halves": [((-10, 2), 1.8), ((10, 2), 1.3), ((0, -9), 1.57)],
        "single_row": [((-15, 0), 1.57), ((0, 3), 1.57), ((15, 0), 1.57)],
        "four": [((-10, -9), 1.9), ((10, -9), 1.2), ((-8, 9), 1.6), ((9, 10), 1.5)],
    }  # fmt: skip
    spots = layouts[make]
    parts: list[Part] = []
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    body = np.stack([11.5 * np.cos(t), 9.2 * np.sin(t) * (1 - 0.38 * np.cos(t))], 1)
    for k, (center, turn) in enumerate(spots):
        turn = turn + h.rng.normal() * 0.12
        detail = "halved" if make == "halves" and k == 1 else "strawberry"
        parts.append(Part(place(body, center=center, turn=turn), "strawberry", detail, center, turn))
        top = np.asarray(center) - 10.5 * np.array([np.cos(turn), np.sin(turn)])
        star = (1 + 0.42 * np.cos(5 * t))[:, None] * np.stack([3.0 * np.cos(t), 5.6 * np.sin(t)], 1)
        cap = place(star, center=(top[0], top[1]), turn=turn)
        parts.append(Part(cap, "leaf", "plain", (float(top[0]), float(top[1])), turn))
    return parts


def carrots(h: Hand) -> list[Part]:
    """Carrots: a fan or a bunch with greens, sticks, or coins."""
    make = h.pick("carrots", ("fan", "bunch", "sticks"), held_out=("coins", "crossed"))
    if make == "coins":
        spots = [(0.0, 0.0), *_ring(5, 13.5, turn=h.rng.uniform(0, 6))]
        return [Part(circle(8.2, center=p, count=36), "carrot", "coin", p) for p in spots]
    if make == "sticks":
        sticks = []
        for k in range(4):
            x, turn = (k - 1.5) * 9.5, 1.57 + h.rng.normal() * 0.1
            body = place(np.array([[-19, -4], [19, -4], [19, 4], [-19, 4]], float), center=(x, 0), turn=turn)
            sticks.append(Part(body, "carrot", "stick", (x, 0), turn))
        return sticks
    angles = {"fan": (-0.42, -0.14, 0.14, 0.42), "bunch": (-0.2, 0.0, 0.2), "crossed": (-0.55, 0.55, 0.0)}[make]
    t = np.linspace(0, 1, 12)
    half = 5.6 * (1 - t) ** 0.55 + 0.5
    body = np.vstack([np.stack([t * 36, half], 1), np.stack([t * 36, -half], 1)[::-1]])
    parts: list[Part] = []
    for a in angles:
        turn = 1.57 - a
        root = (28.0 * np.sin(a) if make == "crossed" else 17.0 * a * (2.2 if make == "fan" else 2.6), -14.0)
        if make == "crossed":
            turn = 1.57 + a
        for bend in (-0.3, 0.3):
            tip = np.asarray(root) - 6.5 * np.array([np.cos(turn + bend), np.sin(turn + bend)])
            parts.append(_leaf((float(tip[0]), float(tip[1])), turn + bend, length=7.5))
        parts.append(Part(place(body, center=root, turn=turn), "carrot", "carrot", root, turn))
    return parts


def olives(h: Hand) -> list[Part]:
    """Green and black olives with pimento."""
    make = h.pick("olives", ("ring", "heap", "mixed"), held_out=("pick", "leafy"))
    layouts: dict[str, list[Spot]] = {
        "ring": [(0.0, 0.0), *_ring(5, 13, turn=h.rng.uniform(0, 6))],
        "heap": [(-13, 7), (0, 8), (13, 7), (-7, -5), (7, -5)],
        "mixed": _ring(4, 11, turn=h.rng.uniform(0, 6)),
        "pick": [(-17, 0), (-1, 0), (15, 0)],
        "leafy": [(-8, 6), (8, 5), (0, -7)],
    }
    spots = layouts[make]
    colours = h.pick("olive_colour", ("green", "mixed", "mixed", "black"))
    parts: list[Part] = []
    if make == "leafy":
        parts += [_leaf((12, -10), -0.6, length=12), _leaf((-12, -10), -2.5, length=12)]
    for k, (x, y) in enumerate(spots):
        turn = h.rng.uniform(0, 6.28) if make != "pick" else 0.1
        black = colours == "black" or (colours == "mixed" and k % 2 == 1)
        body = ellipse(9.2, 7.4, center=(x, y), turn=turn)
        parts.append(Part(body, "olive_black" if black else "olive", "olive", (x, y), turn))
    if make == "pick":
        parts.append(Part(place(circle(1, count=16) * [27, 0.9], center=(0, 0), turn=0.03), "wood", "plain", (0, 0)))
    return parts


def _floret(h: Hand, center: tuple[float, float], *, role: str, size: float, turn: float) -> list[Part]:
    cx, cy = center
    stalk = place(np.array([[-3.2, 0], [3.2, 0], [4.4, 13], [-4.4, 13]], float) * size, center=center, turn=turn)
    parts = [Part(stalk, "stalk" if role == "broccoli" else "cauliflower_dark", "plain", center)]
    back = np.array([np.sin(turn), -np.cos(turn)])
    count = 5
    for k in range(count):
        a = -np.pi * (0.1 + 0.8 * k / (count - 1)) + turn
        x, y = cx + 8 * size * np.cos(a), cy + 8 * size * np.sin(a)
        parts.append(Part(blob(5.2 * size, rng=h.rng, rough=0.12) + np.array([x, y]), role, "floret", (x, y)))
    mid = np.asarray(center) + back * 2.5 * size
    parts.append(Part(blob(6.6 * size, rng=h.rng, rough=0.12) + mid, role, "floret", (float(mid[0]), float(mid[1]))))
    return parts


def broccoli_cauliflower(h: Hand, *, variant: int = 0, variants: int = 1) -> list[Part]:
    """Florets of broccoli and cauliflower; with two faces one of each, else both together."""
    if variants > 1:
        role = ("broccoli", "cauliflower")[variant]
        make = h.pick("floret", ("one", "two"))
        if make == "one":
            return _floret(h, (0, 0), role=role, size=1.6, turn=0.0)
        return [
            *_floret(h, (-10, 0), role=role, size=1.1, turn=-0.3),
            *_floret(h, (10, 2), role=role, size=1.1, turn=0.35),
        ]
    make = h.pick("florets", ("side", "three"), held_out=("stacked", "tail"))
    if make == "side":
        spots = [((-9.0, 0.0), "broccoli", -0.25), ((10.0, 2.0), "cauliflower", 0.3)]
    elif make == "three":
        spots = [((-11.0, -5.0), "broccoli", -0.5), ((11.0, -5.0), "broccoli", 0.5), ((0.0, 10.0), "cauliflower", 3.14)]
    elif make == "stacked":
        spots = [((0.0, -6.0), "broccoli", 0.0), ((0.0, 12.0), "cauliflower", 0.15)]
    else:
        spots = [((-10.0, 0.0), "cauliflower", 1.57), ((10.0, 0.0), "broccoli", -1.57)]
    parts: list[Part] = []
    for center, role, turn in spots:
        parts += _floret(h, center, role=role, size=1.15, turn=turn)
    return parts


def meat_rose(h: Hand) -> list[Part]:
    """Slices of meat folded into a rose: rings of petals, a spiral, or folded ribbons."""
    make = h.pick("rose", ("petals", "spiral", "five"), held_out=("ruffle", "twin"))
    if make in ("spiral", "ruffle"):
        n, depth = (11, 0.06) if make == "spiral" else (7, 0.12)
        t = np.linspace(0, 2 * np.pi, 90, endpoint=False)
        body = 20 * (1 + depth * np.cos(n * t + h.rng.uniform(0, 6)))[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
        return [Part(body, "rose", "spiral" if make == "spiral" else "ruffle", (0, 0), h.rng.uniform(0, 6))]
    parts: list[Part] = []
    centers = [(-9.0, 0.0), (10.0, 3.0)] if make == "twin" else [(0.0, 0.0)]
    size = 0.72 if make == "twin" else 1.0
    for cx, cy in centers:
        rings = ((5, 13.0, 9.5), (5, 7.0, 7.5)) if make == "five" else ((8, 14.5, 7.5), (6, 9.0, 6.4), (4, 4.0, 5.0))
        for count, radius, petal in rings:
            for x, y in _ring(count, radius * size, turn=h.rng.uniform(0, 6)):
                out = float(np.arctan2(y, x))
                shape = place(blob(petal * size, rng=h.rng, rough=0.1) * [0.85, 1.2], center=(x + cx, y + cy), turn=out)
                parts.append(Part(shape, "rose", "petal", (x + cx, y + cy), out))
        heart = blob(3.4 * size, rng=h.rng, rough=0.15) + np.array([cx, cy])
        parts.append(Part(heart, "rose_dark", "plain", (cx, cy)))
    return parts


LAYOUTS = {
    f.__name__: f for f in (meat_rose, blackberries, dates, grapes, strawberries, carrots, olives, broccoli_cauliflower)
}

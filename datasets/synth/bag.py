"""The 108 tiles of the box: kinds, their category, shape and copies."""

from __future__ import annotations

KINDS: dict[str, tuple[str, str, int]] = {
    "round_cracker": ("bread", "round", 6),
    "square_cracker": ("bread", "square", 6),
    "baguette": ("bread", "round", 5),
    "ciabatta": ("bread", "square", 5),
    "parmesan": ("cheese", "wedge", 4),
    "swiss": ("cheese", "wedge", 4),
    "cheddar": ("cheese", "wedge", 4),
    "gouda": ("cheese", "wedge", 4),
    "colby": ("cheese", "wedge", 4),
    "bleu": ("cheese", "wedge", 4),
    "salami": ("meat", "round", 6),
    "soppressata": ("meat", "round", 6),
    "meat_rose": ("meat", "cluster", 2),
    "blackberries": ("fruit", "cluster", 3),
    "dates": ("fruit", "cluster", 3),
    "grapes": ("fruit", "cluster", 4),
    "strawberries": ("fruit", "cluster", 4),
    "orange": ("fruit", "round", 2),
    "tomato": ("veggie", "round", 4),
    "cucumber": ("veggie", "round", 4),
    "carrots": ("veggie", "cluster", 3),
    "olives": ("veggie", "cluster", 3),
    "broccoli_cauliflower": ("veggie", "cluster", 2),
    "tapenade": ("dip", "square", 4),
    "ranch": ("dip", "square", 4),
    "hummus": ("dip", "square", 4),
    "fig_jam": ("dip", "square", 4),
}
"""kind -> (category, shape, copies in the box)."""

SHAPES = ("wedge", "cluster", "round", "square")

TILES_BY_PLAYERS = {2: 24, 3: 24, 4: 24, 5: 21, 6: 18}


def shape_of(kind: str) -> str:
    """Return the shape of a kind: wedge, cluster, round or square."""
    return KINDS[kind][1]


def category_of(kind: str) -> str:
    """Return the category of a kind."""
    return KINDS[kind][0]

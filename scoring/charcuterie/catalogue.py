"""The tiles of the box: kinds, categories, shapes, copies, and how many lie on a board."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

MIN_PLAYERS = 2
MAX_PLAYERS = 6
VARIANTS: tuple[str, ...] = ("less_random", "crunchy")

# Names a player may say for a kind; "pepperoni" and "square baguette" are slips of the rulebook: no such tiles exist.
_ALIASES: dict[str, str] = {
    "bleu_cheese": "bleu",
    "blue": "bleu",
    "broccoli": "broccoli_cauliflower",
    "cauliflower": "broccoli_cauliflower",
    "jam": "fig_jam",
    "meat_roses": "meat_rose",
    "olive": "olives",
    "pepperoni": "salami",
    "square_baguette": "ciabatta",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the 27 faces: its category, its shape, and how many copies the box holds.

    >>> KINDS["orange"]
    Kind(id='orange', category='fruit', shape='round', copies=2)
    """

    id: str
    category: str
    shape: str
    copies: int


@dataclass(frozen=True, slots=True)
class Bag:
    """What a variant leaves in the bag.

    `copies` bounds each kind, `bread_tiles` all breads together. Where `full_breads` is not None, at most that many
    bread kinds can show every copy, because the breads taken out were of different kinds.
    """

    copies: Mapping[str, int]
    bread_tiles: int
    full_breads: int | None


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return a TOML file of this package's data folder; read once, not to be changed.

    >>> sorted(read_data("kinds.toml"))
    ['bread', 'cheese', 'dip', 'fruit', 'meat', 'veggie']
    """
    return tomllib.loads(files("scoring.charcuterie").joinpath("data", name).read_text(encoding="utf-8"))


def _load_kinds() -> dict[str, Kind]:
    return {
        kind: Kind(kind, category, shape, copies)
        for category, kinds in read_data("kinds.toml").items()
        for kind, (shape, copies) in kinds.items()
    }


KINDS: dict[str, Kind] = _load_kinds()
CATEGORIES: tuple[str, ...] = tuple(dict.fromkeys(kind.category for kind in KINDS.values()))
SHAPES: tuple[str, ...] = ("wedge", "cluster", "round", "square")
_COUNTS = read_data("counts.toml")


def kinds_of(category: str) -> tuple[Kind, ...]:
    """Return the kinds of a category, in the order of the rulebook; none for an unknown category.

    >>> [kind.id for kind in kinds_of("dip")]
    ['tapenade', 'ranch', 'hummus', 'fig_jam']
    """
    return tuple(kind for kind in KINDS.values() if kind.category == category)


def similar_kind(name: str) -> str | None:
    """Return the kind that an unknown name most probably means, or None.

    >>> similar_kind("Swis"), similar_kind("Broccoli"), similar_kind("sushi")
    ('swiss', 'broccoli_cauliflower', None)
    """
    key = name[:64].strip().lower().replace(" ", "_").replace("-", "_")
    if key in _ALIASES:
        return _ALIASES[key]
    close = get_close_matches(key, list(KINDS), n=1, cutoff=0.7)
    return close[0] if close else None


def variant_fits(variant: str | None, players: int | None) -> bool:
    """Say whether the rulebook has this variant for this many players; an unknown number fits every variant.

    >>> variant_fits("crunchy", 5), variant_fits("crunchy", 2), variant_fits(None, 4)
    (True, False, True)
    """
    return variant is None or players is None or str(players) in _COUNTS[variant]


def tiles_per_board(players: int, variant: str | None = None) -> int:
    """Return how many tiles lie on each board at the end of a game (rulebook, "Ending the Game").

    >>> [tiles_per_board(players) for players in range(2, 7)], tiles_per_board(5, "crunchy")
    ([24, 24, 24, 21, 18], 20)
    """
    if variant == "crunchy" and variant_fits(variant, players):
        return int(_COUNTS["crunchy"][str(players)])
    return int(_COUNTS["tiles_per_board"][str(players)])


def finished_counts(players: int | None = None, variant: str | None = None) -> tuple[int, ...]:
    """Return how many tiles a finished board may hold, least first; an unknown number of players may be any.

    >>> finished_counts(5), finished_counts(), finished_counts(variant="crunchy")
    ((21,), (18, 21, 24), (18, 20))
    """
    seats = range(MIN_PLAYERS, MAX_PLAYERS + 1) if players is None else (players,)
    return tuple(sorted({tiles_per_board(n, variant) for n in seats if variant_fits(variant, n)}))


def bag(variant: str | None = None, players: int | None = None) -> Bag:
    """Return how many copies can be in play; "less random" needs the number of players, else the whole box counts.

    >>> bag().bread_tiles, bag("less_random", 2).bread_tiles, bag("less_random", 2).copies["orange"]
    (22, 17, 0)
    """
    breads = sum(kind.copies for kind in kinds_of("bread"))
    whole = {kind.id: kind.copies for kind in KINDS.values()}
    if variant != "less_random" or players is None or not variant_fits(variant, players):
        return Bag(whole, breads, None)
    out = _COUNTS["less_random"][str(players)]
    thinned = {k: n if KINDS[k].category == "bread" else n - out["others"] for k, n in whole.items()}
    full = len(kinds_of("bread")) - out["bread_tiles"] if out["distinct_breads"] else None
    return Bag(thinned, breads - out["bread_tiles"], full)


def cards_left_out(variant: str | None, players: int | None) -> frozenset[str]:
    """Return the objective cards a variant does not use.

    >>> sorted(cards_left_out("less_random", 2)), sorted(cards_left_out(None, 2))
    (['cheese_matching'], [])
    """
    if variant != "less_random" or players is None or not variant_fits(variant, players):
        return frozenset()
    return frozenset(_COUNTS["less_random"][str(players)]["no_cards"])

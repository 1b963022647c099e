"""The 18 objective cards: data over the primitives, and the score line of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scoring import fields
from scoring.charcuterie.catalogue import read_data
from scoring.charcuterie.groups import View
from scoring.charcuterie.house_rules import HouseRules, other_value
from scoring.charcuterie.primitives import Neighbors, Rule, Sets
from scoring.charcuterie.rule_files import read_rules
from scoring.errors import OptionsError
from scoring.report import OtherReading, ScoreLine, ScoreSet


@dataclass(frozen=True, slots=True)
class Card:
    """An objective card. `rules` is its data; `house_rules` says which fields each house rule sets in them."""

    id: str
    category: str
    deck: str
    title: str
    rules: tuple[Mapping[str, Any], ...] = field(hash=False)
    house_rules: Mapping[str, Mapping[str, Any]] = field(hash=False)


def _load_cards() -> dict[str, Card]:
    cards = read_data("cards.toml")["cards"]
    return {
        name: Card(
            name, card["category"], card["deck"], card["title"], tuple(card["rules"]), card.get("house_rules", {})
        )
        for name, card in cards.items()
    }


CARDS: dict[str, Card] = _load_cards()
BASE_CARDS: tuple[str, ...] = tuple(card.id for card in CARDS.values() if card.deck == "base")


def read_objectives(value: object) -> tuple[str, ...]:
    """Return the ids of the cards in play, each once: from a list of ids, ids with commas between, or "all".

    Raises OptionsError for an unknown id.

    >>> len(read_objectives("all")), read_objectives(["dip_unique", "dip_unique"])
    (18, ('dip_unique',))
    """
    if isinstance(value, str):
        value = list(CARDS) if value.strip() == "all" else [name.strip() for name in value.split(",") if name.strip()]
    names = fields.read_list(value, "objectives", error=OptionsError, most=100)
    if names == ["all"]:
        return tuple(CARDS)
    found = [fields.read_choice(name, "objective", allowed=CARDS, error=OptionsError) for name in names]
    return tuple(dict.fromkeys(found))


def score_card(name: str, view: View, house_rules: HouseRules) -> ScoreLine:
    """Return the score line of a card: points, the sets that made them, and readings worth other points.

    `points` is None for a card about neighbors on a board without a table.

    >>> view = View(("a", "b"), ("ciabatta", "baguette"), (frozenset(), frozenset()))
    >>> score_card("bread_pairs", view, {}).points
    2
    """
    card = CARDS[name]
    scored = _sets(_rules(name, _relevant(card, house_rules)), view)
    if scored is None:
        return ScoreLine(name, None, note="needs the neighbors' boards: score a table file")
    points = _sum(scored)
    return ScoreLine(name, points, score_sets(scored, view), _other_readings(card, view, house_rules, points))


def card_points(names: Iterable[str], view: View, house_rules: HouseRules) -> int:
    """Return the points of several cards together; cards that cannot be known count nothing.

    >>> card_points(["bread_pairs", "cheese_neighbors"], View((), (), ()), {})
    0
    """
    return sum(_sum(_sets(_rules(name, _relevant(CARDS[name], house_rules)), view) or []) for name in names)


def score_sets(scored: Sets, view: View) -> tuple[ScoreSet, ...]:
    """Return sets of positions as sets of tile ids.

    >>> score_sets([((0,), 3)], View(("t7",), ("ranch",), (frozenset(),)))[0].to_json()
    {'tiles': ['t7'], 'points': 3}
    """
    return tuple(ScoreSet(tuple(view.ids[tile] for tile in tiles), points) for tiles, points in scored)


def run_rules(rules: Iterable[Rule], view: View) -> Sets | None:
    """Return what several rules score together; None where one of them needs boards that are not known.

    >>> run_rules((), View((), (), ()))
    []
    """
    return _sets(tuple(rules), view)


def needs_table(rules: Iterable[Rule]) -> bool:
    """Say whether any rule looks at other boards.

    >>> needs_table(())
    False
    """
    return any(isinstance(rule, Neighbors) for rule in rules)


def _sets(rules: tuple[Rule, ...], view: View) -> Sets | None:
    found: Sets = []
    for rule in rules:
        scored = rule.sets(view)
        if scored is None:
            return None
        found += scored
    return found


def _sum(scored: Sets) -> int:
    return sum(points for _, points in scored)


def _other_readings(card: Card, view: View, house_rules: HouseRules, points: int) -> tuple[OtherReading, ...]:
    found = []
    for rule in card.house_rules:
        value = other_value(rule, house_rules.get(rule))
        other = _sets(_rules(card.id, _relevant(card, {**house_rules, rule: value})), view)
        if other is not None and _sum(other) != points:
            found.append(OtherReading(rule, value, _sum(other)))
    return tuple(found)


def _relevant(card: Card, house_rules: HouseRules) -> tuple[tuple[str, bool | int], ...]:
    return tuple((name, house_rules[name]) for name in card.house_rules if house_rules.get(name, False) is not False)


@lru_cache(maxsize=512)
def _rules(name: str, switched: tuple[tuple[str, bool | int], ...]) -> tuple[Rule, ...]:
    card = CARDS[name]
    changes: dict[str, Any] = {}
    for rule, value in switched:
        changes |= {key: value if new == "VALUE" else new for key, new in card.house_rules[rule].items()}
    return read_rules([{**rule, **changes} for rule in card.rules], f"cards.{name}.rules", error=OptionsError)

"""From data to primitives: the rules of cards and recipes as TOML or JSON objects, checked field by field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from scoring import fields
from scoring.charcuterie.points import read_points, read_table
from scoring.charcuterie.primitives import Companions, Count, Neighbors, OnlyGroups, Pairs, Part, Rule
from scoring.charcuterie.selector import Selector, read_selector
from scoring.errors import FieldError, RecipeError

MAX_RULES = 20
_TRAITS = ("category", "kind", "shape")
_MAX_TILES = 108  # the box


class _Fields:
    """One rule as read from a file: reads fields by name, with the path and the error class in hand."""

    def __init__(self, data: dict[str, Any], field: str, error: type[FieldError]) -> None:
        self.data, self.field, self.error = data, field, error

    def selector(self, name: str) -> Selector:
        return read_selector(self.data.get(name), f"{self.field}.{name}", error=self.error)

    def points(self, name: str = "points") -> int:
        return read_points(self.data.get(name), f"{self.field}.{name}", error=self.error)

    def choice(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> Any:
        value = self.data.get(name, default)
        return fields.read_choice(value, f"{self.field}.{name}", allowed=allowed, error=self.error)

    def trait(self, name: str) -> str | None:
        return None if self.data.get(name) is None else str(self.choice(name, _TRAITS))

    def flag(self, name: str, *, default: bool) -> bool:
        return fields.read_bool(self.data.get(name, default), f"{self.field}.{name}", error=self.error)

    def count(self, name: str, *, default: int | None, least: int = 1) -> int | None:
        value = self.data.get(name, default)
        where = f"{self.field}.{name}"
        return None if value is None else fields.read_int(value, where, least=least, most=_MAX_TILES, error=self.error)


def _count(rule: _Fields) -> Count:
    none = None if rule.data.get("none") is None else rule.points("none")
    scope: Literal["board", "group"] = rule.choice("scope", ("board", "group"), "board")
    return Count(
        of=rule.selector("of"),
        count=rule.choice("count", ("tiles", "kinds"), "tiles"),
        table=read_table(rule.data.get("table"), f"{rule.field}.table", none=none, error=rule.error),
        scope=scope,
        by=rule.trait("by"),
        keep=rule.choice("keep", ("all", "best"), "all"),
        least=rule.count("least", default=2) or 2,
    )


def _pairs(rule: _Fields) -> Pairs:
    both = "of" in rule.data
    return Pairs(
        first=rule.selector("of" if both else "first"),
        second=rule.selector("of" if both else "second"),
        points=rule.points(),
        adjacent=rule.flag("adjacent", default=False),
        same=rule.trait("same"),
    )


def _companions(rule: _Fields) -> Companions:
    each, touching = rule.selector("each"), rule.selector("touching")
    once = rule.flag("once", default=True)
    cap = rule.count("cap", default=None)
    return Companions(each=each, touching=touching, points=rule.points(), cap=cap, once=once)


def _only_groups(rule: _Fields) -> OnlyGroups:
    where = f"{rule.field}.parts"
    entries = fields.read_list(rule.data.get("parts"), where, error=rule.error, most=MAX_RULES)
    if not entries:
        raise rule.error(where, "an empty list", "at least one part, like { category = 'dip', at_least = 1 }")
    parts = tuple(_part(entry, f"{where}[{index}]", rule.error) for index, entry in enumerate(entries))
    return OnlyGroups(parts=parts, points=rule.points())


def _part(value: object, field: str, error: type[FieldError]) -> Part:
    data = dict(fields.read_object(value, field, error=error))
    fields.refuse_unknown(data, field, allowed=(*_TRAITS, "exactly", "at_least", "at_most"), error=error)
    part = _Fields({name: data.pop(name) for name in ("exactly", "at_least", "at_most") if name in data}, field, error)
    of = read_selector(data, field, error=error)
    exactly = part.count("exactly", default=None, least=0)
    if exactly is not None:
        return Part(of, exactly, exactly)
    return Part(of, part.count("at_least", default=0, least=0) or 0, part.count("at_most", default=None, least=0))


def _neighbors(rule: _Fields) -> Neighbors:
    than: Literal["fewer", "more"] = rule.choice("than", ("fewer", "more"), "fewer")
    return Neighbors(of=rule.selector("of"), points=rule.points(), than=than)


_PRIMITIVES: dict[str, tuple[Callable[[_Fields], Rule], tuple[str, ...]]] = {
    "count": (_count, ("of", "count", "table", "none", "scope", "by", "keep", "least")),
    "pairs": (_pairs, ("of", "first", "second", "points", "adjacent", "same")),
    "companions": (_companions, ("each", "touching", "points", "cap", "once")),
    "only_groups": (_only_groups, ("parts", "points")),
    "neighbors": (_neighbors, ("of", "points", "than")),
}


def read_rules(value: object, field: str, *, error: type[FieldError] = RecipeError) -> tuple[Rule, ...]:
    """Return the rules of a card or recipe; raises `error`, which names the field, the value and what is allowed.

    >>> read_rules([{"primitive": "pair"}], "rule")
    Traceback (most recent call last):
        ...
    scoring.errors.RecipeError: rule[0].primitive is 'pair'; allowed: count, pairs, companions, only_groups, \
neighbors. Did you mean 'pairs'?
    """
    entries = fields.read_list(value, field, error=error, most=MAX_RULES)
    if not entries:
        raise error(field, "an empty list", "at least one rule")
    return tuple(_read_rule(entry, f"{field}[{index}]", error) for index, entry in enumerate(entries))


def _read_rule(value: object, field: str, error: type[FieldError]) -> Rule:
    data = fields.read_object(value, field, error=error)
    name = fields.read_choice(data.get("primitive"), f"{field}.primitive", allowed=_PRIMITIVES, error=error)
    build, known = _PRIMITIVES[name]
    fields.refuse_unknown(data, field, allowed=("primitive", *known), error=error)
    return build(_Fields(data, field, error))

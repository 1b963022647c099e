"""Which tiles a rule is about, as data: by category, kind or shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scoring import fields
from scoring.charcuterie.catalogue import CATEGORIES, KINDS, SHAPES, Kind
from scoring.errors import FieldError, shown

_TRAITS: dict[str, tuple[tuple[str, ...], Callable[[Kind], str]]] = {
    "category": (CATEGORIES, lambda kind: kind.category),
    "kind": (tuple(KINDS), lambda kind: kind.id),
    "shape": (SHAPES, lambda kind: kind.shape),
}


@dataclass(frozen=True, slots=True)
class Selector:
    """The kinds a rule is about.

    >>> sorted(read_selector({"category": "bread", "shape": "square"}, "of", error=FieldError).kinds)
    ['ciabatta', 'square_cracker']
    """

    kinds: frozenset[str]


def trait(kind: str, name: str) -> str:
    """Return the category, kind or shape of a kind.

    >>> trait("orange", "shape")
    'round'
    """
    return _TRAITS[name][1](KINDS[kind])


def read_selector(value: object, field: str, *, error: type[FieldError]) -> Selector:
    """Return the kinds that fit every trait named; each trait is one name or a list of names.

    >>> len(read_selector({"kind": ["ranch", "hummus"]}, "of", error=FieldError).kinds)
    2
    """
    data = fields.read_object(value, field, error=error)
    fields.refuse_unknown(data, field, allowed=_TRAITS, error=error)
    if not data:
        raise error(field, "an empty object", "at least one of " + ", ".join(_TRAITS))
    kinds = set(KINDS)
    for name, wanted in data.items():
        names = _names(wanted, f"{field}.{name}", _TRAITS[name][0], error)
        kinds &= {kind for kind in KINDS if trait(kind, name) in names}
    if not kinds:
        raise error(field, shown(value), "traits that at least one kind has together")
    return Selector(frozenset(kinds))


def _names(value: Any, field: str, allowed: tuple[str, ...], error: type[FieldError]) -> frozenset[str]:
    entries = value if isinstance(value, list) else [value]
    if not entries:
        raise error(field, "an empty list", ", ".join(allowed))
    return frozenset(fields.read_choice(entry, field, allowed=allowed, error=error) for entry in entries)

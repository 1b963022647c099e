"""Readers of untrusted JSON or TOML values: each returns the typed value, or raises an error that names the field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from scoring.errors import FieldError, shown

MAX_NAME = 64


def read_object(value: object, field: str, *, error: type[FieldError]) -> dict[str, Any]:
    """Return a JSON object.

    >>> from scoring.errors import BoardFileError
    >>> read_object([], "board", error=BoardFileError)
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: board is []; allowed: an object.
    """
    if not isinstance(value, dict):
        raise error(field, shown(value), "an object")
    return value


def read_list(value: object, field: str, *, error: type[FieldError], most: int) -> list[Any]:
    """Return a JSON list of at most `most` entries.

    >>> from scoring.errors import BoardFileError
    >>> read_list([1, 2], "tiles", error=BoardFileError, most=2)
    [1, 2]
    """
    if not isinstance(value, list | tuple):
        raise error(field, shown(value), "a list")
    if len(value) > most:
        raise error(field, f"a list of {len(value)}", f"at most {most} entries")
    return list(value)


def read_name(value: object, field: str, *, error: type[FieldError]) -> str:
    """Return a text of 1 to 64 characters.

    >>> from scoring.errors import BoardFileError
    >>> read_name("t0", "tiles[0].id", error=BoardFileError)
    't0'
    """
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME:
        raise error(field, shown(value), f"a text of 1 to {MAX_NAME} characters")
    return value


def read_choice(value: object, field: str, *, allowed: Iterable[str], error: type[FieldError], what: str = "") -> str:
    """Return one of the allowed texts; the error suggests the nearest one.

    >>> from scoring.errors import OptionsError
    >>> read_choice("rond", "shape", allowed=("round", "square"), error=OptionsError)
    Traceback (most recent call last):
        ...
    scoring.errors.OptionsError: shape is 'rond'; allowed: round, square. Did you mean 'round'?
    """
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    close = get_close_matches(value[:MAX_NAME], names, n=1) if isinstance(value, str) else []
    hint = f"Did you mean {close[0]!r}?" if close else ""
    raise error(field, shown(value), what or ", ".join(names), hint=hint)


def read_int(value: object, field: str, *, least: int, most: int, error: type[FieldError]) -> int:
    """Return a whole number within bounds; true and false are no numbers, 4.0 is one.

    >>> from scoring.errors import OptionsError
    >>> read_int(4.0, "players", least=2, most=6, error=OptionsError)
    4
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and math.isfinite(value) and value == int(value))
    if not whole or not least <= value <= most:  # type: ignore[operator]
        raise error(field, shown(value), f"a whole number from {least} to {most}")
    return int(value)  # type: ignore[call-overload]


def read_number(value: object, field: str, *, least: float, most: float, error: type[FieldError]) -> float:
    """Return a finite number within bounds.

    >>> from scoring.errors import BoardFileError
    >>> read_number(0.5, "visible", least=0, most=1, error=BoardFileError)
    0.5
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:  # type: ignore[operator]
        raise error(field, shown(value), f"a number from {least:g} to {most:g}")
    return float(value)  # type: ignore[arg-type]


def read_bool(value: object, field: str, *, error: type[FieldError]) -> bool:
    """Return true or false.

    >>> from scoring.errors import RecipeError
    >>> read_bool(True, "adjacent", error=RecipeError)
    True
    """
    if not isinstance(value, bool):
        raise error(field, shown(value), "true or false")
    return value


def refuse_unknown(data: Mapping[str, Any], field: str, *, allowed: Iterable[str], error: type[FieldError]) -> None:
    """Raise if an object has a field that its format does not know.

    >>> from scoring.errors import RecipeError
    >>> refuse_unknown({"points": 1, "pionts": 2}, "rule[0]", allowed=("points",), error=RecipeError)
    Traceback (most recent call last):
        ...
    scoring.errors.RecipeError: rule[0] is an object with the field 'pionts'; allowed: points. Did you mean 'points'?
    """
    names = list(allowed)
    for key in data:
        if key not in names:
            close = get_close_matches(str(key)[:MAX_NAME], names, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else ""
            raise error(field, f"an object with the field {shown(key)}", ", ".join(names), hint=hint)


def read_heading(data: Mapping[str, Any], *, heading: Mapping[str, str], error: type[FieldError]) -> None:
    """Raise where a file says that it is of another format or game; either may be left out.

    >>> from scoring.errors import BoardFileError
    >>> read_heading({"game": "chess"}, heading={"game": "charly"}, error=BoardFileError)
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: game is 'chess'; allowed: 'charly'.
    """
    for name, expected in heading.items():
        if data.get(name, expected) != expected:
            raise error(name, shown(data[name]), f"{expected!r}")

"""Points for a number of tiles, as data: a table, or so many a tile."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from scoring import fields
from scoring.errors import FieldError, shown

MAX_POINTS = 1000
_MAX_STEPS = 109  # the box has 108 tiles
_FORM = 'a list [points for 1, for 2, ...], or an object like {"0-2" = 15, "3-5" = 10, "6+" = 0}'


@dataclass(frozen=True, slots=True)
class PointTable:
    """Points from a number on: `starts` ascending from 0, each with its `points`.

    >>> table = read_table([1, 3, 6], "table", none=0, error=FieldError)
    >>> [table.at(count) for count in (0, 1, 3, 9)]
    [0, 1, 6, 6]
    """

    starts: tuple[int, ...]
    points: tuple[int, ...]

    def at(self, count: int) -> int:
        """Return the points for a number of tiles."""
        return self.points[bisect_right(self.starts, count) - 1]


def read_table(value: object, field: str, *, none: int | None, error: type[FieldError]) -> PointTable:
    """Return the table of a list (for 1, 2, ... or more) or of an object of ranges.

    `none` is worth for no tiles; where it is None the object decides, else 0.

    >>> read_table({"0-2": 15, "3-5": 10, "6+": 0}, "table", none=None, error=FieldError).at(4)
    10
    """
    if isinstance(value, list):
        steps = _list_steps(value, field, error)
    elif isinstance(value, dict):
        steps = _range_steps(value, field, error)
    else:
        raise error(field, shown(value), _FORM)
    if none is not None:
        rest = {max(start, 1): points for start, points in steps.items()} if 1 not in steps else steps
        steps = rest | {0: none}
    ordered = sorted(steps.items())
    return PointTable(tuple(start for start, _ in ordered), tuple(points for _, points in ordered))


def read_points(value: object, field: str, *, error: type[FieldError]) -> int:
    """Return a number of points.

    >>> read_points(-3, "points", error=FieldError)
    -3
    """
    return fields.read_int(value, field, least=-MAX_POINTS, most=MAX_POINTS, error=error)


def _list_steps(value: list[Any], field: str, error: type[FieldError]) -> dict[int, int]:
    entries = fields.read_list(value, field, error=error, most=_MAX_STEPS)
    if not entries:
        raise error(field, "an empty list", _FORM)
    return {0: 0} | {n: read_points(entry, f"{field}[{n - 1}]", error=error) for n, entry in enumerate(entries, 1)}


def _range_steps(value: dict[str, Any], field: str, error: type[FieldError]) -> dict[int, int]:
    ranges = sorted(
        (*_range(key, field, error), read_points(v, f"{field}.{key}", error=error)) for key, v in value.items()
    )
    if not ranges:
        raise error(field, "an empty object", _FORM)
    following = 0 if ranges[0][0] == 0 else 1
    for first, last, _ in ranges:
        if first != following:
            what = "twice" if first < following else "missing"
            raise error(
                field, f"a table in which {min(first, following)} tiles is {what}", "ranges without gap or overlap"
            )
        following = last + 1
    if following < _MAX_STEPS:
        raise error(field, f"a table that ends at {following - 1}", f'a last range that is open, like "{following}+"')
    return ({} if ranges[0][0] == 0 else {0: 0}) | {first: points for first, _, points in ranges}


def _range(key: str, field: str, error: type[FieldError]) -> tuple[int, int]:
    text = str(key).replace(" ", "")
    if text.endswith("+") and _is_count(text[:-1]):
        return int(text[:-1]), _MAX_STEPS
    first, dash, last = text.partition("-")
    if _is_count(first) and (not dash or (_is_count(last) and int(first) <= int(last))):
        return int(first), int(last) if dash else int(first)
    raise error(field, f"an object with the range {shown(key)}", 'ranges like "3", "3-5" or "6+"')


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3

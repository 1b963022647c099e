"""One tile on a board: its kind and its pose, and how a file holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import shapely
from shapely import Polygon

from scoring import fields
from scoring.charcuterie.catalogue import KINDS, similar_kind
from scoring.errors import BoardFileError, shown
from scoring.geometry import MAX_COORDINATE, MAX_POINTS, outline_fault, outline_points

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile with its pose. `footprint` in mm, `polygon_px` (n, 2) on the upright photo; None where not known.

    `visible` (0..1) and `confidence` (0..1) come from a reading; a board typed in by hand has neither.

    >>> Placement("t0", "swiss").category
    'cheese'
    """

    id: str
    kind: str
    footprint: Polygon | None = None
    polygon_px: Points | None = None
    visible: float | None = None
    confidence: float | None = None

    @property
    def category(self) -> str:
        """The category of the tile's kind."""
        return KINDS[self.kind].category

    def to_json(self) -> dict[str, Any]:
        """Return the tile as a board file holds it; fields that are not known are left out."""
        fields_ = {
            "id": self.id,
            "kind": self.kind,
            "footprint": None if self.footprint is None else ring_json(self.footprint),
            "polygon_px": None if self.polygon_px is None else [list(point) for point in self.polygon_px],
            "visible": self.visible,
            "confidence": self.confidence,
        }
        return {name: value for name, value in fields_.items() if value is not None}


def ring_json(polygon: Polygon) -> list[list[float]]:
    """Return the outline of a polygon as points, not closed.

    >>> ring_json(Polygon([(0, 0), (2, 0), (0, 2)]))
    [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    """
    points: list[list[float]] = shapely.get_coordinates(polygon.exterior)[:-1].tolist()
    return points


def read_polygon(value: object, field_name: str) -> Polygon:
    """Return the polygon of an outline in a file.

    Raises BoardFileError for fewer than 3 points, NaN, an outline that crosses itself or has no area.

    >>> read_polygon([[0, 0], [1, 0]], "tiles[0].footprint")
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: tiles[0].footprint is a list of 2 points; allowed: 3 to 5000 points [x, y] \
with finite numbers up to 1e+06.
    """
    points = outline_points(value)
    if isinstance(points, str):
        allowed = f"3 to {MAX_POINTS} points [x, y] with finite numbers up to {MAX_COORDINATE:g}"
        raise BoardFileError(field_name, points, allowed)
    polygon = Polygon(points)
    fault = outline_fault(polygon)
    if fault is not None:
        raise BoardFileError(field_name, fault, "a simple outline: one ring of points that does not cross itself")
    return polygon


def read_placement(value: object, name: str) -> Placement:
    """Return one tile of a board file.

    >>> read_placement({"id": "t1", "kind": "dates"}, "tiles[1]").kind
    'dates'
    """
    data = fields.read_object(value, name, error=BoardFileError)
    tile = fields.read_name(data.get("id"), f"{name}.id", error=BoardFileError)
    footprint, pixels = data.get("footprint"), data.get("polygon_px")
    return Placement(
        id=tile,
        kind=_read_kind(data.get("kind"), f"{name}.kind"),
        footprint=None if footprint is None else read_polygon(footprint, f"{name}.footprint"),
        polygon_px=None if pixels is None else _read_pixels(pixels, f"{name}.polygon_px"),
        visible=_read_share(data.get("visible"), f"{name}.visible"),
        confidence=_read_share(data.get("confidence"), f"{name}.confidence"),
    )


def _read_kind(value: object, name: str) -> str:
    if isinstance(value, str) and value in KINDS:
        return value
    close = similar_kind(value) if isinstance(value, str) else None
    hint = f"Did you mean {close!r}?" if close else "The kinds: " + ", ".join(KINDS) + "."
    raise BoardFileError(name, shown(value), f"one of the {len(KINDS)} kinds", hint=hint)


def _read_pixels(value: object, name: str) -> Points:
    points = outline_points(value)
    if isinstance(points, str):
        raise BoardFileError(name, points, f"3 to {MAX_POINTS} points [x, y] with finite numbers")
    return tuple(map(tuple, points.tolist()))


def _read_share(value: object, name: str) -> float | None:
    return None if value is None else fields.read_number(value, name, least=0, most=1, error=BoardFileError)

"""What every game answers with: checks, score lines, and the report on one board or on a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Status = Literal["violation", "check_by_hand"]


class ToJson(Protocol):
    """Anything that has a JSON form."""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """A legality or count finding: what was measured, the limit, and whether it is certain.

    `value` and `limit` are in the unit of the check (a share, mm, or a number of tiles). `extra` adds fields.

    >>> Check("covered", ("t7",), value=0.41, limit=0.5, status="violation").to_json()["status"]
    'violation'
    """

    id: str
    tiles: tuple[str, ...]
    value: float
    limit: float
    status: Status
    note: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the finding as a report holds it."""
        facts: dict[str, Any] = {"id": self.id, "tiles": list(self.tiles), "value": _figure(self.value)}
        facts |= {"limit": self.limit, "status": self.status}
        return facts | ({"note": self.note} if self.note else {}) | dict(self.extra)


def _figure(value: float) -> float:
    return value if isinstance(value, int) else round(value, 4)


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A check that could not be made, and why.

    >>> Unchecked("covered", ("t0",), "no footprint").to_json()
    {'id': 'covered', 'tiles': ['t0'], 'why': 'no footprint'}
    """

    id: str
    tiles: tuple[str, ...]
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return the note as a report holds it."""
        return {"id": self.id, "tiles": list(self.tiles), "why": self.why}


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """Tiles that scored together, with their points.

    >>> ScoreSet(("t0", "t3"), 6).to_json()
    {'tiles': ['t0', 't3'], 'points': 6}
    """

    tiles: tuple[str, ...]
    points: int
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the set as a report holds it."""
        return {"tiles": list(self.tiles), "points": self.points} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class OtherReading:
    """A house rule under which a line is worth other points; `value` is what the rule would be set to.

    >>> OtherReading("best_kind", True, 9).to_json()
    {'house_rule': 'best_kind', 'value': True, 'points': 9}
    """

    house_rule: str
    value: bool | int
    points: int

    def to_json(self) -> dict[str, Any]:
        """Return the reading as a report holds it."""
        return {"house_rule": self.house_rule, "value": self.value, "points": self.points}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The points of one card, with the sets of tiles that made them; `points` is None where they cannot be known.

    >>> ScoreLine("bread_pairs", 2, (ScoreSet(("t0", "t1"), 2),)).to_json()["points"]
    2
    """

    id: str
    points: int | None
    sets: tuple[ScoreSet, ...] = ()
    readings: tuple[OtherReading, ...] = ()
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the line as a report holds it."""
        line: dict[str, Any] = {"id": self.id, "points": self.points}
        line["sets"] = [scored.to_json() for scored in self.sets]
        line["readings"] = [reading.to_json() for reading in self.readings]
        return line | ({"note": self.note} if self.note else {})


@dataclass(frozen=True, slots=True)
class Report:
    """All there is to say about one board. `to_json` gives the format `boardsnap.report/1`.

    >>> Report(board=None, total=0, total_without_illegal=0, total_range=(0, 0)).to_json()["total"]
    0
    """

    board: ToJson | None
    total: int
    total_without_illegal: int
    total_range: tuple[int, int]
    objectives: tuple[ScoreLine, ...] = ()
    recipe: ScoreLine | None = None
    checks: tuple[Check, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    questions: tuple[ToJson, ...] = ()
    markers: tuple[str, ...] = ()
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    player: str | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the report in the format `boardsnap.report/1`; `extra` adds the fields of one game."""
        head: dict[str, Any] = {"format": "boardsnap.report/1"}
        if self.player is not None:
            head["player"] = self.player
        return head | {
            "board": None if self.board is None else self.board.to_json(),
            "total": self.total,
            "total_without_illegal": self.total_without_illegal,
            "total_range": list(self.total_range),
            "markers": list(self.markers),
            "objectives": [line.to_json() for line in self.objectives],
            "recipe": None if self.recipe is None else self.recipe.to_json(),
            "house_rules": dict(self.house_rules),
            "checks": [check.to_json() for check in self.checks],
            "unchecked": [item.to_json() for item in self.unchecked],
            "questions": [question.to_json() for question in self.questions],
            "notes": list(self.notes),
            "timings_ms": dict(self.timings_ms),
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class TableReport:
    """The boards of a table in the order of the file, and who won. Format `boardsnap.table-report/1`.

    `tie_places` holds the places of the ranking where a game breaks ties; left out, equal points share a place.
    `ended` is False while the game goes on, and nobody has won. `extra` adds the fields of one game.

    >>> TableReport(boards=(), ranking=(("Ana", 61), ("Ben", 58))).to_json()["ranking"]
    [['Ana', 61], ['Ben', 58]]
    """

    boards: tuple[Report, ...]
    ranking: tuple[tuple[str, int], ...]
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    tie_places: tuple[int, ...] = ()
    ended: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each entry of the ranking, from 1; players who tie share one."""
        totals = [total for _, total in self.ranking]
        return self.tie_places or tuple(totals.index(total) + 1 for total in totals)

    @property
    def winners(self) -> tuple[str, ...]:
        """The players in the first place; several where they tie, and none while the game goes on."""
        first = [player for (player, _), place in zip(self.ranking, self.places, strict=True) if place == 1]
        return tuple(first) if self.ended else ()

    def to_json(self) -> dict[str, Any]:
        """Return the report in the format `boardsnap.table-report/1`."""
        return {
            "format": "boardsnap.table-report/1",
            "boards": [report.to_json() for report in self.boards],
            "ranking": [list(entry) for entry in self.ranking],
            "places": list(self.places),
            "winners": list(self.winners),
            "checks": [check.to_json() for check in self.checks],
            "notes": list(self.notes),
            "timings_ms": dict(self.timings_ms),
            **self.extra,
        }

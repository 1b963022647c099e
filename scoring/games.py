"""The registry of games: a game's id, and what every game can do with a parsed document.

A new game adds one entry to `_MODULES`; the commands and the service need no change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, Protocol, cast

from scoring.errors import BoardFileError, shown
from scoring.report import Check, Report, TableReport, ToJson

DEFAULT_GAME = "charcuterie"
_MODULES: dict[str, str] = {"charcuterie": "scoring.charcuterie.rules"}


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What a person asks for when scoring; each field that is None leaves it to the file.

    `objectives`: ids, or "all". `recipe`: a recipe's id, a recipe as an object, or its points as a number.
    `house_rules`: a mapping {name: value} or a list of "name" and "name=value".

    >>> ScoreOptions(objectives=("bread_pairs",), house_rules={"best_kind": True}).players is None
    True
    """

    objectives: Sequence[str] | Literal["all"] | None = None
    recipe: Any = None
    house_rules: Mapping[str, Any] | Sequence[str] = field(default_factory=dict)
    players: int | None = None


class Game(Protocol):
    """What the rules of a game answer to."""

    def load(self, document: object) -> Any:
        """Return the board or table of a parsed document; raises BoardFileError."""
        ...

    def score(
        self, thing: Any, options: ScoreOptions, *, questions: Sequence[ToJson], timings_ms: Mapping[str, float]
    ) -> Report | TableReport:
        """Return the report on a board or table."""
        ...

    def validate(self, thing: Any, options: ScoreOptions) -> list[Check]:
        """Return the placement and count findings on a board or table."""
        ...


def game_named(name: str) -> Game:
    """Return the rules of a game.

    >>> game_named("chess")
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: game is 'chess'; allowed: charcuterie.
    """
    if name not in _MODULES:
        raise BoardFileError("game", shown(name), ", ".join(_MODULES))
    return cast(Game, import_module(_MODULES[name]))


def game_of(document: object) -> Game:
    """Return the rules of the game that a parsed document is about; Charcuterie where it does not say.

    >>> game_of({"tiles": []}) is game_named("charcuterie")
    True
    """
    name = document.get("game") if isinstance(document, dict) else None
    if name is None:
        return game_named(DEFAULT_GAME)
    if not isinstance(name, str):
        raise BoardFileError("game", shown(name), ", ".join(_MODULES))
    return game_named(name)

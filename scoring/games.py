"""The registry of games: a game's id, and what every game can do with a parsed document.

A new game adds one entry to `_MODULES`; the commands and the service need no change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar, Literal, Protocol, cast

from scoring.errors import BoardFileError, OptionsError, shown
from scoring.report import Check, Report, TableReport, ToJson

DEFAULT_GAME = "charcuterie"
_MODULES: dict[str, str] = {
    "charcuterie": "scoring.charcuterie.rules",
    "food_truck_champion": "scoring.food_truck_champion.rules",
    "charly": "scoring.charly.rules",
}


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


class Playable(Protocol):
    """What a document of some game holds: a board, a table, a game of several rounds."""

    game: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the document, which the game's `load` reads back."""
        ...


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
    scoring.errors.BoardFileError: game is 'chess'; allowed: charcuterie, food_truck_champion, charly.
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


def refuse_card_options(options: ScoreOptions, *, game: str, players: int) -> None:
    """Raise OptionsError where cards or house rules are asked of a game without them, or another number of players.

    >>> refuse_card_options(ScoreOptions(objectives="all"), game="food_truck_champion", players=3)
    Traceback (most recent call last):
        ...
    scoring.errors.OptionsError: objectives is 'all'; allowed: nothing with the game food_truck_champion.
    """
    for name in ("objectives", "recipe", "house_rules"):
        value = getattr(options, name)
        if value is not None and (name != "house_rules" or value):
            raise OptionsError(name, shown(value), f"nothing with the game {game}")
    if options.players not in (None, players):
        raise OptionsError("players", shown(options.players), f"{players}, the number of players in the file")

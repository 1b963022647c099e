"""What is given on the command line -> the options of scoring."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api.errors import UsageError
from scoring import Board, ScoreOptions, score


def score_options(
    *,
    players: int | None = None,
    objectives: str | None = None,
    recipe: str | None = None,
    house_rules: Sequence[str] = (),
) -> ScoreOptions:
    """Build the options of scoring, and try them on an empty board: unknown names show before any photo is read.

    Raises:
        BoardsnapError: an objective, house rule or recipe does not exist, or a recipe file cannot be read.
    """
    options = ScoreOptions(
        objectives=_objectives(objectives),
        recipe=None if recipe is None else _recipe(recipe),
        house_rules=tuple(house_rules),
        players=players,
    )
    score(Board(contacts=()), options)
    return options


def _objectives(text: str | None) -> Any:
    if text is None or text.strip() == "all":
        return None if text is None else "all"
    names = tuple(name for part in text.split(",") if (name := part.strip()))
    if not names:
        raise UsageError("--objectives names no card; give ids with commas between them, or all.")
    return names


def _recipe(text: str) -> Any:
    """Points where it is a number, the content where it is a file, else the id of a recipe."""
    try:
        return int(text)
    except ValueError:
        pass
    path = Path(text)
    if path.suffix in (".toml", ".json") or path.is_file():
        return _recipe_file(path)
    return text


def _recipe_file(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"The recipe file {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # not UTF-8, no JSON or no TOML
        raise UsageError(f"The recipe file {path} is no valid {path.suffix[1:].upper() or 'TOML'}: {error}.") from error

"""What a request says about players, cards and house rules -> the options of scoring. No file is ever opened."""

from collections.abc import Iterable, Mapping
from typing import Any

from api.strict_json import load
from scoring import Board, OptionsError, ScoreOptions, score
from scoring.charcuterie.house_rules import read_house_rules
from scoring.charcuterie.objectives import read_objectives

OPTIONS = ("players", "objectives", "recipe", "house_rules")


def score_options(options: Mapping[str, Any]) -> ScoreOptions:
    """Return the options of scoring from their stored form."""
    objectives = options.get("objectives")
    return ScoreOptions(
        objectives="all" if objectives == "all" else objectives,
        recipe=options.get("recipe"),
        house_rules=options.get("house_rules") or {},
        players=options.get("players"),
    )


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in the form that is stored, tried on an empty board.

    Raises:
        BoardsnapError: a card, house rule or recipe does not exist; the message names it.
    """
    objectives = options.get("objectives")
    stored = {
        "players": options.get("players"),
        "objectives": objectives if objectives in (None, "all") else list(read_objectives(objectives)),
        "recipe": options.get("recipe"),
        "house_rules": read_house_rules(options.get("house_rules")),
    }
    score(Board(contacts=()), score_options(stored))
    return {**dict(options), **stored}


def from_texts(
    *,
    players: int | None = None,
    objectives: str | None = None,
    recipe: str | None = None,
    house_rules: Iterable[str] = (),
) -> dict[str, Any]:
    """Return options from the texts of a form or an address; ids stand with commas between."""
    return {
        "players": players,
        "objectives": _objectives(objectives),
        "recipe": _json_or_text(recipe, "recipe"),
        "house_rules": _house_rules(house_rules),
    }


def _objectives(text: str | None) -> Any:
    if text is None or not text.strip():
        return None
    listed = _json_or_text(text, "objectives")
    if listed == "all" or isinstance(listed, list):
        return listed
    return [name.strip() for name in str(listed).split(",") if name.strip()]


def _house_rules(texts: Iterable[str]) -> Any:
    rules: dict[str, Any] = {}
    for text in texts:
        listed = _json_or_text(text, "house_rules")
        if listed is None:
            continue
        rules |= read_house_rules(listed)
    return rules


def _json_or_text(text: str | None, field: str) -> Any:
    """The value where a text is a JSON object or list, else the text itself; None where it is blank."""
    if text is None or not text.strip():
        return None
    if text.lstrip()[0] not in "{[":
        return text.strip()
    try:
        return load(text)
    except ValueError as error:
        raise OptionsError(field, "JSON that cannot be read", f"valid JSON ({error})") from error

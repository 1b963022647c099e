"""Recipe cards: data over the same primitives as the objective cards, or points entered by hand."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from scoring import fields
from scoring.charcuterie.groups import View
from scoring.charcuterie.objectives import run_rules, score_sets
from scoring.charcuterie.points import MAX_POINTS, read_points
from scoring.charcuterie.primitives import Rule
from scoring.charcuterie.rule_files import read_rules
from scoring.errors import RecipeError, shown
from scoring.report import ScoreLine

BY_HAND = "by_hand"
_KNOWN = ("id", "title", "rule", "rules", "points")
_MAX_FILE_BYTES = 100_000  # a recipe is a few lines


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe card: rules, or points counted by hand.

    >>> recipe_of("the_vegetarian").title
    'The Vegetarian'
    """

    id: str
    title: str = ""
    rules: tuple[Rule, ...] = ()
    points: int | None = None


def score_recipe(recipe: Recipe, view: View) -> ScoreLine:
    """Return the score line of a recipe; points by hand are taken as they are.

    >>> score_recipe(recipe_of("the_vegetarian"), View(("a",), ("salami",), (frozenset(),))).points
    15
    """
    if recipe.points is not None:
        return ScoreLine(recipe.id, recipe.points, note="points entered by hand")
    scored = run_rules(recipe.rules, view)
    if scored is None:
        return ScoreLine(recipe.id, None, note="needs the neighbors' boards: score a table file")
    return ScoreLine(recipe.id, sum(points for _, points in scored), score_sets(scored, view))


def recipe_of(value: object) -> Recipe:
    """Return the recipe that a table file or an option means: a known id, an object, or a number of points.

    Reads no file of the user's. Raises RecipeError, which names the field, the value and what is allowed.

    >>> recipe_of("12").points, recipe_of({"id": "lots", "points": 3}).points
    (12, 3)
    """
    if isinstance(value, Recipe):
        return value
    if isinstance(value, dict):
        return read_recipe(value)
    if isinstance(value, str) and not _is_number(value):
        return _known_recipe(value)
    points = int(value) if isinstance(value, str) else value
    if isinstance(points, bool) or not isinstance(points, int | float):
        allowed = f"one of {', '.join(known_recipes())}, a recipe as an object, or its points"
        raise RecipeError("recipe", shown(value), allowed)
    return Recipe(BY_HAND, points=read_points(points, "recipe", error=RecipeError))


def recipe_from_argument(text: str) -> Recipe:
    """Return the recipe of a command-line argument: a known id, a number of points, or a TOML or JSON file.

    >>> recipe_from_argument("the_vegetarian").id
    'the_vegetarian'
    """
    if text not in known_recipes() and not _is_number(text) and (Path(text).suffix or "/" in text or "\\" in text):
        return read_recipe_file(Path(text))
    return recipe_of(text)


def read_recipe_file(path: Path) -> Recipe:
    """Return the recipe of a TOML or JSON file; raises RecipeError where it cannot be read or is not valid.

    >>> read_recipe_file(Path("no_such.toml"))
    Traceback (most recent call last):
        ...
    scoring.errors.RecipeError: recipe file 'no_such.toml' is not there or not readable; allowed: a TOML or JSON file.
    """
    name = f"recipe file {shown(path.name)}"
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecipeError(name, "not there or not readable", "a TOML or JSON file") from error
    if len(raw) > _MAX_FILE_BYTES:
        raise RecipeError(name, f"larger than {_MAX_FILE_BYTES} bytes", "a few lines of TOML or JSON")
    return read_recipe(_parse(raw, name, is_json=path.suffix.lower() == ".json"))


def _parse(raw: bytes, name: str, *, is_json: bool) -> Any:
    try:
        text = raw.decode("utf-8-sig")
        return json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecipeError(name, f"not readable ({error})", "TOML, or JSON in a file named .json") from error


def read_recipe(value: object) -> Recipe:
    """Return the recipe of a parsed file: `id`, a `title`, and either a list `rule` (or `rules`) or `points`.

    >>> read_recipe({"id": "dips", "rule": [{"primitive": "count", "of": {"category": "dip"}, "table": [0, 2, "x"]}]})
    Traceback (most recent call last):
        ...
    scoring.errors.RecipeError: rule[0].table[2] is 'x'; allowed: a whole number from -1000 to 1000.
    """
    data = fields.read_object(value, "the recipe", error=RecipeError)
    fields.refuse_unknown(data, "the recipe", allowed=_KNOWN, error=RecipeError)
    name = fields.read_name(data.get("id"), "id", error=RecipeError)
    title = fields.read_name(data.get("title", name), "title", error=RecipeError)
    given = [key for key in ("rule", "rules", "points") if key in data]
    if len(given) != 1:
        found = "an object with " + (" and ".join(given) if given else "neither rule nor points")
        raise RecipeError("the recipe", found, "exactly one of rule, rules, points")
    if given == ["points"]:
        return Recipe(name, title, points=read_points(data["points"], "points", error=RecipeError))
    return Recipe(name, title, rules=read_rules(data[given[0]], given[0]))


@cache
def known_recipes() -> dict[str, Recipe]:
    """Return the recipes that come with the package, by id.

    >>> sorted(known_recipes())
    ['the_vegetarian']
    """
    folder = files("scoring.charcuterie").joinpath("data", "recipes")
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    recipes = [read_recipe(tomllib.loads(entry.read_text(encoding="utf-8"))) for entry in found]
    return {recipe.id: recipe for recipe in sorted(recipes, key=lambda recipe: recipe.id)}


def _known_recipe(name: str) -> Recipe:
    names = known_recipes()
    hint = "Write the card as a recipe file, or enter its points as a number."
    fields_ = ", ".join(names)
    if name not in names:
        raise RecipeError("recipe", shown(name), fields_, hint=hint)
    return names[name]


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdecimal() and len(str(MAX_POINTS)) + 2 >= len(digits)

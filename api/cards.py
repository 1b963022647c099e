"""The cards and house rules as a page shows them: names, and the rule in a sentence."""

from typing import Any

from api.schemas import Card, HouseRule
from scoring.charcuterie.catalogue import read_data
from scoring.charcuterie.house_rules import HOUSE_RULES, is_number
from scoring.charcuterie.objectives import CARDS
from scoring.charcuterie.recipes import known_recipes

# The rulebook's own words of each card ("Base Objective Scoring", "Gourmet Objective Scoring").
_TEXTS: dict[str, str] = {
    "bread_pairs": "For each pair of one square and one round bread: 2 points.",
    "cheese_unique": "For each unique cheese in a group of cheese: 1, 3, 6, 10, 15, 20 points.",
    "dip_unique": "For each unique dip on your board: -3, 3, 9, 15 points.",
    "fruit_unique": "For each unique fruit in a group of fruit: 1, 3, 6, 10, 15 points.",
    "meat_sandwich": "For each bread adjacent to meat: 2 points, 4 at most for each meat.",
    "veggie_cheese_pairs": "For each adjacent pair of one veggie and one cheese: 4 points.",
    "bread_same_shape": "For each bread of the same shape: 1, 2, 4, 5, 8 points.",
    "bread_cheese_fruit_trio": "For each group of only one bread, one cheese and one fruit: 10 points.",
    "cheese_matching": "For each matching cheese in a group of cheese: 1, 4, 9, 12 points.",
    "cheese_neighbors": "For each neighboring player who has fewer cheeses than you: 10 points.",
    "dip_bread_spread": "For each group of only dip and bread that has five breads or more: 21 points.",
    "dip_companions": "Ranch or hummus: 1 point an adjacent veggie. Fig jam or tapenade: 1 point an adjacent bread.",
    "fruit_matching_pairs": "For each pair of matching fruit: 7 points.",
    "fruit_veggie_pairs": "For each pair of one fruit and one veggie: 6 points.",
    "meat_cheese_pairs": "For each adjacent pair of one meat and one cheese: 3 points.",
    "meat_cheese_bread_trio": "For each group of only one meat, one cheese and one bread: 10 points.",
    "veggie_neighbors": "For each neighboring player who has fewer veggies than you: 7 points.",
    "veggie_dip": "For each veggie adjacent to a dip: 4 points, 16 at most for each dip.",
}
_RECIPE_TEXTS = {
    "the_vegetarian": "The fewer meat tiles, the more points: 0-2 are 15, 3-5 are 10, 6-8 are 5, 9 or more 0."
}


def objective_cards() -> list[Card]:
    """Return the 18 objective cards."""
    return [
        Card(
            id=card.id,
            name=card.title,
            text=_TEXTS[card.id],
            type="objective",
            category=card.category,
            neighbor=any(rule["primitive"] == "neighbors" for rule in card.rules),
            base=card.deck == "base",
        )
        for card in CARDS.values()
    ]


def recipe_cards() -> list[Card]:
    """Return the recipe cards that are known."""
    return [
        Card(
            id=recipe.id,
            name=recipe.title,
            text=_RECIPE_TEXTS.get(recipe.id, recipe.title),
            type="recipe",
            neighbor=False,
            base=False,
        )
        for recipe in known_recipes().values()
    ]


def house_rules() -> list[HouseRule]:
    """Return the house rules, with the cards each is about; the default is the rulebook's own reading."""
    data = read_data("house_rules.toml")
    return [
        HouseRule(
            id=name,
            name=title,
            values=_values(data[name]) if is_number(name) else [False, True],
            default=data[name]["default"] if is_number(name) else False,
            cards=[card.id for card in CARDS.values() if name in card.house_rules],
        )
        for name, title in HOUSE_RULES.items()
    ]


def _values(rule: dict[str, Any]) -> list[bool | int]:
    return [rule["default"], rule["other"]]

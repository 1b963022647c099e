"""A table of food trucks in one line, for tests."""

from __future__ import annotations

from typing import Any

from scoring.food_truck_champion.cards import Ticket
from scoring.food_truck_champion.table import TruckTable

BEAR = ("grain", "grain", "meat", "dairy")
LETTERS = {"f": "fruit", "d": "dairy", "g": "grain", "s": "seasoning", "m": "meat", "v": "vegetable"}
OTHERS = {f"truck_{number}": {"profile": ["fruit", "dairy", "meat", "vegetable"]} for number in range(1, 5)}


def ticket(letters: str, logo: str | None = None) -> Ticket:
    """ "mfg" -> a ticket of meat, fruit, grain."""
    return Ticket(letters, tuple(LETTERS[letter] for letter in letters), logo)


def document(*boards: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A file with the boards given; the first plays Bear Burgers, the second truck_1, and so on."""
    trucks = ["bear_burgers", *OTHERS]
    full = [{"player": f"P{i}", "truck": trucks[i], **board} for i, board in enumerate(boards)]
    return {"game": "food_truck_champion", "trucks": OTHERS, "boards": full, **fields}


def table(*boards: dict[str, Any], **fields: Any) -> TruckTable:
    """The table of such a file."""
    return TruckTable.from_json(document(*boards, **fields))


def order(letters: str, logo: str = "truck_4") -> dict[str, Any]:
    """An order ticket as a file holds it; the logo is nobody's unless five play."""
    return {"title": letters, "ingredients": [LETTERS[letter] for letter in letters], "logo": logo}

"""The animal cards and food cards of Charly. Rulebook, "Components" and "Two rules" of the feast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import fields
from scoring.errors import BoardFileError, shown

FAVOURITES = {"dog": "bones", "mouse": "cheese", "rabbit": "carrots", "monkey": "bananas"}
FOODS = ("bananas", "bones", "carrots", "cheese")
PIG, GOURMET = "pig", "gourmet_pig"
ANIMALS = (*FAVOURITES, PIG, GOURMET)
# Animals on one card -> copies of that card, for each animal.
COPIES: dict[str, dict[int, int]] = {name: {1: 5, 2: 6, 3: 4} for name in FAVOURITES} | {PIG: {2: 6}, GOURMET: {1: 6}}
LEAST_VALUE, MOST_VALUE = 4, 8
_PLURALS = {"mouse": "mice"}
_HOW = 'a text like "dog 2", "pig 2" or "gourmet_pig bones cheese", or an object with animal, count and foods'


@dataclass(frozen=True, slots=True)
class AnimalCard:
    """An animal card: the animal, how many of them, and for a gourmet pig the two foods in its corners.

    >>> AnimalCard("pig", 2).eats("carrots"), AnimalCard("dog", 3).eats("cheese")
    (True, False)
    """

    animal: str
    count: int
    corners: tuple[str, ...] = ()

    def eats(self, food: str) -> bool:
        """Return whether the animals on the card eat a food: their favourite; pigs all; a gourmet pig its two."""
        if self.animal == PIG:
            return True
        return food in (self.corners if self.animal == GOURMET else (FAVOURITES[self.animal],))

    @property
    def honey_each(self) -> int:
        """The honey that one animal on the card takes: 2 for a pig, else 1."""
        return 2 if self.animal in (PIG, GOURMET) else 1

    @property
    def honey(self) -> int:
        """The honey that all animals on the card take."""
        return self.count * self.honey_each

    @property
    def label(self) -> str:
        """The card in words, like "2 dogs"."""
        name = self.animal.replace("_", " ")
        if self.animal == GOURMET:
            return f"gourmet pig ({' or '.join(self.corners)})"
        return f"1 {name}" if self.count == 1 else f"{self.count} {_PLURALS.get(name, f'{name}s')}"

    def to_json(self) -> str:
        """Return the card as a file holds it, like "dog 2"."""
        return " ".join((self.animal, *(self.corners or (str(self.count),))))


def read_animal_card(value: object, where: str) -> AnimalCard:
    """Return the animal card of an entry; raises BoardFileError.

    >>> read_animal_card("dog 2", "hand[0]").label, read_animal_card({"animal": "pig"}, "hand[0]").honey
    ('2 dogs', 4)
    >>> read_animal_card("dog 4", "hand[0]")
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: hand[0] is 'dog 4'; allowed: dog 1, dog 2, dog 3.
    """
    data = _from_text(value, where) if isinstance(value, str) else value
    if not isinstance(data, dict):
        raise BoardFileError(where, shown(value), _HOW)
    fields.refuse_unknown(data, where, allowed=("animal", "count", "foods"), error=BoardFileError)
    name = where if isinstance(value, str) else f"{where}.animal"
    animal = fields.read_choice(data.get("animal"), name, allowed=ANIMALS, error=BoardFileError)
    counts = COPIES[animal]
    count = data.get("count", next(iter(counts)) if len(counts) == 1 else None)
    if isinstance(count, bool) or not isinstance(count, int) or count not in counts:
        found = shown(value if isinstance(value, str) else count)
        raise BoardFileError(where, found, ", ".join(f"{animal} {number}" for number in counts))
    return AnimalCard(animal, count, _read_corners(data.get("foods"), animal, where=where))


def _from_text(text: str, where: str) -> dict[str, Any]:
    animal, *rest = text[: fields.MAX_NAME].split() or [""]
    if animal == GOURMET:
        return {"animal": animal, "foods": rest}
    if len(rest) > 1 or not all(word.isascii() and word.isdecimal() for word in rest):
        raise BoardFileError(where, shown(text), _HOW)
    return {"animal": animal} | ({"count": int(rest[0])} if rest else {})


def _read_corners(value: object, animal: str, *, where: str) -> tuple[str, ...]:
    if animal != GOURMET:
        if value is not None:
            raise BoardFileError(f"{where}.foods", shown(value), "nothing but for a gourmet_pig")
        return ()
    allowed = f"two different foods of {', '.join(FOODS)}, those in the card's corners"
    foods = value if isinstance(value, list | tuple) else ()
    known = [food for food in FOODS if food in foods]
    if len(foods) != 2 or len(known) != 2:
        raise BoardFileError(f"{where}.foods", shown(value), allowed)
    return tuple(known)


@dataclass(frozen=True, slots=True)
class Row:
    """A food card at the feast, and the animal cards laid on it.

    >>> Row("bones", 4, (AnimalCard("dog", 3),)).takes(AnimalCard("dog", 2))
    False
    """

    food: str
    value: int
    cards: tuple[AnimalCard, ...] = ()

    @property
    def eaters(self) -> int:
        """The number of animals on the row."""
        return sum(card.count for card in self.cards)

    @property
    def left(self) -> int:
        """How many more animals the food feeds."""
        return max(0, self.value - self.eaters)

    @property
    def label(self) -> str:
        """The food card in words, like "bones 4"."""
        return f"{self.food} {self.value}"

    def takes(self, card: AnimalCard) -> bool:
        """Return whether an animal card may be laid here: its animals eat the food, and there is enough for all."""
        return card.eats(self.food) and card.count <= self.left

    def to_json(self) -> dict[str, Any]:
        """Return the row as an entry under "food"."""
        return {"food": self.food, "value": self.value, "row": [card.to_json() for card in self.cards]}


def placements(rows: Sequence[Row], hand: Sequence[AnimalCard]) -> tuple[tuple[AnimalCard, int], ...]:
    """Return what could still be placed: each different card of a hand, with the index of each row that takes it.

    >>> rows = [Row("bones", 4), Row("cheese", 5)]
    >>> [(card.label, index) for card, index in placements(rows, [AnimalCard("pig", 2), AnimalCard("rabbit", 1)])]
    [('2 pigs', 0), ('2 pigs', 1)]
    """
    return tuple((card, index) for card in dict.fromkeys(hand) for index, row in enumerate(rows) if row.takes(card))


def read_row(value: object, where: str, *, most: int) -> Row:
    """Return the food card of an entry, with its row of animal cards.

    >>> read_row({"food": "bones", "value": 4, "row": ["dog 3"]}, "food[0]", most=72).left
    1
    """
    data: Mapping[str, Any] = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=("food", "value", "row"), error=BoardFileError)
    food = fields.read_choice(data.get("food"), f"{where}.food", allowed=FOODS, error=BoardFileError)
    row = data.get("row")
    amount = fields.read_int(
        data.get("value"), f"{where}.value", least=LEAST_VALUE, most=MOST_VALUE, error=BoardFileError
    )
    return Row(food, amount, read_cards([] if row is None else row, f"{where}.row", most=most))


def read_cards(value: object, where: str, *, most: int) -> tuple[AnimalCard, ...]:
    """Return a list of animal cards.

    >>> read_cards(["dog 1", "pig 2"], "hand", most=72)[1].animal
    'pig'
    """
    entries = fields.read_list(value, where, error=BoardFileError, most=most)
    return tuple(read_animal_card(entry, f"{where}[{index}]") for index, entry in enumerate(entries))

"""Food trucks and order tickets as data: those the rulebook prints, and those a player adds.

Rulebook, "Ingredients", "Order Ticket" and "Food Truck Board".
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from scoring import fields
from scoring.errors import BoardFileError, shown

INGREDIENTS = ("fruit", "dairy", "grain", "seasoning", "meat", "vegetable")
TRUCKS_IN_BOX = 5
MAX_TICKETS = 100  # rulebook, "Components": 95 game cards and 5 starting orders
# More icons than a card can show are read all the same, so that the finding can say how many there are.
_MAX_ICONS = 12
_MAX_FILE_BYTES = 100_000  # a hundred tickets of three lines take a tenth of it

Icons = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Truck:
    """A food truck with its flavor profile; the profile is None where it is not known.

    >>> known_cards().trucks["bear_burgers"].profile
    ('grain', 'grain', 'meat', 'dairy')
    """

    id: str
    title: str
    profile: Icons | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the truck as an entry under "trucks"."""
        return {"title": self.title, "profile": None if self.profile is None else list(self.profile)}


@dataclass(frozen=True, slots=True)
class Ticket:
    """An order ticket. `ingredients` is None where it lies face down, `logo` where it is not known whose it is.

    >>> known_cards().tickets["pate_en_croute"].ingredients
    ('meat', 'fruit', 'grain')
    """

    title: str
    ingredients: Icons | None
    logo: str | None = None

    @property
    def face_down(self) -> bool:
        """Whether nothing of the ticket can be seen."""
        return self.ingredients is None

    def to_json(self) -> dict[str, Any] | None:
        """Return the ticket as an entry of "completed" or "awards"."""
        if self.ingredients is None:
            return None
        return {"title": self.title, "ingredients": list(self.ingredients), "logo": self.logo}


FACE_DOWN = Ticket("a ticket lying face down", None)


@dataclass(frozen=True, slots=True)
class Cards:
    """The trucks and tickets that are known, by id.

    >>> sorted(known_cards().tickets)
    ['holy_mole_salad', 'pate_en_croute']
    """

    trucks: Mapping[str, Truck] = field(default_factory=dict)
    tickets: Mapping[str, Ticket] = field(default_factory=dict)


@cache
def known_cards() -> Cards:
    """Return the trucks and tickets that the rulebook prints.

    >>> list(known_cards().trucks)
    ['bear_burgers']
    """
    text = files("scoring.food_truck_champion").joinpath("data", "cards.toml").read_text(encoding="utf-8")
    return with_cards(Cards(), tomllib.loads(text))


def with_cards(cards: Cards, data: Mapping[str, Any]) -> Cards:
    """Return the cards with the "trucks" and "tickets" of a parsed file; fields given there go before known ones.

    Raises BoardFileError, which names the field, the value and what is allowed.

    >>> mine = with_cards(known_cards(), {"tickets": {"pate_en_croute": {"logo": "bear_burgers"}}})
    >>> mine.tickets["pate_en_croute"].logo, len(mine.tickets["pate_en_croute"].ingredients)
    ('bear_burgers', 3)
    """
    trucks = dict(cards.trucks)
    for name, entry in _entries(data, "trucks", most=TRUCKS_IN_BOX).items():
        trucks[name] = _read_truck(entry, f"trucks.{name}", known=trucks.get(name), name=name)
    if len(trucks) > TRUCKS_IN_BOX:
        found = f"an object that makes {len(trucks)} trucks with {', '.join(cards.trucks)}"
        raise BoardFileError("trucks", found, f"{TRUCKS_IN_BOX} trucks in all")
    tickets = dict(cards.tickets)
    for name, entry in _entries(data, "tickets", most=MAX_TICKETS).items():
        tickets[name] = _read_named(entry, f"tickets.{name}", known=tickets.get(name), name=name, trucks=trucks)
    return Cards(trucks, tickets)


def read_cards_file(path: Path, *, cards: Cards | None = None) -> Cards:
    """Return the cards with those of a TOML or JSON file of a player; raises BoardFileError where it is not valid.

    >>> read_cards_file(Path("no_such.toml"))
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: cards file 'no_such.toml' is not there or not readable; allowed: a TOML or JSON file.
    """
    name = f"cards file {shown(path.name)}"
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BoardFileError(name, "not there or not readable", "a TOML or JSON file") from error
    if len(raw) > _MAX_FILE_BYTES:
        raise BoardFileError(name, f"larger than {_MAX_FILE_BYTES} bytes", "a hundred tickets of a few lines")
    try:
        text = raw.decode("utf-8-sig")
        data = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardFileError(name, f"not readable ({error})", "TOML, or JSON in a file named .json") from error
    data = fields.read_object(data, name, error=BoardFileError)
    fields.refuse_unknown(data, name, allowed=("trucks", "tickets"), error=BoardFileError)
    return with_cards(known_cards() if cards is None else cards, data)


def read_ticket(value: object, name: str, *, cards: Cards) -> Ticket:
    """Return the ticket of an entry: null (face down), the id of a known ticket, or an object.

    An object has "ingredients", or a known "ticket"; "logo" and "title" may be given, and go before what is known.

    >>> read_ticket("pate_en_crout", "awards[0]", cards=known_cards())
    Traceback (most recent call last):
        ...
    scoring.errors.BoardFileError: awards[0] is 'pate_en_crout'; allowed: null where it lies face down, an object with \
its ingredients, or the id of a known ticket. Did you mean 'pate_en_croute'?
    """
    if value is None:
        return FACE_DOWN
    if not isinstance(value, dict):
        what = "null where it lies face down, an object with its ingredients, or the id of a known ticket"
        return cards.tickets[fields.read_choice(value, name, allowed=cards.tickets, error=BoardFileError, what=what)]
    data = dict(value)
    known = None
    if data.pop("ticket", None) is not None:
        which = fields.read_choice(value["ticket"], f"{name}.ticket", allowed=cards.tickets, error=BoardFileError)
        known = cards.tickets[which]
    return _read_named(data, name, known=known, name="", trucks=cards.trucks)


def _entries(data: Mapping[str, Any], name: str, *, most: int) -> dict[str, Any]:
    value = data.get(name)
    entries = {} if value is None else fields.read_object(value, name, error=BoardFileError)
    if len(entries) > most:
        raise BoardFileError(name, f"an object with {len(entries)} fields", f"at most {most}")
    for key in entries:
        fields.read_name(key, f"a name under {name}", error=BoardFileError)
    return entries


def _read_truck(value: object, where: str, *, known: Truck | None, name: str) -> Truck:
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=("title", "profile"), error=BoardFileError)
    profile = data.get("profile")
    icons = (known.profile if known else None) if profile is None else _read_icons(profile, f"{where}.profile")
    return Truck(name, _title(data, where, default=known.title if known else _words(name)), icons)


def _read_named(value: object, where: str, *, known: Ticket | None, name: str, trucks: Mapping[str, Truck]) -> Ticket:
    data = fields.read_object(value, where, error=BoardFileError)
    fields.refuse_unknown(data, where, allowed=("title", "ingredients", "logo"), error=BoardFileError)
    ingredients, logo = data.get("ingredients"), data.get("logo")
    if ingredients is None and known is not None:
        icons = known.ingredients or ()
    else:
        icons = _read_icons(ingredients, f"{where}.ingredients")
    if logo is None:
        logo = known.logo if known else None
    else:
        what = f"the id of a truck, which may be listed under trucks without its profile: {', '.join(trucks)}"
        logo = fields.read_choice(logo, f"{where}.logo", allowed=trucks, error=BoardFileError, what=what)
    default = known.title if known else _words(name) or "+".join(icons)
    return Ticket(_title(data, where, default=default), icons, logo)


def _read_icons(value: object, where: str) -> Icons:
    icons = fields.read_list(value, where, error=BoardFileError, most=_MAX_ICONS)
    if not icons:
        raise BoardFileError(where, "an empty list", f"a list of {', '.join(INGREDIENTS)}")
    return tuple(
        fields.read_choice(icon, f"{where}[{index}]", allowed=INGREDIENTS, error=BoardFileError)
        for index, icon in enumerate(icons)
    )


def _title(data: Mapping[str, Any], where: str, *, default: str) -> str:
    title = data.get("title")
    return default if title is None else fields.read_name(title, f"{where}.title", error=BoardFileError)


def _words(identifier: str) -> str:
    return identifier.replace("_", " ").capitalize()

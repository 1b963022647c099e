"""House rules: which of the readings that the rulebook leaves open a table plays by."""

from __future__ import annotations

from collections.abc import Mapping

from scoring import fields
from scoring.charcuterie.catalogue import read_data
from scoring.charcuterie.points import MAX_POINTS
from scoring.errors import OptionsError, shown

HouseRules = Mapping[str, bool | int]

_RULES = read_data("house_rules.toml")
HOUSE_RULES: dict[str, str] = {name: rule["title"] for name, rule in _RULES.items()}
_ON = ("true", "on", "yes", "1")
_OFF = ("false", "off", "no", "0")
# A card's name may be set to a house rule ("cheese_matching=best_kind"); this spelling of the card is in use too.
_CARD_SPELLINGS = {"matching_cheese": "cheese_matching"}
_BY_CARD = {
    card: tuple(data["house_rules"]) for card, data in read_data("cards.toml")["cards"].items() if "house_rules" in data
}


def is_number(name: str) -> bool:
    """Say whether a house rule is a number rather than on or off.

    >>> is_number("no_dip_points"), is_number("best_kind")
    (True, False)
    """
    return "other" in _RULES[name]


def other_value(name: str, value: bool | int | None) -> bool | int:
    """Return the value of the other reading, given the one that is played (None: not set).

    >>> other_value("best_kind", None), other_value("no_dip_points", None), other_value("no_dip_points", -3)
    (True, -3, 0)
    """
    if not is_number(name):
        return not value
    default, other = int(_RULES[name]["default"]), int(_RULES[name]["other"])
    return other if value is None or value == default else default


def read_house_rules(value: object) -> dict[str, bool | int]:
    """Return the house rules that are set, on or off: from {name: value}, or from a list of "name" and "name=value".

    Raises OptionsError for a name or value that does not exist.

    >>> read_house_rules(["lone_tile_is_group", "no_dip_points=-3", "matching_cheese = best_kind"])
    {'lone_tile_is_group': True, 'no_dip_points': -3, 'best_kind': True}
    >>> read_house_rules({"best_shape": False})
    {'best_shape': False}
    """
    if value is None:
        return {}
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, Mapping):
        entries: list[tuple[object, object]] = list(value.items())
    else:
        listed = fields.read_list(value, "house_rules", error=OptionsError, most=100)
        entries = [_split(entry) for entry in listed]
    return dict(_read_entry(name, setting) for name, setting in entries)


def house_rules_in_play(file: object, options: object) -> dict[str, bool | int]:
    """Return the house rules that are on, where what a person asks for goes before what the file says.

    >>> house_rules_in_play(["best_kind", "best_shape"], ["best_kind=off"])
    {'best_shape': True}
    """
    rules = {**read_house_rules(file), **read_house_rules(options)}
    return {name: setting for name, setting in rules.items() if setting is not False}


def _split(entry: object) -> tuple[object, object]:
    if not isinstance(entry, str):
        raise OptionsError("house_rules", f"a list with {shown(entry)}", "texts like 'best_kind' or 'no_dip_points=-3'")
    name, equals, setting = entry.partition("=")
    return name.strip(), setting.strip() if equals else True


def _read_entry(name: object, setting: object) -> tuple[str, bool | int]:
    if isinstance(name, str) and _CARD_SPELLINGS.get(name, name) in _BY_CARD:
        allowed = _BY_CARD[_CARD_SPELLINGS.get(name, name)]
        return fields.read_choice(setting, f"house rule {name}", allowed=allowed, error=OptionsError), True
    rule = fields.read_choice(name, "house rule", allowed=_RULES, error=OptionsError)
    return rule, _read_number(rule, setting) if is_number(rule) else _read_flag(rule, setting)


def _read_number(name: str, setting: object) -> int:
    text = setting.strip() if isinstance(setting, str) else ""
    if text.removeprefix("-").removeprefix("+").isdecimal() and len(text) <= 6:
        setting = int(text)
    return fields.read_int(setting, f"house rule {name}", least=-MAX_POINTS, most=MAX_POINTS, error=OptionsError)


def _read_flag(name: str, setting: object) -> bool:
    text = str(setting).strip().lower() if isinstance(setting, str | bool | int) else ""
    if text in _ON or text in _OFF:
        return text in _ON
    raise OptionsError(f"house rule {name}", shown(setting), "on or off (also true, false, yes, no, 1, 0)")

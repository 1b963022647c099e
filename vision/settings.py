"""The thresholds of the reading, from `settings.toml`: one frozen dataclass a section."""

import tomllib
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

Section = TypeVar("Section")


@cache
def _document() -> dict[str, dict[str, Any]]:
    """The whole file, read once."""
    return tomllib.loads(files("vision").joinpath("settings.toml").read_text(encoding="utf-8"))


def load_section(name: str, section_type: type[Section]) -> Section:
    """Fill a dataclass from the section called `name`.

    The field names are the keys of the section, all of them and no others, so that a threshold that
    nothing reads and a threshold that is missing are both found at the first use.

    Raises:
        KeyError: the section is missing, or its keys are not the fields of `section_type`.
    """
    values = _document()[name]
    wanted = {field.name for field in fields(section_type)}  # type: ignore[arg-type]
    if wanted != set(values):
        missing, unread = sorted(wanted - set(values)), sorted(set(values) - wanted)
        raise KeyError(f"settings.toml [{name}]: missing {missing}, not read by any code {unread}")
    return section_type(**values)

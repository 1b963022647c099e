"""The table of styles: what one printing of the game looks like, as data in styles.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from datasets.synth.faces.palette import Mood

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """How the faces of an art are painted and cut; a pair of figures is a range each art draws from.

    `shade` is flat, cel, dome, soft, rim or wash; `finish` lists (name, strength) of what is done to the whole
    picture; `hand_mm` is how far each outline of a shape strays from the shared one.
    """

    name: str
    split: str
    mood: Mood = field(default_factory=Mood)
    shade: str = "soft"
    relief: float = 1.0
    light_deg: float = -120.0
    ink: str = "#2a211c"
    ink_mm: Range = (0.0, 0.0)
    wobble: float = 0.0
    texture: float = 0.15
    texture_mm: float = 2.0
    finish: tuple[tuple[str, float], ...] = ()
    margin: str = "#f7f4ec"
    margin_mm: Range = (0.0, 0.0)
    ground: tuple[str, ...] = ("napkin", "wood", "plate")
    gap: str = "margin"
    angle_deg: Range = (50.0, 65.0)
    back: tuple[str, ...] = ("curve",)
    tip_mm: Range = (0.0, 0.0)
    corner_mm: Range = (0.6, 1.5)
    square_corner_mm: Range = (1.5, 3.0)
    side_face: float = 0.2
    die: tuple[str, ...] = ("hug", "soft")
    hand_mm: float = 0.0
    variants: int = 1
    colours: Mapping[str, str] = field(default_factory=dict)


def _style(row: dict[str, Any]) -> Style:
    fields = {key: _frozen(value) for key, value in row.items() if key != "mood"}
    return Style(mood=Mood(**row.get("mood", {})), **fields)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def load_styles() -> dict[str, Style]:
    """Every style of styles.toml by name, in the file's order."""
    text = resources.files("datasets.synth.faces").joinpath("styles.toml").read_text("utf-8")
    return {row["name"]: _style(row) for row in tomllib.loads(text)["style"]}


STYLES = load_styles()
TRAIN_STYLES: tuple[str, ...] = tuple(name for name, style in STYLES.items() if style.split == "train")
EVAL_STYLES: tuple[str, ...] = tuple(name for name, style in STYLES.items() if style.split == "eval")

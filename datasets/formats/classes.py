"""What a detector tells apart on a photo, and where each thing shows, taken from a truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

CLASSES = ("wedge", "cluster", "round", "square", "board", "card")
"""Detector classes; the index is the label."""

Ring = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One thing on a photo: its class index and the rings (n, 2) px of its visible parts, the largest first."""

    label: int
    parts: tuple[Ring, ...]


def labelled(truth: dict[str, Any]) -> list[Labelled]:
    """Return the tiles, the board and the cards of a truth; what does not show at all is left out."""
    things = [(tile["shape"], tile["visible_px"]) for tile in truth["tiles"]]
    things.append(("board", [truth["board"]["outline_px"]]))
    things += [("card", [card]) for card in truth.get("cards_px", [])]
    found = (Labelled(CLASSES.index(name), tuple(np.asarray(p, np.float64) for p in parts)) for name, parts in things)
    return [thing for thing in found if thing.parts]


def area_px2(ring: Ring) -> float:
    """Return the area of a ring (n, 2)."""
    x, y = ring[:, 0], ring[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2

"""Enrolment sheets: the 27 kinds of an art laid out row by row on a bare table, as a person does."""

from __future__ import annotations

import numpy as np

from datasets.synth.scene import Art, PlacedTile, Scene
from scoring.charcuterie.catalogue import KINDS

PITCH_MM = 54.0
"""The largest face is 57 mm across its longest way; neighbours are turned so that they stay apart."""

ROWS = (7, 7, 7, 6)


def enrolment_scene(art: Art, rng: np.random.Generator) -> Scene:
    """Return the 27 kinds of an art laid out row by row, a little askew; the scene's outline is the table's part."""
    tiles: list[PlacedTile] = []
    kinds = iter(KINDS)
    for row, length in enumerate(ROWS):
        for column in range(length):
            kind = next(kinds)
            place = np.array([column, row]) * PITCH_MM + rng.normal(0.0, 0.8, 2)
            center = (float(place[0]), float(place[1]))
            tiles.append(PlacedTile(f"t{len(tiles)}", kind, 0, center, float(rng.normal(0.0, 3.0))))
    rim = PITCH_MM * 0.6
    right, bottom = PITCH_MM * (max(ROWS) - 1) + rim, PITCH_MM * (len(ROWS) - 1) + rim
    around = np.array([[-rim, -rim], [right, -rim], [right, bottom], [-rim, bottom]])
    return Scene(0, 2, around, (), None, "none", tuple(tiles), (), (), ())

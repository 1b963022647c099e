"""Photos with truth, made ready for training: small pictures in memory and their polygons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Instance:
    """One thing on the photo: its detector class and the polygons (n, 2) px of its visible part."""

    cls: int
    parts: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class TrainingPhoto:
    """A photo shrunk to `image` (h, w, 3) uint8, its instances and the board's outline (n, 2) in its pixels.

    On an enrolment sheet `board` are the points of all tiles.
    """

    name: str
    image: npt.NDArray[np.uint8]
    instances: tuple[Instance, ...]
    board: Points


def truth_files(folders: Iterable[Path]) -> list[Path]:
    """Truth files of all folders that have a picture beside them, in a fixed order."""
    return sorted(f for folder in folders for f in Path(folder).glob("*.json") if f.with_suffix(".jpg").exists())


def read_photo_with_truth(truth_file: Path, *, max_side_px: int, classes: Sequence[str]) -> TrainingPhoto:
    """Read one photo and its truth, shrunk so that its longer side is `max_side_px` at most."""
    truth: dict[str, Any] = json.loads(truth_file.read_text())
    image = cv2.imread(str(truth_file.with_suffix(".jpg")))
    if image is None:
        raise OSError(f"{truth_file.with_suffix('.jpg')} cannot be read as an image")
    scale = min(1.0, max_side_px / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    instances = [_tile_instance(tile, scale, classes) for tile in truth["tiles"]]
    instances += [
        Instance(classes.index("card"), (np.asarray(card, np.float32) * scale,)) for card in truth.get("cards_px", [])
    ]
    if truth["board"]:
        board = np.asarray(truth["board"]["outline_px"], np.float32) * scale
        instances.append(Instance(classes.index("board"), (board,)))
    else:
        board = np.concatenate([part for instance in instances for part in instance.parts])
    rgb = np.ascontiguousarray(small[:, :, ::-1])
    return TrainingPhoto(truth_file.stem, rgb, tuple(i for i in instances if i.parts), board)


def _tile_instance(tile: dict[str, Any], scale: float, classes: Sequence[str]) -> Instance:
    parts = tuple(np.asarray(part, np.float32) * scale for part in tile["visible_px"])
    return Instance(classes.index(tile["shape"]), parts)


def faces_to_px(truth: dict[str, Any]) -> npt.NDArray[np.float64]:
    """The map (3, 3) from board mm to px at the height of the faces, told by the tiles that lie on no other."""
    upper = {u for u, _ in truth["over"]}
    ground = [t for t in truth["tiles"] if t["id"] not in upper] or truth["tiles"]
    mm, px = (np.concatenate([np.asarray(t[key], float) for t in ground]) for key in ("footprint", "polygon_px"))
    return np.asarray(cv2.findHomography(mm, px)[0])

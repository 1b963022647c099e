"""The faces known without enrolment: mean descriptors of every training art, as the tile network sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops import BoardPhoto, Crop, cut, read_board_photo
from models.training.photos import truth_files
from scoring.charcuterie.catalogue import KINDS

Forward = Callable[[npt.NDArray[np.float32]], list[npt.NDArray[np.float32]]]

_MIN_VISIBLE = 0.75
"""A face covered further describes its neighbour too much to stand for its kind."""


def describe_arts(
    folders: Sequence[Path], forward: Forward, *, seed: int = 0
) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Names of the arts on photos with truth, and the descriptors of their faces.

    The descriptors (arts, 27, 96) have unit length, or are zero where a face was never seen.
    """
    kinds = list(KINDS)
    rng = np.random.default_rng(seed)
    sums: dict[str, npt.NDArray[np.float64]] = {}
    for file in truth_files(folders):
        crops = [c for c in _whole_crops(read_board_photo(file, kinds), rng) if c.face]
        if not crops:
            continue
        for crop, embedding in zip(crops, forward(_batch(crops))[1], strict=True):
            art, kind = crop.face.rsplit("/", 1)
            sums.setdefault(art, np.zeros((len(kinds), embedding.shape[0])))[kinds.index(kind)] += embedding
    names = sorted(sums)
    faces = np.stack([sums[n] for n in names]) if names else np.zeros((0, len(kinds), 1))
    length = np.linalg.norm(faces, axis=2, keepdims=True)
    return names, (faces / np.maximum(length, 1e-9)).astype(np.float32)


def _whole_crops(photo: BoardPhoto, rng: np.random.Generator) -> list[Crop]:
    image = cv2.cvtColor(cv2.imdecode(photo.jpeg, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    return [cut(photo, image, tile, rng) for tile in photo.tiles if tile.visible >= _MIN_VISIBLE]


def _batch(crops: Sequence[Crop]) -> npt.NDArray[np.float32]:
    pixels = np.stack([np.concatenate([c.image.transpose(2, 0, 1), c.hint[None]]) for c in crops])
    return pixels.astype(np.float32) / np.float32(255)


def save_arts(file: Path, names: Sequence[str], faces: npt.NDArray[np.float32]) -> None:
    """Write what `models.registry.load_arts` reads, in half precision."""
    np.savez_compressed(file, names=np.array(names), faces=faces.astype(np.float16))

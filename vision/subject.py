"""Which board on the photo is meant, what lies on it, and whether all of it is in view."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.crops import SHAPES
from vision.detector import Thing
from vision.errors import NoBoardFound, SeveralBoardsFound


def choose_board(things: Sequence[Thing], min_confidence: float) -> Thing:
    """The board meant: the one that holds most tiles; raises if there is none, or a second holds half as many."""
    boards = [t for t in things if t.cls == "board" and t.confidence >= min_confidence]
    tiles = [t for t in things if t.cls in SHAPES]
    if not boards:
        found = f"{len(tiles)} tiles but no board's outline" if tiles else "neither a board nor a tile can be seen"
        raise NoBoardFound(found)
    held = sorted(
        ((sum(belongs(t, b) for t in tiles), b) for b in boards), key=lambda item: (-item[0], -item[1].confidence)
    )
    if len(held) > 1 and held[1][0] >= max(3, 0.5 * held[0][0]) and not _same_place(held[0][1], held[1][1]):
        raise SeveralBoardsFound(len(held))
    return held[0][1]


def _same_place(a: Thing, b: Thing) -> bool:
    low, high = np.maximum(a.box[:2], b.box[:2]), np.minimum(a.box[2:], b.box[2:])
    common = np.prod(np.maximum(high - low, 0))
    return bool(common > 0.5 * min(np.prod(a.box[2:] - a.box[:2]), np.prod(b.box[2:] - b.box[:2])))


def belongs(tile: Thing, board: Thing) -> bool:
    """Whether any part of a tile lies on the board, by the rough masks."""
    grid = board.mask
    corners = cv2.perspectiveTransform(tile.box.reshape(1, 2, 2).astype(float), board.to_mask)[0]
    low, high = np.sort(corners, axis=0)
    x0, y0 = np.clip(np.floor(low).astype(int), 0, [grid.shape[1] - 1, grid.shape[0] - 1])
    x1, y1 = np.clip(np.ceil(high).astype(int) + 1, [x0 + 1, y0 + 1], [grid.shape[1], grid.shape[0]])
    return bool(grid[y0:y1, x0:x1].max() > 0.5)


def is_cut_off(board: Thing, shape: tuple[int, ...]) -> bool:
    """Whether the board reaches the edge of the photo along a good part of it."""
    outline = board.outline()
    edge = 0.006 * max(shape[:2])
    out = (outline < edge) | (outline > np.array([shape[1], shape[0]]) - edge)
    return bool(len(outline) and out.any(1).mean() > 0.06)

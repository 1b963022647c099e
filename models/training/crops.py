"""Crops of single tiles cut from photos with truth, for the tile network."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.light import relit
from models.training.photos import faces_to_px
from vision.crops import CROP_MM, CROP_PX, HINT_BOX, SHAPES
from vision.picture import GREY

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]
_FINE = 4
"""Masks are filled at four times the crop's resolution and averaged: an edge is placed to a tenth of a pixel."""


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One tile of a photo.

    Full outline and visible parts in px, its kind's index, its face's name ("" if not known), its shape's index.
    """

    outline: Floats
    parts: tuple[Floats, ...]
    kind: int
    face: str
    shape: int
    visible: float


@dataclass(frozen=True, slots=True)
class BoardPhoto:
    """A photo as JPEG bytes, and its tiles.

    `homography` (3, 3) maps board mm to px at the height of the tiles' faces; `seen` are the visible parts of all
    tiles, also of those hardly seen. `board` is None on an enrolment sheet.
    """

    jpeg: npt.NDArray[np.uint8]
    homography: Floats
    tiles: tuple[TileTruth, ...]
    others: tuple[Floats, ...]
    board: Floats | None
    ring: Floats | None
    seen: tuple[Floats, ...]


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop (128, 128, 3), the rough mask given, the masks wanted, and what it shows.

    Masks are 0..255: the tile's full outline, what is seen of it, the board, the ground within its ring (None where it
    has none printed), what is seen of any tile.
    """

    image: Pixels
    hint: Pixels
    full: Pixels
    seen: Pixels
    board: Pixels
    ring: Pixels | None
    tiles: Pixels
    kind: int
    face: str
    shape: int
    visible: float


def read_board_photo(truth_file: Path, kinds: list[str]) -> BoardPhoto:
    """Read a photo with truth; tiles of which less than a tenth is seen are left out."""
    truth: dict[str, Any] = json.loads(truth_file.read_text())
    art = f"{truth['art']['style']}/{truth['art']['seed']}"
    tiles = []
    for tile in truth["tiles"]:
        parts = tuple(np.asarray(p, float) for p in tile["visible_px"])
        if parts and tile["visible"] > 0.1:
            face = "" if truth["art"]["style"] == "mixed" else f"{art}/{tile['kind']}"
            tiles.append(
                TileTruth(
                    np.asarray(tile["polygon_px"], float),
                    parts,
                    kinds.index(tile["kind"]),
                    face,
                    SHAPES.index(tile["shape"]),
                    tile["visible"],
                )
            )
    others = tuple(np.asarray(c, float) for c in truth.get("cards_px", []))
    board, ring = _board_px(truth["board"])
    return BoardPhoto(
        np.fromfile(truth_file.with_suffix(".jpg"), np.uint8),
        faces_to_px(truth),
        tuple(tiles),
        others,
        board,
        ring,
        tuple(np.asarray(part, float) for tile in truth["tiles"] for part in tile["visible_px"]),
    )


def _board_px(board: dict[str, Any] | None) -> tuple[Floats | None, Floats | None]:
    """Outline of the board and of its inner ring in px, as far as there are any."""
    if board is None:
        return None, None
    outline = np.asarray(board["outline_px"], float)
    if not board.get("inner_ring"):
        return outline, None
    to_px, _ = cv2.findHomography(np.asarray(board["outline"], float), outline)
    return outline, cv2.perspectiveTransform(np.asarray(board["inner_ring"], float)[None], to_px)[0]


def _crop_homography(homography: Floats, center_px: Floats, rng: np.random.Generator) -> Floats:
    """Homography (3, 3) from photo px to crop px: turned at random, a little stretched, off centre by some mm."""
    center = cv2.perspectiveTransform(center_px.reshape(1, 1, 2), np.linalg.inv(homography))[0, 0]
    turn = rng.uniform(0, 2 * math.pi)
    scale = CROP_PX / CROP_MM * math.exp(rng.normal(0, 0.05))
    c, s = math.cos(turn), math.sin(turn)
    lean = rng.uniform(0, math.pi)
    stretch = math.exp(rng.normal(0, 0.025))
    r = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
    a = scale * np.array([[c, -s], [s, c]]) @ r @ np.diag([stretch, 1 / stretch]) @ r.T
    shift = CROP_PX / 2 + rng.normal(0, 3.0, 2) - a @ center
    to_crop = np.vstack([np.hstack([a, shift[:, None]]), [0, 0, 1]])
    return np.asarray(to_crop @ np.linalg.inv(homography))


def _fill(polygons: tuple[Floats, ...], to_crop: Floats) -> Pixels:
    side = CROP_PX * _FINE
    canvas = np.zeros((side, side), np.uint8)
    for polygon in polygons:
        moved = (cv2.perspectiveTransform(polygon.reshape(1, -1, 2), to_crop)[0] + 0.5) * _FINE - 0.5
        if (moved.max(0) > 0).all() and (moved.min(0) < side).all():
            cv2.fillPoly(canvas, [np.round(moved * 16).astype(np.int32)], 255, shift=4)
    return cv2.resize(canvas, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)


def rough_mask(mask: Pixels, rng: np.random.Generator) -> Pixels:
    """What the detector would give: coarse, shifted, a little too large or small, sometimes with a bite or a bulge."""
    cells = int(rng.integers(20, 40))
    shifted = cv2.warpAffine(
        mask, np.array([[1, 0, rng.normal(0, 2)], [0, 1, rng.normal(0, 2)]], np.float32), (CROP_PX, CROP_PX)
    )
    if rng.random() < 0.25:
        x, y, r = *rng.integers(0, CROP_PX, 2), int(rng.integers(6, 18))
        cv2.circle(shifted, (int(x), int(y)), r, 255 if rng.random() < 0.4 else 0, -1)
    coarse = cv2.resize(shifted, (cells, cells), interpolation=cv2.INTER_AREA)
    smooth = cv2.resize(coarse, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    return np.where(smooth > rng.uniform(80, 175), 255, 0).astype(np.uint8)


def box_hint(parts: tuple[Floats, ...], to_crop: Floats, mask: Pixels, rng: np.random.Generator) -> Pixels:
    """The hint: the detector's box at one half, and in two crops of five its rough mask within the box at one.

    The box (upright on the photo) is found well early in training, the mask late; a network that had learned to copy
    good masks would copy bad ones.
    """
    points = np.concatenate(parts)
    low, high = points.min(0), points.max(0)
    slack = rng.normal(0, 0.04, 4) * np.tile(high - low, 2)
    (x0, y0), (x1, y1) = low + slack[:2], high + slack[2:]
    box = _fill((np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]),), to_crop)
    inner = rough_mask(mask, rng) if rng.random() < 0.4 else np.zeros_like(mask)
    return np.where(box > 127, np.where(inner > 127, 255, HINT_BOX), 0).astype(np.uint8)


def cut(photo: BoardPhoto, image: Pixels, tile: TileTruth, rng: np.random.Generator) -> Crop:
    """One augmented crop of a tile; `image` (h, w, 3) is the decoded photo."""
    center = np.concatenate(tile.parts).mean(0)
    to_crop = _crop_homography(photo.homography, center, rng)
    pixels = cv2.warpPerspective(image, to_crop, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderValue=GREY)
    full, seen = _fill((tile.outline,), to_crop), _fill(tile.parts, to_crop)
    return Crop(
        relit(pixels, rng),
        box_hint(tile.parts, to_crop, seen, rng),
        full,
        seen,
        *_ground(photo, to_crop),
        tile.kind,
        tile.face,
        tile.shape,
        tile.visible,
    )


def _ground(photo: BoardPhoto, to_crop: Floats) -> tuple[Pixels, Pixels | None, Pixels]:
    """The board, the ground within its ring, and whatever is seen of any tile."""
    ring = None if photo.ring is None else _fill((photo.ring,), to_crop)
    board = () if photo.board is None else (photo.board,)
    return _fill(board, to_crop), ring, _fill(photo.seen, to_crop)


def cut_nothing(photo: BoardPhoto, image: Pixels, rng: np.random.Generator) -> Crop | None:
    """A crop of no tile, with a hint all the same: a card, the table, the bare board; None where a tile is in it."""
    h, w = image.shape[:2]
    if photo.others and rng.random() < 0.5:
        center = photo.others[int(rng.integers(len(photo.others)))].mean(0) + rng.normal(0, 20, 2)
    else:
        center = rng.uniform(0, 1, 2) * [w, h]
    to_crop = _crop_homography(photo.homography, center, rng)
    blob = np.zeros((CROP_PX, CROP_PX), np.uint8)
    size = rng.uniform(22, 42, 2)
    cv2.ellipse(blob, (64, 64), (int(size[0]), int(size[1])), float(rng.uniform(0, 180)), 0, 360, 255, -1)
    for tile in photo.tiles:
        if (_fill((tile.outline,), to_crop) & blob).any():
            return None
    pixels = cv2.warpPerspective(image, to_crop, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderValue=GREY)
    empty = np.zeros((CROP_PX, CROP_PX), np.uint8)
    return Crop(
        relit(pixels, rng),
        np.where(rough_mask(blob, rng) > 127, HINT_BOX, 0).astype(np.uint8),
        empty,
        empty,
        *_ground(photo, to_crop),
        -1,
        "",
        SHAPES.index("none"),
        1.0,
    )

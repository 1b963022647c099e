"""Keeps learning: a photo and its corrected board teach an art the faces that it did not know well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.artpack import ArtPack, NothingLearned, with_lesson
from models.artpacks import ArtShelf
from models.enrolling import load_art, sound, tilenet_sha256, up_to_date
from models.evaluate import match_tiles
from models.registry import Networks
from scoring import Board, Placement
from scoring.charcuterie.catalogue import KINDS
from vision.crops import FULL, contour_mm, look_at_tiles
from vision.detector import Thing
from vision.enrolment import describe, face_picture
from vision.faces import Art, Face
from vision.image import Photo
from vision.outlines import middle
from vision.picture import Picture
from vision.reading import Reading, read_photo

Floats = npt.NDArray[np.float64]

LEAST_VISIBLE = 0.8
"""A face that is covered by more would teach the tile that covers it."""


@dataclass(frozen=True, slots=True)
class Taught:
    """What a corrected photo taught: the pack as it is now, and the faces it learned (none: the pack is unchanged)."""

    pack: ArtPack
    faces: tuple[Face, ...]


def teach(
    shelf: ArtShelf,
    name: str,
    photo: Photo,
    board: Board,
    networks: Networks,
    *,
    source: str,
    made: str,
    everything: bool = False,
) -> Taught:
    """Learn from a photo and its corrected board, and keep what was learned as the pack's last lesson.

    `networks` are those that come with boardsnap; a reading takes those adapted to the art, where there are any.
    `source` is the photo's name and `made` the time, as `models.artpack.utc_text` tells it; see `faces_to_learn`.

    Raises:
        ArtUnknown: there is no pack of this name.
        ArtPackError: the pack is damaged.
        NothingLearned: no tile of the board says where it lies on the photo.
        NoBoardFound: the photo cannot be read.
    """
    art, adapted = load_art(name, networks, home=shelf.folder.parent)
    faces = faces_to_learn(photo, board, art, adapted, source=source, everything=everything)
    if not faces:
        return Taught(shelf.load(name), ())
    descriptors = describe([face.picture for face in faces], [face.outline for face in faces], networks.tilenet)
    faces = tuple(replace(face, descriptor=d) for face, d in zip(faces, descriptors, strict=True))

    def lesson(current: ArtPack) -> ArtPack:
        current = up_to_date(current, networks.tilenet)
        return with_lesson(current, faces, network=tilenet_sha256(), photo=source, made=made)

    return Taught(shelf.change(name, lesson), faces)


def faces_to_learn(
    photo: Photo, board: Board, art: Art, networks: Networks, *, source: str, everything: bool = False
) -> tuple[Face, ...]:
    """The faces that a corrected board teaches an art.

    Of the tiles that show four fifths or more, those whose kind the reading with this art gets wrong; `everything`
    takes those it gets right too. `board` needs `polygon_px` of its tiles, and `source` names the photo.

    Raises:
        NothingLearned: no tile says where it lies on the photo.
        NoBoardFound: the photo cannot be read.
    """
    if all(placement.polygon_px is None for placement in board.placements):
        raise NothingLearned(
            "The board file does not say where its tiles lie on the photo (polygon_px). "
            "Correct the file that boardsnap score --json made of this photo."
        )
    reading = read_photo(photo, networks, players=board.players, art=art)
    tiles = [placement for placement in board.placements if _shows(placement)]
    if not everything:
        tiles = _misread(tiles, reading, board)
    return _faces(photo, tiles, reading, networks, source) if tiles else ()


def _shows(placement: Placement) -> bool:
    return placement.polygon_px is not None and (placement.visible is None or placement.visible >= LEAST_VISIBLE)


def _misread(tiles: Sequence[Placement], reading: Reading, board: Board) -> list[Placement]:
    """The tiles that the reading found and called another kind."""
    found = {true: read for read, true in match_tiles(reading.board, board).items()}
    kinds = {placement.id: placement.kind for placement in reading.board.placements}
    return [tile for tile in tiles if tile.id in found and kinds[found[tile.id]] != tile.kind]


def _faces(
    photo: Photo, tiles: Sequence[Placement], reading: Reading, networks: Networks, source: str
) -> tuple[Face, ...]:
    """Faces of tiles, drawn in the plane of the reading, with the outlines that the tile network sees."""
    to_mm = _plane(reading, photo.scale)
    things = [_thing(tile, photo.scale) for tile in tiles]
    centers = np.stack([(thing.box[:2] + thing.box[2:]) / 2 for thing in things]).astype(float)
    centers_mm = cv2.perspectiveTransform(centers[None], to_mm)[0]
    looks = look_at_tiles(Picture(photo.rgb), things, centers_mm, to_mm, networks.tilenet)
    outlines = [(tile.kind, contour_mm(look, FULL)) for tile, look in zip(tiles, looks, strict=True)]
    drawn = [(kind, outline, middle(outline)) for kind, outline in outlines if len(outline)]
    pictures = [face_picture(photo.rgb, to_mm, center) for _, _, center in drawn]
    centred = [outline - center for _, outline, center in drawn]
    descriptors = describe(pictures, centred, networks.tilenet)
    parts = zip(drawn, pictures, centred, descriptors, strict=True)
    return tuple(sound(Face(kind, image, outline, d, source)) for (kind, _, _), image, outline, d in parts)


def _plane(reading: Reading, scale: float) -> Floats:
    """The map (3, 3) from photo px to plane mm that the reading's tiles tell."""
    pairs = [
        (np.array(p.polygon_px) * scale, np.array(p.footprint.exterior.coords)[:-1])
        for p in reading.board.placements
        if p.polygon_px is not None and p.footprint is not None
    ]
    px, mm = (np.concatenate(points).astype(np.float64) for points in zip(*pairs, strict=True))
    to_mm, _ = cv2.findHomography(px, mm)
    return np.asarray(to_mm, np.float64)


def _thing(tile: Placement, scale: float) -> Thing:
    """The tile as the detector would have found it."""
    points = np.array(tile.polygon_px) * scale
    box = np.concatenate([points.min(0), points.max(0)]).astype(np.float32)
    return Thing.of_box(KINDS[tile.kind].shape, 1.0, box)

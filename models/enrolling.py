"""Enrolment: the tiles on photos of a copy laid out become the faces of an art pack.

The recipe: find the tiles on each photo (`sheet_of`); name them from a layout (`read_layout`, `name_tiles`) or by
asking; make faces of them (`faces_of`); put these into a pack (`enrolled`); say what it knows now (`learned`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np
import shapely
from shapely import Polygon

from models.adapted import AdaptedShelf
from models.artpack import ArtPack, KeptFace, with_faces
from models.artpacks import ArtShelf
from models.registry import Networks, read_manifest
from scoring.charcuterie.catalogue import KINDS, similar_kind
from scoring.errors import BoardsnapError, FieldError, shown
from vision.enrolment import Sheet, describe, is_faint, read_sheet
from vision.faces import Art, Face
from vision.image import Photo
from vision.looking import Forward
from vision.recognition import confusions

SKIP = "-"
_MAX_LAYOUT_LINES = 1000
Kinds = tuple[str | None, ...]  # a kind for each tile, None for one to skip


class LayoutError(FieldError):
    """A layout names what is no kind."""

    code: ClassVar[str] = "layout_invalid"


class TileCountError(BoardsnapError):
    """More or fewer tiles were found than the layout names."""

    code: ClassVar[str] = "layout_does_not_fit"


class OutOfStepError(TileCountError):
    """As many tiles were found as the layout names, in another order."""

    code: ClassVar[str] = "layout_out_of_step"


@dataclass(frozen=True, slots=True)
class PhotoSheet:
    """The tiles of one enrolment photo; `photo` is its name, without its folder."""

    photo: str
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Learned:
    """What an art knows: faces of each kind, kinds without one, and pairs likely to be confused, likeliest first.

    `confusions` holds (kind, kind it is taken for, share of its views in which it is, 0..1); of the kinds in `faint` no
    face shows its print clearly.
    """

    faces: dict[str, int]
    missing: tuple[str, ...]
    confusions: tuple[tuple[str, str, float], ...]
    faint: tuple[str, ...] = ()

    @property
    def ask_again(self) -> tuple[str, ...]:
        """Kinds of which another photo would help most."""
        worst = [kind for a, b, share in self.confusions if share >= _WORTH_A_PHOTO for kind in (a, b)]
        return tuple(dict.fromkeys((*self.missing, *self.faint, *worst)))


_MOST_PAIRS = 3
_WORTH_A_PHOTO = 0.05
"""Share of confusion from which another photo of two kinds is asked for."""


def tilenet_sha256() -> str:
    """The sha256 of the tile network that descriptors are made with."""
    return read_manifest()["tilenet"].sha256


def package_version() -> str:
    """The version of boardsnap; "0" where it runs without being installed."""
    try:
        return version("boardsnap")
    except PackageNotFoundError:
        return "0"


def sheet_of(photo: Photo, name: str, networks: Networks) -> PhotoSheet:
    """Find the tiles of an enrolment photo; see `vision.enrolment.read_sheet` for what it raises."""
    return PhotoSheet(name, read_sheet(photo, networks.detector, networks.tilenet))


def read_layout(text: str) -> Kinds:
    """The kinds of a layout: one id a line, in the order of the tiles; `-` skips a tile, `#` begins a comment.

    Raises:
        LayoutError: a line names no kind; the message suggests the nearest.
    """
    kinds: list[str | None] = []
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.partition("#")[0].strip()
        if word:
            kinds.append(None if word == SKIP else read_kind(word, f"line {number} of the layout"))
    if not kinds or len(kinds) > _MAX_LAYOUT_LINES:
        raise LayoutError("the layout", f"one of {len(kinds)} names", f"1 to {_MAX_LAYOUT_LINES}, one a line")
    return tuple(kinds)


def read_kind(word: str, field: str) -> str:
    """Return a kind's id.

    Raises:
        LayoutError: there is no such kind.
    """
    if word in KINDS:
        return word
    close = similar_kind(word)
    hint = f"Did you mean {close!r}?" if close else "The kinds: " + ", ".join(KINDS) + "."
    raise LayoutError(field, shown(word), f"one of the {len(KINDS)} kinds, or {SKIP} to skip a tile", hint=hint)


def name_tiles(sheets: Sequence[PhotoSheet], layout: Kinds) -> list[Kinds]:
    """The kinds of each photo's tiles: the layout runs over all photos, or begins anew at each if all fit it.

    Raises:
        TileCountError: neither fits; the message tells the tiles found, row by row.
    """
    counts = [len(one.sheet.tiles) for one in sheets]
    if sum(counts) == len(layout):
        ends = np.cumsum([0, *counts]).tolist()
        return [layout[a:b] for a, b in pairwise(ends)]
    if all(count == len(layout) for count in counts):
        return [layout] * len(sheets)
    raise TileCountError(
        f"The layout names {len(layout)} tiles, and {sum(counts)} were found. {_found(sheets)} "
        "Correct the layout (- skips a tile), or take the photo again with all tiles apart and in view."
    )


def check_in_step(sheets: Sequence[PhotoSheet], kinds: Sequence[Kinds]) -> None:
    """Refuse a layout that names tiles of quite other shapes: it is out of step with the rows and teaches nonsense.

    Raises:
        OutOfStepError: of more than a quarter of the tiles the shape is not that of their kind.
    """
    odd, named = odd_shapes(sheets, kinds), sum(kind is not None for names in kinds for kind in names)
    if len(odd) > max(2, named / 4):
        raise OutOfStepError(
            f"{len(odd)} of {named} tiles are of another shape than the kind that the layout gives them, "
            f"so it does not follow the rows on the photo. {_found(sheets)} The first that differs: {odd[0]} "
            "Lay straight rows with wide gaps between them, hold the phone square to them, or correct the layout."
        )


def _found(sheets: Sequence[PhotoSheet]) -> str:
    """The tiles found, row by row, in words."""
    return " ".join(f"{one.photo}: {'; '.join(_rows(one.sheet))}." for one in sheets)


def _rows(sheet: Sheet) -> list[str]:
    rows: dict[int, list[str]] = {}
    for tile in sheet.tiles:
        rows.setdefault(tile.row, []).append(tile.shape)
    return [f"row {row + 1} has {len(shapes)} ({', '.join(shapes)})" for row, shapes in sorted(rows.items())]


def faces_of(sheets: Sequence[PhotoSheet], kinds: Sequence[Kinds]) -> tuple[Face, ...]:
    """The faces of the tiles that have a kind."""
    return tuple(
        sound(tile.face(kind, one.photo))
        for one, names in zip(sheets, kinds, strict=True)
        for tile, kind in zip(one.sheet.tiles, names, strict=True)
        if kind is not None
    )


def odd_shapes(sheets: Sequence[PhotoSheet], kinds: Sequence[Kinds]) -> list[str]:
    """Sentences on tiles that look of another shape than their kind has: a layout may be out of step with the photo."""
    return [
        f"{one.photo}: tile {number} (row {tile.row + 1}) looks {tile.shape}; {kind} is {KINDS[kind].shape}."
        for one, names in zip(sheets, kinds, strict=True)
        for number, (tile, kind) in enumerate(zip(one.sheet.tiles, names, strict=True), start=1)
        if kind is not None and KINDS[kind].shape != tile.shape
    ]


def sound(face: Face) -> Face:
    """The face with an outline that does not cross itself; drawn ones may, by a hair."""
    polygon = Polygon(face.outline)
    if polygon.is_valid:
        return face
    parts = shapely.get_parts(polygon.buffer(0))
    largest = max(parts, key=shapely.area)
    return replace(face, outline=np.asarray(shapely.get_coordinates(largest.exterior)[:-1], np.float64))


def enrolled(
    name: str,
    faces: Sequence[Face],
    *,
    made: str,
    round_mm: float | None = None,
    onto: ArtPack | None = None,
) -> ArtPack:
    """A pack of faces, new, or `onto` one that there is; `round_mm` states the true diameter of a round tile.

    Raises:
        ArtPackError: there are no faces, or more than a pack may hold.
    """
    pack = onto if onto is not None else ArtPack(name, (), made, package_version())
    if round_mm is not None:
        pack = replace(pack, round_mm=round_mm)
    return with_faces(pack, faces, network=tilenet_sha256())


def up_to_date(pack: ArtPack, tilenet: Forward) -> ArtPack:
    """The pack with descriptors of the tile network there is; those that another one made are made again."""
    network = tilenet_sha256()
    stale = [known for known in pack.faces if known.network != network]
    return _described(pack, stale, tilenet, network) if stale else pack


def _described(pack: ArtPack, stale: Sequence[KeptFace], tilenet: Forward, network: str) -> ArtPack:
    """The pack with new descriptors of some of its faces."""
    made = describe([known.face.picture for known in stale], [known.face.outline for known in stale], tilenet)
    fresh = {
        known.file: replace(known, face=replace(known.face, descriptor=descriptor), network=network)
        for known, descriptor in zip(stale, made, strict=True)
    }
    return replace(pack, faces=tuple(fresh.get(known.file, known) for known in pack.faces))


def load_art(name: str, base: Networks, *, home: Path | None = None) -> tuple[Art, Networks]:
    """The art of a pack on disk, and the networks to read it with: those adapted to it where there are any.

    Raises:
        ArtUnknown: there is no pack of this name.
        ArtPackError: the pack is damaged.
    """
    pack = ArtShelf(home).load(name)
    networks = AdaptedShelf(home).networks(pack.name, base)
    if networks.tilenet is base.tilenet:
        return up_to_date(pack, base.tilenet).art, networks
    # The pack keeps what the base network saw: another network's descriptors cannot be compared with those.
    return _described(pack, pack.faces, networks.tilenet, "").art, networks


def learned(pack: ArtPack, tilenet: Forward | None = None) -> Learned:
    """What a pack knows; which kinds may be confused only where there is a network to try its faces on."""
    art = replace(pack, round_mm=None).art  # outlines at the scale of the pictures
    counts = Counter(face.kind for face in art.faces)
    confused = [] if tilenet is None else confusions(art, tilenet)
    faint = tuple(kind for kind in art.kinds if all(is_faint(face) for face in art.of_kind(kind)))
    return Learned({kind: counts[kind] for kind in art.kinds}, art.missing, _both_ways(confused), faint)


def _both_ways(confused: Sequence[tuple[str, str, float]]) -> tuple[tuple[str, str, float], ...]:
    """The likeliest pairs, each once: the share of the likelier way."""
    pairs: dict[frozenset[str], tuple[str, str, float]] = {}
    for seen, taken, share in confused:
        known = pairs.get(frozenset((seen, taken)))
        if known is None or known[2] < share:
            pairs[frozenset((seen, taken))] = (seen, taken, share)
    return tuple(sorted(pairs.values(), key=lambda pair: (-pair[2], pair[:2])))[:_MOST_PAIRS]

"""A photo read: from pixels to a board in millimetres, with what is in doubt put as questions.

The recipe: find the things on the photo (detector); look closely at each tile in the plane of the faces, which the
tiles themselves tell (looking: rectify, crops); name the kinds (identify); fit full outlines, tell who lies on whom and
who touches whom (laying: outlines, stacking, leaning); draw the board's edge (ground); put what is within the measured
error as questions (doubts).
A reading never knows a score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
import shapely.affinity
from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import KINDS, finished_counts
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import Question
from vision import ground
from vision.alignment import common_scale
from vision.apart import Found, as_laid, tell_apart
from vision.crops import SHAPES, TileLook
from vision.detector import detect
from vision.doubts import questions_about
from vision.faces import Art
from vision.identify import Identity, KnownArts, identify
from vision.image import Photo
from vision.laying import Laid, lay_out
from vision.leaning import Lean
from vision.looking import distinct, look_closely
from vision.outlines import Edge, edge_of
from vision.overlooked import look_for_overlooked
from vision.picture import Picture
from vision.prints import prints_of, round_mm
from vision.recognition import recognise
from vision.rectify import ROUND_MM, Plane
from vision.seams import Seam, SeamTile, seams_of
from vision.settings import load_section
from vision.stacking import visible_shares
from vision.subject import belongs, choose_board, is_cut_off

Floats = npt.NDArray[np.float64]
Pairs = tuple[tuple[str, str], ...]
Forward = Callable[[npt.NDArray[np.float32]], list[npt.NDArray[np.float32]]]


class Networks(Protocol):
    """The networks a reading needs, and the arts whose faces are known."""

    @property
    def detector(self) -> Forward: ...
    @property
    def tilenet(self) -> Forward: ...
    @property
    def seamnet(self) -> Forward: ...
    @property
    def arts(self) -> KnownArts | None: ...


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """Thresholds of a reading; reasons stand in `settings.toml`."""

    min_confidence: float
    min_confidence_without_art: float
    sure_confidence: float
    min_board_confidence: float
    look_again_below: float
    min_tile_probability: float
    same_seen: float
    tile_thickness_mm: float
    face_sharpness: float
    art_cosine: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What vision made of a photo: the board, the questions on it, the art recognised, and the time each stage took."""

    board: Board
    questions: tuple[Question, ...]
    art: str | None = None
    timings_ms: dict[str, float] = field(default_factory=dict)


class _Clock:
    """Times of the stages in ms."""

    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.times[stage] = self.times.get(stage, 0.0) + 1000 * (now - self._last)
        self._last = now


def read_photo(photo: Photo, networks: Networks, *, players: int | None = None, art: Art | None = None) -> Reading:
    """Read the board on a photo.

    `art` is the player's own copy of the game, as learned by enrolment. Raises
    NoBoardFound, or SeveralBoardsFound where two boards are in view and neither is clearly the one meant.
    """
    picture, settings = Picture(photo.rgb), load_section("reading", ReadingSettings)
    counts = finished_counts(players)
    clock = _Clock()
    confidence = settings.min_confidence_without_art if art is None else settings.min_confidence
    things = detect(picture, networks.detector, confidence=confidence, look_again_below=settings.look_again_below)
    board = choose_board(things, settings.min_board_confidence)
    tiles = [t for t in things if t.cls in SHAPES and belongs(t, board)]
    clock.lap("detect")
    plane, looks, edges = look_closely(picture, tiles, networks.tilenet)
    real = [i for i in distinct(looks, settings.same_seen) if _is_real(looks[i], edges[i], settings)]
    looks, edges = [looks[i] for i in real], [edges[i] for i in real]
    clock.lap("look")
    found, art_name = _identified(looks, edges, art, networks.arts, settings)
    if not _may_be_all(len(found), counts):
        shown = [as_laid(tile) for tile in found]
        for look in look_for_overlooked(picture, shown, plane, networks.tilenet):
            if _is_real(look, edge := edge_of(look), settings):
                looks.append(look)
                edges.append(edge)
        found, art_name = _identified(looks, edges, art, networks.arts, settings, counts)
    found, left_out = _no_more_than(max(counts), found, settings.sure_confidence)
    clock.lap("identify")
    looks = [tile.look for tile in found]
    identities = [tile.identity for tile in found]
    laid = _laid(found, art, plane, settings, partial(_seams, picture, plane, looks, networks.seamnet))
    clock.lap("outlines")
    outline = ground.board_outline(picture, board, laid.polygons, plane, tile_mm=settings.tile_thickness_mm)
    ring = ground.ring_outline(board, looks, plane, tile_mm=settings.tile_thickness_mm) if players == 6 else None
    clock.lap("ground")
    # A photo over the working size was reduced; outlines are told in the pixels of the photo as it came.
    enlarge = np.diag([1 / photo.scale, 1 / photo.scale, 1.0])
    tiles_read = _placements(identities, laid, np.asarray(enlarge @ np.linalg.inv(plane.to_mm), np.float64))
    over, contacts = _relations(laid)
    result = Board(tiles_read, over=over, contacts=contacts, players=players, outline=outline, inner_ring=ring)
    sure = [look.thing.confidence for look in looks]
    rough = ground.rough_outline(board, plane, tile_mm=settings.tile_thickness_mm)
    cut_off = is_cut_off(board, photo.rgb.shape)
    questions = questions_about(result, identities, sure, laid.met, cut_off=cut_off, rough=rough, left_out=left_out)
    clock.lap("board")
    return Reading(_true_size(result, art), questions, art_name, clock.times)


def _identified(
    looks: Sequence[TileLook],
    edges: Sequence[Edge],
    art: Art | None,
    known: KnownArts | None,
    settings: ReadingSettings,
    counts: Sequence[int] = (),
) -> tuple[list[Found], str | None]:
    """The tiles with their kinds, and the name of the art: the player's own, or a known one that is recognised."""
    if art is None:
        named, name = identify(looks, known, sharpness=settings.face_sharpness, art_cosine=settings.art_cosine)
        return [Found(*tile, None) for tile in zip(looks, edges, named, strict=True)], name
    identities, prints = recognise(looks, edges, art)
    found = [Found(*tile) for tile in zip(looks, edges, identities, prints, strict=True)]
    return tell_apart(found, prints_of(art), counts=counts), art.name


def _no_more_than(most: int, found: Sequence[Found], sure: float) -> tuple[list[Found], int]:
    """The tiles without the least clear of those below a confidence, as far as they are more than `most`; how many."""
    doubtful = sorted((tile.look.thing.confidence, k) for k, tile in enumerate(found))[: max(0, len(found) - most)]
    out = {k for confidence, k in doubtful if confidence < sure}
    return [tile for k, tile in enumerate(found) if k not in out], len(out)


def _laid(
    found: Sequence[Found],
    art: Art | None,
    plane: Plane,
    settings: ReadingSettings,
    seams: Callable[[Sequence[Floats]], Mapping[tuple[int, int], Seam]],
) -> Laid:
    """How the tiles lie; where the art is the player's own, by its outlines at the size of its prints."""
    scale = common_scale([tile.edge for tile in found], [tile.print for tile in found])
    return lay_out(
        [tile.edge if tile.print is None else tile.print.edge(tile.edge, scale) for tile in found],
        [_shape(tile, art) for tile in found],
        [tile.identity.kinds[0] for tile in found],
        camera_height_mm=plane.camera_height_mm,
        thickness_mm=settings.tile_thickness_mm,
        seams_of=seams,
        known={} if art is None else {p.kind: scale.outline(p) for p in reversed(prints_of(art))},
    )


def _seams(
    picture: Picture, plane: Plane, looks: Sequence[TileLook], seamnet: Forward, outlines: Sequence[Floats]
) -> Mapping[tuple[int, int], Seam]:
    """What is seen where the outlines, as they look, of the looks' tiles meet."""
    tiles = [SeamTile.of(outline, look) for outline, look in zip(outlines, looks, strict=True)]
    return seams_of(picture, plane.to_mm, tiles, seamnet)


def _shape(tile: Found, art: Art | None) -> str:
    """The shape that a tile is seen to have, or that of its kind where faces decided: a bowl may hide its square."""
    return SHAPES[int(tile.look.shapes[:4].argmax())] if art is None else KINDS[tile.identity.kinds[0]].shape


def _true_size(board: Board, art: Art | None) -> Board:
    """The board in true millimetres where the art's are; a reading itself takes rounds as `rectify.ROUND_MM` across."""
    if art is None or not art.mm_known:
        return board
    factor = round_mm(art) / ROUND_MM

    def sized(area: Polygon | None) -> Polygon | None:
        return None if area is None else shapely.affinity.scale(area, factor, factor, origin=(0, 0))

    tiles = tuple(replace(p, footprint=sized(p.footprint)) for p in board.placements)
    return replace(board, placements=tiles, outline=sized(board.outline), inner_ring=sized(board.inner_ring))


def _may_be_all(count: int, counts: Sequence[int]) -> bool:
    """Whether a finished board, which holds one of `counts`, may hold no more tiles than these."""
    return count in counts or count > max(counts)


def _is_real(look: TileLook, edge: Edge, settings: ReadingSettings) -> bool:
    """Whether a look shows a tile indeed."""
    return 1 - look.shapes[4] >= settings.min_tile_probability and len(edge.points) > 0


def _relations(laid: Laid) -> tuple[Pairs, Pairs]:
    """Pairs (upper, lower), and pairs that touch."""
    contacts = [(m.a, m.b) for m in laid.met if m.touches]
    over, touching = (tuple((_name(a), _name(b)) for a, b in pairs) for pairs in (laid.over, contacts))
    return over, touching


def _name(index: int) -> str:
    return f"t{index}"


def _placements(identities: Sequence[Identity], laid: Laid, from_plane: Floats) -> tuple[Placement, ...]:
    shares = visible_shares(laid.polygons, laid.over)
    tiles = zip(identities, laid.polygons, laid.footprints, laid.leans, shares, strict=True)
    return tuple(
        Placement(
            _name(index),
            identity.kinds[0],
            footprint,
            _on_photo(polygon, lean, from_plane),
            visible=round(share, 4),
            confidence=round(identity.probabilities[0], 4),
        )
        for index, (identity, polygon, footprint, lean, share) in enumerate(tiles)
    )


def _on_photo(polygon: Polygon, lean: Lean, from_plane: Floats) -> tuple[tuple[float, float], ...]:
    """Where the face of a tile is seen on the photo, hidden part included."""
    points = lean.apparent(np.asarray(polygon.exterior.coords)[:-1])
    px = cv2.perspectiveTransform(points[None], from_plane)[0]
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in px)

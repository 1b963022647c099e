"""A photo read: from pixels to a board in millimetres, with what is in doubt put as questions.

The recipe: find the things on the photo (detector); look closely at each tile in the plane of the faces, which the
tiles themselves tell (looking: rectify, crops); name the kinds (identify); fit full outlines, tell who lies on whom and
who touches whom (laying: outlines, stacking, leaning); draw the board's edge (ground); put what is within the measured
error as questions (doubts).
A reading never knows a score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
import shapely.affinity
from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import KINDS
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import Question
from vision import ground
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
from vision.recognition import recognise
from vision.rectify import ROUND_MM
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
    def arts(self) -> KnownArts | None: ...


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """Thresholds of a reading; reasons stand in `settings.toml`."""

    min_confidence: float
    min_board_confidence: float
    look_again_below: float
    min_tile_probability: float
    same_seen: float
    contact_gap_mm: float
    sliver_mm: float
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
    image, settings = photo.rgb, load_section("reading", ReadingSettings)
    clock = _Clock()
    things = detect(
        image, networks.detector, confidence=settings.min_confidence, look_again_below=settings.look_again_below
    )
    board = choose_board(things, settings.min_board_confidence)
    tiles = [t for t in things if t.cls in SHAPES and belongs(t, board)]
    clock.lap("detect")
    plane, looks = look_closely(image, tiles, networks.tilenet)
    looks, edges = _real(distinct(looks, settings.same_seen), settings.min_tile_probability)
    clock.lap("look")
    identities, art_name = _identities(looks, art, networks.arts, settings)
    clock.lap("identify")
    laid = lay_out(
        looks,
        edges,
        [_shape(look, identity, art) for look, identity in zip(looks, identities, strict=True)],
        [identity.kinds[0] for identity in identities],
        camera_height_mm=plane.camera_height_mm,
        thickness_mm=settings.tile_thickness_mm,
        sliver_mm=settings.sliver_mm,
        known=_known_outlines(art),
    )
    clock.lap("outlines")
    outline = ground.board_outline(board, looks, plane, tile_mm=settings.tile_thickness_mm)
    ring = ground.ring_outline(board, looks, plane, tile_mm=settings.tile_thickness_mm) if players == 6 else None
    clock.lap("ground")
    # A photo over the working size was reduced; outlines are told in the pixels of the photo as it came.
    enlarge = np.diag([1 / photo.scale, 1 / photo.scale, 1.0])
    tiles_read = _placements(identities, laid, np.asarray(enlarge @ np.linalg.inv(plane.to_mm), np.float64))
    over, contacts = _relations(laid, settings.contact_gap_mm)
    result = Board(tiles_read, over=over, contacts=contacts, players=players, outline=outline, inner_ring=ring)
    sure = [look.thing.confidence for look in looks]
    questions = questions_about(result, identities, sure, laid.met, cut_off=is_cut_off(board, image.shape))
    clock.lap("board")
    return Reading(_true_size(result, art), questions, art_name, clock.times)


def _identities(
    looks: Sequence[TileLook], art: Art | None, known: KnownArts | None, settings: ReadingSettings
) -> tuple[list[Identity], str | None]:
    """Kinds of the tiles, and the name of the art: the player's own, or a known one that is recognised."""
    if art is not None:
        return recognise(looks, art), art.name
    return identify(looks, known, sharpness=settings.face_sharpness, art_cosine=settings.art_cosine)


def _shape(look: TileLook, identity: Identity, art: Art | None) -> str:
    """The shape that a tile is seen to have, or that of its kind where faces decided: a bowl may hide its square."""
    return SHAPES[int(look.shapes[:4].argmax())] if art is None else KINDS[identity.kinds[0]].shape


def _known_outlines(art: Art | None) -> dict[str, Floats]:
    """Outlines (n, 2) mm of the art's kinds, at the scale at which a round tile is `rectify.ROUND_MM` across."""
    if art is None:
        return {}
    scale = ROUND_MM / _round_mm(art)
    return {kind: art.of_kind(kind)[0].outline * scale for kind in art.kinds}


def _round_mm(art: Art) -> float:
    """Diameter of the art's round tiles, as it tells its millimetres."""
    rounds = [2 * np.sqrt(Polygon(f.outline).area / np.pi) for f in art.faces if KINDS[f.kind].shape == "round"]
    return float(np.median(rounds)) if rounds else ROUND_MM


def _true_size(board: Board, art: Art | None) -> Board:
    """The board in true millimetres where the art's are; a reading itself takes rounds as `rectify.ROUND_MM` across."""
    if art is None or not art.mm_known:
        return board
    factor = _round_mm(art) / ROUND_MM

    def sized(area: Polygon | None) -> Polygon | None:
        return None if area is None else shapely.affinity.scale(area, factor, factor, origin=(0, 0))

    tiles = tuple(replace(p, footprint=sized(p.footprint)) for p in board.placements)
    return replace(board, placements=tiles, outline=sized(board.outline), inner_ring=sized(board.inner_ring))


def _real(looks: Sequence[TileLook], min_probability: float) -> tuple[list[TileLook], list[Edge]]:
    """The looks that show a tile indeed, and the tiles' edges."""
    tiles = [(look, edge_of(look)) for look in looks if 1 - look.shapes[4] >= min_probability]
    drawn = [(look, edge) for look, edge in tiles if len(edge.points)]
    return [look for look, _ in drawn], [edge for _, edge in drawn]


def _relations(laid: Laid, contact_gap_mm: float) -> tuple[Pairs, Pairs]:
    """Pairs (upper, lower), and pairs that touch."""
    contacts = [(m.a, m.b) for m in laid.met if m.upper != 0 or m.gap_mm < contact_gap_mm]
    over, touching = (tuple((_name(a), _name(b)) for a, b in pairs) for pairs in (laid.over, contacts))
    return over, touching


def _name(index: int) -> str:
    return f"t{index}"


def _placements(identities: Sequence[Identity], laid: Laid, from_plane: Floats) -> tuple[Placement, ...]:
    shares = visible_shares(laid.polygons, laid.over)
    tiles = zip(identities, laid.polygons, laid.leans, shares, strict=True)
    return tuple(
        Placement(
            _name(index),
            identity.kinds[0],
            polygon,
            _on_photo(polygon, lean, from_plane),
            visible=round(share, 4),
            confidence=round(identity.probabilities[0], 4),
        )
        for index, (identity, polygon, lean, share) in enumerate(tiles)
    )


def _on_photo(polygon: Polygon, lean: Lean, from_plane: Floats) -> tuple[tuple[float, float], ...]:
    """Where the face of a tile is seen on the photo, hidden part included."""
    points = lean.apparent(np.asarray(polygon.exterior.coords)[:-1])
    px = cv2.perspectiveTransform(points[None], from_plane)[0]
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in px)

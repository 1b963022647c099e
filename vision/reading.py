"""A photo read: from pixels to a board in millimetres, with what is in doubt put as questions.

The recipe: find the things on the photo (detector); the plane of the tiles' faces from the tiles themselves (rectify);
look at each tile closely (crops); fit full outlines (outlines); name the kinds (identify); tell who lies on whom and who
touches whom (stacking); draw the board's edge (ground); put what is within the measured error as questions (doubts).
A reading never knows a score.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import Question
from vision import ground, rectify
from vision.crops import SHAPES, TileLook, look_at_tiles
from vision.detector import Thing, detect
from vision.doubts import questions_about
from vision.errors import NoBoardFound, SeveralBoardsFound
from vision.identify import Identity, KnownArts, identify
from vision.image import Photo
from vision.leaning import Lean, flat, leans
from vision.outlines import Footprint, edge_of, fit_footprints
from vision.rectify import Plane
from vision.settings import load_section
from vision.stacking import Meeting, meetings, order_of, visible_shares

Floats = npt.NDArray[np.float64]
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


def read_photo(photo: Photo, networks: Networks, *, players: int | None = None, arts: KnownArts | None = None) -> Reading:
    """Read the board on a photo.

    `arts` replaces the arts known to the networks (a player's own copy). Raises
    NoBoardFound, or SeveralBoardsFound where two boards are in view and neither is clearly the one meant.
    """
    image, settings = photo.rgb, load_section("reading", ReadingSettings)
    clock = _Clock()
    things = detect(image, networks.detector, confidence=settings.min_confidence, look_again_below=settings.look_again_below)
    board = choose_board(things, settings.min_board_confidence)
    tiles = [t for t in things if t.cls in SHAPES and _belongs(t, board)]
    clock.lap("detect")
    plane = plane_of(tiles, image.shape)
    clock.lap("rectify")
    looks = _real(look_at_tiles(image, tiles, _centers(tiles, plane.to_mm), plane.to_mm, networks.tilenet), settings.min_tile_probability)
    clock.lap("look")
    identities, art = identify(looks, arts if arts is not None else networks.arts, sharpness=settings.face_sharpness, art_cosine=settings.art_cosine)
    clock.lap("identify")
    shapes = [SHAPES[int(look.shapes[:4].argmax())] for look in looks]
    names = [i.kinds[0] for i in identities]
    lying = [flat(plane.camera_height_mm)] * len(looks)
    edges = [edge_of(look) for look in looks]
    polygons = [_polygon(f) for f in fit_footprints(edges, shapes, names)]
    met = meetings(polygons, looks, lying, within_mm=6.0, sliver_mm=settings.sliver_mm)
    lying = leans(polygons, order_of(met), thickness_mm=settings.tile_thickness_mm, camera_height_mm=plane.camera_height_mm)
    edges = [edge.laid(lean) for edge, lean in zip(edges, lying, strict=True)]
    polygons = [_polygon(f) for f in fit_footprints(edges, shapes, names)]
    clock.lap("outlines")
    met = meetings(polygons, looks, lying, within_mm=6.0, sliver_mm=settings.sliver_mm)
    clock.lap("stacking")
    result = _board(board, looks, identities, polygons, lying, met, plane, players, settings)
    clock.lap("board")
    found = [look.thing.confidence for look in looks]
    questions = questions_about(result, identities, found, met, cut_off=_cut_off(board, image.shape))
    return Reading(result, questions, art, clock.times)


def choose_board(things: Sequence[Thing], min_confidence: float) -> Thing:
    """The board meant: the one that holds most tiles; raises if there is none, or a second holds half as many."""
    boards = [t for t in things if t.cls == "board" and t.confidence >= min_confidence]
    tiles = [t for t in things if t.cls in SHAPES]
    if not boards:
        found = f"{len(tiles)} tiles but no board's outline" if tiles else "neither a board nor a tile can be seen"
        raise NoBoardFound(found)
    held = sorted(((sum(_belongs(t, b) for t in tiles), b) for b in boards), key=lambda item: (-item[0], -item[1].confidence))
    if len(held) > 1 and held[1][0] >= max(3, 0.5 * held[0][0]) and not _overlap(held[0][1], held[1][1]):
        raise SeveralBoardsFound(len(held))
    return held[0][1]


def _overlap(a: Thing, b: Thing) -> bool:
    low, high = np.maximum(a.box[:2], b.box[:2]), np.minimum(a.box[2:], b.box[2:])
    common = np.prod(np.maximum(high - low, 0))
    return bool(common > 0.5 * min(np.prod(a.box[2:] - a.box[:2]), np.prod(b.box[2:] - b.box[:2])))


def _belongs(tile: Thing, board: Thing) -> bool:
    """Whether any part of a tile lies on the board, by the rough masks."""
    grid = board.mask
    corners = cv2.perspectiveTransform(tile.box.reshape(1, 2, 2).astype(float), board.to_mask)[0]
    low, high = np.sort(corners, axis=0)
    x0, y0 = np.clip(np.floor(low).astype(int), 0, [grid.shape[1] - 1, grid.shape[0] - 1])
    x1, y1 = np.clip(np.ceil(high).astype(int) + 1, [x0 + 1, y0 + 1], [grid.shape[1], grid.shape[0]])
    return bool(grid[y0:y1, x0:x1].max() > 0.5)


def _cut_off(board: Thing, shape: tuple[int, ...]) -> bool:
    """Whether the board reaches the edge of the photo along a good part of it."""
    outline = board.outline()
    edge = 0.006 * max(shape[:2])
    out = (outline < edge) | (outline > np.array([shape[1], shape[0]]) - edge)
    return bool(len(outline) and out.any(1).mean() > 0.06)


def plane_of(tiles: Sequence[Thing], shape: tuple[int, ...]) -> Plane:
    """The plane of the tiles' faces, from the rough masks of the tiles."""
    blobs = []
    for tile in tiles:
        outline = tile.outline()
        blob = rectify.blob_of(outline, tile.cls, _wholeness(outline) * tile.confidence)
        if blob is not None:
            blobs.append(blob)
    return rectify.fit_plane(blobs, (shape[1], shape[0]))


def _wholeness(outline: npt.NDArray[np.float32]) -> float:
    """1 for a convex outline, less for one with a bite taken out of it."""
    if len(outline) < 3:
        return 0.0
    area, hull = cv2.contourArea(outline), cv2.contourArea(cv2.convexHull(outline))
    return float(np.clip((area / max(hull, 1.0) - 0.8) / 0.15, 0.05, 1.0))


def _centers(tiles: Sequence[Thing], to_plane: Floats) -> Floats:
    if not tiles:
        return np.zeros((0, 2))
    middles = []
    for tile in tiles:
        outline = tile.outline()
        middles.append(outline.mean(0) if len(outline) else (tile.box[:2] + tile.box[2:]) / 2)
    return np.asarray(cv2.perspectiveTransform(np.array([middles], float), to_plane)[0])


def _real(looks: Sequence[TileLook], min_probability: float) -> list[TileLook]:
    """The looks that show a tile indeed, each tile once."""
    return [look for look in looks if 1 - look.shapes[4] >= min_probability and look.masks[0].max() > 0.5]


def _polygon(footprint: Footprint) -> Polygon:
    polygon = Polygon(footprint.outline).buffer(0) if len(footprint.outline) > 2 else Polygon()
    return max(polygon.geoms, key=lambda g: g.area) if hasattr(polygon, "geoms") else polygon


def _board(
    board: Thing, looks: Sequence[TileLook], identities: Sequence[Identity], polygons: Sequence[Polygon], lying: Sequence[Lean], met: Sequence[Meeting], plane: Plane,
    players: int | None, settings: ReadingSettings,
) -> Board:
    ids = [f"t{i}" for i in range(len(looks))]
    over = order_of(met)
    contacts = [(ids[m.a], ids[m.b]) for m in met if m.upper != 0 or m.gap_mm < settings.contact_gap_mm]
    shares = visible_shares(polygons, over)
    from_plane = np.linalg.inv(plane.to_mm)
    placements = tuple(_placement(ids[i], identities[i], polygons[i], lying[i], shares[i], from_plane) for i in range(len(looks)))
    outline = ground.board_outline(board, looks, plane, tile_mm=settings.tile_thickness_mm)
    ring = ground.ring_outline(board, looks, plane, tile_mm=settings.tile_thickness_mm) if players == 6 else None
    pairs = tuple((ids[u], ids[lower]) for u, lower in over)
    return Board(placements=placements, over=pairs, contacts=tuple(contacts), players=players, outline=outline, inner_ring=ring)


def _placement(name: str, identity: Identity, polygon: Polygon, lean: Lean, share: float, from_plane: Floats) -> Placement:
    points = lean.apparent(np.asarray(polygon.exterior.coords)[:-1])
    px = cv2.perspectiveTransform(points[None], from_plane)[0]
    return Placement(
        name, identity.kinds[0], polygon, tuple((round(float(x), 1), round(float(y), 1)) for x, y in px), round(share, 4), round(identity.probabilities[0], 4)
    )

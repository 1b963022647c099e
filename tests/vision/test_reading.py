"""The whole recipe: given networks that never err, the board read is the board that lay there."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import shapely
from shapely import Polygon

import vision.reading
from datasets.synth.compose import photograph
from datasets.synth.scene import PlacedTile, Scene
from datasets.synth.truth import contacts_of, footprint_of
from scoring import Board, ScoreOptions, load_document, score
from scoring.charcuterie.catalogue import KINDS
from tests.datasets.art_dummy import dummy_art
from tests.vision.drawn import circle, iou, points_of, thing_of
from tests.vision.oracle import Oracle
from vision.errors import NoBoardFound, SeveralBoardsFound
from vision.identify import KnownArts
from vision.reading import Reading, read_photo
from vision.subject import belongs, choose_board, is_cut_off

PHOTO = (1280, 960)
STYLE = "rectangle"
Pairs = set[frozenset[str]]


# Kind, middle (mm), angle (degrees): flush and apart, over one another, three in a ring, one half covered.
TILES = (
    ("salami", (-120.0, -70.0), 0.0),
    ("salami", (-83.0, -70.0), 40.0),  # flush with the first
    ("orange", (-43.1, -70.0), 0.0),  # 2.9 mm from the second
    ("ciabatta", (10.0, -72.0), 0.0),
    ("ciabatta", (44.5, -72.0), 0.0),  # flush, edge to edge
    ("cucumber", (72.0, -48.0), 25.0),  # over the corner of the one before
    ("swiss", (-110.0, 0.0), 20.0),
    ("swiss", (-92.0, 14.0), 200.0),  # over more than a third of the one before
    ("parmesan", (-30.0, 5.0), 75.0),
    ("grapes", (10.0, 10.0), 0.0),
    ("orange", (32.0, 22.0), 0.0),  # over the grapes
    ("tapenade", (90.0, 30.0), 0.0),  # three, each over the next
    ("hummus", (112.0, 52.0), 0.0),
    ("ranch", (84.0, 56.0), 0.0),
    ("ciabatta", (-60.0, 62.0), 45.0),
)
RING = {"t11", "t12", "t13"}
OVER = ((5, 4), (7, 6), (10, 9), (11, 12), (12, 13), (13, 11))


@cache
def truth_of(*, players: int = 4, tilt_deg: float = 0.0) -> dict[str, Any]:
    """The truth of a plain photo of a board laid by hand."""
    tiles = tuple(PlacedTile(f"t{i}", kind, 0, middle, angle) for i, (kind, middle, angle) in enumerate(TILES))
    over = tuple((f"t{u}", f"t{low}") for u, low in OVER)
    shapes = np.array([Polygon(footprint_of(tile, dummy_art())) for tile in tiles], dtype=object)
    contacts = contacts_of([tile.id for tile in tiles], shapes)
    outline, ring = points_of(shapely.box(-165, -120, 165, 120)), points_of(shapely.box(-145, -100, 145, 100))
    scene = Scene(1, players, outline, (), ring, STYLE, tiles, over, contacts, ())
    return photograph(
        scene, dummy_art(), np.random.default_rng(3), size=PHOTO, tilt_deg=(tilt_deg, tilt_deg), plain=True
    ).truth


@cache
def read(**view: Any) -> tuple[Reading, Board, dict[str, str]]:
    """A reading, the true board, and which true tile each read one is."""
    document = truth_of(**view)
    oracle, truth = Oracle(document), load_document(document)
    assert isinstance(truth, Board)
    reading = read_photo(oracle.photo, oracle, players=truth.players)
    middles = {tile["id"]: shapely.centroid(Polygon(tile["polygon_px"])) for tile in document["tiles"]}
    same = {}
    for p in reading.board.placements:
        middle = Polygon(p.polygon_px or ()).centroid
        same[p.id] = min(middles, key=lambda name, at=middle: middles[name].distance(at))
    return reading, truth, same


def pairs(found: Any, same: dict[str, str]) -> Pairs:
    return {frozenset(same.get(name, name) for name in pair) for pair in found}


VIEWS = pytest.mark.parametrize("tilt_deg", [0.0, 20.0])


@VIEWS
def test_every_tile_is_found_once_with_its_kind(tilt_deg: float) -> None:
    reading, truth, same = read(tilt_deg=tilt_deg)
    assert sorted(same.values()) == sorted(p.id for p in truth.placements)
    kinds = {p.id: p.kind for p in truth.placements}
    assert {same[p.id]: p.kind for p in reading.board.placements} == kinds


@VIEWS
def test_contacts_and_order_are_those_of_the_board(tilt_deg: float) -> None:
    reading, truth, same = read(tilt_deg=tilt_deg)
    assert pairs(reading.board.contacts, same) == pairs(truth.contacts, {})
    assert {(same[u], same[low]) for u, low in reading.board.over} == set(truth.over)


@VIEWS
def test_every_card_scores_as_on_the_true_board(tilt_deg: float) -> None:
    reading, truth, _ = read(tilt_deg=tilt_deg)
    every = ScoreOptions(objectives=("all",))
    read_card, true_card = score(reading.board, every), score(truth, every)
    assert [(c.id, c.points) for c in read_card.objectives] == [(c.id, c.points) for c in true_card.objectives]


@VIEWS
def test_outlines_and_visible_shares_are_true(tilt_deg: float) -> None:
    reading, truth, same = read(tilt_deg=tilt_deg)
    tiles = {p.id: p for p in truth.placements}
    for placement in (p for p in reading.board.placements if same[p.id] not in RING):
        tile = tiles[same[placement.id]]
        assert placement.visible == pytest.approx(tile.visible, abs=0.04)
        if tile.visible is not None and tile.visible >= 0.5:
            assert iou(Polygon(placement.polygon_px), Polygon(tile.polygon_px)) > 0.93


@VIEWS
def test_rounds_are_equal_and_about_38_mm_across(tilt_deg: float) -> None:
    reading, truth, _ = read(tilt_deg=tilt_deg)
    rounds = [p.footprint.area for p in reading.board.placements if KINDS[p.kind].shape == "round"]
    assert max(rounds) / min(rounds) < 1.01
    assert 2 * np.sqrt(rounds[0] / np.pi) == pytest.approx(38.0, rel=0.05)
    assert reading.board.outline.area / rounds[0] == pytest.approx(truth.outline.area / (np.pi * 18.5**2), rel=0.03)


@VIEWS
def test_nothing_is_asked_about_a_clear_board(tilt_deg: float) -> None:
    reading, _, same = read(tilt_deg=tilt_deg)
    asked = [q for q in reading.questions if not RING & {same[name] for name in q.tiles}]
    assert [q.about for q in asked] == ["count"]  # 15 tiles, of 24


def test_six_players_have_a_ring_and_others_none() -> None:
    assert read(players=6, tilt_deg=0.0)[0].board.inner_ring is not None
    assert read(tilt_deg=0.0)[0].board.inner_ring is None


def test_every_stage_is_timed() -> None:
    timings = read(tilt_deg=0.0)[0].timings_ms
    assert list(timings) == ["detect", "look", "identify", "outlines", "ground", "board"]
    assert all(t >= 0 for t in timings.values())


def test_the_same_photo_gives_the_same_reading() -> None:
    oracle = Oracle(truth_of(tilt_deg=0.0))
    assert read_photo(oracle.photo, oracle, players=4).board.to_json() == read(tilt_deg=0.0)[0].board.to_json()


@dataclass
class Blind:
    """Networks that find nothing."""

    arts: KnownArts | None = None

    def detector(self, batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        return [np.zeros((1, 42, 7), np.float32), np.zeros((1, 32, 88, 112), np.float32)]

    def tilenet(self, batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        raise AssertionError("there is no tile to look at")


def test_a_photo_without_a_board_says_what_was_looked_for() -> None:
    with pytest.raises(NoBoardFound, match="neither a board nor a tile"):
        read_photo(Oracle(truth_of(tilt_deg=0.0)).photo, Blind())


def test_tiles_without_a_board_are_counted_in_the_error() -> None:
    with pytest.raises(NoBoardFound, match="2 tiles but no board"):
        choose_board([thing_of("round", circle(100 * k, 300, 40), PHOTO) for k in (3, 5)], 0.3)


def test_an_empty_board_is_read_as_one() -> None:
    document = truth_of(tilt_deg=0.0) | {"tiles": [], "over": [], "contacts": []}
    oracle = Oracle(document)
    reading = read_photo(oracle.photo, oracle, players=4)
    assert reading.board.placements == ()
    assert [q.about for q in reading.questions if q.about == "count"] == ["count"]


class Smudged(Oracle):
    """An oracle whose tile network draws nothing of the first tile."""

    def tilenet(self, batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        masks, *rest = super().tilenet(batch)
        masks[0, :2] = -9.0
        return [masks, *rest]


def test_a_thing_of_which_nothing_is_drawn_is_left_out() -> None:
    oracle = Smudged(truth_of(tilt_deg=0.0))
    reading = read_photo(oracle.photo, oracle, players=4)
    assert len(reading.board.placements) == len(oracle.kinds) - 1


class Hasty(Oracle):
    """An oracle whose detector overlooks some tiles."""

    def __init__(self, truth: dict[str, Any], overlooked: set[int]) -> None:
        super().__init__(truth)
        self.kept = [k for k in range(len(self.kinds) + 1) if k not in overlooked]

    def detector(self, batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        rows, protos = super().detector(batch)
        return [rows[:, :, self.kept], protos]


@pytest.mark.parametrize("overlooked", [{0}, {6}, {9, 3}, {11}])
def test_tiles_that_the_detector_overlooks_are_found_between_the_others_and_asked_about(overlooked: set[int]) -> None:
    oracle = Hasty(truth_of(tilt_deg=0.0), overlooked)
    reading = read_photo(oracle.photo, oracle, players=4)
    found = [Polygon(p.polygon_px) for p in reading.board.placements]
    for k in overlooked:
        best = max(range(len(found)), key=lambda i: iou(found[i], oracle.full[k]))
        assert iou(found[best], oracle.full[k]) > 0.85
        assert any(q.about == "tile" and reading.board.placements[best].id in q.tiles for q in reading.questions)
    assert len(found) == len(oracle.kinds)


def test_where_a_finished_board_may_hold_no_more_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Hasty(truth_of(tilt_deg=0.0), {9})
    for counts, found in (((len(TILES) - 1,), -1), ((len(TILES) - 2,), -1), ((len(TILES),), 0)):
        monkeypatch.setattr(vision.reading, "finished_counts", lambda players, counts=counts: counts)
        assert len(read_photo(oracle.photo, oracle, players=4).board.placements) == len(TILES) + found


class Unsure(Oracle):
    """An oracle that is hardly sure of some tiles."""

    def __init__(self, truth: dict[str, Any], unsure: dict[int, float]) -> None:
        super().__init__(truth)
        self.unsure = unsure

    def detector(self, batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        rows, protos = super().detector(batch)
        for k, confidence in self.unsure.items():
            rows[0, 4:10, k] *= confidence / rows[0, 4:10, k].max()
        return [rows, protos]


@pytest.mark.parametrize(("most", "gone"), [(len(TILES), set()), (len(TILES) - 1, {9}), (len(TILES) - 3, {9, 14})])
def test_the_least_clear_finds_beyond_what_a_board_may_hold_are_left_out_and_told(
    most: int, gone: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision.reading, "finished_counts", lambda players: (most,))
    oracle = Unsure(truth_of(tilt_deg=0.0), {9: 0.3, 14: 0.4})
    reading = read_photo(oracle.photo, oracle, players=4)
    found = [Polygon(p.polygon_px) for p in reading.board.placements]
    lost = {k for k, full in enumerate(oracle.full) if max(iou(one, full) for one in found) < 0.5}
    assert lost == gone
    assert [q.why[:10] for q in reading.questions if q.about == "left_out"] == (
        [f"{len(gone)} more may"] if gone else []
    )


def board_with_tiles(x: float, tiles: int, *, confidence: float = 0.9) -> list[Any]:
    board = thing_of("board", circle(x, 480, 250), PHOTO, confidence=confidence)
    return [board, *(thing_of("round", circle(x - 120 + 80 * k, 480, 35), PHOTO) for k in range(tiles))]


def test_two_boards_with_tiles_are_one_too_many() -> None:
    with pytest.raises(SeveralBoardsFound, match="2 boards are in view"):
        choose_board([*board_with_tiles(300, 4), *board_with_tiles(950, 3)], 0.3)


def test_a_board_with_few_tiles_beside_a_full_one_is_not_meant() -> None:
    full, spare = board_with_tiles(300, 4), board_with_tiles(950, 1, confidence=0.95)
    assert choose_board([*spare, *full], 0.3) is full[0]


def test_one_board_seen_twice_is_one_board() -> None:
    assert choose_board([*board_with_tiles(300, 4), *board_with_tiles(310, 4)[:1]], 0.3).cls == "board"


def test_a_tile_beside_the_board_does_not_belong_to_it() -> None:
    board = thing_of("board", circle(300, 480, 250), PHOTO)
    assert belongs(thing_of("round", circle(540, 480, 35), PHOTO), board)
    assert not belongs(thing_of("round", circle(640, 480, 35), PHOTO), board)


def test_a_board_that_runs_out_of_the_photo_is_cut_off() -> None:
    assert is_cut_off(thing_of("board", circle(150, 480, 250), PHOTO), (960, 1280, 3))
    assert not is_cut_off(thing_of("board", circle(300, 480, 250), PHOTO), (960, 1280, 3))

"""A corrected board teaches the kinds that were read wrong, as further references, and nothing that cannot be seen."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from models import learning
from models.artpack import NothingLearned
from models.artpacks import ArtShelf
from models.learning import faces_to_learn, teach
from models.registry import Networks
from scoring import Board, Placement
from tests.builders import disc
from tests.models.packs import MADE, pack_of
from vision.crops import CROP_PX
from vision.faces import DESCRIPTOR, Art, Floats32
from vision.image import Photo
from vision.reading import Reading

PX_PER_MM = 4.0
CENTERS_MM = ((60, 60), (120, 60), (60, 120), (120, 120))
COLOURS = ((200, 30, 30), (30, 200, 30), (30, 30, 200), (200, 200, 30))


def tile(number: int, kind: str, visible: float = 1.0) -> Placement:
    footprint = disc(*CENTERS_MM[number])
    px = shapely.get_coordinates(footprint)[:-1] * PX_PER_MM
    return Placement(f"t{number}", kind, footprint, tuple(map(tuple, px.tolist())), visible)


def board(kinds: str, **fields: Any) -> Board:
    return Board(tuple(tile(number, kind) for number, kind in enumerate(kinds.split())), contacts=(), **fields)


def photo(scale: float = 1.0) -> Photo:
    """Four discs of one colour each, as a camera straight above sees them."""
    y, x = np.mgrid[0:720, 0:720] / PX_PER_MM
    pixels = np.full((720, 720, 3), 90, np.uint8)
    for (cx, cy), colour in zip(CENTERS_MM, COLOURS, strict=True):
        pixels[np.hypot(x - cx, y - cy) < 19] = colour
    return Photo(pixels, (round(720 / scale), round(720 / scale)))


def seen(batch: Floats32) -> list[Floats32]:
    """A tile network that sees a disc of 38 mm in the middle of each crop, and describes it by its colour."""
    n, middle = len(batch), CROP_PX // 2
    y, x = np.mgrid[0:CROP_PX, 0:CROP_PX] - (CROP_PX - 1) / 2
    mask = np.where(np.hypot(x, y) < 19 * CROP_PX / 72, 9.0, -9.0)
    descriptor = np.zeros((n, DESCRIPTOR), np.float32)
    descriptor[:, :3] = batch[:, :3, middle, middle] + 1e-3
    masks = np.broadcast_to(mask, (n, 4, CROP_PX, CROP_PX)).astype(np.float32)
    return [masks, descriptor, np.zeros((n, 27), np.float32), np.zeros((n, 5), np.float32)]


NETWORKS = Networks(detector=seen, tilenet=seen, seamnet=seen)  # type: ignore[arg-type]
TRUTH = "orange tomato salami cucumber"


@pytest.fixture
def read_as(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the reading makes of the photo."""

    def set_reading(result: Board) -> None:
        def read(photo: Photo, networks: Any, *, players: int | None, art: Art) -> Reading:
            return Reading(result, (), art.name)

        monkeypatch.setattr(learning, "read_photo", read)

    return set_reading


def learned(truth: Board, *, everything: bool = False, at: Photo | None = None) -> list[str]:
    art = pack_of("orange tomato salami cucumber").art
    faces = faces_to_learn(at or photo(), truth, art, NETWORKS, source="board.jpg", everything=everything)
    return [face.kind for face in faces]


def test_a_tile_whose_kind_was_read_wrong_is_learned(read_as: Any) -> None:
    read_as(board("orange tomato cucumber cucumber"))
    assert learned(board(TRUTH)) == ["salami"]


def test_a_reading_that_is_right_teaches_nothing_unless_all_is_asked_for(read_as: Any) -> None:
    read_as(board(TRUTH))
    assert learned(board(TRUTH)) == []
    assert learned(board(TRUTH), everything=True) == TRUTH.split()


@pytest.mark.parametrize(("visible", "taught"), [(0.79, []), (0.8, ["orange"])])
def test_a_tile_that_is_covered_by_more_than_a_fifth_is_not_learned(
    read_as: Any, visible: float, taught: Sequence[str]
) -> None:
    read_as(board("tomato tomato salami cucumber"))
    truth = board(TRUTH)
    covered = replace(truth, placements=(tile(0, "orange", visible), *truth.placements[1:]))
    assert learned(covered) == taught


def test_a_tile_that_the_reading_did_not_find_is_no_wrong_kind(read_as: Any) -> None:
    read_as(board("orange tomato salami"))
    assert learned(board(TRUTH)) == []


def test_a_board_without_places_on_the_photo_teaches_nothing() -> None:
    typed = Board((Placement("t0", "orange"),), contacts=())
    with pytest.raises(NothingLearned, match="polygon_px"):
        learned(typed)


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_learned_face_shows_the_tile_in_the_middle_at_the_scale_of_all_faces(read_as: Any, scale: float) -> None:
    def at_scale(one: Board) -> Board:
        larger = [
            replace(p, polygon_px=tuple((x / scale, y / scale) for x, y in p.polygon_px or ())) for p in one.placements
        ]
        return replace(one, placements=tuple(larger))

    read_as(at_scale(board("orange tomato cucumber cucumber")))
    art = pack_of("orange").art
    (face,) = faces_to_learn(photo(scale), at_scale(board(TRUTH)), art, NETWORKS, source="board.jpg")
    assert face.source == "board.jpg"
    np.testing.assert_allclose(np.linalg.norm(face.outline, axis=1), 19, atol=0.4)
    np.testing.assert_allclose(face.picture[128, 128], COLOURS[2], atol=3)
    radius_px = np.sqrt((np.abs(face.picture.astype(int) - COLOURS[2]).sum(2) < 60).sum() / np.pi)
    assert radius_px * 72 / 256 == pytest.approx(19, abs=0.4)
    assert np.linalg.norm(face.descriptor) == pytest.approx(1, abs=1e-5)


def test_what_was_taught_is_kept_as_one_lesson(read_as: Any, tmp_path: Path) -> None:
    shelf = ArtShelf(tmp_path)
    shelf.save(pack_of(TRUTH))
    read_as(board("tomato orange salami cucumber"))
    taught = teach(shelf, "mine", photo(), board(TRUTH), NETWORKS, source="board.jpg", made=MADE)
    assert sorted(face.kind for face in taught.faces) == ["orange", "tomato"]
    kept = shelf.load("mine")
    assert [(lesson.photo, lesson.made, len(lesson.added)) for lesson in kept.lessons] == [("board.jpg", MADE, 2)]
    assert len(kept.art.of_kind("orange")) == 2


def test_nothing_to_learn_leaves_the_pack_as_it_is(read_as: Any, tmp_path: Path) -> None:
    shelf = ArtShelf(tmp_path)
    shelf.save(pack_of(TRUTH))
    before = shelf.stamp("mine")
    read_as(board(TRUTH))
    assert teach(shelf, "mine", photo(), board(TRUTH), NETWORKS, source="b.jpg", made=MADE).faces == ()
    assert shelf.stamp("mine") == before

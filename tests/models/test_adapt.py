"""Adapting: scenes laid with the faces learned, and a network kept only where it errs less."""

from pathlib import Path

import numpy as np
import pytest
from shapely import Polygon

from models.adapt import AdaptPlan, ArtIncomplete, Trial, adapt, errors, printed
from models.adapted import AdaptedShelf
from models.evaluate import PhotoResult
from models.registry import load_networks
from scoring.charcuterie.catalogue import KINDS
from vision.faces import FACE_MM, FACE_PX, Art, Face


def face(kind: str, *, within: int, beyond: int) -> Face:
    """A round face of one grey on a ground of another."""
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline = 19.0 * np.c_[np.cos(angle), np.sin(angle)]
    mm = (np.arange(FACE_PX) + 0.5) / FACE_PX * FACE_MM - FACE_MM / 2
    inside = np.hypot(mm[None], mm[:, None]) < 19.0
    picture = np.where(inside[:, :, None], within, beyond).astype(np.uint8).repeat(3, axis=2)
    return Face(kind, picture, outline, np.eye(96, dtype=np.float32)[list(KINDS).index(kind)])


def whole_art() -> Art:
    return Art("greys", tuple(face(kind, within=40 + 7 * i, beyond=255) for i, kind in enumerate(KINDS)))


def test_a_face_is_printed_without_the_ground_it_lay_on() -> None:
    print_ = printed(whole_art()).faces["salami"][0]
    assert Polygon(print_.outline).area == pytest.approx(np.pi * 19**2, rel=0.01)
    assert print_.rgba[:, :, :3].max() < 255


def test_a_printed_face_lies_where_its_outline_is() -> None:
    print_ = printed(whole_art()).faces["salami"][0]
    h, w = print_.rgba.shape[:2]
    low, high = np.array(print_.corner_mm), np.array(print_.corner_mm) + np.array([w, h]) / print_.px_per_mm
    assert (low < print_.outline.min(0)).all()
    assert (high > print_.outline.max(0)).all()


def test_an_art_with_a_kind_missing_cannot_be_adapted_to(tmp_path: Path) -> None:
    some = Art("some", tuple(f for f in whole_art().faces if f.kind != "dates"))
    with pytest.raises(ArtIncomplete, match="dates"):
        adapt(some, load_networks(), AdaptedShelf(tmp_path), AdaptPlan(), lambda text: None)


def test_every_wrong_thing_counts_as_an_error() -> None:
    result = PhotoResult("photo", tiles=24)
    result.found, result.extra, result.kinds_right = 22, 1, 20
    result.contacts, result.overs = (10, 2, 3), (4, 5)
    assert errors([result]) == 2 + 1 + 2 + 5 + 1


def test_a_network_that_is_as_good_as_the_old_one_is_not_kept() -> None:
    assert not Trial("detector", before=7, after=7).kept
    assert Trial("detector", before=7, after=6).kept


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # torch and its exporter warn of themselves
def test_adapting_trains_tries_and_leaves_no_workplace(tmp_path: Path) -> None:
    shelf, plan = AdaptedShelf(tmp_path), AdaptPlan(minutes=0.02, photos=2, held_out=1)
    trials = adapt(whole_art(), load_networks(), shelf, plan, lambda text: None)
    assert [trial.network for trial in trials] == ["tilenet", "detector"]
    assert not list(shelf.folder.glob("*.work"))

"""A perfect reading scores 1 everywhere; each fault shows in its own measure."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import shapely

from models import evaluate
from models.evaluate import evaluate_folder, match_tiles, summary, truth_files
from scoring import Board, load_document
from scoring.charcuterie.questions import Question
from tests.builders import disc, placed
from vision.errors import NoBoardFound
from vision.faces import Art
from vision.image import Photo
from vision.reading import Reading

Change = Callable[[Board], Board]
KINDS = "swiss bleu salami orange"


def true_board() -> Board:
    """Four rounds, the second over the first, the third against the second, the fourth alone."""
    circles = [disc(60, 60), disc(85, 60), disc(123, 60), disc(100, 150)]
    board = placed(*circles, kinds=KINDS, players=4, over=(("t1", "t0"),), contacts=(("t0", "t1"), ("t1", "t2")))
    covered = circles[0].intersection(circles[1]).area / circles[0].area
    shares = (1 - covered, 1.0, 1.0, 1.0)
    placements = [
        replace(p, polygon_px=tuple(map(tuple, shapely.get_coordinates(c)[:-1].tolist())), visible=share)
        for p, c, share in zip(board.placements, circles, shares, strict=True)
    ]
    return replace(board, placements=tuple(placements), outline=shapely.box(0, 0, 250, 250))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "one.jpg"), np.zeros((300, 300, 3), np.uint8))
    (tmp_path / "one.json").write_text(json.dumps(true_board().to_json() | {"violations": []}))
    return tmp_path


def measured(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Change = lambda board: board,
    *,
    asked: tuple[Question, ...] = (),
) -> dict[str, float]:
    """The measures of a reading that differs from the truth by `change`."""

    def read(photo: Photo, networks: Any, *, players: int | None = None, art: Art | None = None) -> Reading:
        truth = load_document(json.loads((folder / "one.json").read_text()))
        assert isinstance(truth, Board)
        return Reading(change(truth), asked, None, {"all": 10.0})

    monkeypatch.setattr(evaluate, "read_photo", read)
    return summary(evaluate_folder(folder, networks=object()))  # type: ignore[arg-type]


SHARES = ("recall", "precision", "contacts_f1", "over_right", "violations_f1", "kinds", "scorecards_exact")


def test_a_perfect_reading_is_right_in_every_measure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(folder, monkeypatch)
    assert {name: found[name] for name in SHARES} == dict.fromkeys(SHARES, 1.0)
    assert found["iou_median"] == pytest.approx(1)
    assert found["visible_error_p95"] == pytest.approx(0)
    assert found["reading_ms"] == pytest.approx(10)


def without_last(board: Board) -> Board:
    return replace(board, placements=board.placements[:-1])


def with_wrong_kind(board: Board) -> Board:
    first, *rest = board.placements
    return replace(board, placements=(replace(first, kind="salami"), *rest))


def with_other_contacts(board: Board) -> Board:
    return replace(board, contacts=(("t0", "t1"), ("t2", "t3")))


def with_order_turned(board: Board) -> Board:
    return replace(board, over=(("t0", "t1"),))


def with_one_too_many(board: Board) -> Board:
    last = board.placements[-1]
    far = tuple((x + 100.0, y) for x, y in last.polygon_px or ())
    extra = replace(last, id="t9", polygon_px=far, footprint=shapely.affinity.translate(last.footprint, 100, 0))
    return replace(board, placements=(*board.placements, extra))


def with_one_off_the_board(board: Board) -> Board:
    return replace(board, outline=shapely.box(0, 0, 250, 140))


def surely(board: Board, *, wrong: int) -> Board:
    """All tiles stated with full confidence, the first `wrong` of them with another kind."""
    tiles = [
        replace(p, kind="olives" if k < wrong else p.kind, confidence=0.995) for k, p in enumerate(board.placements)
    ]
    return replace(board, placements=tuple(tiles))


@pytest.mark.parametrize(
    ("change", "measure", "value"),
    [
        (without_last, "recall", 0.75),
        (with_one_too_many, "precision", 0.8),
        (with_wrong_kind, "kinds", 0.75),
        (with_other_contacts, "contacts_f1", 0.5),
        (with_order_turned, "over_right", 0.0),
        (with_one_off_the_board, "violations_f1", 0.0),
    ],
)
def test_a_fault_shows_in_its_own_measure(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: Change, measure: str, value: float
) -> None:
    found = measured(folder, monkeypatch, change)
    assert found[measure] == pytest.approx(value)
    others = set(SHARES) - {measure, "scorecards_exact"}
    assert {name: found[name] for name in others} == dict.fromkeys(others, 1.0)


def test_a_wrong_scorecard_counts_as_warned_where_a_question_names_the_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = measured(folder, monkeypatch, with_wrong_kind)
    assert silent["scorecards_exact"] == 0
    assert silent["wrong_with_question"] == 0
    about = Question("kind", ("t0",), "salami or swiss")
    assert measured(folder, monkeypatch, with_wrong_kind, asked=(about,))["wrong_with_question"] == 1
    elsewhere = Question("kind", ("t3",), "orange or tomato")
    assert measured(folder, monkeypatch, with_wrong_kind, asked=(elsewhere,))["wrong_with_question"] == 0


def test_a_photo_without_a_board_counts_as_all_missed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(photo: Photo, networks: Any, *, players: int | None = None, art: Art | None = None) -> Reading:
        raise NoBoardFound("neither a board nor a tile can be seen")

    monkeypatch.setattr(evaluate, "read_photo", read)
    (result,) = evaluate_folder(folder, networks=object())  # type: ignore[arg-type]
    assert "No board was found" in result.faults[0]
    assert summary([result])["recall"] == 0
    assert summary([result])["scorecards_exact"] == 0


def test_tiles_are_matched_one_to_one_by_their_outlines() -> None:
    truth = true_board()
    shuffled = replace(truth, placements=tuple(reversed(truth.placements)))
    assert match_tiles(shuffled, truth) == {f"t{i}": f"t{i}" for i in range(4)}
    assert match_tiles(Board(()), truth) == {}


def test_enrolment_photos_and_truth_without_a_picture_are_left_out(folder: Path) -> None:
    (folder / "alone.json").write_text("{}")
    cv2.imwrite(str(folder / "enrol.jpg"), np.zeros((300, 300, 3), np.uint8))
    (folder / "enrol.json").write_text(json.dumps({"board": None}))
    assert [file.name for file in truth_files(folder)] == ["one.json"]


def test_no_photos_give_a_summary_all_the_same() -> None:
    assert summary([])["photos"] == 0


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_tiles_stated_surely_and_tiles_half_seen_are_counted_apart(
    folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: int
) -> None:
    found = measured(folder, monkeypatch, lambda board: surely(board, wrong=wrong))
    assert found["sure_wrong"] == wrong / 4
    assert found["kinds"] == 1 - wrong / 4
    least = min((p.visible or 0) for p in true_board().placements)
    assert least < 0.5 or found["kinds_half_seen"] == 1 - wrong / 4
    assert measured(folder, monkeypatch, with_wrong_kind)["sure_wrong"] == 0


@pytest.mark.parametrize(
    ("about", "far_px", "share"), [(None, 0.0, 0.5), ("kind", 0.0, 0.0), ("tile", 0.0, 0.0), (None, 60.0, 0.0)]
)
def test_things_stated_to_be_tiles_without_a_question_are_counted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, about: str | None, far_px: float, share: float
) -> None:
    things = [
        [[x + far_px, y] for x, y in shapely.get_coordinates(disc(200, 150))[:-1].tolist()],
        [[0, 0], [9, 0], [0, 9]],
    ]
    truth = json.loads((folder / "one.json").read_text()) | {"foreign_px": things}
    (folder / "one.json").write_text(json.dumps(truth))
    asked = () if about is None else (Question(about, ("t9",), "why"),)  # type: ignore[arg-type]
    assert measured(folder, monkeypatch, with_one_too_many, asked=asked)["foreign_stated"] == share

"""What the photo cannot decide is asked, with the correction that a yes would make."""

import pytest
import shapely
from shapely import Polygon

from scoring import Board
from scoring.charcuterie.corrections import RemoveTile, SetContact, SetKind, SetOver
from scoring.charcuterie.placement import Placement
from scoring.charcuterie.questions import Question
from tests.builders import board
from vision.doubts import questions_about
from vision.identify import Identity
from vision.stacking import Meeting

PAIR = board("swiss bleu")


def asked(
    thing: Board = PAIR,
    *,
    identities: list[Identity] | None = None,
    found: list[float] | None = None,
    met: tuple[Meeting, ...] = (),
    cut_off: bool = False,
    rough: Polygon | None = None,
) -> dict[str, Question]:
    """The questions by what they are about; each word once."""
    names = identities or [Identity((p.kind, "brie"), (0.999, 0.001)) for p in thing.placements]
    sure = found or [0.9] * len(thing.placements)
    questions = questions_about(thing, names, sure, met, cut_off=cut_off, rough=rough)
    assert len({q.about for q in questions}) == len(questions)
    return {q.about: q for q in questions}


def test_a_seam_that_hardly_shows_ground_is_asked_about() -> None:
    question = asked(met=(Meeting(0, 1, 1.6, 0.0, 0.4, 0.0),))["contact"]
    assert question.tiles == ("t0", "t1")
    assert question.why == "gap 1.6 mm, taken as apart (60% sure)"
    assert question.alternatives == ((SetContact("t0", "t1", touching=True),),)


def test_a_seam_that_hardly_shows_none_is_asked_about() -> None:
    question = asked(met=(Meeting(0, 1, -0.3, 0.1, 0.8, 0.0),))["contact"]
    assert question.why == "gap 0.0 mm, taken as touching (80% sure)"
    assert question.alternatives == ((SetContact("t0", "t1", touching=False),),)


@pytest.mark.parametrize("touching", [0.02, 0.98])
def test_clear_gaps_and_clear_contacts_are_not_asked_about(touching: float) -> None:
    assert "contact" not in asked(met=(Meeting(0, 1, 1.2, 0.0, touching, 0.0),))


@pytest.mark.parametrize(("evidence", "order"), [(0.2, ("t0", "t1")), (-0.2, ("t1", "t0"))])
def test_an_overlap_that_shows_both_faces_is_asked_about(evidence: float, order: tuple[str, str]) -> None:
    question = asked(met=(Meeting(0, 1, -5.0, 80.0, 1.0, evidence),))["over"]
    assert question.tiles == order
    assert question.alternatives == ((SetOver(order[1], order[0]),),)
    assert "over" not in asked(met=(Meeting(0, 1, -5.0, 80.0, 1.0, 4.0 * evidence),))


def test_an_unsure_kind_offers_the_next_likely_ones() -> None:
    doubtful = Identity(("swiss", "brie", "gouda", "bleu"), (0.6, 0.3, 0.099, 0.001))
    sure = Identity(("bleu", "swiss"), (0.999, 0.001))
    question = asked(identities=[doubtful, sure])["kind"]
    assert question.tiles == ("t0",)
    assert question.why == "swiss (60%) or brie (30%) or gouda (10%)"
    assert question.alternatives == ((SetKind("t0", "brie"),), (SetKind("t0", "gouda"),))


def test_an_unsure_kind_offers_one_other_at_least() -> None:
    doubtful = Identity(("swiss", "brie", "gouda"), (0.96, 0.019, 0.011))
    question = asked(identities=[doubtful, Identity(("bleu", "swiss"), (0.999, 0.001))])["kind"]
    assert question.alternatives == ((SetKind("t0", "brie"),),)


def test_a_thing_that_may_be_no_tile_can_be_removed() -> None:
    question = asked(found=[0.9, 0.3])["tile"]
    assert question.tiles == ("t1",)
    assert question.alternatives == ((RemoveTile("t1"),),)


def test_a_number_of_tiles_that_no_game_ends_with_is_asked_about() -> None:
    assert "24" in asked(board("swiss " * 23, players=2))["count"].why
    assert "count" not in asked(board("swiss " * 24, players=2))
    assert "count" in asked(board("swiss " * 3))
    assert "count" not in asked(board("swiss " * 21))


@pytest.mark.parametrize(("strange", "said"), [(0, False), (1, False), (7, True)])
def test_tiles_that_mostly_resemble_no_face_are_taken_for_another_copy(strange: int, said: bool) -> None:
    names = [Identity(("swiss", "brie"), (0.999, 0.001), 0.9 if k < strange else 0.0) for k in range(8)]
    about = [q for q in questions_about(board("swiss " * 8), names, [0.9] * 8, (), cut_off=False) if q.about == "art"]
    assert [q.why[:11] for q in about] == (["7 of 8 tile"] if said else [])


def test_a_board_cut_off_by_the_frame_is_said() -> None:
    assert "cut off" in asked(cut_off=True)["board"].why
    assert "board" not in asked()


def on_a_board(hang_mm: float) -> Board:
    """A tile that hangs over the right edge of a board."""
    tile = shapely.box(80 + hang_mm, 10, 100 + hang_mm, 30)
    return Board((Placement("t0", "swiss", tile),), players=4, outline=shapely.box(0, 0, 100, 100))


@pytest.mark.parametrize(("hang_mm", "seen_mm"), [(9.0, 0.0), (3.0, 1.0), (0.0, 12.0)])
def test_a_tile_that_may_hang_over_the_edge_is_asked_about(hang_mm: float, seen_mm: float) -> None:
    question = asked(on_a_board(hang_mm), rough=shapely.box(0, 0, 100 + hang_mm - seen_mm, 100))["edge"]
    assert question.tiles == ("t0",)
    assert ("hang 9 mm" in question.why) == (hang_mm == 9.0)
    assert ("on the board" in question.why) == (hang_mm == 0.0)


@pytest.mark.parametrize(("hang_mm", "seen_mm"), [(0.0, 0.0), (1.0, 5.0), (9.0, 7.0)])
def test_where_both_edges_tell_the_same_nothing_is_asked(hang_mm: float, seen_mm: float) -> None:
    assert "edge" not in asked(on_a_board(hang_mm), rough=shapely.box(0, 0, 100 + hang_mm - seen_mm, 100))


def test_without_an_edge_nothing_is_asked_about_it() -> None:
    assert "edge" not in asked(on_a_board(9.0))
    assert "edge" not in asked(PAIR, rough=shapely.box(0, 0, 1, 1))

"""What an art pack is called, what corrected boards add to it, and how that is taken back."""

from dataclasses import replace

import pytest

from models.artpack import (
    LEARNED_A_KIND,
    MAX_FACES,
    MAX_LESSONS,
    ArtNameError,
    ArtPack,
    ArtPackError,
    NothingLearned,
    check_name,
    with_faces,
    with_lesson,
    without_last_lesson,
)
from tests.models.packs import MADE, NETWORK, face_of, pack_of


def taught(pack: ArtPack, kinds: str, photo: str = "board.jpg") -> ArtPack:
    faces = [face_of(kind, seed, photo) for seed, kind in enumerate(kinds.split())]
    return with_lesson(pack, faces, network=NETWORK, photo=photo, made=MADE)


def in_use(pack: ArtPack, kind: str) -> list[str]:
    return [known.file for known in pack.in_use if known.face.kind == kind]


@pytest.mark.parametrize("name", ["a", "My copy 2", "köln_2-b", "x" * 40, " padded "])
def test_a_name_of_letters_digits_spaces_and_dashes_is_allowed(name: str) -> None:
    assert check_name(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    ["", " ", "x" * 41, "..", ".hidden", "a/b", "a\\b", "a\nb", "a\0b", "-rf", "_a", "con", "COM1", "a.zip", "a:b"],
)
def test_a_name_that_no_folder_should_have_is_refused(name: str) -> None:
    with pytest.raises(ArtNameError, match="allowed: 1 to 40 letters"):
        check_name(name)


def test_faces_of_one_kind_have_files_of_their_own() -> None:
    pack = pack_of("swiss swiss bleu")
    more = with_faces(pack, [face_of("swiss")], network=NETWORK)
    assert [known.file for known in more.faces] == [
        f"faces/{name}.png" for name in ("swiss-1", "swiss-2", "bleu-1", "swiss-3")
    ]


def test_an_art_is_in_true_millimetres_where_the_diameter_of_a_round_tile_is_stated() -> None:
    pack = pack_of("orange")
    assert not pack.art.mm_known
    stated = replace(pack, round_mm=40.0)
    assert stated.art.mm_known
    assert stated.art.faces[0].outline[:, 0].max() == pytest.approx(20.0)


def test_a_lesson_adds_references_and_undo_takes_them_back() -> None:
    pack = pack_of("swiss bleu")
    wiser = taught(pack, "swiss")
    assert in_use(wiser, "swiss") == ["faces/swiss-1.png", "faces/swiss-2.png"]
    before, lesson = without_last_lesson(wiser)
    assert before == pack
    assert lesson.added == ("faces/swiss-2.png",)


def test_there_is_nothing_to_take_back_from_a_new_pack() -> None:
    with pytest.raises(NothingLearned, match="mine holds no lesson"):
        without_last_lesson(pack_of("swiss"))


def test_of_a_kind_the_four_faces_learned_last_stay_and_the_enrolled_ones_always() -> None:
    pack = pack_of("swiss")
    for _ in range(LEARNED_A_KIND + 2):
        pack = taught(pack, "swiss")
    assert in_use(pack, "swiss") == [f"faces/swiss-{n}.png" for n in (1, 4, 5, 6, 7)]


def test_undo_brings_back_the_face_that_made_room() -> None:
    pack = pack_of("swiss")
    for _ in range(LEARNED_A_KIND):
        pack = taught(pack, "swiss")
    full = in_use(pack, "swiss")
    assert in_use(taught(pack, "swiss"), "swiss") != full
    before, _ = without_last_lesson(taught(pack, "swiss"))
    assert in_use(before, "swiss") == full


def test_a_board_with_more_of_a_kind_than_are_kept_teaches_no_more_than_that() -> None:
    pack = taught(pack_of("swiss"), "swiss " * (LEARNED_A_KIND + 3))
    assert len(in_use(pack, "swiss")) == 1 + LEARNED_A_KIND


def test_lessons_older_than_the_last_ten_stay_learned_for_good() -> None:
    pack = pack_of("swiss")
    for number in range(MAX_LESSONS + 3):
        pack = taught(pack, "swiss", f"{number}.jpg")
    kept = in_use(pack, "swiss")
    assert len(pack.lessons) == MAX_LESSONS
    assert pack.lessons[0].photo == "3.jpg"
    assert len(pack.faces) <= 1 + LEARNED_A_KIND + MAX_LESSONS
    assert len(kept) == 1 + LEARNED_A_KIND


def test_a_pack_holds_no_more_faces_than_can_be_loaded() -> None:
    with pytest.raises(ArtPackError, match=f"at most {MAX_FACES}"):
        with_faces(pack_of("swiss"), [face_of("swiss")] * MAX_FACES, network=NETWORK)

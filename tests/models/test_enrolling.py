"""Layouts name tiles in the order of the rows; what does not fit is told row by row."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models import enrolling
from models.adapted import AdaptedShelf
from models.artpack import ArtPackError
from models.artpacks import ArtShelf
from models.enrolling import (
    LayoutError,
    OutOfStepError,
    PhotoSheet,
    TileCountError,
    check_in_step,
    enrolled,
    faces_of,
    learned,
    load_art,
    name_tiles,
    odd_shapes,
    read_layout,
    sound,
    up_to_date,
)
from models.registry import Networks
from scoring.charcuterie.catalogue import KINDS
from tests.models.packs import MADE, face_of, pack_of
from vision.enrolment import Sheet, SheetTile
from vision.faces import DESCRIPTOR, Floats32


def tile(row: int, shape: str = "wedge") -> SheetTile:
    face = face_of("swiss", row)
    return SheetTile(row, shape, face.picture, face.outline, face.outline * 10, face.descriptor, tuple(KINDS))


def sheet(*rows: int, photo: str = "a.jpg") -> PhotoSheet:
    """A photo with so many tiles in its rows."""
    return PhotoSheet(photo, Sheet(tuple(tile(row) for row, count in enumerate(rows) for _ in range(count))))


def ones(batch: Floats32) -> list[Floats32]:
    """A network whose descriptors have the same number everywhere."""
    return [batch, np.ones((len(batch), DESCRIPTOR), np.float32)]


# --- layouts ---


def test_a_layout_holds_one_kind_a_line_with_comments_and_tiles_to_skip() -> None:
    text = "# my copy\nswiss\n\n  bleu  # second row\n-\r\nswiss\n"
    assert read_layout(text) == ("swiss", "bleu", None, "swiss")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("swiss\nparmezan", "line 2 of the layout is 'parmezan'.*Did you mean 'parmesan'"),
        ("Broccoli", "Did you mean 'broccoli_cauliflower'"),
        ("sushi", "The kinds: .*fig_jam"),
        ("swiss bleu", "line 1 of the layout is 'swiss bleu'"),
        ("# nothing\n", "one of 0 names"),
        ("swiss\n" * 1001, "one of 1001 names"),
    ],
)
def test_a_layout_with_a_line_that_is_no_kind_names_the_line(text: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        read_layout(text)


# --- a layout on photos ---


def test_a_layout_runs_over_all_photos_in_their_order() -> None:
    layout = ("swiss", "bleu", None, "orange", "tomato")
    assert name_tiles([sheet(2), sheet(1, 2)], layout) == [("swiss", "bleu"), (None, "orange", "tomato")]


def test_a_layout_begins_anew_at_each_photo_that_shows_all_its_tiles() -> None:
    layout = ("swiss", "bleu")
    assert name_tiles([sheet(2), sheet(1, 1)], layout) == [layout, layout]


@pytest.mark.parametrize("count", [1, 4])
def test_more_or_fewer_tiles_than_names_are_told_row_by_row(count: int) -> None:
    with pytest.raises(TileCountError) as error:
        name_tiles([sheet(2, 1, photo="table.jpg")], ("swiss",) * count)
    said = str(error.value)
    assert f"names {count} tiles, and 3 were found" in said
    assert "table.jpg: row 1 has 2 (wedge, wedge); row 2 has 1 (wedge)." in said


def test_tiles_that_are_skipped_teach_nothing_and_several_of_a_kind_all_do() -> None:
    faces = faces_of([sheet(2), sheet(2, photo="b.jpg")], [("swiss", None), ("swiss", "bleu")])
    assert [(face.kind, face.source) for face in faces] == [("swiss", "a.jpg"), ("swiss", "b.jpg"), ("bleu", "b.jpg")]


def test_a_tile_that_looks_of_another_shape_than_its_kind_is_pointed_out() -> None:
    assert odd_shapes([sheet(1, 1)], [("swiss", "orange")]) == ["a.jpg: tile 2 (row 2) looks wedge; orange is round."]


def test_a_layout_of_quite_other_shapes_is_out_of_step_with_the_rows() -> None:
    layout = ("swiss", "orange", "tomato", "grapes", "bleu")
    check_in_step([sheet(5)], [("swiss", "bleu", "gouda", "orange", "tomato")])
    with pytest.raises(OutOfStepError, match=r"3 of 5 tiles are of another shape.* tile 2 .* looks wedge; orange is"):
        check_in_step([sheet(5)], [layout])


# --- packs of faces ---


def test_a_new_pack_replaces_the_art_and_another_photo_adds_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first = enrolled("mine", [face_of("swiss")], made=MADE)
    more = enrolled("mine", [face_of("swiss", 1), face_of("bleu")], made="2027-01-01T00:00:00Z", onto=first)
    assert learned(more).faces == {"swiss": 2, "bleu": 1}
    assert more.made == MADE
    assert enrolled("mine", [face_of("bleu")], made=MADE).art.kinds == ("bleu",)


def test_the_stated_diameter_of_a_round_tile_stays_when_photos_are_added() -> None:
    first = enrolled("mine", [face_of("orange")], made=MADE, round_mm=40.0)
    assert enrolled("mine", [face_of("tomato")], made=MADE, onto=first).art.mm_known
    again = enrolled("mine", [face_of("tomato")], made=MADE, onto=first, round_mm=41.0)
    assert again.round_mm == 41.0


def test_an_outline_that_crosses_itself_by_a_hair_is_made_sound() -> None:
    face = face_of("swiss")
    crossed = face.outline.copy()
    crossed[[3, 4]] = crossed[[4, 3]]
    pack = enrolled("mine", [sound(replace(face, outline=crossed))], made=MADE)
    assert sound(pack.faces[0].face) is pack.faces[0].face
    np.testing.assert_allclose(np.abs(pack.faces[0].face.outline).max(0), 19, atol=1)


def test_what_is_missing_is_asked_for() -> None:
    known = learned(pack_of("swiss bleu"))
    assert len(known.missing) == len(KINDS) - 2
    assert known.ask_again == known.missing


def test_faces_that_hardly_show_their_print_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enrolling, "is_faint", lambda face: face.kind == "bleu" and face.source != "another")
    once, again = pack_of(" ".join(KINDS)), pack_of("bleu").faces[0]
    assert learned(once).ask_again == learned(once).faint == ("bleu",)
    clear = replace(again, file="more", face=replace(again.face, source="another"))
    assert learned(replace(once, faces=(*once.faces, clear))).faint == ()


def test_the_two_kinds_most_likely_confused_are_told_once_and_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("bleu", "swiss", 0.25), ("swiss", "bleu", 0.125), ("tomato", "orange", 0.01)]
    monkeypatch.setattr(enrolling, "confusions", lambda art, tilenet: found)
    known = learned(pack_of(" ".join(KINDS)), ones)
    assert known.confusions == (("bleu", "swiss", 0.25), ("tomato", "orange", 0.01))
    assert known.ask_again == ("bleu", "swiss")


# --- descriptors of another network ---


def test_descriptors_that_another_network_made_are_made_again() -> None:
    old = pack_of("swiss")
    new = up_to_date(old, ones)
    assert new.faces[0].network == enrolling.tilenet_sha256() != old.faces[0].network
    np.testing.assert_allclose(new.faces[0].face.descriptor, DESCRIPTOR**-0.5, rtol=1e-5)


def test_descriptors_of_this_network_are_kept() -> None:
    def refuse(_: Sequence[float]) -> list[Floats32]:
        raise AssertionError("the network was run")

    pack = enrolled("mine", [face_of("swiss")], made=MADE)
    assert up_to_date(pack, refuse) is pack  # type: ignore[arg-type]


def test_an_art_without_faces_is_refused_when_kept(tmp_path: Path) -> None:
    with pytest.raises(ArtPackError, match="empty list"):
        ArtShelf(tmp_path).save(enrolled("mine", [], made=MADE))


def test_an_art_is_read_with_the_networks_adapted_to_it_and_described_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def adapted(batch: Floats32) -> list[Floats32]:
        return [batch, np.tile(np.eye(1, DESCRIPTOR, dtype=np.float32), (len(batch), 1))]

    ArtShelf(tmp_path).save(enrolled("mine", [face_of("swiss")], made=MADE))
    base = Networks(detector=ones, tilenet=ones, seamnet=ones)  # type: ignore[arg-type]
    art, networks = load_art("Mine", base, home=tmp_path)
    assert networks.tilenet is base.tilenet
    np.testing.assert_allclose(art.faces[0].descriptor, face_of("swiss").descriptor, atol=1e-5)
    monkeypatch.setattr(AdaptedShelf, "networks", lambda self, name, base: replace(base, tilenet=adapted))
    art, networks = load_art("mine", base, home=tmp_path)
    assert networks.tilenet is adapted
    assert art.faces[0].descriptor[0] == pytest.approx(1)

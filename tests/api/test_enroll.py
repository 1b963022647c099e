"""Learning a copy of the game from the command line: one real photo, and everything that can be wrong with the rest."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from api import asking
from api.cli import app
from models.artpack import with_lesson
from models.artpacks import ArtShelf
from scoring.charcuterie.catalogue import KINDS
from tests.models.packs import MADE, NETWORK, face_of, pack_of
from tests.models.test_enrolling import sheet
from vision.faces import Art

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
PHOTO, LAYOUT = str(SAMPLES / "enrol_1.jpg"), str(SAMPLES / "kinds.txt")


def run(*arguments: str, said: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=said)


def printed(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.splitlines()
    return dict(json.loads(line))


@pytest.fixture(scope="module")
def enrolled_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A user data folder with the sample enrolled, by the networks there are, and what the command printed."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOARDSNAP_HOME", str(home))
        result = run("enroll", PHOTO, "--art", "Sample copy", "--layout", LAYOUT, "--json")
    assert result.exit_code == 0, result.output
    return home, printed(result)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ArtShelf:
    """The packs of a new user data folder, with one called mine."""
    monkeypatch.setenv("BOARDSNAP_HOME", str(tmp_path))
    packs = ArtShelf(tmp_path)
    packs.save(pack_of("swiss orange"))
    return packs


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every photo shows two rows of two and one tiles, without a network being run."""
    monkeypatch.setattr("api.enrolment.load_networks", lambda: SimpleNamespace(tilenet=None))
    monkeypatch.setattr("models.enrolling.confusions", lambda art, tilenet: [])
    monkeypatch.setattr("api.enrolment.sheet_of", lambda photo, name, networks: sheet(2, 1, photo=name))


def layout(folder: Path, *kinds: str) -> str:
    path = folder / "kinds.txt"
    path.write_text("\n".join(kinds))
    return str(path)


# --- a real photo ---


def test_the_27_tiles_of_a_photo_become_27_faces(enrolled_home: tuple[Path, dict[str, Any]]) -> None:
    home, answer = enrolled_home
    assert answer["photos"] == [{"photo": "enrol_1.jpg", "rows": [7, 7, 7, 6]}]
    assert [entry["kind"] for entry in answer["learned"]] == list(KINDS)
    assert answer["missing"] == []
    art = ArtShelf(home).load("Sample copy").art
    assert art.kinds == tuple(KINDS)
    rounds = [face.outline for face in art.faces if KINDS[face.kind].shape == "round"]
    assert all(17 < abs(outline).max() < 21 for outline in rounds)


def test_confused_kinds_are_told_with_a_figure(enrolled_home: tuple[Path, dict[str, Any]]) -> None:
    for pair in enrolled_home[1]["confusions"]:
        assert set(pair["kinds"]) <= set(KINDS)
        assert 0 < pair["share"] <= 1


def test_photos_are_read_with_the_art_asked_for(
    enrolled_home: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision import reading

    asked: list[Art | None] = []
    read = reading.read_photo

    def spy(photo: Any, networks: Any, *, players: int | None = None, art: Art | None = None) -> Any:
        asked.append(art)
        return read(photo, networks, players=players, art=art)

    monkeypatch.setenv("BOARDSNAP_HOME", str(enrolled_home[0]))
    monkeypatch.setattr(reading, "read_photo", spy)
    result = run("score", str(SAMPLES / "board_1.jpg"), "--art", "sample copy", "--json")
    assert result.exit_code == 0, result.output
    assert [art.name for art in asked if art is not None] == ["Sample copy"]


# --- layouts ---


def test_several_photos_give_several_faces_of_a_kind(shelf: ArtShelf, found: None, tmp_path: Path) -> None:
    names = layout(tmp_path, "swiss", "bleu", "gouda")
    result = run("enroll", PHOTO, PHOTO, "--art", "two", "--layout", names)
    assert result.exit_code == 0, result.output
    assert "two: 3 kinds from 6 faces." in result.stdout
    assert "With several faces: swiss (2), gouda (2), bleu (2)." in result.stdout
    assert "Missing: round_cracker" in result.stdout
    assert 'boardsnap enroll PHOTO --art "two" --add' in result.stdout


def test_enrolling_again_replaces_the_art_and_add_adds_to_it(shelf: ArtShelf, found: None, tmp_path: Path) -> None:
    names = layout(tmp_path, "parmesan", "bleu", "-")
    assert run("enroll", PHOTO, "--art", "mine", "--layout", names, "--add").exit_code == 0
    assert shelf.load("mine").art.kinds == ("parmesan", "swiss", "bleu", "orange")
    assert run("enroll", PHOTO, "--art", "mine", "--layout", names).exit_code == 0
    assert shelf.load("mine").art.kinds == ("parmesan", "bleu")


def test_a_stated_diameter_makes_millimetres_true(shelf: ArtShelf, found: None, tmp_path: Path) -> None:
    names = layout(tmp_path, "parmesan", "bleu", "gouda")
    assert run("enroll", PHOTO, "--art", "mine", "--layout", names, "--round-mm", "40").exit_code == 0
    assert shelf.load("mine").art.mm_known
    assert run("enroll", PHOTO, "--art", "mine", "--layout", names, "--round-mm", "2").exit_code == 2


WRONG_USAGE = {
    "an unknown kind": (["swiss", "brei", "gouda"], "line 2 of the layout is 'brei'"),
    "an empty layout": ([""], "one of 0 names"),
}


@pytest.mark.parametrize(("kinds", "message"), WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_a_wrong_layout_is_wrong_usage_and_keeps_the_old_pack(
    shelf: ArtShelf, tmp_path: Path, kinds: list[str], message: str
) -> None:
    before = shelf.stamp("mine")
    result = run("enroll", PHOTO, "--art", "mine", "--layout", layout(tmp_path, *kinds))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert shelf.stamp("mine") == before


@pytest.mark.parametrize("kinds", [["swiss"], ["swiss"] * 4, ["orange", "tomato", "salami"]])
def test_a_layout_that_does_not_fit_the_tiles_keeps_the_old_pack(
    shelf: ArtShelf, found: None, tmp_path: Path, kinds: list[str]
) -> None:
    before = shelf.stamp("mine")
    result = run("enroll", PHOTO, "--art", "mine", "--layout", layout(tmp_path, *kinds), "--json")
    assert result.exit_code == 3
    assert printed(result)["error"]["code"] in ("layout_does_not_fit", "layout_out_of_step")
    assert "row 1 has 2 (wedge, wedge); row 2 has 1 (wedge)" in result.stderr
    sheet_file = tmp_path / "enrolments" / "mine.png"
    assert str(sheet_file) in result.stderr
    with Image.open(sheet_file) as picture:
        assert picture.size[1] > 2 * 144
    assert shelf.stamp("mine") == before


def test_a_layout_that_is_missing_or_no_text_is_wrong_usage(shelf: ArtShelf, tmp_path: Path) -> None:
    (tmp_path / "picture.txt").write_bytes(b"\xff\xd8\xff\xe0")
    (tmp_path / "long.txt").write_bytes(b"#" * 200_000)
    for name, message in (("none.txt", "No such file"), ("picture.txt", "is no text"), ("long.txt", "more than")):
        result = run("enroll", PHOTO, "--art", "mine", "--layout", str(tmp_path / name))
        assert result.exit_code == 2
        assert message in result.stderr


# --- names asked for ---


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "is_terminal", lambda: True)


def test_without_a_layout_the_names_are_asked_for_by_number(shelf: ArtShelf, found: None, terminal: None) -> None:
    first, *_ = KINDS
    result = run("enroll", PHOTO, "--art", "asked", "--json", said="1\n?\nswis\nswiss\n-\n")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout.splitlines()[-1])  # the lines before echo what was typed
    assert [entry["kind"] for entry in answer["learned"]] == [first, "swiss"]
    assert f"Tile 1, row 1, wedge:  1 {first}" in result.stderr
    assert "Did you mean 'swiss'?" in result.stderr
    assert "Tile 3, row 2" in result.stderr


def test_a_kind_that_is_named_already_is_offered_last(shelf: ArtShelf) -> None:
    (tile,) = sheet(1).sheet.tiles
    first, second, *_ = tile.suggestions
    assert asking.suggested(tile, set())[:2] == [first, second]
    assert asking.suggested(tile, {first})[0] == second


def test_naming_that_is_broken_off_keeps_the_old_pack(shelf: ArtShelf, found: None, terminal: None) -> None:
    before = shelf.stamp("mine")
    assert run("enroll", PHOTO, "--art", "mine", said="1\n").exit_code == 1
    assert shelf.stamp("mine") == before


def test_without_a_layout_and_a_terminal_the_tiles_are_shown_and_a_layout_asked_for(
    shelf: ArtShelf, found: None, tmp_path: Path
) -> None:
    result = run("enroll", PHOTO, "--art", "mine")
    assert result.exit_code == 2
    assert "give --layout" in result.stderr
    assert (tmp_path / "enrolments" / "mine.png").is_file()


def test_tiles_that_are_all_skipped_keep_the_old_pack(shelf: ArtShelf, found: None, tmp_path: Path) -> None:
    before = shelf.stamp("mine")
    assert run("enroll", PHOTO, "--art", "mine", "--layout", layout(tmp_path, "-", "-", "-")).exit_code == 2
    assert shelf.stamp("mine") == before


# --- photos and names that cannot be used ---


def test_a_photo_that_cannot_be_used_is_named(shelf: ArtShelf, tmp_path: Path) -> None:
    document, text = tmp_path / "board.json", tmp_path / "notes.jpg"
    document.write_text("{}")
    text.write_text("no picture")
    for path, code in (
        (document, "input_unreadable"),
        (text, "not_an_image"),
        (tmp_path / "no.jpg", "input_not_found"),
    ):
        result = run("enroll", str(path), "--art", "mine", "--layout", LAYOUT, "--json")
        assert result.exit_code == 3
        assert printed(result)["error"]["code"] == code
        assert str(path) in result.stderr


def test_a_photo_without_tiles_teaches_nothing(shelf: ArtShelf, tmp_path: Path) -> None:
    Image.new("RGB", (800, 600), "tan").save(tmp_path / "empty.png")
    before = shelf.stamp("mine")
    result = run("enroll", str(tmp_path / "empty.png"), "--art", "mine", "--layout", LAYOUT)
    assert result.exit_code == 3
    assert "no tile was found" in result.stderr
    assert shelf.stamp("mine") == before


@pytest.mark.parametrize("name", ["../up", "", "x" * 41])
def test_a_name_that_no_art_may_have_is_wrong_usage(shelf: ArtShelf, name: str) -> None:
    result = run("enroll", PHOTO, "--art", name, "--layout", LAYOUT)
    assert result.exit_code == 2
    assert "allowed: 1 to 40 letters" in result.stderr


def test_adding_to_an_art_that_is_not_there_is_wrong_usage(shelf: ArtShelf) -> None:
    result = run("enroll", PHOTO, "--art", "other", "--add", "--layout", LAYOUT)
    assert result.exit_code == 2
    assert "There are: mine." in result.stderr


@pytest.mark.parametrize("command", ["score", "validate", "evaluate"])
def test_an_art_that_is_not_there_is_wrong_usage_and_those_there_are_get_listed(shelf: ArtShelf, command: str) -> None:
    result = run(command, str(SAMPLES), "--art", "winter")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no art pack called 'winter'. There are: mine." in result.stderr


def test_a_damaged_pack_is_an_input_that_cannot_be_read(shelf: ArtShelf) -> None:
    (shelf.folder / "mine" / "pack.json").write_text("{")
    assert run("arts", "show", "mine").exit_code == 3
    listed = run("arts")
    assert listed.exit_code == 0
    assert "damaged" in listed.stdout
    shutil.rmtree(shelf.folder / "mine")


def test_lessons_are_listed_and_taken_back(shelf: ArtShelf) -> None:
    taught = with_lesson(pack_of("swiss"), [face_of("swiss", 1)], network=NETWORK, photo="board.jpg", made=MADE)
    shelf.save(taught)
    assert "Learned 1 faces from board.jpg" in run("arts", "show", "mine").stdout
    assert "taken back what board.jpg taught: swiss." in run("arts", "undo", "mine").stdout
    assert len(shelf.load("mine").faces) == 1
    nothing = run("arts", "undo", "mine")
    assert nothing.exit_code == 2
    assert "no lesson" in nothing.stderr

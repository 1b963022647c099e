"""Art packs from the command line: listed, shown, shared, taken, removed, taught."""

import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from api.cli import app
from api.photos import PhotoReader
from models.adapted import AdaptedNetworks, AdaptedShelf
from models.artpack import with_faces
from models.artpacks import ArtShelf
from models.learning import Taught
from models.registry import Networks
from tests.models.packs import NETWORK, face_of, pack_of
from vision.faces import Art
from vision.reading import Reading


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ArtShelf:
    monkeypatch.setenv("BOARDSNAP_HOME", str(tmp_path))
    return ArtShelf(tmp_path)


@pytest.fixture
def mine(shelf: ArtShelf) -> ArtShelf:
    shelf.save(pack_of("swiss swiss orange"))
    return shelf


def test_without_packs_the_list_says_how_to_make_one(shelf: ArtShelf) -> None:
    result = run("arts")
    assert result.exit_code == 0
    assert "boardsnap enroll PHOTO --art NAME" in result.stdout
    assert json.loads(run("arts", "--json").stdout)["arts"] == []


def test_packs_are_listed_with_what_they_know(mine: ArtShelf) -> None:
    (art,) = json.loads(run("arts", "--json").stdout)["arts"]
    assert (art["name"], art["kinds"], art["faces"], len(art["missing"])) == ("mine", 2, 3, 25)
    assert "mine" in run("arts").stdout


def test_a_pack_is_shown_with_where_it_was_learned(mine: ArtShelf) -> None:
    shown = run("arts", "show", "Mine").stdout
    assert "mine: 2 kinds from 3 faces." in shown
    assert "from enrol.jpg." in shown
    answer = json.loads(run("arts", "show", "mine", "--json").stdout)
    assert answer["learned"] == [{"kind": "swiss", "faces": 2}, {"kind": "orange", "faces": 1}]
    assert answer["folder"] == str(mine.folder / "mine")


def test_a_pack_is_shared_as_one_file_and_taken_under_another_name(mine: ArtShelf, tmp_path: Path) -> None:
    file = str(tmp_path / "shared.zip")
    assert run("arts", "export", "mine", file).exit_code == 0
    taken = run("arts", "import", file)
    assert taken.exit_code == 2
    assert "called 'mine' already" in taken.stderr
    assert run("arts", "import", file, "--as", "yours").exit_code == 0
    assert mine.names() == ["mine", "yours"]


def test_a_hostile_file_is_an_input_that_cannot_be_read(mine: ArtShelf, tmp_path: Path) -> None:
    file = tmp_path / "stranger.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../evil.sh", "rm -rf ~")
    result = run("arts", "import", str(file))
    assert (result.exit_code, result.stdout) == (3, "")
    assert "'../../evil.sh'" in result.stderr
    assert mine.names() == ["mine"]


@pytest.mark.parametrize("command", [["export", "mine", "/nowhere/a.zip"], ["import", "/nowhere/a.zip"]])
def test_a_file_that_cannot_be_opened_is_wrong_usage(mine: ArtShelf, command: list[str]) -> None:
    result = run("arts", *command)
    assert result.exit_code == 2
    assert "/nowhere" in result.stderr
    assert "Traceback" not in result.output


def test_a_pack_is_removed_only_by_somebody_who_says_yes(mine: ArtShelf) -> None:
    refused = run("arts", "remove", "mine")
    assert refused.exit_code == 2
    assert "give --yes" in refused.stderr
    assert mine.names() == ["mine"]
    assert run("arts", "remove", "mine", "--yes").exit_code == 0
    assert mine.names() == []


@pytest.mark.parametrize(
    "command",
    [["show", "x"], ["export", "x", "a.zip"], ["remove", "x"], ["undo", "x"], ["learn", "x", "a.jpg", "a.json"]],
)
def test_a_pack_that_is_not_there_is_wrong_usage(mine: ArtShelf, command: list[str]) -> None:
    result = run("arts", *command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "There are: mine." in result.stderr


# --- learning ---


@pytest.fixture
def photo(tmp_path: Path) -> str:
    Image.new("RGB", (640, 480), "tan").save(tmp_path / "board.jpg")
    return str(tmp_path / "board.jpg")


@pytest.fixture
def board_file(tmp_path: Path) -> str:
    tile = {"id": "t0", "kind": "swiss", "polygon_px": [[0, 0], [9, 0], [9, 9]]}
    board = {"format": "boardsnap.board/1", "tiles": [tile], "contacts": []}
    (tmp_path / "board.json").write_text(json.dumps(board))
    return str(tmp_path / "board.json")


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `teach` was asked; it answers that it learned two swiss tiles, or nothing from `everything`."""
    asked: list[Any] = []

    def teach(shelf: ArtShelf, name: str, photo: Any, board: Any, networks: Any, **options: Any) -> Taught:
        asked.append((board.placements[0].kind, options["source"], options["everything"]))
        return Taught(shelf.load(name), () if options["everything"] else (face_of("swiss"), face_of("swiss")))

    monkeypatch.setattr("models.learning.teach", teach)
    monkeypatch.setattr("models.registry.load_networks", SimpleNamespace)
    return asked


def test_a_corrected_board_is_learned_from(mine: ArtShelf, taught: list[Any], photo: str, board_file: str) -> None:
    result = run("arts", "learn", "mine", photo, board_file)
    assert result.exit_code == 0, result.output
    assert "mine: learned from board.jpg: swiss (2)." in result.stdout
    assert "nothing to learn" in run("arts", "learn", "mine", photo, board_file, "--all").stdout
    assert taught == [("swiss", "board.jpg", False), ("swiss", "board.jpg", True)]


def test_the_report_of_a_photo_serves_as_its_board(
    mine: ArtShelf, taught: list[Any], photo: str, board_file: str, tmp_path: Path
) -> None:
    report = {"format": "boardsnap.report/1", "total": 0, "board": json.loads(Path(board_file).read_text())}
    (tmp_path / "report.json").write_text(json.dumps(report))
    answer = json.loads(run("arts", "learn", "mine", photo, str(tmp_path / "report.json"), "--json").stdout)
    assert answer["learned"] == [{"kind": "swiss", "faces": 2}]


def test_photo_and_board_in_the_wrong_order_are_pointed_out(
    mine: ArtShelf, taught: list[Any], photo: str, board_file: str
) -> None:
    result = run("arts", "learn", "mine", board_file, photo)
    assert result.exit_code == 2
    assert "Give PHOTO first" in result.stderr
    assert taught == []


# --- reading with a pack ---


def test_a_pack_or_networks_that_change_are_loaded_again(
    mine: ArtShelf, tmp_path: Path, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, bool]] = []

    def read(photo: Any, networks: Any, *, players: int | None, art: Art) -> Reading:
        seen.append((len(art.faces), networks.detector is adapted))
        return Reading(None, (), art.name)  # type: ignore[arg-type]

    def adapted(batch: Any) -> list[Any]:
        return [batch]

    def network(batch: Any) -> list[Any]:
        return [batch, np.ones((len(batch), 96), np.float32)]

    monkeypatch.setattr("vision.reading.read_photo", read)
    networks = Networks(detector=network, tilenet=network, seamnet=network)  # type: ignore[arg-type]
    monkeypatch.setattr("models.registry.load_networks", lambda: networks)
    reader = PhotoReader(art="mine", home=tmp_path)
    reader.read(Path(photo))
    mine.change("mine", lambda pack: with_faces(pack, [face_of("bleu")], network=NETWORK))
    reader.read(Path(photo))
    monkeypatch.setattr(AdaptedShelf, "networks", lambda self, name, base: base.exchanged(detector=adapted))
    reader.read(Path(photo))
    (tmp_path / "made.onnx").write_bytes(b"a network")
    AdaptedShelf(tmp_path).put(Art("mine", ()), AdaptedNetworks({"detector": tmp_path / "made.onnx"}))
    reader.read(Path(photo))
    assert seen == [(3, False), (4, False), (4, False), (4, True)]

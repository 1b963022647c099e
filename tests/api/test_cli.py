"""The commands as a person or a script uses them."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from api.cli import app
from api.photos import PhotoReader, ReadPhoto
from models.evaluate import PhotoResult
from scoring import load_document
from vision.errors import NoBoardFound
from vision.image import Photo, load_photo

BREADS = ["baguette", "square_cracker", "round_cracker"]


def board(**fields: Any) -> dict[str, Any]:
    """A board typed in by hand: two round breads and a square one in a row, 2 points for the one pair."""
    tiles = [{"id": f"t{number}", "kind": kind} for number, kind in enumerate(BREADS)]
    head = {"format": "boardsnap.board/1", "game": "charcuterie", "players": 4}
    return {**head, "tiles": tiles, "contacts": [["t0", "t1"], ["t1", "t2"]], **fields}


def board_with_overhang() -> dict[str, Any]:
    """One tile that hangs 20 mm over the edge of a board of 200 mm."""
    outline = [[0, 0], [200, 0], [200, 200], [0, 200]]
    tile = {"id": "t0", "kind": "ciabatta", "footprint": [[180, 50], [220, 50], [220, 90], [180, 90]]}
    return board(board={"outline": outline, "inner_ring": None}, tiles=[tile], contacts=[])


def table() -> dict[str, Any]:
    boards = [{"player": name, **board(players=2)} for name in ("Ana", "Ben")]
    return {"format": "boardsnap.table/1", "boards": boards, "objectives": ["bread_pairs"]}


def saved(path: Path, document: object) -> str:
    path.write_text(json.dumps(document))
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def lines(result: Result) -> list[dict[str, Any]]:
    """Standard output as JSON lines: fails where anything else was printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def board_file(tmp_path: Path) -> str:
    return saved(tmp_path / "board.json", board())


# --- score ---


def test_a_board_file_is_scored_with_reasons(board_file: str) -> None:
    result = run("score", board_file, "--objectives", "bread_pairs")
    assert result.exit_code == 0, result.output
    assert "bread pairs" in result.stdout
    assert "Total: 2" in result.stdout
    assert result.stderr == ""


def test_json_is_one_report_and_nothing_else(board_file: str) -> None:
    result = run("score", board_file, "--objectives", "bread_pairs", "--json")
    (report,) = lines(result)
    assert report["format"] == "boardsnap.report/1"
    assert report["input"] == board_file
    assert report["total"] == 2
    assert report["timings_ms"]["score"] > 0
    assert result.stderr == ""


def test_all_lists_the_eighteen_cards_and_leaves_the_neighbor_cards_open(board_file: str) -> None:
    (report,) = lines(run("score", board_file, "--objectives", "all", "--json"))
    points = {line["id"]: line["points"] for line in report["objectives"]}
    assert len(points) == 18
    assert points["cheese_neighbors"] is None


def test_the_options_change_the_score(board_file: str) -> None:
    rule = ("--objectives", "bread_same_shape", "--house-rule", "best_shape")
    (plain,) = lines(run("score", board_file, *rule[:2], "--json"))
    (house,) = lines(run("score", board_file, *rule, "--json"))
    assert (plain["total"], house["total"]) == (3, 2)
    (with_recipe,) = lines(run("score", board_file, *rule[:2], "--recipe", "7", "--json"))
    assert with_recipe["total"] == 10
    (vegetarian,) = lines(run("score", board_file, "--recipe", "the_vegetarian", "--json"))
    assert vegetarian["recipe"] == {**vegetarian["recipe"], "id": "the_vegetarian", "points": 15}


def test_a_table_file_gives_a_table_report(tmp_path: Path) -> None:
    path = saved(tmp_path / "table.json", table())
    (report,) = lines(run("score", path, "--json"))
    assert report["format"] == "boardsnap.table-report/1"
    assert report["ranking"] == [["Ana", 2], ["Ben", 2]]
    shown = run("score", path)
    assert shown.exit_code == 0
    assert "Ranking" in shown.stdout


def test_several_inputs_are_answered_in_the_order_given(tmp_path: Path) -> None:
    names = [saved(tmp_path / f"{name}.json", board()) for name in ("z", "a", "m")]
    result = run("score", *names, "--json")
    assert [report["input"] for report in lines(result)] == names


def test_a_folder_stands_for_its_board_files_by_name(tmp_path: Path) -> None:
    for name in ("b", "a"):
        saved(tmp_path / f"{name}.json", board())
    (tmp_path / "notes.txt").write_text("not a board")
    (tmp_path / ".hidden.json").write_text("{")
    answers = lines(run("score", str(tmp_path), "--json"))
    assert [Path(answer["input"]).name for answer in answers] == ["a.json", "b.json"]


def test_one_bad_input_does_not_stop_the_others(tmp_path: Path, board_file: str) -> None:
    missing = str(tmp_path / "missing.json")
    result = run("score", missing, board_file, "--json")
    assert result.exit_code == 3
    failure, report = lines(result)
    assert failure["input"] == missing
    assert failure["error"]["code"] == "input_not_found"
    assert failure["error"]["message"] in result.stderr
    assert report["input"] == board_file
    plain = run("score", missing, board_file)
    assert plain.exit_code == 3
    assert "Total" in plain.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text_is_no_obstacle(tmp_path: Path) -> None:
    path = saved(tmp_path / "caf\udce9.json", board())
    for options in ([], ["--json"]):
        command = [sys.executable, "-m", "api.cli", "score", path, *options]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0


# --- what cannot be read: exit code 3 and one message on stderr ---


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", "image_empty", "0 bytes"),
        (b"Woof! This is dog.txt.", "not_an_image", "text"),
        (b'{"format": "boardsnap.board/1",', "json_invalid", "line 1"),
        (b'{"tiles": "\xff"}', "json_invalid", "UTF-8"),
        (b"[" * 200_000, "json_invalid", "deep"),
        (b'{"players": ' + b"9" * 5000 + b"}", "json_invalid", "digits"),
        (b'{"tiles": [{"id": "a", "kind": "brie"}], "contacts": []}', "board_file_invalid", "brie"),
        (b'{"tiles": [{"id": "a", "kind": "swiss", "visible": NaN}], "contacts": []}', "board_file_invalid", "visible"),
        (b"[]", "board_file_invalid", ""),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image_truncated", "truncated"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, content: bytes, code: str, words: str) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(content)
    result = run("score", str(path), "--json")
    assert result.exit_code == 3
    (answer,) = lines(result)
    assert answer["error"]["code"] == code
    assert words in result.stderr
    assert str(path) in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    result = run("score", str(tmp_path))
    assert result.exit_code == 3
    assert "no photo and no board file" in result.stderr


# --- wrong usage: exit code 2 ---


@pytest.mark.parametrize(
    "options",
    [
        ["--objectives", "cheese_fondue"],
        ["--objectives", ","],
        ["--house-rule", "loser_pays"],
        ["--house-rule", "no_dip_points=many"],
        ["--recipe", "the_carnivore"],
        ["--recipe", "missing.toml"],
        ["--players", "9"],
        ["--players", "four"],
        ["--art", "winter"],
        ["--no-such-option"],
        ["--overlay", "out.png"],
    ],
)
def test_options_that_do_not_exist_are_wrong_usage(board_file: str, options: list[str]) -> None:
    result = run("score", board_file, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error" in result.stderr
    assert "Traceback" not in result.stderr


def test_no_input_is_wrong_usage() -> None:
    assert run("score").exit_code == 2
    assert run("no-such-command").exit_code == 2


def test_an_overlay_of_several_inputs_is_wrong_usage(board_file: str) -> None:
    result = run("score", board_file, board_file, "--overlay", "out.png")
    assert result.exit_code == 2
    assert "one photo" in result.stderr


def test_a_recipe_file_is_read(tmp_path: Path, board_file: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("this is no toml")
    result = run("score", board_file, "--recipe", str(path))
    assert result.exit_code == 2
    assert "broken.toml" in result.stderr


# --- validate ---


def test_validate_exits_1_on_a_violation(tmp_path: Path) -> None:
    path = saved(tmp_path / "overhang.json", board_with_overhang())
    result = run("validate", path, "--json")
    assert result.exit_code == 1
    (answer,) = lines(result)
    assert {"id": "off_board", "tiles": ["t0"], "status": "violation"}.items() <= answer["checks"][0].items()
    shown = run("validate", path)
    assert shown.exit_code == 1
    assert "ciabatta t0 must not hang over the edge of the board: 20.0 mm" in shown.stdout


def test_validate_exits_0_where_nothing_is_violated(tmp_path: Path) -> None:
    result = run("validate", saved(tmp_path / "fine.json", board(players=None)))
    assert result.exit_code == 0, result.stdout
    assert "every check passed" in result.stdout


def test_validate_exits_3_where_an_input_cannot_be_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "overhang.json", board_with_overhang())
    assert run("validate", path, str(tmp_path / "missing.json")).exit_code == 3


# --- photos, with a reading that is made up ---


@pytest.fixture
def photo_file(tmp_path: Path) -> str:
    path = tmp_path / "photo.jpg"
    Image.new("RGB", (400, 300), "tan").save(path)
    return str(path)


@pytest.fixture
def fake_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: PhotoReader, path: Path, *, players: int | None = None) -> ReadPhoto:
        photo: Photo = load_photo(path)
        if photo.rgb.max() == 0:
            raise NoBoardFound("nothing but black")
        reading = SimpleNamespace(board=load_document(board(players=players)), questions=(), timings_ms={"detect": 3.0})
        return ReadPhoto(photo, reading, {"decode": 1.0, **reading.timings_ms})

    monkeypatch.setattr(PhotoReader, "read", read)


@pytest.mark.usefixtures("fake_reading")
def test_a_photo_is_read_and_scored(photo_file: str) -> None:
    (report,) = lines(run("score", photo_file, "--objectives", "bread_pairs", "--players", "4", "--json"))
    assert report["total"] == 2
    assert report["board"]["players"] == 4
    assert list(report["timings_ms"]) == ["decode", "detect", "score"]


@pytest.mark.usefixtures("fake_reading")
def test_a_photo_without_a_board_exits_4(tmp_path: Path, photo_file: str, board_file: str) -> None:
    black = tmp_path / "black.png"
    Image.new("RGB", (400, 300)).save(black)
    result = run("score", str(black), photo_file, "--json")
    assert result.exit_code == 4
    assert lines(result)[0]["error"]["code"] == "no_board_found"
    assert run("score", str(black), str(tmp_path / "missing.jpg"), board_file).exit_code == 3


@pytest.mark.usefixtures("fake_reading")
def test_a_folder_takes_photos_and_leaves_their_truth_out(tmp_path: Path, photo_file: str) -> None:
    saved(Path(photo_file).with_suffix(".json"), board())
    saved(tmp_path / "alone.json", board())
    answers = lines(run("score", str(tmp_path), "--json"))
    assert [Path(answer["input"]).name for answer in answers] == ["alone.json", "photo.jpg"]


@pytest.mark.usefixtures("fake_reading")
def test_the_overlay_is_written(tmp_path: Path, photo_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.full((300, 400, 3), 7, np.uint8)
    monkeypatch.setitem(sys.modules, "vision.overlay", SimpleNamespace(draw_overlay=lambda *_, **__: drawn))
    out = tmp_path / "out.png"
    assert run("score", photo_file, "--overlay", str(out)).exit_code == 0
    with Image.open(out) as picture:
        assert np.array_equal(np.asarray(picture), drawn)
    result = run("score", photo_file, "--overlay", str(tmp_path / "no" / "folder.png"))
    assert result.exit_code == 2
    assert "overlay" in result.stderr


# --- evaluate ---


def test_evaluate_measures_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(tmp_path / "one.json", board(board={"outline": [[0, 0], [9, 0], [0, 9]], "inner_ring": None}))
    Image.new("RGB", (400, 300)).save(tmp_path / "one.jpg")
    result = PhotoResult("one", tiles=3, found=2, ious=[0.9, 0.8], faults=["t1 (baguette) was not found"])
    monkeypatch.setattr("models.evaluate.evaluate_folder", lambda _: [result])
    (answer,) = lines(run("evaluate", str(tmp_path), "--json"))
    assert answer["summary"]["recall"] == pytest.approx(2 / 3)
    assert answer["photos"][0]["name"] == "one"
    shown = run("evaluate", str(tmp_path))
    assert shown.exit_code == 0
    assert "t1 (baguette) was not found" in shown.stdout
    assert "0.667" in shown.stdout


def test_evaluate_needs_a_folder_of_photos_with_truth(tmp_path: Path, board_file: str) -> None:
    assert run("evaluate", board_file).exit_code == 3
    (tmp_path / "empty").mkdir()
    assert run("evaluate", str(tmp_path / "empty")).exit_code == 3


# --- the process itself ---

HEAVY = ("cv2", "openvino", "fastapi", "torch", "PIL")


def test_a_board_file_is_scored_without_the_heavy_libraries(board_file: str) -> None:
    code = (
        "import sys, atexit; from api.cli import main; "
        f"atexit.register(lambda: print([name for name in {HEAVY} if name in sys.modules])); main()"
    )
    command = [sys.executable, "-c", code, "score", board_file, "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_output_that_is_no_terminal_holds_no_escape_codes(board_file: str) -> None:
    command = [sys.executable, "-m", "api.cli", "score", board_file, "--objectives", "all"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    assert "\x1b" not in result.stdout
    assert "Total" in result.stdout

"""The contact sheet of a data set."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.preview import CELL_WIDTH_PX, contact_sheet, truth_files, write_sheet


def photo_with_truth(folder: Path, name: str) -> None:
    Image.new("RGB", (960, 720), (200, 180, 160)).save(folder / f"{name}.jpg")
    tile = {"id": "t0", "kind": "swiss", "polygon_px": [[100, 100], [400, 100], [250, 400]]}
    (folder / f"{name}.json").write_text(json.dumps({"tiles": [tile], "violations": [["t0", "off_board"]]}))


def test_photos_with_truth_stand_in_a_grid(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        photo_with_truth(tmp_path, name)
    (tmp_path / "alone.json").write_text("{}")
    assert [file.stem for file in truth_files(tmp_path, count=9)] == ["a", "b", "c"]
    sheet = contact_sheet(truth_files(tmp_path, count=9))
    assert sheet.shape == (2 * 720, 2 * CELL_WIDTH_PX, 3)
    assert (sheet[720:, CELL_WIDTH_PX:] == 255).all()  # the fourth place is empty
    edge = sheet[99:102, 250].astype(int)
    assert (edge[:, 0] - edge[:, 2]).max() > 100  # a tile with a violation is outlined in red


def test_a_sheet_is_written_as_a_picture(tmp_path: Path) -> None:
    photo_with_truth(tmp_path, "a")
    assert write_sheet(tmp_path, tmp_path / "sheet.png", count=4) == 1
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert np.asarray(sheet).shape == (720, CELL_WIDTH_PX, 3)


def test_a_folder_without_photos_with_truth_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no photo with truth"):
        write_sheet(tmp_path, tmp_path / "sheet.png", count=4)

"""Label files of other tools say what the truth says."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from datasets.formats.classes import CLASSES
from datasets.formats.coco import coco, write_coco
from datasets.formats.yolo import joined, write_yolo, yolo_lines

SQUARE = [[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]]
FAR = [[60.0, 10.0], [80.0, 10.0], [80.0, 20.0], [60.0, 20.0]]


def truth() -> dict[str, Any]:
    return {
        "camera": {"size": [100, 50]},
        "board": {"outline_px": [[0.0, 0.0], [100.0, 0.0], [100.0, 50.0], [0.0, 50.0]]},
        "tiles": [
            {"id": "t0", "shape": "wedge", "visible_px": [SQUARE, FAR]},
            {"id": "t1", "shape": "round", "visible_px": []},
        ],
        "cards_px": [FAR],
    }


def written(folder: Path) -> Path:
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(truth()))
    (folder / "a.jpg").write_bytes(b"jpeg")
    (folder / "alone.json").write_text("{}")
    return folder


def test_yolo_has_a_line_for_each_thing_that_shows() -> None:
    lines = [line.split() for line in yolo_lines(truth()).splitlines()]
    assert [CLASSES[int(line[0])] for line in lines] == ["wedge", "board", "card"]
    assert [float(v) for v in lines[2][1:5]] == pytest.approx([0.6, 0.2, 0.8, 0.2])
    assert all(0.0 <= float(v) <= 1.0 for line in lines for v in line[1:])


def test_parts_joined_by_a_seam_keep_their_area() -> None:
    ring = joined([np.array(SQUARE), np.array(FAR)])
    x, y = ring.T
    assert abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 == pytest.approx(400.0 + 200.0)
    assert shapely.make_valid(shapely.Polygon(ring)).area == pytest.approx(600.0)


def test_coco_keeps_the_parts_apart() -> None:
    data = coco([("a.jpg", truth())])
    wedge = data["annotations"][0]
    assert data["categories"][wedge["category_id"] - 1]["name"] == "wedge"
    assert [len(part) for part in wedge["segmentation"]] == [8, 8]
    assert wedge["bbox"] == [10.0, 10.0, 70.0, 20.0]
    assert wedge["area"] == 600.0
    assert [a["id"] for a in data["annotations"]] == [1, 2, 3]


def test_folders_are_written_and_truths_without_a_picture_left_out(tmp_path: Path) -> None:
    photos = written(tmp_path / "photos")
    assert write_yolo(photos, tmp_path / "yolo") == 1
    assert (tmp_path / "yolo/labels/train/a.txt").read_text() == yolo_lines(truth())
    assert (tmp_path / "yolo/images/train/a.jpg").resolve() == (photos / "a.jpg").resolve()
    assert "5: card" in (tmp_path / "yolo/data.yaml").read_text()
    assert write_coco(photos, tmp_path / "coco.json") == 1
    assert json.loads((tmp_path / "coco.json").read_text())["images"][0]["width"] == 100


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no photo with truth"):
        write_coco(tmp_path, tmp_path / "coco.json")

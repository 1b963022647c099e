"""A contact sheet of photos with truth: outlines and kinds drawn on, to look a data set over."""

import json
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

CELL_WIDTH_PX = 960
"""Width of one photo on the sheet: kinds stay legible, and nine photos make a sheet of 3000 px."""


def truth_files(folder: Path, *, count: int) -> list[Path]:
    """The first `count` truth files of a folder, by name, that have a photo beside them."""
    files = (file for file in sorted(folder.glob("*.json")) if file.with_suffix(".jpg").is_file())
    return [file for _, file in zip(range(count), files, strict=False)]


def contact_sheet(files: list[Path]) -> Pixels:
    """Photos with their truth drawn on, in a grid as square as can be; (H, W, 3) RGB.

    Raises:
        ValueError: there are no files.
    """
    if not files:
        raise ValueError("no photo with truth (NAME.jpg beside NAME.json)")
    cells = [_cell(file) for file in files]
    columns = ceil(sqrt(len(cells)))
    height = max(cell.shape[0] for cell in cells)
    sheet = np.full((ceil(len(cells) / columns) * height, columns * CELL_WIDTH_PX, 3), 255, np.uint8)
    for place, cell in enumerate(cells):
        top, left = place // columns * height, place % columns * CELL_WIDTH_PX
        sheet[top : top + cell.shape[0], left : left + CELL_WIDTH_PX] = cell
    return sheet


def write_sheet(folder: Path, out: Path, *, count: int) -> int:
    """Write the contact sheet of a folder as a picture and return how many photos are on it.

    Raises:
        ValueError: the folder holds no photo with truth.
        OSError: the picture cannot be written.
    """
    files = truth_files(folder, count=count)
    sheet = contact_sheet(files)
    done, data = cv2.imencode(out.suffix or ".jpg", cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR))
    if not done:
        raise OSError(f"{out} could not be encoded")
    out.write_bytes(data.tobytes())
    return len(files)


def _cell(file: Path) -> Pixels:
    bgr = cv2.imdecode(np.fromfile(file.with_suffix(".jpg"), np.uint8), cv2.IMREAD_COLOR)
    scale = CELL_WIDTH_PX / bgr.shape[1]
    cell = cv2.cvtColor(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)
    truth = json.loads(file.read_text(encoding="utf-8"))
    wrong = {tile for tile, _ in truth.get("violations", ())}
    for tile in truth["tiles"]:
        _draw_tile(cell, tile, scale, colour=(220, 30, 30) if tile["id"] in wrong else (20, 120, 255))
    return cell[:, :CELL_WIDTH_PX]


def _draw_tile(cell: Pixels, tile: dict[str, Any], scale: float, *, colour: tuple[int, int, int]) -> None:
    outline = np.array(tile["polygon_px"]) * scale
    cv2.polylines(
        cell, [outline.round().astype(np.int32)], isClosed=True, color=colour, thickness=1, lineType=cv2.LINE_AA
    )
    x, y = outline.mean(axis=0)
    label = tile["kind"].replace("_", " ")
    for thickness, shade in ((3, (255, 255, 255)), (1, (0, 0, 0))):
        cv2.putText(cell, label, (int(x) - 24, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.35, shade, thickness, cv2.LINE_AA)

"""The tiles of an enrolment, numbered, on one picture: a line for each row of each photo."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from models.enrolling import PhotoSheet
from vision.enrolment import SheetTile

_CELL_PX = 144
_LABEL_PX = 26
_MARGIN_PX = 6
_MOST_ACROSS = 12
Numbered = tuple[int, SheetTile]


def write_contact_sheet(sheets: Sequence[PhotoSheet], file: Path) -> None:
    """Write the picture, making its folder; tiles are numbered from 1 over all photos.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    contact_sheet(sheets).save(file)


def contact_sheet(sheets: Sequence[PhotoSheet]) -> Image.Image:
    """Draw the picture."""
    lines = list(_lines(sheets))
    across = max((len(line) for line in lines), default=1)
    size = (_MARGIN_PX + across * (_CELL_PX + _MARGIN_PX), _MARGIN_PX + len(lines) * _line_px())
    picture = Image.new("RGB", size, "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(size=_LABEL_PX - 6)
    for y, line in enumerate(lines):
        for x, (number, tile) in enumerate(line):
            corner = (_MARGIN_PX + x * (_CELL_PX + _MARGIN_PX), _MARGIN_PX + y * _line_px())
            draw.text(corner, str(number), fill="black", font=font)
            crop = Image.fromarray(tile.picture).resize((_CELL_PX, _CELL_PX))
            picture.paste(crop, (corner[0], corner[1] + _LABEL_PX))
    return picture


def _line_px() -> int:
    return _LABEL_PX + _CELL_PX + _MARGIN_PX


def _lines(sheets: Sequence[PhotoSheet]) -> Iterator[list[Numbered]]:
    """The rows of all photos; a row too long for the picture goes on in the next line."""
    number = 0
    for one in sheets:
        rows: dict[int, list[Numbered]] = {}
        for tile in one.sheet.tiles:
            number += 1
            rows.setdefault(tile.row, []).append((number, tile))
        for _, row in sorted(rows.items()):
            yield from (row[i : i + _MOST_ACROSS] for i in range(0, len(row), _MOST_ACROSS))

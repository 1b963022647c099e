"""A table to take along: CSV, a table file, and a picture of the leaderboard; and the QR code of a link."""

import csv
from io import BytesIO, StringIO
from typing import Any

import segno

from api.table_answers import Standing, leaderboard
from api.tables import View
from scoring import Report

# A cell that begins so would be run as a formula by a spreadsheet.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_PICTURE_WIDTH_PX = 1080
_ROW_PX = 96
_MARGIN_PX = 60
_PAPER, _INK, _ACCENT = (250, 246, 238), (52, 41, 33), (178, 58, 38)


def table_csv(view: View, stands: Standing) -> str:
    """Return a line a player: the points of each card, the recipe, the total and the place."""
    reports = {report.player: report for report in (stands.report.boards if stands.report else ())}
    places = {entry["player"]: entry["place"] for entry in leaderboard(stands.report)}
    cards = [line.id for line in next(iter(reports.values())).objectives] if reports else []
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["seat", "player", *cards, "recipe", "recipe_points", "total", "place"])
    for (seat, _), total in zip(stands.seats, stands.totals, strict=True):
        report = reports.get(seat.player)
        lines = {line.id: line.points for line in report.objectives} if report else {}
        row = [seat.seat, _cell(seat.player), *(_number(lines.get(card)) for card in cards), *_recipe_cells(report)]
        writer.writerow([*row, _number(total), places.get(seat.player, "")])
    return out.getvalue()


def table_file(view: View, stands: Standing) -> dict[str, Any]:
    """Return the table as a table file, which `boardsnap score` reads; recipes are in it once they are revealed."""
    rules = view.table.rules
    document: dict[str, Any] = {
        "format": "boardsnap.table/1",
        "game": "charcuterie",
        "players": len(view.table.seats),
        "house_rules": rules["house_rules"],
        "boards": [],
    }
    if rules["objectives"] is not None:
        document["objectives"] = rules["objectives"]
    for seat, board in stands.seats:
        if board is not None:
            entry = {
                "player": seat.player,
                **board.to_json(),
                "players": len(view.table.seats),
                "variant": rules["variant"],
            }
            shown = {"recipe": seat.recipe} if view.table.revealed and seat.recipe is not None else {}
            document["boards"].append({**entry, **shown})
    return document


def table_png(view: View, stands: Standing) -> bytes:
    """Return the leaderboard as a picture; before all boards are in, the seats in order."""
    from PIL import Image, ImageDraw, ImageFont

    rows = _rows(stands)
    height = 2 * _MARGIN_PX + _ROW_PX * (len(rows) + 1)
    picture = Image.new("RGB", (_PICTURE_WIDTH_PX, height), _PAPER)
    draw, large, small = ImageDraw.Draw(picture), ImageFont.load_default(56), ImageFont.load_default(40)
    draw.text((_MARGIN_PX, _MARGIN_PX), "Charcuterie", _ACCENT, large)
    for number, (place, player, total) in enumerate(rows, start=1):
        y = _MARGIN_PX + _ROW_PX * number
        draw.line((_MARGIN_PX, y, _PICTURE_WIDTH_PX - _MARGIN_PX, y), _INK, 2)
        draw.text((_MARGIN_PX, y + 24), place, _ACCENT, small)
        draw.text((_MARGIN_PX + 100, y + 24), _shortened(player, draw, small), _INK, small)
        draw.text((_PICTURE_WIDTH_PX - _MARGIN_PX, y + 24), total, _INK, small, anchor="ra")
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def qr_svg(link: str) -> bytes:
    """Return a link as a QR code, dark on white whatever the page looks like."""
    out = BytesIO()
    segno.make(link, error="m").save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
    return out.getvalue()


def _rows(stands: Standing) -> list[tuple[str, str, str]]:
    if stands.report is not None:
        return [(f"{e['place']}.", e["player"], str(e["total"])) for e in leaderboard(stands.report)]
    seats = zip(stands.seats, stands.totals, strict=True)
    return [("", seat.player, "-" if total is None else str(total)) for (seat, _), total in seats]


def _shortened(text: str, draw: Any, font: Any) -> str:
    most = _PICTURE_WIDTH_PX - 2 * _MARGIN_PX - 260
    while draw.textlength(text, font) > most:
        text = text[:-2] + "…"
    return text


def _recipe_cells(report: Report | None) -> list[Any]:
    if report is None or report.recipe is None:
        return ["", ""]
    return [_cell(report.recipe.id), _number(report.recipe.points)]


def _number(points: int | None) -> Any:
    return "" if points is None else points


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text

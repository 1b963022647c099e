"""The reading drawn on the photo: outlines coloured by category, contacts, doubts, violations, a legend, the score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import KINDS

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

# Okabe and Ito's palette, told apart by colour-blind people too.
CATEGORY_COLOURS: dict[str, Colour] = {
    "bread": (230, 159, 0),
    "cheese": (240, 228, 66),
    "meat": (213, 94, 0),
    "fruit": (204, 121, 167),
    "veggie": (0, 158, 115),
    "dip": (86, 180, 233),
}
VIOLATION: Colour = (220, 20, 60)
DOUBT: Colour = (255, 255, 255)
_MAX_SIDE_PX = 1600


class Found(Protocol):
    """A check or a question: the tiles it is about."""

    @property
    def tiles(self) -> tuple[str, ...]: ...


def draw_overlay(
    image: Pixels,
    board: Board,
    *,
    photo_scale: float = 1.0,
    title: str = "",
    checks: Iterable[Found] = (),
    questions: Iterable[Found] = (),
) -> Pixels:
    """Draw a board's reading on its photo (h, w, 3) RGB; the picture returned is 1600 px at most on its longer side.

    `photo_scale` is how many px of `image` one px of the photo became (`Photo.scale`): the board's outlines are in the
    photo's own px. `title` is written on top (the score, say); tiles of `checks` are drawn red, tiles of `questions`
    get a mark.
    """
    scale = min(1.0, _MAX_SIDE_PX / max(image.shape[:2]))
    canvas = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    unit = max(canvas.shape[:2]) / 1000
    outlines = {p.id: np.array(p.polygon_px, float) * (photo_scale * scale) for p in board.placements if p.polygon_px}
    illegal = {t for check in checks for t in check.tiles}
    doubtful = {t for question in questions for t in question.tiles}
    _fill(canvas, board, outlines)
    for a, b in board.contacts or ():
        if a in outlines and b in outlines:
            _line(canvas, outlines[a].mean(0), outlines[b].mean(0), unit)
    for p in board.placements:
        if p.id in outlines:
            colour = VIOLATION if p.id in illegal else CATEGORY_COLOURS[p.category]
            _outline(canvas, outlines[p.id], colour, unit * (3 if p.id in illegal else 2))
            _label(canvas, p.kind.replace("_", " ") + (" ?" if p.id in doubtful else ""), outlines[p.id].mean(0), unit)
    _legend(canvas, title, unit)
    return canvas


def _fixed(points: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    return np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)


def _fill(canvas: Pixels, board: Board, outlines: dict[str, npt.NDArray[np.float64]]) -> None:
    tint = canvas.copy()
    for p in board.placements:
        if p.id in outlines:
            cv2.fillPoly(tint, [_fixed(outlines[p.id])], CATEGORY_COLOURS[KINDS[p.kind].category], cv2.LINE_AA, 4)
    cv2.addWeighted(tint, 0.22, canvas, 0.78, 0, canvas)


def _outline(canvas: Pixels, points: npt.NDArray[np.float64], colour: Colour, width: float) -> None:
    cv2.polylines(canvas, [_fixed(points)], True, (0, 0, 0), max(1, round(width + 2)), cv2.LINE_AA, 4)
    cv2.polylines(canvas, [_fixed(points)], True, colour, max(1, round(width)), cv2.LINE_AA, 4)


def _line(canvas: Pixels, a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], unit: float) -> None:
    points = _fixed(np.stack([a, b]))
    cv2.polylines(canvas, [points], False, (0, 0, 0), max(1, round(3 * unit)), cv2.LINE_AA, 4)
    cv2.polylines(canvas, [points], False, DOUBT, max(1, round(1.2 * unit)), cv2.LINE_AA, 4)


def _label(canvas: Pixels, text: str, at: npt.NDArray[np.float64], unit: float) -> None:
    size, thick = 0.38 * unit, max(1, round(unit))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    where = (round(at[0] - w / 2), round(at[1] + h / 2))
    cv2.putText(canvas, text, where, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick + 2, cv2.LINE_AA)
    cv2.putText(canvas, text, where, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), thick, cv2.LINE_AA)


def _legend(canvas: Pixels, title: str, unit: float) -> None:
    entries = [*CATEGORY_COLOURS.items(), ("violation", VIOLATION)]
    step, x = round(22 * unit), round(12 * unit)
    height = step * (len(entries) + (2 if title else 0)) + x
    corner = canvas[: height + x, : round(190 * unit)]
    corner[:] = (corner * 0.35).astype(np.uint8)
    y = x + step
    if title:
        cv2.putText(
            canvas,
            title,
            (x, y),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.75 * unit,
            (255, 255, 255),
            max(1, round(1.6 * unit)),
            cv2.LINE_AA,
        )
        y += round(1.4 * step)
    for name, colour in entries:
        cv2.circle(canvas, (x + round(6 * unit), y - round(5 * unit)), round(6 * unit), colour, -1, cv2.LINE_AA)
        cv2.putText(
            canvas,
            name,
            (x + round(20 * unit), y),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.5 * unit,
            (255, 255, 255),
            max(1, round(unit)),
            cv2.LINE_AA,
        )
        y += step

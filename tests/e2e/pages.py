"""What a person does on the page, in one line each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from scoring import ScoreOptions, load_document, score
from scoring.charcuterie.corrections import from_json
from scoring.charcuterie.questions import apply_all
from tests.e2e.conftest import READING_MS


def take_photo(page: Page, photo: Path) -> None:
    """Give a photo to the first camera button, and wait for the points."""
    page.locator("input[type=file]").first.set_input_files(photo)
    page.wait_for_selector(".number[data-total]", timeout=READING_MS)


def total(page: Page) -> int:
    """The points shown."""
    return int(page.locator(".number").get_attribute("data-total") or "")


def wait_for_total(page: Page, points: int) -> None:
    """Wait until the page shows these points."""
    page.wait_for_selector(f'.number[data-total="{points}"]')


def reading_of(page: Page) -> dict[str, Any]:
    """The reading that the page has open, as the service has it."""
    known = page.evaluate("JSON.parse(localStorage.getItem('boardsnap.readings'))[0]")
    origin = page.evaluate("location.origin")
    headers = {"Authorization": f"Bearer {known['token']}"}
    answer = page.request.get(f"{origin}/v1/readings/{known['id']}", headers=headers)
    assert answer.ok, answer.text()
    return dict(answer.json())


def total_with(reading: dict[str, Any], corrections: list[dict[str, Any]], **options: Any) -> int:
    """What the board would be worth with corrections made, all cards in play."""
    board = apply_all(load_document(reading["board"]), tuple(from_json(entry) for entry in corrections))
    return score(board, ScoreOptions(objectives="all", **options)).total


def choose_tile(page: Page, tile: str) -> None:
    """Open a tile with the keyboard: outlines may lie over each other, and a click takes the uppermost."""
    page.locator(f'[data-tile="{tile}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".tile-head")

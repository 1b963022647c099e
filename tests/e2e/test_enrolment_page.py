"""Teaching a copy of the game: one photo of the tiles in rows, a name for each, an art to read photos with."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import READING_MS, SAMPLES, NewPage, Service

pytestmark = pytest.mark.e2e


def _kinds() -> list[str]:
    lines = (SAMPLES / "kinds.txt").read_text("utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def test_the_tiles_of_a_photo_are_named_learned_and_then_offered_as_an_art(service: Service, new_page: NewPage) -> None:
    page = new_page(f"{service.url}/#/enrol")
    page.wait_for_selector(".photo-buttons")
    page.locator("input[type=file]").first.set_input_files(SAMPLES / "enrol_1.jpg")
    page.wait_for_selector(".crop", timeout=READING_MS)
    kinds = _kinds()
    assert page.locator(".crop").count() == len(kinds)

    for index, kind in enumerate(kinds):
        crop = page.locator(".crop").nth(index)
        if crop.locator(".crop-name").get_attribute("data-kind") != kind:
            crop.locator(".crop-button").click()
            page.locator(f"dialog [data-kind={kind}]").first.click()
            page.wait_for_selector("dialog", state="detached")
    assert "27 of 27" in page.locator(".hint[role=status]").inner_text()
    page.fill("form input[type=text]", "Kitchen table")
    page.locator("form .button.primary").click()

    page.wait_for_selector(".all-well", timeout=READING_MS)
    assert "27 kinds learned" in page.locator(".all-well").inner_text()
    page.goto(f"{service.url}/#/")
    assert page.locator("select[data-key=art]").input_value() == "Kitchen table"

"""Without the service: the page still opens, the last board can be looked at, and changes are told to be impossible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import NewPage, Service
from tests.e2e.pages import take_photo, total

pytestmark = pytest.mark.e2e


def test_the_last_board_opens_without_the_service_and_says_that_it_cannot_be_scored_anew(
    new_page: NewPage, photo_of: Callable[[int], Path], tmp_path: Path
) -> None:
    service = Service(tmp_path)
    try:
        service.wait_until_ready()
        page = new_page(service.url)
        take_photo(page, photo_of(1))
        points = total(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        page.wait_for_timeout(1500)  # the copy of the reading is written
    finally:
        service.stop()
    page.reload()
    page.wait_for_selector(f'.number[data-total="{points}"]')
    assert page.locator(".bar .chip.warn").count() == 1
    assert page.locator(".viewer image").get_attribute("href")
    page.click("[data-key=tab-options]")
    page.click("[data-key=players-4]")
    assert "not scored anew" in page.wait_for_selector(".notice.problem").inner_text()
    page.goto(f"{service.url}/")
    page.wait_for_selector(".hero")
    assert page.locator(".last li").count() == 1

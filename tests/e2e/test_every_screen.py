"""What holds on every screen: it fits a narrow phone, buttons are named and large enough, nothing leaves the host."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import NewPage, Service
from tests.e2e.pages import choose_tile, take_photo

pytestmark = pytest.mark.e2e

WEB = Path(__file__).parents[2] / "api" / "web"
_NAMELESS = """() => [...document.querySelectorAll('button, a, select, input:not([type=file])')].filter(control => {
    const labelled = control.getAttribute('aria-label') || control.closest('label')?.innerText || control.innerText;
    return control.checkVisibility() && !labelled?.trim();
}).map(control => control.outerHTML.slice(0, 120))"""
_SMALL = """() =>
    [...document.querySelectorAll('button, .door, .rows a, select, label.button, label.tick')].filter(control => {
    const box = control.getBoundingClientRect();
    return control.checkVisibility() && (box.height < 43.5 || box.width < 43.5);
}).map(control => control.outerHTML.slice(0, 120))"""
_TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"


def _holds(page: Page, screen: str) -> None:
    assert page.evaluate(_TOO_WIDE) <= 0, f"{screen} is wider than the phone"
    assert page.evaluate(_NAMELESS) == [], f"{screen}: controls without a name"
    assert page.evaluate(_SMALL) == [], f"{screen}: controls smaller than a finger"


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_screen_fits_360_pixels_with_named_controls_for_fingers(
    service: Service, board_page: Callable[..., Page], language: str
) -> None:
    page = board_page(language=language)
    assert page.evaluate("document.documentElement.lang") == language
    for tab in ("questions", "cards", "checks", "options"):
        page.click(f"[data-key=tab-{tab}]")
        _holds(page, tab)
    page.click("[data-key=tab-cards]")
    page.locator(".line-head").first.click()
    _holds(page, "an open card")
    choose_tile(page, page.locator("[data-tile]").first.get_attribute("data-tile") or "")
    _holds(page, "a tile")
    page.click("[data-key=move]")
    _holds(page, "moving")
    for address in ("", "tables", "setup", "enrol"):
        page.goto(f"{service.url}/#/{address}")
        page.wait_for_timeout(500)
        _holds(page, address)


def test_nothing_is_asked_of_another_host_and_no_token_stands_in_an_address(
    service: Service, new_page: NewPage, photo_of: Callable[[int], Path]
) -> None:
    page = new_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(service.url)
    take_photo(page, photo_of(1))
    page.click("[data-key=share]")
    with page.expect_download():
        page.locator("dialog .button.primary").click()
    hosts = {urlsplit(url).netloc for url in asked if not url.startswith(("blob:", "data:", "about:"))}
    assert hosts == {urlsplit(service.url).netloc}
    assert not [url for url in asked if "token" in url]


def test_every_text_of_one_language_is_there_in_the_other() -> None:
    english, german = (
        json.loads((WEB / "static" / "i18n" / f"{name}.json").read_text("utf-8")) for name in ("en", "de")
    )
    assert set(english) - set(german) == set()
    from_the_service = {key for key in set(german) - set(english) if key.startswith("card.")}
    assert set(german) - set(english) == from_the_service


def test_the_service_worker_keeps_every_file_of_the_page() -> None:
    worker = (WEB / "sw.js").read_text("utf-8")
    names = [
        path.relative_to(WEB / "static" / "js").with_suffix("").as_posix() for path in (WEB / "static").rglob("*.js")
    ]
    assert names
    assert [name for name in names if f'"{name}"' not in worker] == []

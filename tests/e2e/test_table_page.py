"""Three phones at one table: join links, hidden recipes, the leaderboard, exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import READING_MS, NewPage, Service

pytestmark = pytest.mark.e2e

NAMES = ("Ana", "Ben", "Cleo")


def _open_table(page: Page, url: str) -> list[str]:
    """Make a table, and return the seats' join links."""
    page.goto(f"{url}/#/tables")
    for index, name in enumerate(NAMES):
        page.fill(f"[data-key=name-{index}]", name)
    page.click("[data-key=create]")
    page.wait_for_selector(".seat")
    links = []
    for seat in (1, 2, 3):
        page.click(f"[data-key=invite-{seat}]")
        page.wait_for_selector("dialog img.qr")
        links.append(page.locator("dialog .join-link").get_attribute("href") or "")
        page.locator("dialog .icon-button").first.click()
        page.wait_for_selector("dialog", state="detached")
    return links


def _send_board(page: Page, url: str, photo: Path) -> None:
    page.locator(".seat.mine input[type=file]").first.set_input_files(photo)
    page.wait_for_selector(".number[data-total], .seat.mine .chip.done", timeout=READING_MS)
    if "/reading/" in page.url:  # there are questions: the board opens, and the table is one tap away
        page.click("[data-key=share]")
        page.locator("dialog button", has_text="Back to the table").click()
    page.wait_for_selector(".seat.mine .chip.done")


def _keep_recipe(page: Page, recipe: str) -> None:
    page.locator(".seat.mine [data-key^=recipe-]").click()
    page.locator("dialog select").select_option(recipe)
    page.locator("dialog .button.primary").click()
    page.wait_for_selector("dialog", state="detached")


def test_three_phones_send_boards_recipes_stay_hidden_until_revealed_and_the_table_is_ranked(
    service: Service, new_page: NewPage, photo_of: Callable[[int], Path]
) -> None:
    host = new_page(service.url)
    links = _open_table(host, service.url)
    assert len(set(links)) == 3

    phones = [new_page(link) for link in links]
    for phone, name in zip(phones, NAMES, strict=True):
        phone.wait_for_selector(".seat.mine")
        assert name in phone.locator(".lead").inner_text()
        assert "#" in phone.url
        assert "/t/" not in phone.url  # the token has left the address
        assert phone.locator("[data-key=reveal]").count() == 0

    _keep_recipe(phones[0], "the_vegetarian")
    phones[0].wait_for_selector(".seat.mine .seat-recipe:has-text('egetarian')")
    for number, phone in zip((1, 2, 1), phones, strict=True):
        _send_board(phone, service.url, photo_of(number))

    host.wait_for_selector(".winner-line", timeout=90_000)
    hidden = phones[1].locator(".seat").nth(0).locator(".seat-recipe")
    phones[1].wait_for_selector(".seat-recipe:has-text('hidden')")
    assert "egetarian" not in hidden.inner_text()

    before = host.locator(".leaderboard li").all_inner_texts()
    assert len(before) == 3
    host.click("[data-key=reveal]")
    host.locator("dialog .button.danger").click()
    host.wait_for_selector(".seat-recipe:has-text('egetarian')")
    phones[1].wait_for_selector(".seat-recipe:has-text('egetarian')", timeout=90_000)

    points = [
        int(re.findall(r"(-?\d+) points?", text)[-1]) for text in host.locator(".leaderboard li").all_inner_texts()
    ]
    assert points == sorted(points, reverse=True)
    with host.expect_download() as started:
        host.click("[data-key=export-csv]")
    rows = Path(started.value.path()).read_text(encoding="utf-8-sig")
    assert all(name in rows for name in NAMES)


def test_a_table_that_this_phone_has_no_token_for_says_how_to_get_in(service: Service, new_page: NewPage) -> None:
    page = new_page(f"{service.url}/#/table/unknown")
    assert "not known" in page.wait_for_selector(".empty h1").inner_text()

"""The setup helper: what to lay out, six cards, whose turn, and the final minute."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import NewPage, Service

pytestmark = pytest.mark.e2e


def test_the_setup_names_stacks_and_draws_one_card_of_each_category(service: Service, new_page: NewPage) -> None:
    page = new_page(f"{service.url}/#/setup")
    page.wait_for_selector(".drawn li")
    letters = page.locator(".drawn .badge").all_inner_texts()
    assert sorted(letters) == ["B", "C", "D", "F", "M", "V"]
    assert "4 × 3" in page.locator(".stacks").inner_text()
    page.click("[data-key=players-6]")
    page.wait_for_selector(".stacks:has-text('6 × 2')")
    assert "Deal 6 random tiles" in page.locator(".steps").inner_text()


def test_the_last_round_is_reached_and_the_final_minute_runs_out(service: Service, new_page: NewPage) -> None:
    page = new_page(service.url)
    page.clock.install()
    page.goto(f"{service.url}/#/setup")
    page.reload()
    page.click("[data-key=players-6]")
    page.wait_for_selector(".rounds h2:has-text('of 6')")
    for round_ in range(2, 7):
        page.click("[data-key=next-round]")
        page.wait_for_selector(f".rounds h2:has-text('Round {round_} of 6')")
    assert page.locator("[data-key=next-round]").is_disabled()
    page.click("[data-key=start]")
    page.clock.run_for(51_000)
    page.wait_for_selector(".final-minute.hurry")
    page.clock.run_for(10_000)
    assert page.locator(".digits").inner_text() == "Hands off!"


def test_the_cards_drawn_are_taken_over_by_a_new_table(service: Service, new_page: NewPage) -> None:
    page = new_page(f"{service.url}/#/setup")
    page.wait_for_selector(".drawn li")
    page.click("[data-key=use]")
    page.wait_for_selector(".new-table")
    assert "6 cards in play" in page.locator("summary").inner_text()
    assert page.locator(".names li").count() == 4

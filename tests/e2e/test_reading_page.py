"""From a photo to points on a phone: corrections, questions, cards, and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import NewPage, Service
from tests.e2e.pages import choose_tile, reading_of, take_photo, total, total_with, wait_for_total

pytestmark = pytest.mark.e2e

PhotoOf = Callable[[int], Path]
BoardPage = Callable[..., Page]


def _kind_that_counts(reading: dict[str, Any]) -> tuple[str, str, int]:
    """A tile, another kind for it, and the total that makes."""
    now = reading["report"]["total"]
    for tile in reading["board"]["tiles"]:
        for kind in ("swiss", "grapes", "ranch", "baguette"):
            changed = total_with(reading, [{"do": "set_kind", "tile": tile["id"], "kind": kind}])
            if changed != now:
                return tile["id"], kind, changed
    raise AssertionError("no tile of this board counts for anything")


def _key(question: dict[str, Any]) -> str:
    return f"{question['about']}:{'+'.join(sorted(question['tiles']))}"


def _answer_that_counts(page: Page, now: int) -> tuple[str, int, int]:
    """Skip questions until an answer to the one shown changes the total: its key, the answer, and the new total."""
    while True:
        shown = page.locator(".question").get_attribute("data-question") or ""
        reading = reading_of(page)
        question = next(entry for entry in reading["report"]["questions"] if _key(entry) == shown)
        for index, way in enumerate(question["alternatives"]):
            changed = total_with(reading, way)
            if changed != now:
                return shown, index, changed
        page.click("[data-key=later]")
        page.wait_for_function("shown => document.querySelector('.question').dataset.question !== shown", arg=shown)


def test_a_photo_becomes_points_a_corrected_tile_and_an_answered_question_change_them(
    service: Service, new_page: NewPage, photo_of: PhotoOf
) -> None:
    page = new_page(service.url)
    take_photo(page, photo_of(1))
    reading = reading_of(page)
    assert total(page) == reading["report"]["total"]

    tile, kind, expected = _kind_that_counts(reading)
    choose_tile(page, tile)
    page.click("[data-key=change-kind]")
    page.locator(f"dialog [data-kind={kind}]").first.click()
    wait_for_total(page, expected)

    page.click("[data-key=tab-questions]")
    question, way, changed = _answer_that_counts(page, expected)
    page.click(f"[data-key=answer-other-{way}]")
    wait_for_total(page, changed)
    assert question not in map(_key, reading_of(page)["report"]["questions"])

    page.click("[data-key=undo]")
    wait_for_total(page, expected)
    page.click("[data-key=undo]")
    wait_for_total(page, total_with(reading_of(page), []))
    page.click("[data-key=redo]")
    wait_for_total(page, expected)


def test_a_tapped_card_lights_up_its_tiles_and_says_why(board_page: BoardPage) -> None:
    page = board_page()
    line = next(entry for entry in reading_of(page)["report"]["objectives"] if entry["points"])
    page.click("[data-key=tab-cards]")
    page.click(f"[data-key=line-{line['id']}]")
    lit = page.locator(".tile.lit").evaluate_all("tiles => tiles.map(tile => tile.dataset.tile)")
    assert sorted(lit) == sorted({tile for entry in line["sets"] for tile in entry["tiles"]})
    assert page.locator(".set").count() == len(line["sets"])
    page.locator(".set").first.click()
    lit = page.locator(".tile.lit").evaluate_all("tiles => tiles.map(tile => tile.dataset.tile)")
    assert sorted(lit) == sorted(line["sets"][0]["tiles"])


def test_the_other_reading_of_a_disputed_rule_is_played_with_one_tap(board_page: BoardPage) -> None:
    page = board_page()
    lines = reading_of(page)["report"]["objectives"]
    line = next(entry for entry in lines if entry["readings"])
    other = line["readings"][0]
    page.click("[data-key=tab-cards]")
    page.click(f"[data-key=line-{line['id']}]")
    page.click(f"[data-key=rule-{line['id']}-{other['house_rule']}]")
    expected = total_with(reading_of(page), [], house_rules={other["house_rule"]: other["value"]})
    wait_for_total(page, expected)


def test_a_tile_is_moved_by_dragging_and_by_buttons(board_page: BoardPage) -> None:
    page = board_page()
    before = reading_of(page)["board"]["tiles"][0]
    choose_tile(page, before["id"])
    page.click("[data-key=move]")
    page.wait_for_timeout(600)  # the view glides to the tile
    ghost = page.locator(".ghost").bounding_box()
    assert ghost is not None
    x, y = ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 12, steps=5)
    page.mouse.up()
    page.click("[data-key=right]")
    page.click("[data-key=turn]")
    page.click("[data-key=done]")
    page.wait_for_selector(".mover", state="detached")
    after = next(tile for tile in reading_of(page)["board"]["tiles"] if tile["id"] == before["id"])
    assert after["footprint"] != before["footprint"]
    assert after.get("polygon_px") is None
    # Where the page draws it now is where it was let go, one step to the right.
    drawn = page.locator(f'[data-tile="{before["id"]}"] .edge').bounding_box()
    assert drawn is not None
    assert drawn["x"] + drawn["width"] / 2 > x + 15


def test_a_missed_tile_is_added_where_the_photo_is_tapped_and_removed_again(board_page: BoardPage) -> None:
    page = board_page()
    count = len(reading_of(page)["board"]["tiles"])
    page.click(".add-tile")
    page.click("[data-key=add-middle]")
    page.locator("dialog [data-kind=orange]").click()
    page.click("[data-key=done]")
    page.wait_for_selector(".tile-head")
    tiles = reading_of(page)["board"]["tiles"]
    assert len(tiles) == count + 1
    assert tiles[-1]["kind"] == "orange"
    page.click("[data-key=remove]")
    page.wait_for_selector(".tile-head", state="detached")
    assert len(reading_of(page)["board"]["tiles"]) == count


def test_on_paper_stand_the_points_the_photo_and_the_cards_and_no_buttons(board_page: BoardPage) -> None:
    page = board_page()
    page.click("[data-key=tab-cards]")
    page.emulate_media(media="print")
    assert all(page.locator(shown).is_visible() for shown in (".number", ".viewer image", ".line-points >> nth=0"))
    assert not any(page.locator(hidden).is_visible() for hidden in (".tabs", ".photo-tools", "[data-key=share]"))


def test_the_keyboard_alone_goes_from_tile_to_tile_and_corrects_one(board_page: BoardPage) -> None:
    page = board_page()
    page.locator(".tile[tabindex='0']").focus()
    first = page.evaluate("document.activeElement.dataset.tile")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    reached = page.evaluate("document.activeElement.dataset.tile")
    assert reached is not None
    page.keyboard.press("Enter")
    page.wait_for_selector(".tile-head")
    page.keyboard.press("Escape")
    page.wait_for_selector(".tile-head", state="detached")
    assert first is not None


def test_a_file_that_is_no_photo_is_refused_in_a_sentence_with_what_to_do(
    service: Service, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(service.url)
    fake = tmp_path / "board.jpg"
    fake.write_text("no photo")
    page.locator("input[type=file]").first.set_input_files(fake)
    assert page.wait_for_selector("[role=alert]").inner_text().strip()
    assert page.locator("label.button", has_text="Take another photo").count() == 1

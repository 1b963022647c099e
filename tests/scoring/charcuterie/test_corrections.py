from __future__ import annotations

import json
from typing import Any

import pytest

from scoring import CorrectionError, Placement
from scoring.charcuterie.corrections import (
    AddTile,
    Correction,
    MoveTile,
    RemoveTile,
    SetContact,
    SetKind,
    SetOver,
    apply,
    from_json,
    to_json,
)
from tests.builders import board, placed, row, square


def test_a_kind_is_set_and_the_given_board_stays_as_it_was() -> None:
    before = board("swiss bleu")
    assert [p.kind for p in apply(before, SetKind("t1", "gouda")).placements] == ["swiss", "gouda"]
    assert before.placements[1].kind == "bleu"


def test_a_contact_set_on_footprints_writes_out_the_derived_ones() -> None:
    three = placed(square(0, 0), square(30, 0), square(61, 0))
    assert apply(three, SetContact("t1", "t2")).contacts == (("t0", "t1"), ("t1", "t2"))


def test_tiles_that_do_not_touch_do_not_lie_on_each_other() -> None:
    apart = apply(board("swiss bleu", touching="0-1", over="1-0"), SetContact("t1", "t0", touching=False))
    assert (apart.contacts, apart.over) == ((), ())


def test_a_contact_set_twice_stands_once() -> None:
    assert apply(row("swiss bleu"), SetContact("t1", "t0")).contacts == (("t1", "t0"),)


def test_over_is_turned_round_and_taken_away() -> None:
    stacked = board("swiss bleu", touching="0-1", over="0-1")
    turned = apply(stacked, SetOver("t1", "t0"))
    assert turned.over == (("t1", "t0"),)
    flat = apply(turned, SetOver("t0", "t1", stacked=False))
    assert flat.over == ()
    assert len(flat.contacts or ()) == 1


def test_a_removed_tile_takes_its_contacts_with_it() -> None:
    left = apply(row("swiss bleu gouda"), RemoveTile("t1"))
    assert [p.id for p in left.placements] == ["t0", "t2"]
    assert left.contacts == ()


def test_an_added_tile_touches_what_its_footprint_meets() -> None:
    added = apply(placed(square(0, 0), square(100, 0)), AddTile(Placement("new", "bleu", square(30, 0))))
    assert added.contacts == (("t0", "new"),)


def test_a_moved_tile_touches_and_covers_what_it_now_lies_on() -> None:
    before = placed(square(0, 0), square(30, 0), square(100, 0))
    moved = apply(before, MoveTile("t1", dx_mm=50))
    assert moved.contacts == (("t2", "t1"),)
    assert moved.over == (("t1", "t2"),)


def test_a_tile_is_turned_about_its_centre() -> None:
    moved = apply(placed(square(0, 0)), MoveTile("t0", angle_deg=45)).placements[0].footprint
    assert moved is not None
    assert moved.bounds == pytest.approx((15 - 450**0.5, 15 - 450**0.5, 15 + 450**0.5, 15 + 450**0.5))


EVERY: list[Correction] = [
    SetKind("t0", "bleu"),
    SetContact("t0", "t1", touching=False),
    SetOver("t0", "t1", stacked=False),
    RemoveTile("t0"),
    AddTile(Placement("n", "dates", square(0, 0), visible=0.5)),
    MoveTile("t0", dx_mm=1.5, angle_deg=-30),
]


@pytest.mark.parametrize("correction", EVERY)
def test_a_correction_goes_through_json_unchanged(correction: Correction) -> None:
    assert from_json(json.loads(json.dumps(to_json(correction)))) == correction


@pytest.mark.parametrize(
    ("correction", "message"),
    [
        (SetKind("t9", "bleu"), "tile is 't9'; allowed: the id of a tile on the board"),
        (SetKind("t0", "blue"), "Did you mean 'bleu'?"),
        (SetContact("t0", "t0"), "allowed: two different tiles"),
        (SetOver("t0", "t7"), "the second tile is 't7'"),
        (RemoveTile("t9"), "tile is 't9'"),
        (AddTile(Placement("t0", "bleu")), "an id that no tile on the board has"),
        (MoveTile("t0", dx_mm=1), "which has no footprint"),
    ],
)
def test_a_correction_that_does_not_fit_is_refused(correction: Correction, message: str) -> None:
    with pytest.raises(CorrectionError) as caught:
        apply(board("swiss bleu"), correction)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"do": "paint"},
        {"do": "set_kind", "tile": 3, "kind": "bleu"},
        {"do": "set_contact", "a": "t0", "b": "t1", "touching": "no"},
        {"do": "move_tile", "tile": "t0", "dx_mm": float("nan")},
        {"do": "add_tile", "tile": {"id": "n", "kind": "brie"}},
        {"do": "remove_tile", "tile": "t0", "why": "gone"},
    ],
)
def test_a_bad_correction_object_is_refused(value: Any) -> None:
    with pytest.raises(CorrectionError):
        from_json(value)

"""The best play against every way of laying the cards, and its properties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import TooLargeError, score
from scoring.charly.cards import FOODS, AnimalCard, Row, placements
from scoring.charly.honey import honey_to_pay
from scoring.charly.solver import MAX_HAND, MAX_ROWS, best_play
from tests.scoring.charly.builders import cards, feast, game, row
from tests.scoring.charly.test_feast import animal_cards

rows = st.lists(st.builds(Row, st.sampled_from(FOODS), st.integers(4, 8)), max_size=3)
small_hands = st.lists(animal_cards(), max_size=5)


def least_by_enumeration(food: Sequence[Row], hand: Sequence[AnimalCard]) -> int:
    """Lay every card on every row, or keep it."""
    least = honey_to_pay(hand)
    for places in product(range(-1, len(food)), repeat=len(hand)):
        laid = [list(one.cards) for one in food]
        for card, place in zip(hand, places, strict=True):
            if place >= 0:
                laid[place].append(card)
        legal = all(
            all(card.eats(one.food) for card in cards) and sum(card.count for card in cards) <= one.value
            for one, cards in zip(food, laid, strict=True)
        )
        if legal:
            least = min(least, honey_to_pay([c for c, place in zip(hand, places, strict=True) if place < 0]))
    return least


@given(food=rows, hand=small_hands)
def test_no_way_of_laying_the_cards_leaves_less(food: list[Row], hand: list[AnimalCard]) -> None:
    assert best_play(food, hand).honey == least_by_enumeration(food, hand)


@given(food=rows, hand=small_hands)
def test_the_play_can_be_made_card_by_card_and_leaves_nothing_to_place(food: list[Row], hand: list[AnimalCard]) -> None:
    play, now, left = best_play(food, hand), list(food), list(hand)
    for card, index in play.placed:
        assert (card, index) in placements(now, left)
        now[index] = replace(now[index], cards=(*now[index].cards, card))
        left.remove(card)
    assert sorted(left, key=repr) == sorted(play.kept, key=repr)
    assert placements(now, left) == ()


@given(food=rows, hand=small_hands, seed=st.integers(0, 9))
def test_the_order_of_rows_and_cards_does_not_matter(food: list[Row], hand: list[AnimalCard], seed: int) -> None:
    rng = random.Random(seed)
    shuffled = best_play(rng.sample(food, len(food)), rng.sample(hand, len(hand)))
    assert shuffled.honey == best_play(food, hand).honey


def test_pigs_leave_the_favourite_food_to_others() -> None:
    play = best_play([row("bones 4"), row("cheese 4")], cards("pig", "pig", "dog 3", "mouse 1"))
    assert play.honey == 1  # both pigs on cheese, or one and a mouse: the dogs have the bones
    assert {card.label for card, _ in play.placed} >= {"2 pigs", "3 dogs"}


def test_a_row_over_its_value_takes_nothing_more() -> None:
    assert best_play([row("bones 4", "dog 3", "dog 3")], cards("dog 1")).placed == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_size_is_solved_in_a_moment(seed: int) -> None:
    rng = random.Random(seed)
    deck = [*cards("pig") * 4, *[AnimalCard("gourmet_pig", 1, ("bones", food)) for food in ("carrots", "cheese")] * 2]
    deck += cards("dog 1", "dog 2", "dog 3", "mouse 2", "mouse 3", "rabbit 2", "rabbit 3", "monkey 3")
    food = [Row(rng.choice(FOODS), rng.randint(4, 8), cards("pig")) for _ in range(MAX_ROWS)]
    assert best_play(food, rng.sample(deck, MAX_HAND)).honey >= 0


def test_beyond_the_bound_there_is_a_clear_error() -> None:
    with pytest.raises(TooLargeError, match="11 animal cards in hand are more than the solver takes, which is 10"):
        best_play([], cards("dog 1") * 11)
    with pytest.raises(TooLargeError, match="10 food cards are more than the solver takes, which is 9"):
        best_play([row("bones 4")] * 10, [])


def test_a_report_says_so_where_a_hand_is_too_large_for_the_solver() -> None:
    report = score(game(feast(["dog 1"] * 11, [], food=["bones 4"], open=True), players=2)).to_json()
    assert "more than the solver takes" in report["boards"][0]["notes"][0]
    assert report["boards"][1]["notes"] == ["no card in hand can be placed: pass"]

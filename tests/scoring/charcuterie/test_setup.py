"""The setup of the rulebook, for every number of players and variant."""

from __future__ import annotations

from random import Random

import pytest

from scoring import BoardFileError, OptionsError
from scoring.charcuterie.catalogue import CATEGORIES, KINDS, bag, variant_fits
from scoring.charcuterie.objectives import BASE_CARDS, CARDS
from scoring.charcuterie.setup import draw_objectives, setup_for

ALL = [
    (players, variant)
    for players in range(2, 7)
    for variant in (None, "less_random", "crunchy")
    if variant_fits(variant, players)
]


@pytest.mark.parametrize(("players", "stacks", "tiles"), [(2, 4, 3), (3, 3, 4), (4, 4, 3), (5, 5, 3), (6, 6, 2)])
def test_stacks_and_tiles_are_those_of_the_rulebooks_table(players: int, stacks: int, tiles: int) -> None:
    setup = setup_for(players)
    assert (setup.stacks, setup.tiles_a_stack) == (stacks, tiles)


@pytest.mark.parametrize(("players", "variant"), ALL)
def test_what_is_dealt_and_drawn_makes_a_full_board(players: int, variant: str | None) -> None:
    setup = setup_for(players, variant)
    drawn = setup.rounds * setup.stacks_a_player * setup.tiles_a_stack
    assert setup.dealt_tiles + drawn == setup.tiles_a_board
    assert setup.stacks % players == 0


@pytest.mark.parametrize(("players", "variant"), ALL)
def test_the_bag_holds_enough_after_tiles_are_taken_out(players: int, variant: str | None) -> None:
    setup = setup_for(players, variant)
    in_box = sum(kind.copies for kind in KINDS.values())
    left = in_box - sum(setup.take_out.values()) - setup.take_out_breads
    assert left >= players * setup.tiles_a_board
    assert all(bag(variant, players).copies[kind] >= 0 for kind in KINDS)


def test_everyone_hosts_twice_or_once_where_five_or_six_play() -> None:
    assert [setup_for(players).rounds for players in range(2, 7)] == [4, 6, 8, 5, 6]
    assert setup_for(3).hosts == (1, 2, 3, 1, 2, 3)


def test_crunchy_deals_nothing_and_makes_larger_stacks() -> None:
    setup = setup_for(5, "crunchy")
    assert (setup.dealt_tiles, setup.tiles_a_round, setup.tiles_a_stack) == (0, 20, 4)
    assert setup_for(6, "crunchy").tiles_a_round == 18


def test_less_random_takes_breads_and_others_out() -> None:
    three = setup_for(3, "less_random")
    assert (three.take_out_breads, three.take_out_breads_differ) == (3, True)
    assert set(three.take_out.values()) == {1}
    assert not any(KINDS[kind].category == "bread" for kind in three.take_out)


def test_one_card_of_each_category_is_drawn() -> None:
    for seed in range(50):
        drawn = draw_objectives(Random(seed), players=4)
        assert [CARDS[card].category for card in drawn] == list(CATEGORIES)


def test_a_first_game_has_the_base_cards() -> None:
    assert sorted(draw_objectives(Random(3), players=4, first_game=True)) == sorted(BASE_CARDS)


def test_the_same_seed_draws_the_same_cards_and_all_cards_come_up() -> None:
    assert draw_objectives(Random(7), players=3) == draw_objectives(Random(7), players=3)
    assert {card for seed in range(200) for card in draw_objectives(Random(seed), players=3)} == set(CARDS)


def test_matching_cheese_is_not_drawn_where_the_variant_leaves_it_out() -> None:
    drawn = {card for seed in range(100) for card in draw_objectives(Random(seed), players=2, variant="less_random")}
    assert "cheese_matching" not in drawn


def test_what_the_rulebook_does_not_have_is_refused() -> None:
    with pytest.raises(OptionsError, match="players is 7"):
        setup_for(7)
    with pytest.raises(OptionsError, match="variant"):
        setup_for(4, "spicy")
    with pytest.raises(BoardFileError, match="crunchy with 5 or 6"):
        setup_for(4, "crunchy")

"""Flavor sets and critiques against plain enumeration, and properties of both."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.food_truck_champion.cards import INGREDIENTS, MAX_TICKETS, Icons, Ticket
from scoring.food_truck_champion.critique import choose_awards
from scoring.food_truck_champion.flavors import complete_sets, most_sets, progress, tickets_of_sets
from tests.scoring.food_truck_champion.builders import BEAR, ticket

icons = st.sampled_from(INGREDIENTS)
profiles = st.lists(icons, min_size=4, max_size=4).map(tuple)
one_ticket = st.lists(icons, min_size=1, max_size=3).map(lambda own: Ticket("+".join(own), tuple(own)))
tickets = st.lists(one_ticket, max_size=7)


def sets_by_removal(profile: Icons, pool: list[str]) -> int:
    """Take one set after another out of the pool."""
    left, sets = list(pool), 0
    while True:
        for icon in profile:
            if icon not in left:
                return sets
            left.remove(icon)
        sets += 1


@given(profile=profiles, awards=tickets)
def test_sets_are_those_that_can_be_taken_out_of_the_pool(profile: Icons, awards: list[Ticket]) -> None:
    pool = [icon for award in awards for icon in award.ingredients or ()]
    assert complete_sets(profile, awards) == sets_by_removal(profile, pool)


@given(profile=profiles, awards=tickets, seed=st.integers(0, 9))
def test_the_order_of_tickets_and_icons_does_not_matter(profile: Icons, awards: list[Ticket], seed: int) -> None:
    shuffled = random.Random(seed).sample(awards, len(awards))
    assert complete_sets(tuple(reversed(profile)), shuffled) == complete_sets(profile, awards)


@given(profile=profiles, awards=tickets)
def test_each_set_names_tickets_that_hold_it(profile: Icons, awards: list[Ticket]) -> None:
    named = tickets_of_sets(profile, awards)
    assert len(named) == complete_sets(profile, awards)
    assert all({"+".join(award.ingredients or ()) for award in awards} >= set(part) for part in named)


@given(profile=profiles, awards=tickets, hidden=one_ticket)
def test_a_ticket_lying_face_down_is_worth_at_most_what_is_said(
    profile: Icons, awards: list[Ticket], hidden: Ticket
) -> None:
    most = most_sets(profile, [*awards, Ticket("", None)])
    assert complete_sets(profile, [*awards, hidden]) <= most


@given(profile=profiles, completed=tickets, awards=tickets, critiques=st.integers(0, 4))
def test_no_other_choice_makes_more(
    profile: Icons, completed: list[Ticket], awards: list[Ticket], critiques: int
) -> None:
    choice = choose_awards(profile, completed, awards=awards, critiques=critiques)
    size = min(critiques, len(completed))
    pools = [[*awards, *chosen] for chosen in combinations(completed, size)]
    assert len(choice.tickets) == size
    assert (choice.sets, choice.progress) == max((complete_sets(profile, p), progress(profile, p)) for p in pools)


def test_two_critiques_plan_ahead_where_one_would_take_the_nearer_icons() -> None:
    completed = [ticket("gm"), ticket("ggd"), ticket("mff")]
    assert [t.title for t in choose_awards(BEAR, completed).tickets] == ["ggd"]
    both = choose_awards(BEAR, completed, critiques=2)
    assert ([t.title for t in both.tickets], both.sets) == (["ggd", "gm"], 1)


def test_awards_to_come_are_counted_in() -> None:
    completed = [ticket("ggd"), ticket("m")]
    choice = choose_awards(BEAR, completed, awards=[ticket("ggd")])
    assert [t.title for t in choice.tickets] == ["m"]


def test_the_best_of_the_chosen_goes_first() -> None:
    choice = choose_awards(BEAR, [ticket("m"), ticket("ggd")], critiques=2)
    assert [t.title for t in choice.tickets] == ["ggd", "m"]


def test_nothing_completed_chooses_nothing() -> None:
    assert choose_awards(BEAR, [Ticket("", None)], critiques=3).tickets == ()


@pytest.mark.parametrize("profile", [BEAR, ("fruit", "dairy", "meat", "vegetable")])
def test_every_ticket_of_the_box_and_every_critique_is_weighed_in_a_moment(profile: Icons) -> None:
    rng = random.Random(3)
    completed = [Ticket("", tuple(rng.choices(INGREDIENTS, k=rng.randint(1, 3)))) for _ in range(MAX_TICKETS)]
    assert choose_awards(profile, completed, critiques=6).sets >= 3

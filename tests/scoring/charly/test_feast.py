"""Turns, passes, counts and the course of a game of Charly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import BoardFileError, OptionsError, ScoreOptions, load_document, score, validate
from scoring.charly.cards import ANIMALS, COPIES, FAVOURITES, FOODS, GOURMET, AnimalCard
from scoring.charly.counts import FOOD_AT_FEAST, VALUES_OUT
from scoring.charly.honey import course_of, distance, feed, honey_to_pay, standings
from tests.scoring.charly.builders import NAMES, cards, document, feast, game

ORDER = ("row_food", "row_value", "pass", "turn")


@st.composite
def animal_cards(draw: st.DrawFn) -> AnimalCard:
    animal = draw(st.sampled_from(ANIMALS))
    corners = draw(st.sets(st.sampled_from(FOODS), min_size=2, max_size=2)) if animal == GOURMET else set()
    return AnimalCard(animal, draw(st.sampled_from(list(COPIES[animal]))), tuple(f for f in FOODS if f in corners))


hands = st.lists(animal_cards(), max_size=7)


def findings(one: dict[str, Any], *, players: int = 2) -> list[tuple[str, str]]:
    """The findings on rows and turns, each with its sentence."""
    return [(c.id, c.note) for c in validate(game(one, players=players)) if c.id in ORDER]


def lay(player: str, card: str, on: int) -> dict[str, Any]:
    return {"player": player, "card": card, "on": on}


def passes(player: str) -> dict[str, Any]:
    return {"player": player, "pass": True}


# --- legality ---


@pytest.mark.parametrize("animal", FAVOURITES)
def test_each_animal_eats_its_favourite_only_and_pigs_eat_all(animal: str) -> None:
    assert [food for food in FOODS if AnimalCard(animal, 1).eats(food)] == [FAVOURITES[animal]]
    assert all(AnimalCard("pig", 2).eats(food) for food in FOODS)


def test_a_gourmet_pig_eats_the_two_foods_in_its_corners() -> None:
    (card,) = cards("gourmet_pig cheese bananas")
    assert [food for food in FOODS if card.eats(food)] == ["bananas", "cheese"]


def test_a_pass_with_a_card_that_could_be_placed_is_reported_once() -> None:
    one = feast(["dog 2"], [], food=["bones 4"], turns=[passes("Ana")])
    assert findings(one) == [("pass", "round 1: Ana passes with 2 dogs, which could still be placed on bones 4")]


def test_a_pass_is_right_once_the_food_is_eaten() -> None:
    turns = [lay("Ana", "dog 3", 0), lay("Ben", "pig", 0), passes("Ana"), lay("Ben", "mouse 1", 1), passes("Ben")]
    assert findings(feast(["dog 3", "dog 1"], ["pig", "mouse 1"], food=["bones 5", "cheese 4"], turns=turns)) == []


def test_a_pass_is_held_against_the_food_there_was_at_that_moment() -> None:
    turns = [passes("Ana"), lay("Ben", "pig", 0), lay("Ben", "pig", 0)]
    one = feast(["dog 1"], ["pig", "pig"], food=["bones 4"], turns=turns)
    assert [name for name, _ in findings(one)] == ["pass"]


def test_the_round_ends_only_when_nobody_can_place() -> None:
    assert findings(feast([], ["dog 2"], food=["bones 4 dog 1"])) == [
        ("pass", "round 1: Ben keeps 2 dogs, which could still be placed on bones 4")
    ]
    assert findings(feast([], ["dog 2"], food=["bones 4 dog 3"])) == []


def test_players_take_turns_clockwise_from_the_announcer() -> None:
    hands = (["dog 1", "dog 1"], ["dog 1"], [])
    good = feast(*hands, food=["bones 4"], turns=[lay(name, "dog 1", 0) for name in ("Ana", "Ben", "Ana")])
    assert findings(good, players=3) == []
    twice = feast(*hands, food=["bones 4"], turns=[lay(name, "dog 1", 0) for name in ("Ana", "Ana", "Ben")])
    assert findings(twice, players=3) == [("turn", "round 1: Ana is before Ben, whose turn it is")]
    late = feast(*hands, food=["bones 4"], turns=[lay(name, "dog 1", 0) for name in ("Ben", "Ana", "Ana")])
    assert [name for name, _ in findings(late, players=3)] == ["turn"]


def test_rows_are_checked_after_the_turns() -> None:
    turns = [lay("Ana", "dog 3", 0), lay("Ben", "dog 3", 0)]
    one = feast(["dog 3"], ["dog 3"], food=["bones 4", "cheese 4"], turns=turns)
    assert findings(one) == [("row_value", "round 1: 6 animals on bones 4, which feeds 4")]
    wrong = feast(["dog 3"], [], food=["cheese 4"], turns=[lay("Ana", "dog 3", 0)])
    assert findings(wrong) == [("row_food", "round 1: 3 dogs on cheese 4, of which they do not eat")]


def test_in_an_open_feast_cards_in_hand_are_no_finding() -> None:
    assert findings(feast(["dog 1"], [], food=["bones 4"], open=True)) == []


def test_without_food_cards_rows_and_passes_are_not_checked_and_the_report_says_so() -> None:
    thing = game(feast(["dog 1"], []), players=2)
    assert validate(thing) == []
    assert "no food cards are entered" in score(thing).to_json()["notes"][0]


# --- counts ---


def counts(one: dict[str, Any], *, players: int = 2) -> list[tuple[str, float, float]]:
    return [(c.id, c.value, c.limit) for c in validate(game(one, players=players)) if c.id not in ORDER]


def test_a_whole_round_of_two_has_three_food_cards_and_fourteen_animal_cards() -> None:
    own = ["dog 1", "dog 2", "dog 3", "mouse 1", "mouse 2", "mouse 3"]
    food = ["bananas 4", "bananas 5", "carrots 6 pig, pig"]
    assert counts(feast(own, own, food=food)) == []
    assert counts(feast(own, own[1:], food=food)) == [("card_count", 13, 14)]
    assert counts(feast(own, own, food=[*food[:2], "carrots 7 pig, pig"])) == [("food_value", 7, 0)]
    assert counts(feast(own, own, food=[food[0], food[0], food[2]])) == [("copies", 2, 1)]


def test_a_card_may_be_there_as_often_as_in_the_box() -> None:
    assert counts(feast(["dog 3"] * 4, ["pig"] * 6)) == []
    assert counts(feast(["dog 3"] * 5, ["pig"] * 7)) == [("copies", 5, 4), ("copies", 7, 6)]


def test_eight_cards_in_hand_are_one_too_many() -> None:
    assert counts(feast(["dog 1", "dog 2", "dog 3", "rabbit 1"] * 2, [])) == [("hand", 8, 7)]


def test_the_box_holds_66_cards_and_6_gourmet_pigs() -> None:
    assert sum(sum(copies.values()) for copies in COPIES.values()) == 72
    assert {players: 20 - 4 * len(out) for players, out in VALUES_OUT.items()} == {2: 12, 3: 16, 4: 16, 5: 16, 6: 20}
    dealt = {2: 1, 3: 2, 4: 2, 5: 2, 6: 3}
    assert {players: players + open_cards for players, open_cards in dealt.items()} == FOOD_AT_FEAST


# --- honey and the end ---


@given(hand=hands, supply=st.integers(1, 15))
def test_only_a_last_drop_that_feeds_no_pig_is_kept_by_a_player_with_hungry_animals(
    hand: list[AnimalCard], supply: int
) -> None:
    fed = feed(hand, supply)
    assert fed.paid + fed.left == supply
    assert (fed.hungry == 0) == (fed.cost <= supply)
    if fed.hungry:
        pigs = sum(card.count for card in hand if card.honey_each == 2)
        assert fed.left == 0 or (fed.left == 1 and fed.hungry <= pigs)


@given(hand=hands, supply=st.integers(1, 15))
def test_no_other_way_of_feeding_leaves_fewer_hungry(hand: list[AnimalCard], supply: int) -> None:
    ones = sum(card.count for card in hand if card.honey_each == 1)
    pigs = sum(card.count for card in hand if card.honey_each == 2)
    fed = max(one + pig for one in range(ones + 1) for pig in range(pigs + 1) if one + 2 * pig <= supply)
    assert feed(hand, supply).hungry == ones + pigs - fed


@given(hand=hands)
def test_honey_is_one_an_animal_and_one_more_a_pig(hand: list[AnimalCard]) -> None:
    pigs = sum(card.count for card in hand if "pig" in card.animal)
    assert honey_to_pay(hand) == sum(card.count for card in hand) + pigs


def test_the_game_ends_with_the_round_in_which_somebody_runs_out() -> None:
    rounds = [feast(["dog 3"] * 2, []), feast(["dog 3"] * 3, []), feast([], ["dog 1"])]
    course = course_of(game(*rounds, players=2))
    assert (course.ended, len(course.rounds), course.honey) == (True, 2, (0, 15))
    assert [(c.id, c.value, c.limit) for c in validate(game(*rounds, players=2))] == [("after_end", 3, 2)]


def test_the_last_drop_that_feeds_no_pig_does_not_end_the_game() -> None:
    course = course_of(game(feast(["pig"], []), players=2, honey={"Ana": 1}))
    assert (course.ended, course.honey, course.hungry) == (False, (1, 15), (2, 0))


def test_honey_goes_before_hungry_animals() -> None:
    course = course_of(game(feast(["dog 3"], ["mouse 1"], ["dog 1"]), honey={"Ana": 1, "Ben": 1, "Cleo": 2}))
    assert [NAMES[seat] for seat in standings(course)] == ["Cleo", "Ben", "Ana"]  # the tie at 0 by distance


@given(announcer=st.integers(0, 5), players=st.integers(2, 6))
def test_the_announcer_loses_every_tie_and_the_player_to_the_right_wins(announcer: int, players: int) -> None:
    seat = announcer % players
    one = {**feast(*[["dog 1"]] * players), "announcer": NAMES[seat]}
    order = standings(course_of(game(one, players=players, honey=dict.fromkeys(NAMES[:players], 1))))
    assert order[-1] == seat
    assert order[0] == (seat - 1) % players
    assert distance(order[0], seat, players=players) == players - 1


def test_while_the_game_goes_on_nobody_has_won_and_ties_share_a_place() -> None:
    report = score(game(feast([], [], ["dog 1"]))).to_json()
    assert (report["winners"], report["places"], report["ended"]) == ([], [1, 1, 3], False)


# --- files ---


def test_a_game_goes_through_json_unchanged() -> None:
    turns = [lay("Ana", "gourmet_pig bones cheese", 0), passes("Ben")]
    second = feast(["gourmet_pig cheese bones"], [], food=["bones 4 pig"], turns=turns)
    first = game(feast(["pig"], []), second, players=2)
    assert load_document(json.loads(json.dumps(first.to_json()))) == first


def test_a_card_may_be_an_object() -> None:
    objects = [{"animal": "dog", "count": 2}, {"animal": "gourmet_pig", "foods": ["cheese", "bones"]}]
    assert game(feast(objects, []), players=2) == game(feast(["dog 2", "gourmet_pig bones cheese"], []), players=2)  # type: ignore[arg-type]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "one seat": ({"seats": ["Ana"]}, "seats is a list of 1; allowed: 2 to 6 names, clockwise."),
    "a name twice": ({"seats": ["Ana", "Ana"]}, "seats[1] is 'Ana', the name at seats[0] too"),
    "a misspelt field": ({"round": []}, "Did you mean 'rounds'?"),
    "another format": ({"format": "charly/2"}, "format is 'charly/2'; allowed: 'boardsnap.charly/1'."),
    "players that differ": ({"players": 5}, "players is 5; allowed: 2, the number of seats."),
    "too much honey": ({"honey": {"Ana": 16}}, "honey.Ana is 16; allowed: a whole number from 1 to 15."),
    "honey of a stranger": ({"honey": {"Anna": 3}}, "Did you mean 'Ana'?"),
    "a round that is none": ({"rounds": [[]]}, "rounds[0] is []; allowed: an object."),
}
ROUND = feast(["dog 2"], [], food=["bones 4"])
BAD_ROUNDS: dict[str, tuple[dict[str, Any], str]] = {
    "no announcer": ({"announcer": None}, "rounds[0].announcer is null; allowed: Ana, Ben."),
    "a hand missing": ({"hands": {"Ana": []}}, "hands is an object without 'Ben'; allowed: a hand for each of"),
    "four dogs": ({"hands": {"Ana": ["dog 4"], "Ben": []}}, "hands.Ana[0] is 'dog 4'; allowed: dog 1, dog 2, dog 3."),
    "one pig": ({"hands": {"Ana": ["pig 1"], "Ben": []}}, "hands.Ana[0] is 'pig 1'; allowed: pig 2."),
    "a cat": ({"hands": {"Ana": ["cat 1"], "Ben": []}}, "hands.Ana[0] is 'cat'; allowed: dog, mouse, rabbit, monkey"),
    "dogs without a number": ({"hands": {"Ana": ["dog"], "Ben": []}}, "hands.Ana[0] is 'dog'; allowed: dog 1"),
    "a gourmet without corners": (
        {"hands": {"Ana": ["gourmet_pig"], "Ben": []}},
        "hands.Ana[0].foods is []; allowed: two different foods of bananas, bones, carrots, cheese",
    ),
    "a gourmet of one food": (
        {"hands": {"Ana": ["gourmet_pig bones bones"], "Ben": []}},
        "hands.Ana[0].foods is ['bones', 'bones']; allowed: two different foods",
    ),
    "a card that is none": ({"hands": {"Ana": [7], "Ben": []}}, 'hands.Ana[0] is 7; allowed: a text like "dog 2"'),
    "a food that is none": ({"food": [{"food": "bone", "value": 4}]}, "food is 'bone'; allowed: bananas, bones"),
    "a value of 9": ({"food": [{"food": "bones", "value": 9}]}, "value is 9; allowed: a whole number from 4 to 8"),
    "a card not in hand": (
        {"turns": [lay("Ana", "dog 1", 0)]},
        "rounds[0].turns[0].card is 'dog 1'; allowed: a card in Ana's hand: dog 2.",
    ),
    "a card laid twice": (
        {"turns": [lay("Ana", "dog 2", 0)] * 2},
        "rounds[0].turns[1].card is 'dog 2'; allowed: a card in Ana's hand: none, as it is empty.",
    ),
    "a row that is not there": ({"turns": [lay("Ana", "dog 2", 1)]}, "on is 1; allowed: a whole number from 0 to 0"),
    "no food to lay on": ({"food": None, "turns": [lay("Ana", "dog 2", 0)]}, "turns[0].on is 0; allowed: no food card"),
    "a pass with a card": (
        {"turns": [{**lay("Ana", "dog 2", 0), "pass": True}]},
        "turns[0] is a pass with a card; allowed: a card and on, or pass.",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    fields, message = BAD[name]
    with pytest.raises(BoardFileError) as caught:
        load_document({**document(players=2), **fields})
    assert message in str(caught.value)


@pytest.mark.parametrize("name", BAD_ROUNDS)
def test_a_bad_round_is_refused_with_field_value_and_what_is_allowed(name: str) -> None:
    fields, message = BAD_ROUNDS[name]
    with pytest.raises(BoardFileError) as caught:
        load_document(document({**ROUND, **fields}, players=2))
    assert message in str(caught.value)


def test_only_the_last_round_is_open() -> None:
    with pytest.raises(BoardFileError, match=r"rounds\[0\]\.open is true; allowed: true for the last round only"):
        game({**ROUND, "open": True}, ROUND, players=2)


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(OptionsError, match="allowed: nothing with the game charly"):
        score(game(players=2), ScoreOptions(objectives=("dip_unique",)))

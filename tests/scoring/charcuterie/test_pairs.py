from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.charcuterie.pairs import adjacent_pairs, assign, free_pairs
from tests.scoring.charcuterie.brute_force import largest_pairing

EDGES = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda e: e[0] < e[1]), max_size=8)
TILES = st.sets(st.integers(0, 6))


def near(edges: set[tuple[int, int]]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset({b for a, b in edges if a == t} | {a for a, b in edges if b == t}) for t in range(7))


def test_three_in_a_row_make_one_adjacent_pair() -> None:
    assert len(adjacent_pairs([0, 2], [1], near({(0, 1), (1, 2)}))) == 1


def test_a_greedy_choice_is_undone_where_that_gives_another_pair() -> None:
    assert adjacent_pairs([0, 1], [2, 3], near({(0, 2), (0, 3), (1, 2)})) == [(1, 2), (0, 3)]


@given(EDGES, TILES, TILES)
@settings(max_examples=60)
def test_adjacent_pairs_are_as_many_as_enumeration_finds(edges: set[tuple[int, int]], a: set[int], b: set[int]) -> None:
    usable = [(x, y) for x, y in sorted(edges) if (x in a and y in b) or (y in a and x in b)]
    found = adjacent_pairs(sorted(a), sorted(b), near(edges))
    assert len(found) == largest_pairing(usable)
    assert all((min(pair), max(pair)) in usable for pair in found)
    assert len({tile for pair in found for tile in pair}) == 2 * len(found)


@given(TILES, TILES)
def test_free_pairs_are_as_many_as_enumeration_finds(a: set[int], b: set[int]) -> None:
    a, b = set(sorted(a)[:4]), set(sorted(b)[:4])
    usable = sorted({(min(x, y), max(x, y)) for x in a for y in b if x != y})
    found = free_pairs(sorted(a), sorted(b))
    assert len(found) == largest_pairing(usable)
    assert all((min(pair), max(pair)) in usable for pair in found)


def test_an_assignment_moves_tiles_to_make_room() -> None:
    touching = near({(0, 5), (1, 5), (2, 5), (2, 6)})
    assert assign([2, 0, 1], [5, 6], touching, cap=2) == {5: [1, 0], 6: [2]}


def test_a_cap_of_zero_assigns_nothing() -> None:
    assert assign([0], [5], near({(0, 5)}), cap=0) == {5: []}

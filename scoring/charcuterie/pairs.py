"""Pairs of tiles: as many as there can be when each tile is in at most one.

Where the two sides of a pair are different tiles the graph is bipartite and augmenting paths find the maximum in
microseconds; only a pair of like with like needs the general algorithm of networkx.
"""

from __future__ import annotations

from collections.abc import Sequence

Pairing = list[tuple[int, int]]
Near = tuple[frozenset[int], ...]


def free_pairs(first: Sequence[int], second: Sequence[int]) -> Pairing:
    """Return as many pairs as there can be, wherever the tiles lie (rulebook, "Pair").

    A tile on both sides may stand on either, and is used once.

    >>> free_pairs([0, 1, 2], [3, 4]), free_pairs([0, 1, 2], [0, 1, 2])
    ([(0, 3), (1, 4)], [(0, 1)])
    """
    on_second, on_first = frozenset(second), frozenset(first)
    only_first = [tile for tile in first if tile not in on_second]
    only_second = [tile for tile in second if tile not in on_first]
    both = [tile for tile in first if tile in on_second]
    pairs = list(zip(only_first, only_second, strict=False))
    rest = only_first[len(pairs) :] or only_second[len(pairs) :]
    mixed = list(zip(rest, both, strict=False))
    left = both[len(mixed) :]
    return pairs + mixed + list(zip(left[::2], left[1::2], strict=False))


def adjacent_pairs(first: Sequence[int], second: Sequence[int], near: Near) -> Pairing:
    """Return a maximum set of touching pairs, each tile in at most one (rulebook, "Pair" and "Adjacent").

    >>> three_in_a_row = (frozenset({1}), frozenset({0, 2}), frozenset({1}))
    >>> len(adjacent_pairs([0, 2], [1], three_in_a_row))
    1
    """
    if frozenset(first).isdisjoint(second):
        return [(tile, held) for held, tiles in assign(first, second, near, cap=1).items() for tile in tiles]
    return _general_matching(first, second, near)


def assign(tiles: Sequence[int], holders: Sequence[int], near: Near, *, cap: int | None) -> dict[int, list[int]]:
    """Return the largest assignment of tiles to holders they touch: each tile once, at most `cap` to a holder.

    Every holder is a key of the answer, with the tiles it got; `cap` None sets no limit.

    >>> assign([0, 1, 2], [3], (frozenset({3}),) * 3 + (frozenset({0, 1, 2}),), cap=2)
    {3: [0, 1]}
    """
    held: dict[int, list[int]] = {holder: [] for holder in holders}
    limit = len(tiles) if cap is None else cap
    if limit > 0:
        for tile in tiles:
            _augment(tile, held, near, limit, set())
    return held


def _augment(tile: int, held: dict[int, list[int]], near: Near, limit: int, tried: set[int]) -> bool:
    """Give `tile` to a holder, moving tiles that are held already where that makes room."""
    options = [holder for holder in sorted(near[tile]) if holder in held and holder not in tried]
    for holder in options:
        if len(held[holder]) < limit:
            held[holder].append(tile)
            return True
    for holder in options:
        if holder in tried:
            continue
        tried.add(holder)
        for place, other in enumerate(held[holder]):
            if _augment(other, held, near, limit, tried):
                held[holder][place] = tile
                return True
    return False


def _general_matching(first: Sequence[int], second: Sequence[int], near: Near) -> Pairing:
    import networkx as nx  # here, as no card of the box needs it and it takes longer to import than a board to score

    on_second = frozenset(second)
    edges = {(min(a, b), max(a, b)) for a in first for b in near[a] if b in on_second}
    graph = nx.Graph(sorted(edges))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)

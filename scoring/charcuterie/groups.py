"""What the cards look at: the tiles in order, which touch, and the groups they form."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from scoring.charcuterie.board import Board
from scoring.charcuterie.contacts import contacts_of

Tiles = tuple[int, ...]  # positions in View.ids, ascending


@dataclass(frozen=True, slots=True)
class View:
    """A board as the cards see it. `near[i]` holds the positions of the tiles that touch tile i.

    `neighbors` holds each neighbor's name and kinds; None where the other boards are not known.
    """

    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    near: tuple[frozenset[int], ...]
    neighbors: tuple[tuple[str, tuple[str, ...]], ...] | None = None

    def of(self, kinds: Collection[str]) -> Tiles:
        """Return the tiles of some kinds."""
        return tuple(index for index, kind in enumerate(self.kinds) if kind in kinds)


def view_of(board: Board, *, neighbors: tuple[tuple[str, tuple[str, ...]], ...] | None = None) -> View:
    """Return a board as the cards see it.

    >>> from scoring.charcuterie.placement import Placement
    >>> view_of(Board((Placement("a", "swiss"), Placement("b", "bleu")), contacts=(("b", "a"),))).near
    (frozenset({1}), frozenset({0}))
    """
    ids = tuple(placement.id for placement in board.placements)
    position = {tile: index for index, tile in enumerate(ids)}
    near: list[set[int]] = [set() for _ in ids]
    for first, second in contacts_of(board):
        near[position[first]].add(position[second])
        near[position[second]].add(position[first])
    kinds = tuple(placement.kind for placement in board.placements)
    return View(ids, kinds, tuple(frozenset(touching) for touching in near), neighbors)


def components(tiles: Iterable[int], near: tuple[frozenset[int], ...]) -> list[Tiles]:
    """Return the connected sets of some tiles, through these tiles only; a tile alone is a set of one.

    >>> components([0, 2], (frozenset({1}), frozenset({0, 2}), frozenset({1})))
    [(0,), (2,)]
    """
    left = dict.fromkeys(tiles)
    found: list[Tiles] = []
    while left:
        start = next(iter(left))
        del left[start]
        reached = [start]
        for tile in reached:
            fresh = [other for other in near[tile] if other in left]
            for other in fresh:
                del left[other]
            reached += fresh
        found.append(tuple(sorted(reached)))
    return found


def groups(view: View, kinds: Collection[str], *, least: int = 2) -> list[Tiles]:
    """Return the groups of some kinds: connected through tiles of these kinds only (rulebook, "Group").

    `least` is the number of tiles that makes a group: 2 by the rulebook, 1 where a lone tile counts as one.

    >>> view = View(("a", "b", "c"), ("swiss", "salami", "bleu"), (frozenset({1}), frozenset({0, 2}), frozenset({1})))
    >>> groups(view, {"swiss", "bleu"})
    []
    """
    return [group for group in components(view.of(kinds), view.near) if len(group) >= least]


def only_groups(view: View, kinds: Collection[str]) -> list[Tiles]:
    """Return the groups of only some kinds: no other tile touches the group (rulebook, "Group of ONLY").

    >>> view = View(("a", "b"), ("swiss", "bleu"), (frozenset({1}), frozenset({0})))
    >>> only_groups(view, {"swiss", "bleu"}), only_groups(view, {"swiss"})
    ([(0, 1)], [])
    """
    whole = components(range(len(view.ids)), view.near)
    return [group for group in whole if len(group) >= 2 and all(view.kinds[tile] in kinds for tile in group)]

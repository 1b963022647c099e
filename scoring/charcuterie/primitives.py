"""The few things a card can count. Each is data (a frozen dataclass) that turns a view into scored sets.

A set is (tiles, points); sets worth nothing are left out. A new card is a few lines of `data/cards.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from scoring.charcuterie.groups import Tiles, View, groups, only_groups
from scoring.charcuterie.pairs import Pairing, adjacent_pairs, assign, free_pairs
from scoring.charcuterie.points import PointTable
from scoring.charcuterie.selector import Selector, trait

Sets = list[tuple[Tiles, int]]


class Rule(Protocol):
    """One primitive with its parameters."""

    def sets(self, view: View) -> Sets | None:
        """Return the sets of tiles that score, with their points; None where other boards are needed and missing."""
        ...


@dataclass(frozen=True, slots=True)
class Count:
    """Points for the number of tiles, or of different kinds, on the board or in each group.

    `by` splits the tiles that are there by a trait and looks each part up; `keep` "best" counts only the part of a
    board or group that is worth most. `least` is how many tiles make a group.
    """

    of: Selector
    count: Literal["tiles", "kinds"]
    table: PointTable
    scope: Literal["board", "group"]
    by: str | None = None
    keep: Literal["all", "best"] = "all"
    least: int = 2

    def sets(self, view: View) -> Sets | None:
        """Return the parts that score."""
        scopes = [view.of(self.of.kinds)] if self.scope == "board" else groups(view, self.of.kinds, least=self.least)
        found: Sets = []
        for tiles in scopes:
            scored = [(part, self.table.at(self._counted(part, view))) for part in self._parts(tiles, view)]
            found += [max(scored, key=lambda part: part[1])] if self.keep == "best" and scored else scored
        return [(tiles, points) for tiles, points in found if points]

    def _parts(self, tiles: Tiles, view: View) -> list[Tiles]:
        if self.by is None:
            return [tiles]
        parts: dict[str, list[int]] = {}
        for tile in tiles:
            parts.setdefault(trait(view.kinds[tile], self.by), []).append(tile)
        return [tuple(part) for part in parts.values()]

    def _counted(self, tiles: Tiles, view: View) -> int:
        return len(tiles) if self.count == "tiles" else len({view.kinds[tile] for tile in tiles})


@dataclass(frozen=True, slots=True)
class Pairs:
    """Points for each pair of a first and a second tile, each tile in at most one pair.

    `adjacent`: the two touch. `same`: both show the same category, kind or shape.
    """

    first: Selector
    second: Selector
    points: int
    adjacent: bool = False
    same: str | None = None

    def sets(self, view: View) -> Sets | None:
        """Return the pairs of one largest pairing."""
        first, second = view.of(self.first.kinds), view.of(self.second.kinds)
        if self.same is None:
            return self._scored(self._pair(first, second, view))
        found: Pairing = []
        for value in dict.fromkeys(trait(view.kinds[tile], self.same) for tile in first):
            found += self._pair(self._alike(first, view, value), self._alike(second, view, value), view)
        return self._scored(found)

    def _alike(self, tiles: Tiles, view: View, value: str) -> Tiles:
        assert self.same is not None
        return tuple(tile for tile in tiles if trait(view.kinds[tile], self.same) == value)

    def _pair(self, first: Tiles, second: Tiles, view: View) -> Pairing:
        return adjacent_pairs(first, second, view.near) if self.adjacent else free_pairs(first, second)

    def _scored(self, pairs: Iterable[tuple[int, int]]) -> Sets:
        ordered = sorted((min(pair), max(pair)) for pair in pairs)
        return [(pair, self.points) for pair in ordered if self.points]


@dataclass(frozen=True, slots=True)
class Companions:
    """Points for each tile that touches a holder, at most `cap` to a holder.

    `once`: a tile counts for one holder only, and the largest assignment counts; else it counts for each it touches.
    """

    each: Selector
    touching: Selector
    points: int
    cap: int | None = None
    once: bool = True

    def sets(self, view: View) -> Sets | None:
        """Return each holder with the tiles that count for it."""
        holders, tiles = view.of(self.each.kinds), view.of(self.touching.kinds)
        held = assign(tiles, holders, view.near, cap=self.cap) if self.once else self._touching(holders, tiles, view)
        return [((holder, *sorted(own)), self.points * len(own)) for holder, own in held.items() if own and self.points]

    def _touching(self, holders: Tiles, tiles: Tiles, view: View) -> dict[int, list[int]]:
        return {holder: [tile for tile in tiles if tile in view.near[holder]][: self.cap] for holder in holders}


@dataclass(frozen=True, slots=True)
class Part:
    """How many tiles of some kinds a group of only holds; `most` None sets no limit."""

    of: Selector
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class OnlyGroups:
    """Points for each group of only the parts named, with as many tiles of each as stated."""

    parts: tuple[Part, ...]
    points: int

    def sets(self, view: View) -> Sets | None:
        """Return the groups that are exactly as stated."""
        kinds = frozenset[str]().union(*(part.of.kinds for part in self.parts))
        found = [group for group in only_groups(view, kinds) if self._fits(Counter(view.kinds[t] for t in group))]
        return [(group, self.points) for group in found if self.points]

    def _fits(self, held: Counter[str]) -> bool:
        for part in self.parts:
            count = sum(held[kind] for kind in part.of.kinds)
            if count < part.least or (part.most is not None and count > part.most):
                return False
        return True


@dataclass(frozen=True, slots=True)
class Neighbors:
    """Points for each neighbor who has strictly fewer, or strictly more, tiles of some kinds."""

    of: Selector
    points: int
    than: Literal["fewer", "more"]

    def sets(self, view: View) -> Sets | None:
        """Return the tiles of this board once for each neighbor who is outdone."""
        if view.neighbors is None:
            return None
        own = view.of(self.of.kinds)
        counts = [sum(kind in self.of.kinds for kind in kinds) for _, kinds in view.neighbors]
        outdone = [count < len(own) if self.than == "fewer" else count > len(own) for count in counts]
        return [(own, self.points) for beaten in outdone if beaten and self.points]

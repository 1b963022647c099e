"""What a critique should choose: the completed orders that, moved to Awards, make the most flavor sets.

Rulebook, "Critique Tokens": at each critique a player moves one completed order ticket to Awards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.food_truck_champion.cards import Icons, Ticket
from scoring.food_truck_champion.flavors import complete_sets, progress

CRITIQUES_IN_BOX = 6  # rulebook, "Components": 6 critique tokens

_Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The tickets to move to Awards, the next one first; the sets then, and the icons there of the set after.

    >>> Choice((), sets=0, progress=0).tickets
    ()
    """

    tickets: tuple[Ticket, ...]
    sets: int
    progress: int


def choose_awards(
    profile: Icons, completed: Sequence[Ticket], *, awards: Sequence[Ticket] = (), critiques: int = 1
) -> Choice:
    """Return what the coming critiques should choose of the completed orders, so that Awards hold the most sets.

    `awards` are the tickets in Awards already, and those sure to come there; `critiques` is the number still to come.
    Exact: every combination is weighed. Among equals the one with more icons of the next set, then the earlier
    tickets; of the tickets chosen the one that helps most goes first, as the game may end sooner.

    >>> pate = Ticket("Pate en Croute", ("meat", "fruit", "grain"))
    >>> salad = Ticket("Holy Mole Salad", ("seasoning", "meat", "vegetable"))
    >>> choice = choose_awards(("grain", "grain", "meat", "dairy"), [salad, pate])
    >>> choice.tickets[0].title, choice.sets, choice.progress
    ('Pate en Croute', 0, 2)
    """
    seen = [ticket for ticket in completed if not ticket.face_down]
    rounds = min(critiques, len(seen), CRITIQUES_IN_BOX)
    chosen = min(_combinations(profile, seen, rounds), key=lambda indexes: _rank(profile, seen, indexes, awards))
    ordered = _best_first(profile, [seen[index] for index in chosen], awards)
    pool = [*awards, *ordered]
    return Choice(tuple(ordered), complete_sets(profile, pool), progress(profile, pool))


def _rank(profile: Icons, tickets: Sequence[Ticket], indexes: _Counts, awards: Sequence[Ticket]) -> tuple[object, ...]:
    pool = [*awards, *(tickets[index] for index in indexes)]
    return -complete_sets(profile, pool), -progress(profile, pool), indexes


def _combinations(profile: Icons, tickets: Sequence[Ticket], rounds: int) -> Iterator[_Counts]:
    """For each pool of profile icons that `rounds` tickets can add, the earliest tickets that do.

    Pools, not tickets, are told apart: a few thousand of them at most, where six of a hundred tickets make a billion.
    """
    pools: list[dict[_Counts, _Counts]] = [{} for _ in range(rounds + 1)]
    icons = sorted(set(profile))
    pools[0][(0,) * len(icons)] = ()
    for index in _distinct(icons, tickets, rounds):
        own = Counter(tickets[index].ingredients)
        for size in range(rounds - 1, -1, -1):
            for pool, picks in pools[size].items():
                grown = tuple(count + own[icon] for count, icon in zip(pool, icons, strict=True))
                found = pools[size + 1].get(grown)
                pools[size + 1][grown] = (*picks, index) if found is None else min(found, (*picks, index))
    return iter(pools[rounds].values())


def _distinct(icons: Sequence[str], tickets: Sequence[Ticket], rounds: int) -> Iterator[int]:
    """The tickets that can matter: of those with the same icons of the profile, no more than there are critiques."""
    seen: Counter[_Counts] = Counter()
    for index, ticket in enumerate(tickets):
        own = Counter(ticket.ingredients)
        kind = tuple(own[icon] for icon in icons)
        seen[kind] += 1
        if seen[kind] <= rounds:
            yield index


def _best_first(profile: Icons, tickets: Sequence[Ticket], awards: Sequence[Ticket]) -> list[Ticket]:
    left, ordered = list(tickets), list[Ticket]()
    while left:
        pools = [[*awards, *ordered, ticket] for ticket in left]
        best = max(range(len(left)), key=lambda i: (complete_sets(profile, pools[i]), progress(profile, pools[i])))
        ordered.append(left.pop(best))
    return ordered

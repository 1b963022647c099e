"""How many complete flavor profiles the tickets in Awards hold.

Rulebook, "Scoring": the icons of all tickets in Awards are pooled; what is left over is worth nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.food_truck_champion.cards import Icons, Ticket

MOST_ICONS = 3  # rulebook, "Order Ticket": one, two, or three ingredient icons


def icons_of(tickets: Sequence[Ticket]) -> Counter[str]:
    """Return the icons of all tickets; one that lies face down adds none.

    >>> icons_of([Ticket("a", ("meat", "grain")), Ticket("b", ("grain",))])["grain"]
    2
    """
    return Counter(icon for ticket in tickets for icon in ticket.ingredients or ())


def complete_sets(profile: Icons, tickets: Sequence[Ticket]) -> int:
    """Return the number of complete sets; an icon that is in the profile twice is needed twice for each.

    >>> profile = ("grain", "grain", "meat", "dairy")
    >>> complete_sets(profile, [Ticket("a", ("grain", "grain", "grain")), Ticket("b", ("meat", "dairy", "dairy"))])
    1
    """
    have = icons_of(tickets)
    return min((have[icon] // need for icon, need in Counter(profile).items()), default=0)


def most_sets(profile: Icons, tickets: Sequence[Ticket]) -> int:
    """Return the number of sets if each ticket lying face down shows the three icons that help most.

    >>> most_sets(("grain", "grain", "meat", "dairy"), [Ticket("a", ("grain",)), Ticket("", None)])
    1
    """
    unknown = MOST_ICONS * sum(ticket.face_down for ticket in tickets)
    have, sets = icons_of(tickets), complete_sets(profile, tickets)
    while profile and unknown >= len(profile) * (sets + 1) - _useful(have, profile, sets + 1):
        sets += 1
    return sets


def progress(profile: Icons, tickets: Sequence[Ticket]) -> int:
    """Return how many icons of the set after the complete ones are there already.

    >>> progress(("grain", "grain", "meat", "dairy"), [Ticket("Pate en Croute", ("meat", "fruit", "grain"))])
    2
    """
    sets = complete_sets(profile, tickets)
    return _useful(icons_of(tickets), profile, sets + 1) - sets * len(profile)


def _useful(have: Counter[str], profile: Icons, sets: int) -> int:
    """The icons that go into this many sets."""
    return sum(min(have[icon], need * sets) for icon, need in Counter(profile).items())


def tickets_of_sets(profile: Icons, tickets: Sequence[Ticket]) -> tuple[tuple[str, ...], ...]:
    """Return, for each complete set, the titles of the tickets whose icons make it, the first tickets first.

    >>> tickets_of_sets(("meat", "grain"), [Ticket("a", ("meat",)), Ticket("b", ("grain", "grain"))])
    (('a', 'b'),)
    """
    shown = [(icon, index) for index, ticket in enumerate(tickets) for icon in ticket.ingredients or ()]
    need = Counter(profile)
    sources = {icon: [index for own, index in shown if own == icon] for icon in need}
    used = [
        sorted({i for icon, each in need.items() for i in sources[icon][part * each : (part + 1) * each]})
        for part in range(complete_sets(profile, tickets))
    ]
    return tuple(tuple(tickets[index].title for index in part) for part in used)

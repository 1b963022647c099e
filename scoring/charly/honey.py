"""Honey to pay after a feast, the supplies over the rounds, the end of the game, and who won.

Rulebook, "Feeding the Hungry", "Preparing for the Next Round" and "End of the Game".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.charly.cards import AnimalCard
from scoring.charly.table import CharlyGame


@dataclass(frozen=True, slots=True)
class Fed:
    """What a player paid after a feast, of how much, what is left, and how many animals stay hungry.

    >>> feed((AnimalCard("pig", 2), AnimalCard("dog", 1)), 15)
    Fed(cost=5, paid=5, left=10, hungry=0)
    """

    cost: int
    paid: int
    left: int
    hungry: int


def honey_to_pay(hand: Sequence[AnimalCard]) -> int:
    """Return the honey for the animals left in a hand: 2 for each pig, 1 for each other animal.

    >>> honey_to_pay((AnimalCard("pig", 2), AnimalCard("mouse", 3)))
    7
    """
    return sum(card.honey for card in hand)


def feed(hand: Sequence[AnimalCard], supply: int) -> Fed:
    """Return how the animals left in a hand are fed from a supply.

    A player short of honey feeds what can be fed; as many animals as possible, so those that take one drop go first.
    A last drop that feeds no pig stays in the supply. Each animal not fed is hungry, on cards fed in part as well.

    >>> feed((AnimalCard("pig", 2), AnimalCard("dog", 1)), 4)
    Fed(cost=5, paid=3, left=1, hungry=1)
    """
    left, hungry = supply, 0
    for card in sorted(hand, key=lambda card: card.honey_each):
        fed = min(card.count, left // card.honey_each)
        left -= fed * card.honey_each
        hungry += card.count - fed
    return Fed(honey_to_pay(hand), supply - left, left, hungry)


@dataclass(frozen=True, slots=True)
class Course:
    """What each player paid in each round that counts; `ended` once somebody has run out of honey.

    >>> course_of(CharlyGame(("Ana", "Ben"), (15, 9))).honey
    (15, 9)
    """

    game: CharlyGame
    rounds: tuple[tuple[Fed, ...], ...]
    ended: bool

    @property
    def honey(self) -> tuple[int, ...]:
        """The honey that each player has now."""
        return tuple(fed.left for fed in self.rounds[-1]) if self.rounds else self.game.honey

    @property
    def hungry(self) -> tuple[int, ...]:
        """The hungry animals in front of each player after the last round."""
        return tuple(fed.hungry for fed in self.rounds[-1]) if self.rounds else (0,) * len(self.game.seats)

    @property
    def announcer(self) -> int:
        """The seat of the player who announced the last feast that counts."""
        return self.game.rounds[len(self.rounds) - 1].announcer if self.rounds else 0


def course_of(game: CharlyGame) -> Course:
    """Return the supplies over the rounds; the game ends after the round in which somebody runs out.

    A round that is still open is not paid for, and rounds after the end do not count.

    >>> course_of(CharlyGame(("Ana", "Ben"), (15, 15))).ended
    False
    """
    supplies, rounds = game.honey, list[tuple[Fed, ...]]()
    for one in game.rounds:
        if one.open:
            break
        paid = tuple(feed(hand, supply) for hand, supply in zip(one.end.hands, supplies, strict=True))
        rounds.append(paid)
        supplies = tuple(fed.left for fed in paid)
        if 0 in supplies:
            return Course(game, tuple(rounds), True)
    return Course(game, tuple(rounds), False)


def distance(seat: int, announcer: int, *, players: int) -> int:
    """Return how far clockwise a seat is from the announcer, who is at 0.

    >>> distance(0, 2, players=4)
    2
    """
    return (seat - announcer) % players


def standings(course: Course) -> tuple[int, ...]:
    """Return the seats, the winner first: most honey; if nobody has any, fewest hungry animals.

    A tie goes to the player sitting farther clockwise from the announcer, so that the announcer loses every tie.

    >>> standings(course_of(CharlyGame(("Ana", "Ben", "Cleo"), (9, 15, 15))))
    (2, 1, 0)
    """
    players = len(course.game.seats)

    def rank(seat: int) -> tuple[int, int, int]:
        hungry = 0 if any(course.honey) else course.hungry[seat]
        return -course.honey[seat], hungry, -distance(seat, course.announcer, players=players)

    return tuple(sorted(range(players), key=rank))

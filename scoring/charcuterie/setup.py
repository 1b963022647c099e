"""What the rulebook's setup says for a number of players and a variant, and the six objective cards drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scoring import fields
from scoring.charcuterie.board import check_variant
from scoring.charcuterie.catalogue import (
    CATEGORIES,
    KINDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    VARIANTS,
    bag,
    cards_left_out,
    read_data,
    tiles_per_board,
)
from scoring.charcuterie.objectives import CARDS
from scoring.errors import OptionsError

_DATA = read_data("setup.toml")


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game is laid out. `take_out` holds copies by kind; `take_out_breads` come beside those, of any bread kind.

    >>> setup_for(4).tiles_a_round
    12
    """

    players: int
    variant: str | None
    stacks: int
    tiles_a_stack: int
    dealt_tiles: int
    turns_as_host: int
    take_out: Mapping[str, int]
    take_out_breads: int
    take_out_breads_differ: bool
    notes: tuple[str, ...] = ()

    @property
    def tiles_a_round(self) -> int:
        """How many tiles the host draws in a round."""
        return self.stacks * self.tiles_a_stack

    @property
    def stacks_a_player(self) -> int:
        """How many stacks each player takes in a round: two where two play."""
        return self.stacks // self.players

    @property
    def rounds(self) -> int:
        """How many rounds a game has: the game ends when each player has been the host often enough."""
        return self.players * self.turns_as_host

    @property
    def hosts(self) -> tuple[int, ...]:
        """The player who hosts each round, clockwise, counted from 1 for the first host."""
        return tuple(turn % self.players + 1 for turn in range(self.rounds))

    @property
    def tiles_a_board(self) -> int:
        """How many tiles lie on each board at the end."""
        return tiles_per_board(self.players, self.variant)

    @property
    def inner_ring(self) -> bool:
        """Whether tiles must lie within the inner ring."""
        return self.players in _DATA["inner_ring"]


RECIPES_DEALT: int = _DATA["recipes_dealt"]
FINAL_MINUTE_S: int = _DATA["final_minute_s"]


def setup_for(players: int, variant: str | None = None) -> Setup:
    """Return how a game is laid out; raises OptionsError or BoardFileError for what the rulebook does not have.

    >>> two = setup_for(2, "less_random")
    >>> two.take_out["orange"], two.take_out_breads, two.rounds
    (2, 5, 4)
    """
    fields.read_int(players, "players", least=MIN_PLAYERS, most=MAX_PLAYERS, error=OptionsError)
    if variant is not None:
        fields.read_choice(variant, "variant", allowed=VARIANTS, error=OptionsError)
    check_variant(variant, players)
    rounds = _DATA["crunchy"] if variant == "crunchy" else _DATA["rounds"]
    stacks, tiles, dealt, turns = rounds[str(players)]
    take_out, breads, differ = _taken_out(players, variant)
    return Setup(
        players=players,
        variant=variant,
        stacks=stacks,
        tiles_a_stack=tiles,
        dealt_tiles=dealt,
        turns_as_host=turns,
        take_out=take_out,
        take_out_breads=breads,
        take_out_breads_differ=differ,
        notes=_notes(players, variant),
    )


def draw_objectives(rng: Random, *, players: int, variant: str | None = None, first_game: bool = False) -> list[str]:
    """Return one objective card for each category, in the order of the catalogue; for a first game the base cards.

    >>> draw_objectives(Random(1), players=4, first_game=True)[0]
    'bread_pairs'
    """
    left_out = cards_left_out(variant, players)
    drawn = []
    for category in CATEGORIES:
        cards = [card for card in CARDS.values() if card.category == category and card.id not in left_out]
        drawn.append(rng.choice([card.id for card in cards if card.deck == "base" or not first_game]))
    return drawn


def _taken_out(players: int, variant: str | None) -> tuple[dict[str, int], int, bool]:
    left = bag(variant, players)
    taken = {kind.id: kind.copies - left.copies[kind.id] for kind in KINDS.values()}
    breads = sum(kind.copies for kind in KINDS.values() if kind.category == "bread") - left.bread_tiles
    return {kind: count for kind, count in taken.items() if count}, breads, left.full_breads is not None


def _notes(players: int, variant: str | None) -> tuple[str, ...]:
    notes = []
    if players == 2:
        notes.append("Each player takes two stacks, one after the other in player order.")
    if variant == "less_random" and players == 2:
        notes.append("The rulebook's 5 breads are read as five in all: five of each would leave too few tiles.")
        notes.append("The gourmet card for matching cheese is not used.")
    if players == MAX_PLAYERS:
        notes.append("Tiles lie within the inner ring.")
    return tuple(notes)

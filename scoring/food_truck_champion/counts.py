"""Is there more on the table than the box holds, or something that the cards cannot show?

Rulebook, "Components", "Order Ticket", "Setup" and "Two Player Rules". A finding is reported, never repaired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scoring.food_truck_champion.cards import Ticket
from scoring.food_truck_champion.critique import CRITIQUES_IN_BOX
from scoring.food_truck_champion.flavors import MOST_ICONS
from scoring.food_truck_champion.table import TOKEN_VALUES, TruckBoard, TruckTable
from scoring.report import Check

PROFILE_ICONS = 4  # rulebook, "Food Truck Board"


def tokens_of_a_value(players: int) -> int:
    """Return how many popularity tokens of each value are in a game: six with 2 or 3 players, else eight.

    >>> tokens_of_a_value(3), tokens_of_a_value(4)
    (6, 8)
    """
    return 6 if players <= 3 else 8


def board_checks(board: TruckBoard) -> tuple[Check, ...]:
    """Return the findings on one player's tickets, tokens and truck; nothing is inferred about a token's value.

    >>> truck = TruckTable.from_json({"boards": [{"truck": "bear_burgers"}] * 2}).boards[0]
    >>> board_checks(truck)
    ()
    """
    return tuple(_findings(board))


def table_checks(table: TruckTable) -> tuple[Check, ...]:
    """Return the findings over the whole table: the supply of tokens, and one board for each truck.

    >>> both = [{"truck": "bear_burgers", "player": name, "tokens": [3] * 4} for name in ("Ana", "Ben")]
    >>> [(check.id, check.value, check.limit) for check in table_checks(TruckTable.from_json({"boards": both}))]
    [('truck', 2, 1), ('token_supply', 8, 6)]
    """
    return (*_shared_trucks(table), *_token_supply(table))


def _findings(board: TruckBoard) -> Iterator[Check]:
    where = {"player": board.player}
    if len(board.profile) != PROFILE_ICONS:
        size = len(board.profile)
        note = f"the flavor profile of {board.truck.title} has {size} icons, a profile has {PROFILE_ICONS}"
        yield Check("profile_size", (), size, PROFILE_ICONS, "violation", note, where)
    for ticket in board.orders:
        size = len(ticket.ingredients or ())
        if size > MOST_ICONS:
            note = f"{ticket.title} of {board.player} has {size} ingredients, a ticket has 1 to {MOST_ICONS}"
            yield Check("ticket_size", (ticket.title,), size, MOST_ICONS, "violation", note, where)
    if len(board.awards) > CRITIQUES_IN_BOX:
        note = f"{board.player} has {len(board.awards)} awards, there are {CRITIQUES_IN_BOX} critiques"
        yield Check("awards", _titles(board.awards), len(board.awards), CRITIQUES_IN_BOX, "violation", note, where)
    if len(board.tokens) > len(board.orders):
        note = f"{board.player} has {len(board.tokens)} tokens for {len(board.orders)} completed orders"
        yield Check("tokens", (), len(board.tokens), len(board.orders), "check_by_hand", note, where)


def _titles(tickets: tuple[Ticket, ...]) -> tuple[str, ...]:
    return tuple(ticket.title for ticket in tickets)


def _shared_trucks(table: TruckTable) -> Iterator[Check]:
    for truck, count in Counter(board.truck.title for board in table.boards).items():
        if count > 1:
            players = [board.player for board in table.boards if board.truck.title == truck]
            note = f"{' and '.join(players)} play {truck}, of which there is one board"
            yield Check("truck", (), count, 1, "violation", note, {"players": players})


def _token_supply(table: TruckTable) -> Iterator[Check]:
    players = len(table.boards)
    limit = tokens_of_a_value(players)
    held = Counter(token for board in table.boards for token in board.tokens)
    for value in TOKEN_VALUES:
        if held[value] > limit:
            note = f"{held[value]} tokens of value {value}, with {players} players there are {limit}"
            yield Check("token_supply", (), held[value], limit, "violation", note, {"token": value})
    if sum(held.values()) > limit * len(TOKEN_VALUES) and all(held[value] <= limit for value in TOKEN_VALUES):
        most = limit * len(TOKEN_VALUES)
        note = f"{sum(held.values())} tokens with those lying face down, with {players} players there are {most}"
        yield Check("token_supply", (), sum(held.values()), most, "violation", note)

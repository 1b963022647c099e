"""Tables: players in seating order, each with a link of the own, scored together once all boards are in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from api import play
from api.problems import Problem, not_found
from api.readings import Readings
from api.store.tables import StoredSeat, StoredTable, TableStore
from api.tokens import TokenMaker, hash_of, matches, new_id
from scoring import Board, BoardFileError, ScoreOptions, load_document, score
from scoring.charcuterie.board import check_variant
from scoring.charcuterie.recipes import recipe_of

HOST = "host"


@dataclass(frozen=True, slots=True)
class View:
    """A table as the holder of a token may see it: the host's (`seat` is None), or a seat's."""

    table: StoredTable
    seat: int | None

    @property
    def is_host(self) -> bool:
        """Whether the token is the host's."""
        return self.seat is None


class Tables:
    """All that can be done with tables."""

    def __init__(
        self,
        store: TableStore,
        readings: Readings,
        tokens: TokenMaker,
        *,
        clock: Callable[[], datetime],
        keep: timedelta,
    ) -> None:
        self._store, self._readings, self._tokens = store, readings, tokens
        self._clock, self._keep = clock, keep

    def create(self, players: list[str], rules: Mapping[str, Any]) -> StoredTable:
        """Make a table.

        Raises:
            BoardsnapError: a card, a house rule or the variant does not exist.
            Problem: a name is there twice.
        """
        now, table_id = self._clock(), new_id()
        seats = tuple(
            StoredSeat(number, player, hash_of(self.seat_token(table_id, number)))
            for number, player in enumerate(_distinct(players), start=1)
        )
        table = StoredTable(
            id=table_id,
            host_hash=hash_of(self.host_token(table_id)),
            rules=_checked_rules(rules, len(players)),
            revealed=False,
            created_at=now,
            expires_at=now + self._keep,
            seats=seats,
        )
        self._store.add(table)
        return table

    def host_token(self, table_id: str) -> str:
        """Return the token with which the host may change the table."""
        return self._tokens.token(HOST, table_id)

    def seat_token(self, table_id: str, seat: int) -> str:
        """Return the token with which a player may change the own seat."""
        return self._tokens.token("seat", table_id, str(seat))

    def view(self, table_id: str, token: str) -> View:
        """Return a table to the holder of one of its tokens.

        Raises:
            Problem: there is no such table, or the token is none of its.
        """
        table = self._store.get(table_id, now=self._clock())
        if table is None:
            raise not_found("table")
        if not token:
            headers = {"WWW-Authenticate": "Bearer"}
            text = "Send one of the table's tokens as Authorization: Bearer."
            raise Problem(401, "token_missing", text, headers=headers)
        if matches(token, table.host_hash):
            return View(table, None)
        for seat in table.seats:
            if matches(token, seat.token_hash):
                return View(table, seat.seat)
        raise Problem(403, "token_wrong", "This token does not belong to this table.")

    def as_host(self, table_id: str, token: str) -> StoredTable:
        """Return a table to its host alone."""
        view = self.view(table_id, token)
        if not view.is_host:
            raise Problem(403, "host_only", "Only the host may change the table.")
        return view.table

    def as_seat(self, table_id: str, token: str, seat: int) -> StoredSeat:
        """Return a seat to its player, or to the host."""
        view = self.view(table_id, token)
        found = next((one for one in view.table.seats if one.seat == seat), None)
        if found is None:
            text = f"The table has no seat {seat}; its seats are 1 to {len(view.table.seats)}."
            raise Problem(404, "seat_not_found", text)
        if not view.is_host and view.seat != seat:
            raise Problem(403, "other_seat", "This link is for another seat: each player changes the own board only.")
        return found

    def change(self, table: StoredTable, changes: Mapping[str, Any]) -> StoredTable:
        """Change names and rules; fields left out stay as they are."""
        players = changes.get("players") or [seat.player for seat in table.seats]
        if len(players) != len(table.seats):
            text = f"The table has {len(table.seats)} seats, and {len(players)} names came. Make a new table instead."
            raise Problem(422, "seats_fixed", text)
        rules = {**table.rules, **{name: value for name, value in changes.items() if name != "players"}}
        self._store.set_rules(table.id, _checked_rules(rules, len(players)), _distinct(players))
        return self._again(table.id)

    def put_reading(self, table_id: str, seat: int, reading_id: str, reading_token: str) -> None:
        """Put a reading on a seat; later corrections of it count at the table too."""
        reading = self._readings.get(reading_id, reading_token)
        self._readings.live(reading)  # refuses one that is still being read
        self._store.set_reading(table_id, seat, reading.id)

    def put_board(self, table_id: str, seat: int, document: Any) -> None:
        """Put a board typed in on a seat."""
        board = load_document(document)
        if not isinstance(board, Board):
            raise BoardFileError("the file", "the file of a table or of another game", "a board of Charcuterie")
        self._store.set_board(table_id, seat, board.to_json())

    def put_recipe(self, table_id: str, seat: int, recipe: Any) -> None:
        """Give a seat its recipe, hidden until the host reveals all."""
        if recipe is not None:
            recipe_of(recipe)
        self._store.set_recipe(table_id, seat, recipe)

    def reveal(self, table: StoredTable) -> StoredTable:
        """Show every recipe."""
        self._store.reveal(table.id)
        return self._again(table.id)

    def history(self, tokens: list[str]) -> list[StoredTable]:
        """Return the tables that tokens belong to, newest first."""
        return self._store.with_tokens([hash_of(token) for token in tokens], now=self._clock())

    def holds(self, table: StoredTable, token: str) -> bool:
        """Say whether a token is one of a table's."""
        return any(matches(token, held) for held in (table.host_hash, *(seat.token_hash for seat in table.seats)))

    def is_current(self, seat: StoredSeat, token: str) -> bool:
        """Say whether a token made anew is the one the seat was given."""
        return matches(token, seat.token_hash)

    def clear(self, table_id: str, seat: int) -> None:
        """Take the board off a seat."""
        self._store.set_board(table_id, seat, None)

    def keep_boards(self, reading_ids: list[str]) -> None:
        """Before readings go, keep their boards, which hold no picture, on the seats they lie on."""
        for table_id, seat, reading_id in self._store.seats_with(reading_ids):
            board = self._board_of_reading(reading_id, expired=True)
            self._store.set_board(table_id, seat, None if board is None else board.to_json())

    def delete(self, table: StoredTable) -> None:
        """Delete a table; the readings on it stay their owners'."""
        self._store.delete([table.id])

    def sweep(self) -> int:
        """Delete tables whose time is over; returns how many."""
        gone = self._store.expired(self._clock())
        if gone:
            self._store.delete(gone)
        return len(gone)

    def board_of(self, seat: StoredSeat) -> Board | None:
        """Return the board on a seat as it stands, or None."""
        if seat.reading_id is not None:
            return self._board_of_reading(seat.reading_id)
        if seat.board is None:
            return None
        board = load_document(seat.board)
        assert isinstance(board, Board)
        return board

    def _board_of_reading(self, reading_id: str, *, expired: bool = False) -> Board | None:
        reading = self._readings.find(reading_id, expired=expired)
        return None if reading is None or reading.result is None else self._readings.live(reading).board

    def _again(self, table_id: str) -> StoredTable:
        found = self._store.get(table_id, now=self._clock())
        if found is None:
            raise not_found("table")
        return found


def _distinct(players: list[str]) -> list[str]:
    twice = next((name for number, name in enumerate(players) if name in players[:number]), None)
    if twice is not None:
        raise Problem(422, "player_twice", f"{twice} is there twice. Give each player a name of the own.")
    return list(players)


def _checked_rules(rules: Mapping[str, Any], players: int) -> dict[str, Any]:
    variant = rules.get("variant")
    check_variant(variant, players)
    chosen = play.checked({"objectives": rules.get("objectives"), "house_rules": rules.get("house_rules")})
    score(Board(contacts=(), variant=variant, players=players), ScoreOptions())
    return {
        "variant": variant,
        "objectives": chosen["objectives"],
        "house_rules": chosen["house_rules"],
        "art": rules.get("art"),
    }

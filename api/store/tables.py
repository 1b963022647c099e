"""Tables and their seats in the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from api.store.database import Database
from api.store.schema import SeatRow, TableRow
from api.strict_json import dump, load

_MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A player's place: a reading, or a board typed in; a recipe as an id, an object or points."""

    seat: int
    player: str
    token_hash: str
    reading_id: str | None = None
    board: dict[str, Any] | None = None
    recipe: Any = None


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table; `rules` holds variant, objectives, house rules and art."""

    id: str
    host_hash: str
    rules: dict[str, Any]
    revealed: bool
    created_at: datetime
    expires_at: datetime
    seats: tuple[StoredSeat, ...]


class TableStore:
    """Keeps tables; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, table: StoredTable) -> None:
        """Store a new table."""
        with self._database.writing() as session:
            session.add(
                TableRow(
                    id=table.id,
                    host_hash=table.host_hash,
                    rules=dump(table.rules).decode(),
                    revealed=table.revealed,
                    created_at=table.created_at,
                    expires_at=table.expires_at,
                )
            )
            session.flush()
            session.add_all(
                SeatRow(table_id=table.id, seat=seat.seat, player=seat.player, token_hash=seat.token_hash)
                for seat in table.seats
            )

    def get(self, table_id: str, *, now: datetime) -> StoredTable | None:
        """Return a table whose time is not over."""
        with self._database.reading() as session:
            row = session.get(TableRow, table_id)
            return None if row is None or row.expires_at <= now else _table(session, row)

    def with_tokens(self, token_hashes: Iterable[str], *, now: datetime) -> list[StoredTable]:
        """Return the tables that tokens belong to, newest first."""
        hashes = list(token_hashes)
        seated = select(SeatRow.table_id).where(SeatRow.token_hash.in_(hashes))
        query = (
            select(TableRow)
            .where(or_(TableRow.host_hash.in_(hashes), TableRow.id.in_(seated)), TableRow.expires_at > now)
            .order_by(TableRow.created_at.desc())
            .limit(_MOST_LISTED)
        )
        with self._database.reading() as session:
            return [_table(session, row) for row in session.scalars(query)]

    def set_rules(self, table_id: str, rules: dict[str, Any], players: list[str]) -> None:
        """Store other rules and names."""
        with self._database.writing() as session:
            session.execute(update(TableRow).where(TableRow.id == table_id).values(rules=dump(rules).decode()))
            for number, player in enumerate(players, start=1):
                session.execute(update(SeatRow).where(*_at(table_id, number)).values(player=player))

    def set_reading(self, table_id: str, seat: int, reading_id: str) -> None:
        """Put a reading on a seat, in place of what was there."""
        self._set(table_id, seat, reading_id=reading_id, board=None)

    def set_board(self, table_id: str, seat: int, board: dict[str, Any] | None) -> None:
        """Put a board on a seat, in place of what was there."""
        self._set(table_id, seat, reading_id=None, board=None if board is None else dump(board).decode())

    def set_recipe(self, table_id: str, seat: int, recipe: Any) -> None:
        """Give a seat its recipe; None takes it away."""
        self._set(table_id, seat, recipe=None if recipe is None else dump(recipe).decode())

    def _set(self, table_id: str, seat: int, **values: Any) -> None:
        with self._database.writing() as session:
            session.execute(update(SeatRow).where(*_at(table_id, seat)).values(**values))

    def reveal(self, table_id: str) -> None:
        """Show every recipe from now on."""
        with self._database.writing() as session:
            session.execute(update(TableRow).where(TableRow.id == table_id).values(revealed=True))

    def seats_with(self, reading_ids: Iterable[str]) -> list[tuple[str, int, str]]:
        """Return (table, seat, reading) of the seats that readings lie on."""
        query = select(SeatRow.table_id, SeatRow.seat, SeatRow.reading_id).where(SeatRow.reading_id.in_(reading_ids))
        with self._database.reading() as session:
            return [(table, seat, reading or "") for table, seat, reading in session.execute(query)]

    def delete(self, table_ids: Iterable[str]) -> None:
        """Delete tables with their seats."""
        ids = list(table_ids)
        with self._database.writing() as session:
            session.execute(delete(SeatRow).where(SeatRow.table_id.in_(ids)))
            session.execute(delete(TableRow).where(TableRow.id.in_(ids)))

    def expired(self, now: datetime, *, most: int = 200) -> list[str]:
        """Return ids of tables whose time is over."""
        with self._database.reading() as session:
            return list(session.scalars(select(TableRow.id).where(TableRow.expires_at <= now).limit(most)))


def _at(table_id: str, seat: int) -> tuple[Any, Any]:
    return SeatRow.table_id == table_id, SeatRow.seat == seat


def _table(session: Session, row: TableRow) -> StoredTable:
    seats = session.scalars(select(SeatRow).where(SeatRow.table_id == row.id).order_by(SeatRow.seat))
    return StoredTable(
        id=row.id,
        host_hash=row.host_hash,
        rules=load(row.rules),
        revealed=row.revealed,
        created_at=row.created_at,
        expires_at=row.expires_at,
        seats=tuple(_seat(seat) for seat in seats),
    )


def _seat(row: SeatRow) -> StoredSeat:
    return StoredSeat(
        seat=row.seat,
        player=row.player,
        token_hash=row.token_hash,
        reading_id=row.reading_id,
        board=None if row.board is None else load(row.board),
        recipe=None if row.recipe is None else load(row.recipe),
    )

"""The database's tables. Boards, options and corrections are JSON texts: they are read whole and never searched."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, ForeignKey, Index, Integer, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """A time with its zone; SQLite drops the zone, which is always UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time as UTC."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(DeclarativeBase):
    """The root of the tables."""


class ReadingRow(Base):
    """A photo that was accepted, and what was read on it."""

    __tablename__ = "readings"
    __table_args__ = (Index("ix_readings_expires_at", "expires_at"), Index("ix_readings_photo", "photo_hash"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64))
    photo_hash: Mapped[str] = mapped_column(String(64))
    # The photo with its options: sent twice, it is the same reading.
    content_hash: Mapped[str] = mapped_column(String(64), unique=True)
    idempotency_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    status: Mapped[str] = mapped_column(String(16), index=True)
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    options: Mapped[str] = mapped_column(Text)
    # What vision made of it: board, questions with their stakes, photo size, notes, times.
    result: Mapped[str | None] = mapped_column(Text)
    problem: Mapped[str | None] = mapped_column(Text)
    # How often vision began on it: a photo is scored once, and one that keeps ending the process is given up.
    attempts: Mapped[int] = mapped_column(Integer, default=0)


class EditRow(Base):
    """One edit of a reading's board: corrections, an undo or a redo. Never changed, never dropped by an undo."""

    __tablename__ = "edits"

    reading_id: Mapped[str] = mapped_column(ForeignKey("readings.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    action: Mapped[str] = mapped_column(String(16))
    corrections: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)


class TableRow(Base):
    """A table of players, with the cards and house rules in play."""

    __tablename__ = "tables"
    __table_args__ = (Index("ix_tables_expires_at", "expires_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    host_hash: Mapped[str] = mapped_column(String(64), index=True)
    rules: Mapped[str] = mapped_column(Text)
    revealed: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)


class SeatRow(Base):
    """A player's place at a table: a reading or a board typed in, and a recipe."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    player: Mapped[str] = mapped_column(String(64))
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    reading_id: Mapped[str | None] = mapped_column(ForeignKey("readings.id", ondelete="SET NULL"), index=True)
    board: Mapped[str | None] = mapped_column(Text)
    recipe: Mapped[str | None] = mapped_column(Text)

"""Readings and their edits in the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from api.store.database import Database
from api.store.schema import EditRow, ReadingRow, SeatRow
from api.strict_json import dump, load


class Status(StrEnum):
    """Where a reading stands."""

    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading as it is stored; `result` is there once it is ready, `problem` where it failed.

    The result is JSON, parsed where it is needed: it has 100 kB, and a correction does without it.
    """

    id: str
    token_hash: str
    photo_hash: str
    content_hash: str
    idempotency_hash: str | None
    status: Status
    created_at: datetime
    expires_at: datetime
    options: dict[str, Any]
    result: str | None = None
    problem: dict[str, Any] | None = None
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit: `action` is correct, undo or redo."""

    number: int
    action: str
    corrections: list[Any]


class ReadingStore:
    """Keeps readings; every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, reading: Reading) -> bool:
        """Store a new reading; False where its content or its idempotency key is stored already."""
        try:
            with self._database.writing() as session:
                session.add(_row(reading))
        except IntegrityError:
            return False
        return True

    def get(self, reading_id: str, *, now: datetime) -> Reading | None:
        """Return a reading whose time is not over."""
        with self._database.reading() as session:
            row = session.get(ReadingRow, reading_id)
            return None if row is None or row.expires_at <= now else _reading(row)

    def with_content(self, content_hash: str) -> Reading | None:
        """Return the reading of a photo with its options."""
        return self._one(ReadingRow.content_hash == content_hash)

    def with_key(self, idempotency_hash: str) -> Reading | None:
        """Return the reading made with an idempotency key."""
        return self._one(ReadingRow.idempotency_hash == idempotency_hash)

    def _one(self, condition: Any) -> Reading | None:
        with self._database.reading() as session:
            row = session.scalars(select(ReadingRow).where(condition)).first()
            return None if row is None else _reading(row)

    def waiting(self) -> list[Reading]:
        """Return the readings that wait, oldest first."""
        query = select(ReadingRow).where(ReadingRow.status == Status.WAITING).order_by(ReadingRow.created_at)
        with self._database.reading() as session:
            return [_reading(row) for row in session.scalars(query)]

    def begin(self, reading_id: str) -> bool:
        """Count an attempt to read; False where the reading is gone or waits no longer."""
        waits = (ReadingRow.id == reading_id) & (ReadingRow.status == Status.WAITING)
        with self._database.writing() as session:
            found = session.execute(update(ReadingRow).where(waits).values(attempts=ReadingRow.attempts + 1))
            return bool(found.rowcount)  # type: ignore[attr-defined]

    def finish(self, reading_id: str, *, result: dict[str, Any] | None, problem: dict[str, Any] | None) -> bool:
        """Store the outcome; False where the reading was deleted meanwhile, or has an outcome already."""
        waits = (ReadingRow.id == reading_id) & (ReadingRow.status == Status.WAITING)
        values = {
            "status": Status.READY if problem is None else Status.FAILED,
            "result": _text(result),
            "problem": _text(problem),
        }
        with self._database.writing() as session:
            found = session.execute(update(ReadingRow).where(waits).values(**values))
            return bool(found.rowcount)  # type: ignore[attr-defined]

    def try_again(self, reading_id: str) -> bool:
        """Let a failed reading wait again; False where it is gone or did not fail."""
        failed = (ReadingRow.id == reading_id) & (ReadingRow.status == Status.FAILED)
        with self._database.writing() as session:
            values = {"status": Status.WAITING, "problem": None, "attempts": 0}
            return bool(session.execute(update(ReadingRow).where(failed).values(**values)).rowcount)  # type: ignore[attr-defined]

    def set_options(self, reading_id: str, options: dict[str, Any]) -> None:
        """Store other options."""
        with self._database.writing() as session:
            session.execute(update(ReadingRow).where(ReadingRow.id == reading_id).values(options=_text(options)))

    def edits(self, reading_id: str) -> list[Edit]:
        """Return the edits of a reading, oldest first."""
        query = select(EditRow).where(EditRow.reading_id == reading_id).order_by(EditRow.number)
        with self._database.reading() as session:
            return [Edit(row.number, row.action, load(row.corrections)) for row in session.scalars(query)]

    def edit_count(self, reading_id: str) -> int:
        """Return how many edits a reading has."""
        with self._database.reading() as session:
            return session.scalar(select(func.count()).where(EditRow.reading_id == reading_id)) or 0

    def add_edit(self, reading_id: str, edit: Edit, *, now: datetime) -> bool:
        """Store an edit; False where another one took its number meanwhile, or the reading is gone."""
        row = EditRow(
            reading_id=reading_id,
            number=edit.number,
            action=edit.action,
            corrections=_text(edit.corrections),
            created_at=now,
        )
        try:
            with self._database.writing() as session:
                session.add(row)
        except IntegrityError:
            return False
        return True

    def delete(self, reading_ids: Iterable[str]) -> set[str]:
        """Delete readings with their edits; returns the hashes of photos that no other reading uses."""
        ids = list(reading_ids)
        with self._database.writing() as session:
            session.execute(update(SeatRow).where(SeatRow.reading_id.in_(ids)).values(reading_id=None))
            session.execute(delete(EditRow).where(EditRow.reading_id.in_(ids)))
            hashes = set(session.scalars(select(ReadingRow.photo_hash).where(ReadingRow.id.in_(ids))))
            session.execute(delete(ReadingRow).where(ReadingRow.id.in_(ids)))
            return hashes - set(session.scalars(select(ReadingRow.photo_hash).where(ReadingRow.photo_hash.in_(hashes))))

    def expired(self, now: datetime, *, most: int = 200) -> list[str]:
        """Return ids of readings whose time is over."""
        with self._database.reading() as session:
            return list(session.scalars(select(ReadingRow.id).where(ReadingRow.expires_at <= now).limit(most)))

    def photo_hashes(self) -> set[str]:
        """Return the hashes of all photos that readings use."""
        with self._database.reading() as session:
            return set(session.scalars(select(ReadingRow.photo_hash)))

    def keep_until(self, reading_id: str, until: datetime) -> None:
        """Lengthen the time a reading is kept."""
        later = (ReadingRow.id == reading_id) & (ReadingRow.expires_at < until - timedelta(seconds=1))
        with self._database.writing() as session:
            session.execute(update(ReadingRow).where(later).values(expires_at=until))


def _text(value: Any) -> str | None:
    return None if value is None else dump(value).decode()


def _row(reading: Reading) -> ReadingRow:
    return ReadingRow(
        id=reading.id,
        token_hash=reading.token_hash,
        photo_hash=reading.photo_hash,
        content_hash=reading.content_hash,
        idempotency_hash=reading.idempotency_hash,
        status=reading.status,
        created_at=reading.created_at,
        expires_at=reading.expires_at,
        options=_text(reading.options),
        result=reading.result,
        problem=_text(reading.problem),
        attempts=reading.attempts,
    )


def _reading(row: ReadingRow) -> Reading:
    return Reading(
        id=row.id,
        token_hash=row.token_hash,
        photo_hash=row.photo_hash,
        content_hash=row.content_hash,
        idempotency_hash=row.idempotency_hash,
        status=Status(row.status),
        created_at=row.created_at,
        expires_at=row.expires_at,
        options=load(row.options),
        result=row.result,
        problem=None if row.problem is None else load(row.problem),
        attempts=row.attempts,
    )

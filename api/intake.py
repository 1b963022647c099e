"""Photos come in: each is accepted once, waits in the queue, and is read or told to be sent again."""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from api.jobs import ReadingPool
from api.photo_worker import Outcome, ReadingJob, failure
from api.problems import Problem, not_found, problem_of
from api.readings import Readings
from api.store.photos import PhotoStore
from api.store.readings import Reading, ReadingStore, Status
from api.strict_json import dump
from api.tokens import TokenMaker, hash_of, matches, new_id
from vision.errors import EmptyImage, FileTooLarge, NotAnImage
from vision.filetype import describe, picture_type

# After this many the photo is told to be sent again: it may be what ends the process.
MAX_ATTEMPTS = 2
# Failures that the same photo need not meet again.
_PASSING = frozenset(
    {"reading_crashed", "reading_timeout", "reading_interrupted", "reading_unavailable", "photo_too_heavy"}
)
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class Accepted:
    """A photo that came in: its reading and token, whether it is new, and the outcome to wait for."""

    reading: Reading
    token: str
    is_new: bool
    outcome: Future[Outcome] | None = None


class Intake:
    """Takes photos in."""

    def __init__(
        self,
        store: ReadingStore,
        photos: PhotoStore,
        readings: Readings,
        tokens: TokenMaker,
        *,
        clock: Callable[[], datetime],
        keep: timedelta,
    ) -> None:
        self._store, self._photos, self._readings, self._tokens = store, photos, readings, tokens
        self._clock, self._keep = clock, keep
        self.pool: ReadingPool

    def accept(self, data: bytes, options: dict[str, Any], *, key: str | None, max_bytes: int) -> Accepted:
        """Take a photo in, or find the reading it has already.

        Raises:
            BoardsnapError: it is no photo, or too large.
            Problem: the queue is full, or the idempotency key was used for another photo.
        """
        check_photo(data, max_bytes)
        photo_hash = hashlib.sha256(data).hexdigest()
        content_hash = hashlib.sha256(photo_hash.encode() + dump(sorted(options.items()))).hexdigest()
        key_hash = None if key is None else hash_of(key)
        known = self._known(content_hash, key_hash)
        if known is not None:
            return self._again(known, data)
        self.pool.reserve()
        try:
            reading = self._new(photo_hash, content_hash, key_hash, options)
            path = self._photos.accept(reading.id, data)
            is_added = self._store.add(reading)
        except BaseException:
            self.pool.release()
            raise
        if not is_added:  # the same photo came twice at once, and the other was first
            self.pool.release()
            self._photos.forget_incoming(reading.id)
            return self._again(_need(self._known(content_hash, key_hash)), data)
        job = ReadingJob(reading.id, path, self._photos.kept(photo_hash), options)
        return Accepted(reading, self._token(reading.id), True, self.pool.submit(job))

    def _known(self, content_hash: str, key_hash: str | None) -> Reading | None:
        by_key = None if key_hash is None else self._store.with_key(key_hash)
        if by_key is not None and by_key.content_hash != content_hash:
            text = (
                "This Idempotency-Key came with another photo or other options before. Use a new key for a new photo."
            )
            raise Problem(422, "idempotency_key_reused", text)
        found = by_key or self._store.with_content(content_hash)
        if found is not None and (found.expires_at <= self._clock() or not self._is_ours(found)):
            self._readings.forget([found.id])
            return None
        return found

    def _is_ours(self, reading: Reading) -> bool:
        """Whether the token can be told again: not where the service's secret has changed since."""
        return matches(self._token(reading.id), reading.token_hash)

    def _again(self, reading: Reading, data: bytes) -> Accepted:
        passing = reading.status is Status.FAILED and (reading.problem or {}).get("code") in _PASSING
        if not passing:
            return Accepted(reading, self._token(reading.id), False, self.pool.future_of(reading.id))
        self.pool.reserve()
        path = self._photos.accept(reading.id, data)
        if not self._store.try_again(reading.id):
            self.pool.release()
            return Accepted(reading, self._token(reading.id), False, self.pool.future_of(reading.id))
        job = ReadingJob(reading.id, path, self._photos.kept(reading.photo_hash), reading.options)
        return Accepted(reading, self._token(reading.id), True, self.pool.submit(job))

    def _new(self, photo_hash: str, content_hash: str, key_hash: str | None, options: dict[str, Any]) -> Reading:
        now, reading_id = self._clock(), new_id()
        return Reading(
            id=reading_id,
            token_hash=hash_of(self._token(reading_id)),
            photo_hash=photo_hash,
            content_hash=content_hash,
            idempotency_hash=key_hash,
            status=Status.WAITING,
            created_at=now,
            expires_at=now + self._keep,
            options=options,
        )

    def _token(self, reading_id: str) -> str:
        return self._tokens.token("reading", reading_id)

    async def settled(self, accepted: Accepted, *, within_s: float) -> Reading:
        """Wait for a reading, and return it as it then stands."""
        if accepted.outcome is not None:
            await asyncio.wait([asyncio.wrap_future(accepted.outcome)], timeout=within_s)
        reading = await self._now(accepted.reading.id)
        deadline = monotonic() + within_s
        # Sent twice at once: the other request is about to queue it, or another process reads it.
        while accepted.outcome is None and reading.status is Status.WAITING and monotonic() < deadline:
            await asyncio.sleep(_POLL_S)
            reading = await self._now(reading.id)
        return reading

    async def _now(self, reading_id: str) -> Reading:
        return _need(await asyncio.to_thread(self._store.get, reading_id, now=self._clock()))

    # --- the queue's side ---

    def begin(self, reading_id: str) -> bool:
        """Count an attempt; False where nobody wants the reading any more."""
        return self._store.begin(reading_id)

    def finish(self, job: ReadingJob, outcome: Outcome) -> None:
        """Store what became of a photo; the bytes that came in are deleted."""
        if not self._store.finish(job.id, result=outcome.result, problem=outcome.problem):
            self._readings.drop_unused_photos([job.kept.stem])
        self._photos.forget_incoming(job.id)

    def recover(self) -> int:
        """Queue the photos that were accepted and not read when the process ended; returns how many."""
        waiting = {reading.id: reading for reading in self._store.waiting()}
        for reading_id, path in list(self._photos.all_incoming()):
            if reading_id not in waiting or path.suffix == ".part":
                path.unlink(missing_ok=True)
        for reading in waiting.values():
            path = self._photos.incoming(reading.id)
            if path.exists() and reading.attempts < MAX_ATTEMPTS:
                job = ReadingJob(reading.id, path, self._photos.kept(reading.photo_hash), reading.options)
                self.pool.submit(job, reserved=False)
            else:
                problem = failure("reading_interrupted", "The service was interrupted while reading the photo.")
                self._store.finish(reading.id, result=None, problem=problem.document())
                self._photos.forget_incoming(reading.id)
        return len(waiting)


def _need(reading: Reading | None) -> Reading:
    if reading is None:
        raise not_found("reading")
    return reading


def check_photo(data: bytes, max_bytes: int) -> None:
    """Refuse at once what cannot be a photo; the decoder looks closer."""
    error: Any = None
    if not data:
        error = EmptyImage()
    elif len(data) > max_bytes:
        error = FileTooLarge(len(data), max_bytes)
    elif picture_type(data) is None:
        error = NotAnImage(describe(data), "JPEG, PNG, WebP, HEIC, TIFF, BMP or GIF")
    if error is not None:
        raise problem_of(error)

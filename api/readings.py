"""Readings: a photo comes in, waits, is read once, and its board is corrected and rescored."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any

from api import live
from api.jobs import ReadingPool
from api.live import LiveReading, Step
from api.photo_worker import Outcome, ReadingJob, failure
from api.problems import Problem, not_found, problem_of
from api.store.photos import PhotoStore
from api.store.readings import Edit, Reading, ReadingStore, Status
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
_CACHED_READINGS = 200
_RETRIES = 8
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class Accepted:
    """A photo that came in: its reading and token, whether it is new, and the outcome to wait for."""

    reading: Reading
    token: str
    is_new: bool
    outcome: Future[Outcome] | None = None


class Readings:
    """All that can be done with readings."""

    def __init__(
        self,
        store: ReadingStore,
        photos: PhotoStore,
        tokens: TokenMaker,
        *,
        clock: Callable[[], datetime],
        keep: timedelta,
    ) -> None:
        self._store, self._photos, self._tokens = store, photos, tokens
        self._clock, self._keep = clock, keep
        self._cache: OrderedDict[str, LiveReading] = OrderedDict()
        self._cache_lock = Lock()
        self.pool: ReadingPool

    # --- a photo comes in ---

    def accept(self, data: bytes, options: dict[str, Any], *, key: str | None, max_bytes: int) -> Accepted:
        """Take a photo in, or find the reading it has already.

        Raises:
            BoardsnapError: it is no photo, or too large.
            Problem: the queue is full, or the idempotency key was used for another photo.
        """
        _check_photo(data, max_bytes)
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
            return self._again(self._need(self._known(content_hash, key_hash)), data)
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
            self._forget([found.id])
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
        return self._need(await asyncio.to_thread(self._store.get, reading_id, now=self._clock()))

    # --- the queue's side ---

    def begin(self, reading_id: str) -> bool:
        """Count an attempt; False where nobody wants the reading any more."""
        return self._store.begin(reading_id)

    def finish(self, job: ReadingJob, outcome: Outcome, _: float) -> None:
        """Store what became of a photo; the bytes that came in are deleted."""
        if not self._store.finish(job.id, result=outcome.result, problem=outcome.problem):
            self._drop_unused([job.kept.stem])
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

    def sweep(self) -> int:
        """Delete what is kept no longer, and pictures that no reading uses; returns how many readings went."""
        gone = self._store.expired(self._clock())
        self._forget(gone)
        self._drop_unused([photo_hash for photo_hash, _ in self._photos.all_kept()])
        return len(gone)

    def _drop_unused(self, hashes: list[str]) -> None:
        used = self._store.photo_hashes()
        for photo_hash in hashes:
            if photo_hash not in used:
                self._photos.forget(photo_hash)

    # --- reading and changing ---

    def get(self, reading_id: str, token: str) -> Reading:
        """Return a reading to the one who holds its token.

        Raises:
            Problem: there is no such reading, or the token is another's.
        """
        reading = self._need(self._store.get(reading_id, now=self._clock()))
        if not token:
            headers = {"WWW-Authenticate": "Bearer"}
            raise Problem(401, "token_missing", "Send the reading's token as Authorization: Bearer.", headers=headers)
        if not matches(token, reading.token_hash):
            raise Problem(403, "token_wrong", "This token does not belong to this reading.")
        return reading

    def find(self, reading_id: str) -> Reading | None:
        """Return a reading for the service itself."""
        return self._store.get(reading_id, now=self._clock())

    def live(self, reading: Reading) -> LiveReading:
        """Return a reading with its edits made."""
        count = self._store.edit_count(reading.id)
        with self._cache_lock:
            known = self._cache.get(reading.id)
        if known is not None and known.revision == count:
            return known
        if reading.result is None:
            raise _not_ready(reading)
        edits = [(edit.action, edit.corrections) for edit in self._store.edits(reading.id)]
        found = live.replayed(LiveReading.begin(reading.result), edits)
        self.remember(reading.id, found)
        return found

    def remember(self, reading_id: str, found: LiveReading) -> None:
        """Keep a reading in memory for the next correction."""
        with self._cache_lock:
            self._cache[reading_id] = found
            self._cache.move_to_end(reading_id)
            while len(self._cache) > _CACHED_READINGS:
                self._cache.popitem(last=False)

    def correct(self, reading: Reading, step: Step) -> LiveReading:
        """Make corrections, as one step of the history."""
        edit = ("correct", live.step_json(step))
        return self._edit(reading, edit, lambda found: found.corrected(step))

    def undo(self, reading: Reading) -> LiveReading:
        """Take the last step back."""
        return self._edit(reading, ("undo", []), LiveReading.undo)

    def redo(self, reading: Reading) -> LiveReading:
        """Make the step undone last again."""
        return self._edit(reading, ("redo", []), LiveReading.redo)

    def _edit(
        self, reading: Reading, edit: tuple[str, list[Any]], change: Callable[[LiveReading], LiveReading | None]
    ) -> LiveReading:
        action, listed = edit
        for _ in range(_RETRIES):
            before = self.live(reading)
            after = change(before)
            if after is None:
                raise Problem(409, f"nothing_to_{action}", f"There is nothing to {action}.")
            if self._store.add_edit(reading.id, Edit(after.revision, action, listed), now=self._clock()):
                self.remember(reading.id, after)
                return after
            self._need(self._store.get(reading.id, now=self._clock()))
        raise Problem(409, "edited_meanwhile", "Somebody else is editing this board. Load it again and go on.")

    def set_options(self, reading: Reading, options: dict[str, Any]) -> Reading:
        """Score a reading by other cards, house rules or players."""
        self._store.set_options(reading.id, options)
        return replace(reading, options=options)

    def delete(self, reading: Reading) -> None:
        """Delete a reading and its photo."""
        self._forget([reading.id])

    def _forget(self, ids: list[str]) -> None:
        if not ids:
            return
        for photo_hash in self._store.delete(ids):
            self._photos.forget(photo_hash)
        with self._cache_lock:
            for reading_id in ids:
                self._cache.pop(reading_id, None)
        for reading_id in ids:
            self._photos.forget_incoming(reading_id)

    def photo_bytes(self, reading: Reading) -> bytes:
        """Return the upright picture as JPEG."""
        try:
            return self._photos.kept(reading.photo_hash).read_bytes()
        except FileNotFoundError:
            raise not_found("photo") from None

    @staticmethod
    def _need(reading: Reading | None) -> Reading:
        if reading is None:
            raise not_found("reading")
        return reading


def _not_ready(reading: Reading) -> Problem:
    if reading.status is Status.WAITING:
        text = "The photo is still being read. Ask again in a moment."
        return Problem(409, "reading_not_ready", text, headers={"Retry-After": "2"})
    return Problem(409, "reading_failed", "The photo could not be read, so there is no board to correct.")


def _check_photo(data: bytes, max_bytes: int) -> None:
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

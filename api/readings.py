"""Readings: found by their tokens, corrected, undone and redone, deleted when their time is over."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from api import live
from api.live import LiveReading, Step
from api.problems import Problem, not_found
from api.store.photos import PhotoStore
from api.store.readings import Edit, Reading, ReadingStore, Status
from api.tokens import matches

_CACHED_READINGS = 200
_RETRIES = 8


class Readings:
    """All that can be done with readings."""

    def __init__(
        self,
        store: ReadingStore,
        photos: PhotoStore,
        *,
        clock: Callable[[], datetime],
    ) -> None:
        self._store, self._photos, self._clock = store, photos, clock
        self._cache: OrderedDict[str, LiveReading] = OrderedDict()
        self._cache_lock = Lock()

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

    def find(self, reading_id: str, *, expired: bool = False) -> Reading | None:
        """Return a reading for the service itself; with `expired` one that is about to go too."""
        return self._store.get(reading_id, now=datetime.min.replace(tzinfo=UTC) if expired else self._clock())

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
        self.forget([reading.id])

    def forget(self, ids: list[str]) -> None:
        """Delete readings with their edits, their photos, and what waits."""
        if not ids:
            return
        for photo_hash in self._store.delete(ids):
            self._photos.forget(photo_hash)
        with self._cache_lock:
            for reading_id in ids:
                self._cache.pop(reading_id, None)
        for reading_id in ids:
            self._photos.forget_incoming(reading_id)

    def sweep(self, before: Callable[[list[str]], None] | None = None) -> int:
        """Delete what is kept no longer, and pictures that no reading uses; returns how many readings went.

        `before` is told the ids of readings that are about to go.
        """
        gone = self._store.expired(self._clock())
        if before is not None and gone:
            before(gone)
        self.forget(gone)
        self.drop_unused_photos([photo_hash for photo_hash, _ in self._photos.all_kept()])
        return len(gone)

    def drop_unused_photos(self, hashes: list[str]) -> None:
        """Delete those pictures that no reading uses."""
        used = self._store.photo_hashes()
        for photo_hash in hashes:
            if photo_hash not in used:
                self._photos.forget(photo_hash)

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

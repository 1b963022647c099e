"""Enrolments over HTTP: photos of a copy laid out come in, its tiles are named, and an art pack is made."""

import asyncio
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from api.enrolment_worker import LIST_FILE, FindTiles, LearnFaces
from api.jobs import Job, ReadingPool
from api.photo_worker import Outcome
from api.problems import Problem, not_found
from api.tokens import TokenMaker, hash_of, matches, new_id
from scoring.charcuterie.catalogue import KINDS

TOKEN_FILE = "token"
# Long enough to name 27 tiles over a cup of tea.
KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The tiles found on a player's photos, and where they lie."""

    id: str
    token: str
    folder: Path

    @property
    def crops(self) -> list[dict[str, Any]]:
        """The tiles found: n, photo, row, shape, suggestions."""
        listed: list[dict[str, Any]] = json.loads((self.folder / LIST_FILE).read_text())
        return listed


class Enrolments:
    """All that can be done with enrolments; each is a folder, deleted a day later."""

    def __init__(self, home: Path, tokens: TokenMaker, *, clock: Callable[[], datetime]) -> None:
        self._root, self._tokens, self._clock = home / "sent_enrolments", tokens, clock
        self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.pool: ReadingPool

    async def find(self, photos: Sequence[bytes], *, within_s: float) -> Enrolment:
        """Find the tiles on photos.

        Raises:
            Problem: there are none, the queue is full, or it takes too long.
        """
        enrolment_id = new_id()
        token, folder = self._tokens.token("enrolment", enrolment_id), self._root / enrolment_id
        self.pool.reserve()
        await asyncio.to_thread(_lay_down, folder, photos)
        job = FindTiles(enrolment_id, folder, len(photos))
        await self._done(job, folder, within_s, keep=False)
        (folder / TOKEN_FILE).write_text(f"{hash_of(token)} {(self._clock() + KEPT_FOR).timestamp()}")
        return Enrolment(enrolment_id, token, folder)

    def get(self, enrolment_id: str, token: str) -> Enrolment:
        """Return an enrolment to the one who holds its token.

        Raises:
            Problem: there is none, or the token is another's.
        """
        folder = self._root / enrolment_id
        stored, until = _kept(folder) if _is_id(enrolment_id) else ("", 0.0)
        if not stored or until <= self._clock().timestamp():
            raise not_found("enrolment")
        if not token:
            text = "Send the enrolment's token as Authorization: Bearer."
            raise Problem(401, "token_missing", text, headers={"WWW-Authenticate": "Bearer"})
        if not matches(token, stored):
            raise Problem(403, "token_wrong", "This token does not belong to this enrolment.")
        return Enrolment(enrolment_id, token, folder)

    def crop(self, enrolment: Enrolment, number: int) -> bytes:
        """Return the picture of a tile as PNG."""
        try:
            return (enrolment.folder / f"{number}.png").read_bytes()
        except FileNotFoundError:
            raise not_found("crop") from None

    async def learn(
        self, enrolment: Enrolment, name: str, kinds: Sequence[str | None], *, within_s: float
    ) -> dict[str, Any]:
        """Make an art pack of the tiles that have a kind.

        Raises:
            Problem: the names do not fit the tiles, or there is an art of this name.
            BoardsnapError: the name is not allowed.
        """
        from models.artpack import check_name

        name = check_name(name)
        _check_kinds(kinds, len(enrolment.crops))
        self.pool.reserve()
        job = LearnFaces(f"{enrolment.id}-{new_id()}", enrolment.folder, name, tuple(kinds))
        return await self._done(job, enrolment.folder, within_s, keep=True)

    def sweep(self) -> int:
        """Delete what is over; returns how many."""
        now = self._clock().timestamp()
        gone = [folder for folder in self._root.iterdir() if _kept(folder)[1] <= now and self._is_old(folder, now)]
        for folder in gone:
            shutil.rmtree(folder, ignore_errors=True)
        return len(gone)

    @staticmethod
    def _is_old(folder: Path, now: float) -> bool:
        """Not one whose photos are being looked at just now."""
        return now - folder.stat().st_mtime > 3600 or (folder / TOKEN_FILE).exists()

    async def _done(self, job: Job, folder: Path, within_s: float, *, keep: bool) -> dict[str, Any]:
        future = asyncio.wrap_future(self.pool.submit(job))
        done, _ = await asyncio.wait([future], timeout=within_s)
        if not done:
            text = "There are many photos before yours. Send it again in a minute."
            raise Problem(503, "too_busy", text, headers={"Retry-After": str(self.pool.retry_after_s)})
        outcome: Outcome = future.result()
        if outcome.problem is not None:
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)
            raise Problem.again(outcome.problem)
        return outcome.result or {}


def _lay_down(folder: Path, photos: Sequence[bytes]) -> None:
    folder.mkdir(mode=0o700)
    for number, data in enumerate(photos):
        (folder / f"{number}.photo").write_bytes(data)


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 32 and all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in text)


def _kept(folder: Path) -> tuple[str, float]:
    """The hash of an enrolment's token, and until when it is kept; an empty hash where there is none."""
    try:
        stored, until = (folder / TOKEN_FILE).read_text().split()
        return stored, float(until)
    except (OSError, ValueError):
        return "", 0.0


def _check_kinds(kinds: Sequence[str | None], tiles: int) -> None:
    if len(kinds) != tiles:
        text = f"{len(kinds)} kinds came for {tiles} tiles. Send one for each, in order, and null for a tile to skip."
        raise Problem(422, "kinds_do_not_fit", text)
    unknown = next((kind for kind in kinds if kind is not None and kind not in KINDS), None)
    if unknown is not None:
        raise Problem(422, "kind_unknown", f"{unknown[:40]!r} is no kind. The kinds: {', '.join(KINDS)}.")
    if all(kind is None for kind in kinds):
        raise Problem(422, "nothing_named", "No tile has a kind, so there is nothing to learn.")

"""Art packs on disk: one folder each, `arts/NAME/` in the user data folder, and one zip to share.

A pack is written beside its place and put there whole: at any error the pack that was there is still there. Whoever
reads or writes holds the folder's lock, so that several processes may work on the same packs.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from unicodedata import normalize

import platformdirs

from models.artpack import ArtExists, ArtPack, ArtPackError, ArtUnknown, check_name
from models.artpack_form import PACK_FILE, files_of, read_pack
from models.artpack_zip import read_zip, write_zip

_LOCK_FILE, _NEW, _ASIDE = ".lock", ".new-", ".old-"
_LOCK_WAIT_S = 30.0


def home_folder() -> Path:
    """The user data folder of boardsnap: the platform's, or where BOARDSNAP_HOME says."""
    moved = os.environ.get("BOARDSNAP_HOME")
    return Path(moved) if moved else Path(platformdirs.user_data_dir("boardsnap", appauthor=False))


class ArtShelf:
    """The art packs of one user data folder.

    Names are compared without regard to case, since some file systems know no other way.
    """

    __slots__ = ("folder",)

    def __init__(self, home: Path | None = None) -> None:
        """`home` is the user data folder; None takes `home_folder()`."""
        self.folder = (home_folder() if home is None else home) / "arts"

    def names(self) -> list[str]:
        """Names of all packs, in alphabetical order."""
        with self._locked():
            return self._names()

    def check(self, name: str) -> None:
        """Raise ArtUnknown where there is no pack of this name."""
        with self._locked():
            self._existing(name)

    def load(self, name: str) -> ArtPack:
        """Read a pack, checking everything.

        Raises:
            ArtUnknown: there is none of this name.
            ArtPackError: the pack is damaged; the message names the file or field.
        """
        with self._locked():
            return _read_folder(self._existing(name))

    def stamp(self, name: str) -> tuple[int, int] | None:
        """What differs whenever the pack on disk is another one; None where there is none."""
        found = self._find(name)
        try:
            status = None if found is None else (found / PACK_FILE).stat()
        except OSError:
            return None
        return None if status is None else (status.st_mtime_ns, status.st_ino)

    def save(self, pack: ArtPack) -> Path:
        """Write a pack in place of the one of its name, if any; returns its folder.

        Raises:
            ArtPackError: it is outside the limits; the old pack is kept.
            OSError: it cannot be written; the old pack is kept.
        """
        with self._locked(writing=True):
            return self._put(pack)

    def change(self, name: str, make: Callable[[ArtPack], ArtPack]) -> ArtPack:
        """Load a pack, save what `make` makes of it, and return that; nobody else changes the pack meanwhile.

        Raises:
            ArtUnknown: there is none of this name.
            ArtPackError: the pack is damaged, or what was made is outside the limits; the old pack is kept.
        """
        with self._locked(writing=True):
            place = self._existing(name)
            changed = replace(make(_read_folder(place)), name=place.name)
            self._put(changed)
            return changed

    def remove(self, name: str) -> None:
        """Delete a pack.

        Raises:
            ArtUnknown: there is none of this name.
        """
        with self._locked(writing=True):
            aside = self._aside(self._existing(name))
            shutil.rmtree(aside)

    def export_zip(self, name: str, file: Path) -> None:
        """Write a pack into one file to share.

        Raises:
            ArtUnknown: there is none of this name.
            OSError: the file cannot be written; one that was there is kept.
        """
        write_zip(self.load(name), file)

    def import_zip(self, file: Path, *, name: str | None = None, replace_old: bool = False) -> ArtPack:
        """Take a pack from a file that somebody shared, under its own name or another.

        Raises:
            ArtPackError: the file is no art pack, is damaged, or breaks a limit; nothing of it is taken.
            ArtExists: there is an art of this name, and it is not to be replaced.
        """
        pack = read_zip(file)
        if name is not None:
            pack = replace(pack, name=check_name(name))
        with self._locked(writing=True):
            if not replace_old and self._find(pack.name) is not None:
                raise ArtExists(pack.name)
            self._put(pack)
        return pack

    def _names(self) -> list[str]:
        folders = [f for f in self.folder.iterdir() if not f.name.startswith(".")] if self.folder.is_dir() else []
        return sorted((f.name for f in folders if (f / PACK_FILE).is_file()), key=str.casefold)

    def _find(self, name: str) -> Path | None:
        wanted = _key(name)
        found = next((known for known in self._names() if _key(known) == wanted), None)
        return None if found is None else self.folder / found

    def _existing(self, name: str) -> Path:
        found = self._find(name)
        if found is None:
            raise ArtUnknown(name, self._names())
        return found

    def _put(self, pack: ArtPack) -> Path:
        """Write beside the place, read back, and only then take the old pack's place."""
        place = self.folder / check_name(pack.name)
        new = Path(tempfile.mkdtemp(prefix=_NEW, dir=self.folder))
        try:
            _write_folder(pack, new)
            _read_folder(new)
            old = self._find(pack.name)
            aside = None if old is None else self._aside(old)
            try:
                new.rename(place)
            except OSError:
                if old is not None and aside is not None:
                    aside.rename(old)
                raise
            if aside is not None:
                shutil.rmtree(aside, ignore_errors=True)
        finally:
            shutil.rmtree(new, ignore_errors=True)
        return place

    def _aside(self, place: Path) -> Path:
        aside = self.folder / f"{_ASIDE}{place.name}"
        shutil.rmtree(aside, ignore_errors=True)
        place.rename(aside)
        return aside

    @contextmanager
    def _locked(self, *, writing: bool = False) -> Iterator[None]:
        """Hold the folder's lock; a folder that cannot be written to is read without, as nobody can change it."""
        if writing:
            self.folder.mkdir(parents=True, exist_ok=True)
        if not os.access(self.folder, os.W_OK) and not writing:
            yield
            return
        with closing(sqlite3.connect(self.folder / _LOCK_FILE, timeout=_LOCK_WAIT_S, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            self._recover()
            yield

    def _recover(self) -> None:
        """Tidy up after a process that was killed: a pack put aside comes back, unless its place is taken."""
        for left in self.folder.glob(".*"):
            if left.name.startswith(_ASIDE):
                place = self.folder / left.name.removeprefix(_ASIDE)
                if place.exists():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.rename(place)
            elif left.name.startswith(_NEW):
                shutil.rmtree(left, ignore_errors=True)


def _key(name: str) -> str:
    return normalize("NFC", name.strip()).casefold()


def _write_folder(pack: ArtPack, folder: Path) -> None:
    (folder / "faces").mkdir()
    for name, data in files_of(pack).items():
        (folder / name).write_bytes(data)


def _read_folder(folder: Path) -> ArtPack:
    """Read a pack; it is called as its folder is, which somebody may have renamed."""

    def read(name: str, most: int) -> bytes:
        file = folder / name
        if file.is_symlink() or not file.is_file():
            raise ArtPackError(name, "missing", "a file of the pack", hint="Import or enroll the art again.")
        if (size := file.stat().st_size) > most:
            raise ArtPackError(name, f"of {size} bytes", f"at most {most} bytes")
        return file.read_bytes()

    pack = read_pack(read)
    return pack if folder.name.startswith(_NEW) else replace(pack, name=folder.name)

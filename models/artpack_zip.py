"""An art pack as one zip to share: written, and read from a stranger within limits, without unpacking it to disk."""

from __future__ import annotations

import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.artpack import MAX_FACES, ArtPack, ArtPackError
from models.artpack_form import (
    MAX_JSON_BYTES,
    MAX_PICTURE_BYTES,
    MAX_TOTAL_BYTES,
    PACK_FILE,
    PICTURE_FILE,
    files_of,
    read_pack,
)
from scoring.errors import shown

MAX_MEMBERS = MAX_FACES + 2  # pack.json, and an entry for the folder, which some programs write
_FOLDER = "faces/"
_END = struct.Struct("<4s4H2LH")
_MAX_ENTRY_BYTES = 400
"""Of the list of members, for each: 46, a name of 40, and some room for the times that programs add."""


def write_zip(pack: ArtPack, file: Path) -> None:
    """Write a pack as a zip; at an error a file that was there is kept.

    Raises:
        OSError: it cannot be written.
    """
    handle, rough = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as out, zipfile.ZipFile(out, "w") as archive:
            for name, data in files_of(pack).items():
                method = zipfile.ZIP_DEFLATED if name == PACK_FILE else zipfile.ZIP_STORED  # PNG is deflated already
                archive.writestr(name, data, compress_type=method)
        Path(rough).chmod(0o644)
        Path(rough).replace(file)
    finally:
        Path(rough).unlink(missing_ok=True)


def read_zip(file: Path) -> ArtPack:
    """Read a pack from a zip that may come from a stranger.

    Raises:
        ArtPackError: it is no art pack, is damaged, or breaks a limit; the message says which.
        OSError: the file cannot be opened.
    """
    size = file.stat().st_size
    if size > MAX_TOTAL_BYTES:
        raise ArtPackError(file.name, f"a file of {size / 1e6:.0f} MB", f"at most {MAX_TOTAL_BYTES / 1e6:.0f} MB")
    _check_end(file)
    with _zip_errors(file), zipfile.ZipFile(file) as archive:
        members = _checked_members(archive)

        def read(name: str, most: int) -> bytes:
            if name not in members:
                raise ArtPackError(name, "missing", "a file of the pack", hint="Export the pack again.")
            with archive.open(members[name]) as member:
                data = member.read(most + 1)
            if len(data) > most:
                raise ArtPackError(name, f"of more than {most} bytes", f"at most {most} bytes")
            return data

        return read_pack(read)


def _check_end(file: Path) -> None:
    """Look at a zip's last record: its list of members is bounded before anything of it is read into memory."""
    with file.open("rb") as data:
        data.seek(max(0, file.stat().st_size - _END.size - 20))
        tail = data.read()
    whole = "a whole zip without a comment, as boardsnap arts export writes it"
    if len(tail) < _END.size or not tail[-_END.size :].startswith(b"PK\x05\x06"):
        raise ArtPackError(file.name, "no zip, or one cut short", whole)
    *_, count, list_bytes, _, comment = _END.unpack(tail[-_END.size :])
    if comment or tail.startswith(b"PK\x06\x07"):
        raise ArtPackError(file.name, "a zip with a comment, or of the form for large files", whole)
    if count > MAX_MEMBERS or list_bytes > MAX_MEMBERS * _MAX_ENTRY_BYTES:
        raise ArtPackError(file.name, f"a zip of {count} files", f"at most {MAX_MEMBERS}")


@contextmanager
def _zip_errors(file: Path) -> Iterator[None]:
    """Turn whatever the zip reader raises on bad bytes into an ArtPackError."""
    try:
        yield
    # OSError: an offset before the beginning.
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error) as e:
        hint = "Export it again, or copy it again."
        raise ArtPackError(file.name, f"a damaged zip ({e})", "a whole zip", hint=hint) from e


def _checked_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files by name: only names that a pack has, each once, plain, and within the limits by what they declare."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename
        if name == _FOLDER:
            continue
        if name != PACK_FILE and not PICTURE_FILE.fullmatch(name):
            raise ArtPackError("the zip", f"one with the file {shown(name)}", f"{PACK_FILE} and faces/KIND-NUMBER.png")
        if name in members:
            raise ArtPackError("the zip", f"one with {name} twice", "each file once")
        _check_member(info)
        members[name] = info
    total = sum(info.file_size for info in members.values())
    if total > MAX_TOTAL_BYTES:
        allowed = f"at most {MAX_TOTAL_BYTES / 1e6:.0f} MB"
        raise ArtPackError("the zip", f"one of {total / 1e6:.0f} MB when unpacked", allowed)
    return members


def _check_member(info: zipfile.ZipInfo) -> None:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ArtPackError(info.filename, "a link or a special file", "a plain file")
    if info.flag_bits & 0x1:
        raise ArtPackError(info.filename, "encrypted", "a file without a password")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArtPackError(info.filename, f"packed by method {info.compress_type}", "stored or deflated")
    most = MAX_JSON_BYTES if info.filename == PACK_FILE else MAX_PICTURE_BYTES
    if info.file_size > most:
        raise ArtPackError(info.filename, f"of {info.file_size} bytes", f"at most {most} bytes")

"""What an input is: a photo, a board or table file, or a folder of them; told by the content, not by the name."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.errors import EmptyFolder, InputError, InputNotFound, InvalidJson
from vision.filetype import picture_type

# Six boards of 24 tiles with finely drawn outlines are about 600 kB.
MAX_DOCUMENT_BYTES = 20_000_000
# Enough for the signature of every picture format.
_HEAD_BYTES = 64


@dataclass(frozen=True, slots=True)
class PhotoInput:
    """A file to decode; that it is a picture is for the decoder to say."""

    path: Path


@dataclass(frozen=True, slots=True)
class DocumentInput:
    """A JSON document: a board file or a table file, not yet checked."""

    path: Path
    document: Any


def expand(path: Path) -> list[Path]:
    """The files to work on: the file itself, or the photos and board files of a folder, by name.

    A board file beside a photo of the same name is the photo's truth, not an input of its own. Hidden files,
    other files and folders within the folder are passed over.

    Raises:
        InputError: a folder cannot be read, or holds nothing to work on.
    """
    return _files_of(path) if path.is_dir() else [path]


def open_input(path: Path) -> PhotoInput | DocumentInput:
    """Tell what a file is, and parse it where it is JSON.

    Raises:
        InputError: it cannot be read, or begins like JSON and is none.
    """
    head = _head(path)
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return DocumentInput(path, _parse(path))
    return PhotoInput(path)


def _files_of(folder: Path) -> list[Path]:
    try:
        files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    photos = [file for file in files if picture_type(_head(file)) is not None]
    with_truth = {photo.stem for photo in photos}
    chosen = set(photos) | {file for file in files if file.suffix == ".json" and file.stem not in with_truth}
    if not chosen:
        raise EmptyFolder(str(folder))
    return [file for file in files if file in chosen]


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except FileNotFoundError as error:
        raise InputNotFound(str(path)) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def _parse(path: Path) -> Any:
    size_bytes = path.stat().st_size
    if size_bytes > MAX_DOCUMENT_BYTES:
        raise InputError(
            f"{path} has {size_bytes / 1e6:.0f} MB; a board file may have {MAX_DOCUMENT_BYTES / 1e6:.0f}. "
            "Simplify its outlines."
        )
    try:
        return json.loads(path.read_bytes())
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidJson(f"{path} is no valid JSON ({where}: {error.msg}). Correct it there.") from error
    except UnicodeDecodeError as error:
        raise InvalidJson(f"{path} is no valid JSON (byte {error.start} is not UTF-8). Save it as UTF-8.") from error
    except RecursionError as error:
        raise InvalidJson(f"{path} is nested too deeply for a board file.") from error
    except ValueError as error:  # a number of more digits than Python converts
        raise InvalidJson(f"{path} is no valid JSON ({error}).") from error

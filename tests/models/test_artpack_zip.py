"""A zip from a stranger: nothing lands on disk, nothing is unpacked beyond the limits, and each refusal says why."""

import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from models.artpack import ArtPackError
from models.artpack_form import MAX_JSON_BYTES, PACK_FILE, files_of
from models.artpack_zip import MAX_MEMBERS, read_zip, write_zip
from models.artpacks import ArtShelf
from tests.models.packs import pack_of

FILES = dict(files_of(pack_of("swiss orange")))
Build = Callable[[Path], None]


def member(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def with_member(name: str | zipfile.ZipInfo, data: bytes = b"x", method: int = zipfile.ZIP_STORED) -> Build:
    """The good pack with one file more."""

    def build(file: Path) -> None:
        with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
            warnings.simplefilter("ignore")  # of a name that is there twice
            for known, content in FILES.items():
                archive.writestr(known, content)
            archive.writestr(name, data, compress_type=method)

    return build


def instead(name: str, data: bytes, method: int = zipfile.ZIP_STORED) -> Build:
    """The good pack with another content of one file."""

    def build(file: Path) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for known, content in {**FILES, name: data}.items():
                archive.writestr(known, content, compress_type=method)

    return build


def without(name: str) -> Build:
    def build(file: Path) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for known in FILES.keys() - {name}:
                archive.writestr(known, FILES[known])

    return build


def many_members(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(MAX_MEMBERS + 1):
            archive.writestr(f"faces/swiss-{number + 1}.png", b"")


def patched(change: Callable[[bytes], bytes]) -> Build:
    """The good pack with some bytes changed."""

    def build(file: Path) -> None:
        write_zip(pack_of("swiss orange"), file)
        file.write_bytes(change(file.read_bytes()))

    return build


def encrypted(data: bytes) -> bytes:
    at = data.index(b"PK\x01\x02")
    return data[: at + 8] + struct.pack("<H", 1) + data[at + 10 :]


def with_comment(data: bytes) -> bytes:
    return data[:-2] + struct.pack("<H", 5) + b"hello"


def for_large_files(data: bytes) -> bytes:
    return data[:-22] + b"PK\x06\x07" + b"\0" * 16 + data[-22:]


def lying_about_size(data: bytes) -> bytes:
    """pack.json declares one byte, and unpacks to far more."""
    at = data.index(b"PK\x01\x02")
    return data[: at + 24] + struct.pack("<I", 1) + data[at + 28 :]


BOMB = b" " * (MAX_JSON_BYTES + 1)
HOSTILE: dict[str, tuple[Build, str]] = {
    "a path out of the folder": (with_member("../../evil.png"), "the file '../../evil.png'"),
    "a path out of faces": (with_member("faces/../../evil.png"), "the file"),
    "an absolute path": (with_member("/tmp/evil.png"), "the file '/tmp/evil.png'"),
    "a drive": (with_member("C:\\evil.png"), "the file 'C:"),
    "a script beside the pictures": (with_member("faces/run.sh"), "the file 'faces/run.sh'"),
    "a pickle": (with_member("faces/swiss.pkl"), "the file 'faces/swiss.pkl'"),
    "a link": (with_member(member("faces/swiss-2.png", stat.S_IFLNK | 0o777), b"/etc/passwd"), "a link or a special"),
    "a device": (with_member(member("faces/swiss-2.png", stat.S_IFCHR | 0o666)), "a link or a special file"),
    "a file twice": (with_member(PACK_FILE, b"{}"), "pack.json twice"),
    "too many files": (many_members, f"a zip of {MAX_MEMBERS + 1} files; allowed: at most {MAX_MEMBERS}"),
    "a bomb in pack.json": (instead(PACK_FILE, BOMB, zipfile.ZIP_DEFLATED), "pack.json is of 8000001 bytes"),
    "a bomb as a picture": (
        instead("faces/swiss-1.png", BOMB, zipfile.ZIP_DEFLATED),
        "swiss-1.png is of 8000001 bytes",
    ),
    "a size that lies": (patched(lying_about_size), "pack.json is no valid JSON|damaged zip"),
    "a rare way of packing": (instead(PACK_FILE, FILES[PACK_FILE], zipfile.ZIP_LZMA), "packed by method 14"),
    "a password": (patched(encrypted), "encrypted"),
    "a comment": (patched(with_comment), "no zip|with a comment"),
    "the form for large files": (patched(for_large_files), "the form for large files"),
    "cut short": (patched(lambda data: data[: len(data) // 2]), "no zip, or one cut short"),
    "its beginning missing": (patched(lambda data: data[200:]), "damaged zip|no valid JSON"),
    "a byte changed": (
        patched(lambda data: data[:400] + b"\x00\xff" + data[402:]),
        "damaged zip|damaged|no valid JSON",
    ),
    "empty": (lambda file: file.write_bytes(b"") and None, "no zip, or one cut short"),
    "no zip": (lambda file: file.write_bytes(b"hello" * 100) and None, "no zip, or one cut short"),
    "no pack.json": (without(PACK_FILE), "pack.json is missing"),
    "a picture missing": (without("faces/orange-1.png"), "faces/orange-1.png is missing"),
}


@pytest.mark.parametrize(("build", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_zip_is_refused_and_leaves_nothing(build: Build, message: str, tmp_path: Path) -> None:
    file, shelf = tmp_path / "stranger.zip", ArtShelf(tmp_path / "home")
    build(file)
    with pytest.raises(ArtPackError, match=message):
        shelf.import_zip(file)
    assert shelf.names() == []
    assert [entry.name for entry in tmp_path.iterdir()] == ["stranger.zip"]


def test_a_file_larger_than_any_pack_is_not_even_opened(tmp_path: Path) -> None:
    file = tmp_path / "large.zip"
    with file.open("wb") as out:
        out.truncate(1_000_000_000)
    with pytest.raises(ArtPackError, match="a file of 1000 MB; allowed: at most 128 MB"):
        read_zip(file)


def test_a_zip_packed_by_hand_with_an_entry_for_the_folder_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "by_hand.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("faces")
        for name, data in FILES.items():
            archive.writestr(name, data)
    assert read_zip(file).art.kinds == ("swiss", "orange")

"""The process that reads photos, with the networks themselves, and with photos made to break it."""

from __future__ import annotations

import io
import resource
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from api.jobs import ProcessReader
from api.photo_worker import Outcome, ReadingJob, rounded
from scoring import Board, load_document
from tests.api.service import SAMPLES, jpeg, sample_photo

MEMORY_BYTES = 8_000_000_000


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessReader]:
    made = ProcessReader(tmp_path_factory.mktemp("home"), time_limit_s=120, memory_bytes=MEMORY_BYTES)
    made.warm()
    yield made
    made.close()


def job(folder: Path, data: bytes, **options: object) -> ReadingJob:
    photo = folder / "photo"
    photo.write_bytes(data)
    return ReadingJob("one", photo, folder / "kept.jpg", {"objectives": "all", **options})


def code(outcome: Outcome) -> str:
    return "ready" if outcome.problem is None else str(outcome.problem["code"])


def test_a_photo_is_read_in_a_process_of_its_own(reader: ProcessReader, tmp_path: Path) -> None:
    outcome = reader.read(job(tmp_path, sample_photo(), players=4))
    assert outcome.result is not None
    board = load_document(outcome.result["board"])
    assert isinstance(board, Board)
    assert len(board.placements) > 15
    assert board.players == 4
    assert outcome.result["total_range"][0] <= outcome.result["total"] <= outcome.result["total_range"][1]
    with Image.open(tmp_path / "kept.jpg") as kept:
        assert (kept.width, kept.height) == (outcome.result["photo"]["width"], outcome.result["photo"]["height"])


def test_a_photo_of_nothing_is_told(reader: ProcessReader, tmp_path: Path) -> None:
    assert code(reader.read(job(tmp_path, jpeg()))) == "no_board_found"
    assert not (tmp_path / "kept.jpg").exists()


def test_a_photo_that_takes_too_long_is_given_up_and_the_next_one_is_read(tmp_path: Path) -> None:
    reader = ProcessReader(tmp_path, time_limit_s=0.01, memory_bytes=MEMORY_BYTES)
    try:
        assert code(reader.read(job(tmp_path, sample_photo()))) == "reading_timeout"
        reader._time_limit_s = 120
        assert code(reader.read(job(tmp_path, jpeg()))) == "no_board_found"
    finally:
        reader.close()


def test_a_process_that_dies_is_told_and_begun_anew(reader: ProcessReader, tmp_path: Path) -> None:
    assert reader._process is not None
    reader._process.kill()
    reader._process.join()
    assert code(reader.read(job(tmp_path, jpeg()))) == "reading_crashed"
    assert code(reader.read(job(tmp_path, jpeg()))) == "no_board_found"


def test_lengths_are_rounded_and_confidence_is_not() -> None:
    assert rounded({"footprint": [[1.23456, 2.0]], "confidence": 0.123456}) == {
        "footprint": [[1.235, 2.0]], "confidence": 0.123456,
    }  # fmt: skip


# --- hostile and odd pictures ---


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_bomb(width: int, height: int) -> bytes:
    """A PNG that declares many pixels and holds a few bytes."""
    head = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + png_chunk(b"IDAT", zlib.compress(b"\0" * 10_000)) + png_chunk(b"IEND", b"")


def encoded(form: str, mode: str = "RGB", size: tuple[int, int] = (400, 300), **save: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, form, **save)
    return out.getvalue()


def hostile_pictures() -> list[bytes]:
    """200 files: damaged, cut short, lying about their size, odd in form, or no pictures at all."""
    rng = Random(4)
    whole = [sample_photo(), jpeg(), *(encoded(form) for form in ("PNG", "WEBP", "TIFF", "BMP", "GIF"))]
    files = [
        png_bomb(30_000, 30_000),
        png_bomb(2**31 - 1, 1),
        png_bomb(0, 0),
        encoded("PNG", size=(1, 1)),
        encoded("PNG", size=(4000, 250)),
        encoded("PNG", "RGBA"),
        encoded("PNG", "1"),
        encoded("PNG", "P"),
        encoded("PNG", "I;16"),
        encoded("TIFF", "F"),
        encoded("TIFF", "CMYK"),
        encoded("JPEG", "L"),
        encoded("JPEG", "CMYK"),
        encoded("GIF", save_all=True, append_images=[Image.new("RGB", (400, 300), "red")] * 3),
        b"GIF89a" + b"\xff" * 500,
        b"BM" + b"\0" * 100,
        b"II*\0" + b"\xff" * 300,
        b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\0" * 200,
        b"\0\0\0\x18ftypheic" + b"\0" * 400,
        (SAMPLES / "board_1.json").read_bytes(),
    ]
    while len(files) < 200:
        data = bytearray(rng.choice(whole))
        if rng.random() < 0.3:
            data = data[: rng.randrange(1, len(data))]
        for _ in range(rng.choice((1, 10, 200))):
            data[rng.randrange(min(len(data), rng.choice((64, 1024, len(data)))))] = rng.randrange(256)
        files.append(bytes(data))
    return files


@pytest.mark.slow
def test_two_hundred_hostile_pictures_break_nothing_and_take_little_memory(tmp_path: Path) -> None:
    reader = ProcessReader(tmp_path, time_limit_s=120, memory_bytes=MEMORY_BYTES)
    try:
        codes = [code(reader.read(job(tmp_path, data))) for data in hostile_pictures()]
        assert code(reader.read(job(tmp_path, sample_photo()))) == "ready"
    finally:
        reader.close()
    assert not {"reading_crashed", "reading_timeout", "internal_error"} & set(codes), codes
    peak_bytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    assert peak_bytes < 2_500_000_000

"""pack.json is checked field by field: what is wrong is named, and nothing hostile gets through."""

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from models.artpack import ArtPack, ArtPackError, with_lesson
from models.artpack_form import PACK_FILE, files_of, read_pack
from tests.models.packs import MADE, NETWORK, face_of, pack_of

Files = dict[str, bytes]


def reader(files: Files) -> Callable[[str, int], bytes]:
    def read(name: str, most: int) -> bytes:
        data = files[name]
        assert len(data) <= most
        return data

    return read


def files(pack: ArtPack | None = None) -> Files:
    return dict(files_of(pack if pack is not None else pack_of("swiss orange")))


def png(size: tuple[int, int] = (256, 256), mode: str = "RGB") -> bytes:
    out = BytesIO()
    Image.new(mode, size).save(out, "PNG")
    return out.getvalue()


def test_a_pack_is_read_back_as_it_was_written() -> None:
    pack = with_lesson(
        replace(pack_of("swiss orange orange"), round_mm=40.5),
        [face_of("swiss", 7, "Тест board.jpg")],
        network=NETWORK,
        photo="Тест board.jpg",
        made=MADE,
    )
    again = read_pack(reader(files(pack)))
    assert replace(again, faces=()) == replace(pack, faces=())
    for old, new in zip(pack.faces, again.faces, strict=True):
        assert (new.file, new.network, new.learned) == (old.file, old.network, old.learned)
        assert (new.face.kind, new.face.source) == (old.face.kind, old.face.source)
        np.testing.assert_array_equal(new.face.picture, old.face.picture)
        np.testing.assert_allclose(new.face.outline, old.face.outline, atol=0.0006)
        np.testing.assert_allclose(new.face.descriptor, old.face.descriptor, atol=1e-5)


def put(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """A change of one field of pack.json; `faces.0.kind` names the kind of the first face."""

    def change(document: Any) -> None:
        *way, last = (int(part) if part.isdecimal() else part for part in path.split("."))
        for part in way:
            document = document[part]
        document[last] = value

    return change


BOW_TIE = [[0, 0], [10, 10], [10, 0], [0, 10]]
WRONG_FIELDS = {
    "another format": (put("format", "boardsnap.art/2"), "format is 'boardsnap.art/2'; allowed: 'boardsnap.art/1'"),
    "a field too many": (put("__import__", "os"), "the field '__import__'"),
    "a name that leads elsewhere": (put("name", "../../etc"), "name is '../../etc'; allowed: 1 to 40 letters"),
    "a name of another type": (put("name", 7), "name is 7; allowed: a text"),
    "a time that is none": (put("made", "yesterday"), "made is 'yesterday'"),
    "no faces": (put("faces", []), "faces is an empty list"),
    "faces that are no list": (put("faces", {"0": 1}), "faces is an object"),
    "too many faces": (put("faces", [{}] * 601), "faces is a list of 601; allowed: at most 600"),
    "a face that is no object": (put("faces.0", 5), r"faces\[0\] is 5"),
    "an unknown kind": (put("faces.0.kind", "swis"), r"faces\[0\].kind is 'swis'.*Did you mean 'swiss'"),
    "a picture elsewhere": (put("faces.0.picture", "../../etc/passwd"), r"faces\[0\].picture is"),
    "a picture at an absolute path": (put("faces.0.picture", "/etc/passwd"), r"faces\[0\].picture is"),
    "a picture of another kind": (put("faces.0.picture", "faces/orange-1.png"), "allowed: faces/swiss-1.png"),
    "two faces with one picture": (
        put("faces.1", {**json.loads(files()[PACK_FILE])["faces"][0]}),
        "of another face too",
    ),
    "an outline of two points": (put("faces.0.outline", [[0, 0], [1, 1]]), "a list of 2 points"),
    "an outline of too many points": (put("faces.0.outline", [[0, 0]] * 1001), "a list of 1001 points"),
    "an outline that crosses itself": (put("faces.0.outline", BOW_TIE), r"outline is crossing itself at \(5, 5\)"),
    "an outline of texts": (put("faces.0.outline", [["0", "0"]] * 4), "some point is no pair of numbers"),
    "an outline as large as a table": (put("faces.0.outline", [[0, 0], [900, 0], [0, 900]]), "the coordinate 900"),
    "a short descriptor": (put("faces.0.descriptor", [0.1] * 95), "descriptor is a list of 95; allowed: 96 numbers"),
    "a descriptor of zeros": (put("faces.0.descriptor", [0.0] * 96), "descriptor is of length 0"),
    "a descriptor that is too long": (put("faces.0.descriptor", [1.0] * 96), "descriptor is of length 9.798"),
    "a descriptor with a text": (put("faces.0.descriptor.3", "1"), r"descriptor\[3\] is '1'"),
    "a descriptor with true": (put("faces.0.descriptor.3", True), r"descriptor\[3\] is True"),
    "a descriptor with a huge number": (put("faces.0.descriptor.3", 10**400), r"descriptor\[3\] is a number of more"),
    "no sha256": (put("faces.0.network", "new"), r"network is 'new'; allowed: a sha256"),
    "a source with control characters": (put("faces.0.source", "\x1b[2J"), "source is"),
    "a source as long as a book": (put("faces.0.source", "x" * 1000), "at most 200 characters"),
    "learned as a text": (put("faces.0.learned", "yes"), r"learned is 'yes'; allowed: true or false"),
    "only learned faces": (
        lambda d: [put(f"faces.{i}.learned", True)(d) for i in range(2)] and None,
        "learned faces alone",
    ),
    "millimetres without a length": (put("mm_known", True), "round_mm is null"),
    "a round tile of no size": (
        lambda d: d.update(mm_known=True, round_mm=0),
        "round_mm is 0; allowed: a number from 10",
    ),
    "a lesson on a face that is not there": (
        put("lessons", [{"made": MADE, "photo": "a.jpg", "added": ["faces/swiss-9.png"], "retired": []}]),
        r"lessons\[0\].added\[0\] is 'faces/swiss-9.png'",
    ),
    "a lesson that retires an enrolled face": (
        put("lessons", [{"made": MADE, "photo": "a.jpg", "added": [], "retired": ["faces/swiss-1.png"]}]),
        r"retired\[0\] is 'faces/swiss-1.png'; allowed: the picture of a learned face",
    ),
    "too many lessons": (put("lessons", [{}] * 11), "lessons is a list of 11; allowed: at most 10"),
}


@pytest.mark.parametrize(("change", "message"), WRONG_FIELDS.values(), ids=WRONG_FIELDS)
def test_a_field_that_is_not_allowed_is_named(change: Callable[[Any], None], message: str) -> None:
    held = files()
    document = json.loads(held[PACK_FILE])
    change(document)
    with pytest.raises(ArtPackError, match=message):
        read_pack(reader({**held, PACK_FILE: json.dumps(document).encode()}))


BAD_JSON = {
    "cut short": (b'{"format": "boardsnap.art/1", "faces": [', "no valid JSON"),
    "no text": (b"\xff\xfe\x00", "no valid JSON"),
    "a pickle": (b"cos\nsystem\n(S'true'\ntR.", "no valid JSON"),
    "a list": (b"[]", "pack.json is"),
    "nested deeply": (b"[" * 200_000, "nested too deeply"),
    "NaN": (b'{"format": "boardsnap.art/1", "faces": [NaN]}', "JSON with NaN"),
    "infinity": (b'{"format": "boardsnap.art/1", "round_mm": -Infinity}', "JSON with -Infinity"),
    "a number of many digits": (b'{"a": ' + b"9" * 10_000 + b"}", "no valid JSON"),
}


@pytest.mark.parametrize(("text", "message"), BAD_JSON.values(), ids=BAD_JSON)
def test_a_pack_file_that_is_no_json_is_refused(text: bytes, message: str) -> None:
    with pytest.raises(ArtPackError, match=message):
        read_pack(reader({**files(), PACK_FILE: text}))


def huge_png() -> bytes:
    """A small file that declares 60000 x 60000 pixels."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 60_000, 60_000, 8, 2, 0, 0, 0) + b"\0" * 64


BAD_PICTURES = {
    "empty": (b"", "faces/swiss-1.png is no PNG"),
    "a script": (b"#!/bin/sh\nrm -rf ~\n" * 4, "is no PNG"),
    "a JPEG": (b"\xff\xd8\xff\xe0" + b"\0" * 100, "is no PNG"),
    "of another size": (png((255, 256)), "a PNG of 255 x 256 pixels"),
    "that declares more pixels than memory holds": (huge_png(), "a PNG of 60000 x 60000 pixels"),
    "with transparency": (png(mode="RGBA"), "colour type 6"),
    "grey": (png(mode="L"), "colour type 0"),
    "cut short": (png()[:200], "damaged"),
    "with a broken chunk": (png()[:60] + b"\xff" * 40 + png()[100:], "damaged"),
}


@pytest.mark.parametrize(("picture", "message"), BAD_PICTURES.values(), ids=BAD_PICTURES)
def test_a_picture_of_another_form_is_refused(picture: bytes, message: str) -> None:
    with pytest.raises(ArtPackError, match=message):
        read_pack(reader({**files(), "faces/swiss-1.png": picture}))

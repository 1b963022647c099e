"""The form of an art pack: pack.json and the pictures beside it, written, and read back field by field.

A pack may come from a stranger. Nothing in it is executed; every field and every picture is checked for form and size.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image
from shapely import Polygon

from models.artpack import FORMAT, MAX_FACES, MAX_LESSONS, ArtPack, ArtPackError, KeptFace, Lesson, check_name
from scoring import fields
from scoring.charcuterie.catalogue import KINDS, similar_kind
from scoring.errors import shown
from scoring.geometry import outline_fault, outline_points
from vision.errors import ImageError
from vision.faces import DESCRIPTOR, FACE_MM, FACE_PX, Face, Floats, Floats32, Pixels
from vision.image import decode_photo

PACK_FILE = "pack.json"
MAX_JSON_BYTES = 8_000_000
"""The most faces a pack may hold, at 6 kB each, are half of it."""
MAX_PICTURE_BYTES = 300_000
"""A picture of pure noise needs 197 kB."""
MAX_TOTAL_BYTES = MAX_JSON_BYTES + MAX_FACES * 200_000
PICTURE_FILE = re.compile(rf"faces/({'|'.join(KINDS)})-([1-9][0-9]{{0,5}})\.png")

_PACK_FIELDS = ("format", "name", "made", "boardsnap", "mm_known", "round_mm", "faces", "lessons")
_FACE_FIELDS = ("kind", "picture", "outline", "source", "descriptor", "network", "learned")
_LESSON_FIELDS = ("made", "photo", "added", "retired")
_MADE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_MAX_OUTLINE = 1000
_FEWEST_MM, _MOST_MM = 10.0, 200.0  # a coin, and a plate


def pack_json(pack: ArtPack) -> bytes:
    """The bytes of pack.json."""
    document = {
        "format": FORMAT,
        "name": pack.name,
        "made": pack.made,
        "boardsnap": pack.version,
        "mm_known": pack.round_mm is not None,
        "round_mm": pack.round_mm,
        "faces": [_face_json(known) for known in pack.faces],
        "lessons": [
            {"made": one.made, "photo": one.photo, "added": list(one.added), "retired": list(one.retired)}
            for one in pack.lessons
        ],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode()


def picture_png(face: Face) -> bytes:
    """The bytes of a face's picture."""
    out = BytesIO()
    Image.fromarray(face.picture).save(out, "PNG")
    return out.getvalue()


def read_pack(read: Callable[[str, int], bytes]) -> ArtPack:
    """Read a pack; `read(file, most)` gives the bytes of one of its files, at most so many.

    Raises:
        ArtPackError: names the file or field, what was found and what is allowed.
    """
    data = fields.read_object(_parsed(read(PACK_FILE, MAX_JSON_BYTES)), PACK_FILE, error=ArtPackError)
    if data.get("format") != FORMAT:
        hint = "A newer boardsnap may have made it."
        raise ArtPackError("format", shown(data.get("format")), repr(FORMAT), hint=hint)
    fields.refuse_unknown(data, PACK_FILE, allowed=_PACK_FIELDS, error=ArtPackError)
    name = fields.read_name(data.get("name"), "name", error=ArtPackError)
    entries = fields.read_list(data.get("faces"), "faces", error=ArtPackError, most=MAX_FACES)
    faces = tuple(_read_face(entry, f"faces[{i}]", read) for i, entry in enumerate(entries))
    _check_files(faces)
    return ArtPack(
        name=check_name(name, "name", error=ArtPackError),
        faces=faces,
        made=_read_moment(data.get("made"), "made"),
        version=fields.read_name(data.get("boardsnap"), "boardsnap", error=ArtPackError),
        round_mm=_read_round_mm(data),
        lessons=_read_lessons(data.get("lessons", []), frozenset(known.file for known in faces if known.learned)),
    )


def files_of(pack: ArtPack) -> Mapping[str, bytes]:
    """All files of a pack by name."""
    return {PACK_FILE: pack_json(pack)} | {known.file: picture_png(known.face) for known in pack.faces}


def _check_files(faces: tuple[KeptFace, ...]) -> None:
    seen: set[str] = set()
    for i, known in enumerate(faces):
        if known.file in seen:
            raise ArtPackError(f"faces[{i}].picture", f"{known.file!r}, of another face too", "a file of its own")
        seen.add(known.file)
    if all(known.learned for known in faces):
        found = "a list of learned faces alone" if faces else "an empty list"
        raise ArtPackError("faces", found, "at least one face that was enrolled")


def _face_json(known: KeptFace) -> dict[str, Any]:
    face = known.face
    return {
        "kind": face.kind,
        "picture": known.file,
        "outline": np.round(face.outline, 3).tolist(),
        "source": face.source,
        "descriptor": [round(float(value), 6) for value in face.descriptor],
        "network": known.network,
        "learned": known.learned,
    }


def _parsed(text: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ArtPackError(PACK_FILE, f"JSON with {constant}", "finite numbers")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError as error:
        raise ArtPackError(PACK_FILE, "nested too deeply", f"the fields of {FORMAT}") from error
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError, or a number of thousands of digits
        raise ArtPackError(PACK_FILE, f"no valid JSON ({error})", "a JSON object", hint="Copy it again.") from error


def _read_face(value: object, name: str, read: Callable[[str, int], bytes]) -> KeptFace:
    data = fields.read_object(value, name, error=ArtPackError)
    fields.refuse_unknown(data, name, allowed=_FACE_FIELDS, error=ArtPackError)
    kind = _read_kind(data.get("kind"), f"{name}.kind")
    file = data.get("picture")
    match = PICTURE_FILE.fullmatch(file) if isinstance(file, str) else None
    if match is None or match[1] != kind:
        raise ArtPackError(f"{name}.picture", shown(file), f"faces/{kind}-1.png, or another number")
    face = Face(
        kind,
        _read_picture(read(match[0], MAX_PICTURE_BYTES), match[0]),
        _read_outline(data.get("outline"), f"{name}.outline"),
        _read_descriptor(data.get("descriptor"), f"{name}.descriptor"),
        _read_source(data.get("source", ""), f"{name}.source"),
    )
    learned = fields.read_bool(data.get("learned", False), f"{name}.learned", error=ArtPackError)
    return KeptFace(match[0], face, _read_sha256(data.get("network"), f"{name}.network"), learned)


def _read_kind(value: object, name: str) -> str:
    if isinstance(value, str) and value in KINDS:
        return value
    close = similar_kind(value) if isinstance(value, str) else None
    hint = f"Did you mean {close!r}?" if close else ""
    raise ArtPackError(name, shown(value), f"one of the {len(KINDS)} kinds", hint=hint)


def _read_picture(data: bytes, file: str) -> Pixels:
    """Decode a picture, once its header says that it is of the one size and form; a pack's own pictures are."""
    header = struct.unpack(">8sI4sIIBB", data[:26]) if len(data) >= 26 else (b"",) * 7
    if header[:3] != (b"\x89PNG\r\n\x1a\n", 13, b"IHDR"):
        raise ArtPackError(file, "no PNG", f"a PNG picture of {FACE_PX} x {FACE_PX} pixels")
    width, height, depth, colours = header[3:]
    if (width, height, depth, colours) != (FACE_PX, FACE_PX, 8, 2):
        found = f"a PNG of {width} x {height} pixels, {depth} bits, colour type {colours}"
        raise ArtPackError(file, found, f"{FACE_PX} x {FACE_PX} pixels, RGB of 8 bits")
    try:
        return decode_photo(data).rgb
    except ImageError as error:
        raise ArtPackError(file, f"damaged ({error})", "a whole PNG picture", hint="Copy the pack again.") from error


def _read_outline(value: object, name: str) -> Floats:
    points = outline_points(value)
    if isinstance(points, str):
        raise ArtPackError(name, points, f"3 to {_MAX_OUTLINE} points [x, y] with finite numbers")
    if len(points) > _MAX_OUTLINE:
        raise ArtPackError(name, f"a list of {len(points)} points", f"3 to {_MAX_OUTLINE} points")
    if (far := float(np.abs(points).max())) > FACE_MM:
        raise ArtPackError(name, f"a list with the coordinate {far:g}", f"at most {FACE_MM:g} mm from the middle")
    fault = outline_fault(Polygon(points))
    if fault is not None:
        raise ArtPackError(name, fault, "a simple outline: one ring of points that does not cross itself")
    return points


def _read_descriptor(value: object, name: str) -> Floats32:
    entries = fields.read_list(value, name, error=ArtPackError, most=DESCRIPTOR)
    if len(entries) != DESCRIPTOR:
        raise ArtPackError(name, f"a list of {len(entries)}", f"{DESCRIPTOR} numbers")
    numbers = [
        fields.read_number(entry, f"{name}[{i}]", least=-1, most=1, error=ArtPackError)
        for i, entry in enumerate(entries)
    ]
    length = float(np.linalg.norm(numbers))
    if abs(length - 1) > 0.001:
        raise ArtPackError(name, f"of length {length:.4g}", "a vector of length 1")
    return np.asarray(np.array(numbers) / length, np.float32)


def _read_source(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        raise ArtPackError(name, shown(value), "a text of at most 200 characters")
    return value


def _read_sha256(value: object, name: str) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise ArtPackError(name, shown(value), "a sha256 of 64 hex digits")
    return value


def _read_moment(value: object, name: str) -> str:
    if not isinstance(value, str) or not _MADE.fullmatch(value):
        raise ArtPackError(name, shown(value), "a time such as 2026-01-31T12:00:00Z")
    return value


def _read_round_mm(data: Mapping[str, Any]) -> float | None:
    known = fields.read_bool(data.get("mm_known", False), "mm_known", error=ArtPackError)
    value = data.get("round_mm")
    if known != (value is not None):
        raise ArtPackError("round_mm", shown(value), "a number where mm_known is true, and null where it is false")
    return None if value is None else read_round_mm(value, "round_mm")


def read_round_mm(value: object, name: str) -> float:
    """Return the diameter of a round tile in mm."""
    return fields.read_number(value, name, least=_FEWEST_MM, most=_MOST_MM, error=ArtPackError)


def _read_lessons(value: object, files: frozenset[str]) -> tuple[Lesson, ...]:
    entries = fields.read_list(value, "lessons", error=ArtPackError, most=MAX_LESSONS)
    return tuple(_read_lesson(entry, f"lessons[{i}]", files) for i, entry in enumerate(entries))


def _read_lesson(value: object, name: str, files: frozenset[str]) -> Lesson:
    data = fields.read_object(value, name, error=ArtPackError)
    fields.refuse_unknown(data, name, allowed=_LESSON_FIELDS, error=ArtPackError)
    named: dict[str, tuple[str, ...]] = {}
    for field in ("added", "retired"):
        entries = fields.read_list(data.get(field), f"{name}.{field}", error=ArtPackError, most=MAX_FACES)
        for i, file in enumerate(entries):
            if not isinstance(file, str) or file not in files:
                raise ArtPackError(f"{name}.{field}[{i}]", shown(file), "the picture of a learned face of this pack")
        named[field] = tuple(entries)
    made, photo = _read_moment(data.get("made"), f"{name}.made"), _read_source(data.get("photo"), f"{name}.photo")
    return Lesson(made, photo, named["added"], named["retired"])

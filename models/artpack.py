"""An art pack: the faces of one copy of the game with where they were learned, and what may be taken back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar
from unicodedata import normalize

from scoring.charcuterie.catalogue import KINDS
from scoring.errors import BoardsnapError, FieldError, shown
from vision.faces import Art, Face
from vision.rectify import ROUND_MM

FORMAT = "boardsnap.art/1"
LEARNED_A_KIND = 4
"""Further references of a kind kept; beyond it more of them cost time and tell little."""
MAX_LESSONS = 10
"""Lessons that can be taken back; older ones stay learned for good."""
MAX_FACES = 600
"""Two printings of all kinds, four learned of each, and what ten lessons may bring back, twice over."""

# Letters and digits of any script, no dot and no slash: safe as a folder's name, and no hidden folder.
_NAME = re.compile(r"[^\W_][\w \-]{0,39}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)[0-9])")


class ArtNameError(FieldError):
    """A name that no art pack may have."""

    code: ClassVar[str] = "art_name_invalid"


class ArtPackError(FieldError):
    """An art pack does not follow its format, or is outside its limits; nothing of it was taken."""

    code: ClassVar[str] = "art_pack_invalid"


class ArtUnknown(BoardsnapError):
    """There is no art pack of this name."""

    code: ClassVar[str] = "art_unknown"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        there = f"There are: {', '.join(known)}." if known else "There are none yet: boardsnap enroll makes one."
        super().__init__(f"There is no art pack called {shown(name)}. {there}")


class ArtExists(BoardsnapError):
    """There is an art pack of this name, and it was not asked to replace it."""

    code: ClassVar[str] = "art_exists"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is an art pack called {shown(name)} already. Remove it first, or take another name.")


class NothingLearned(BoardsnapError):
    """There is no lesson to take back, or none to learn."""

    code: ClassVar[str] = "nothing_learned"


@dataclass(frozen=True, slots=True)
class KeptFace:
    """A face as a pack keeps it.

    `file` names its picture within the pack; `network` is the sha256 of the tile network that made its descriptor;
    `learned`: from a corrected photo, not from an enrolment. The outline is told in millimetres in which a round tile
    is 38 across, as its picture is.
    """

    file: str
    face: Face
    network: str
    learned: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one corrected photo taught: the files of the faces it added, and of those that made room for them."""

    made: str
    photo: str
    added: tuple[str, ...]
    retired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArtPack:
    """The faces of one copy of the game, oldest first, and the lessons that can be taken back, oldest first.

    `round_mm` is the true diameter of a round tile, None where nobody stated it; `made` is UTC in ISO 8601.
    """

    name: str
    faces: tuple[KeptFace, ...]
    made: str
    version: str
    round_mm: float | None = None
    lessons: tuple[Lesson, ...] = ()

    @property
    def in_use(self) -> tuple[KeptFace, ...]:
        """The faces that no lesson retired."""
        retired = {file for lesson in self.lessons for file in lesson.retired}
        return tuple(kept for kept in self.faces if kept.file not in retired)

    @property
    def art(self) -> Art:
        """The art for a reading, in true millimetres where a round tile's diameter is known."""
        scale = 1.0 if self.round_mm is None else self.round_mm / ROUND_MM
        faces = tuple(replace(kept.face, outline=kept.face.outline * scale) for kept in self.in_use)
        return Art(self.name, faces, self.round_mm is not None)


def check_name(name: str, field: str = "the art's name", *, error: type[FieldError] = ArtNameError) -> str:
    """Return a name that an art pack may have, without spaces around it.

    Raises:
        ArtNameError, or `error`: it is too long, or not safe as the name of a folder.
    """
    text = normalize("NFC", name.strip())  # some file systems take letters and their accents apart
    if not _NAME.fullmatch(text) or _RESERVED.fullmatch(text):
        allowed = "1 to 40 letters, digits, spaces, - and _, beginning with a letter or digit"
        raise error(field, shown(name), allowed)
    return text


def utc_text(moment: datetime) -> str:
    """A moment as a pack tells it: 2026-01-31T12:00:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def with_faces(pack: ArtPack, faces: Iterable[Face], *, network: str) -> ArtPack:
    """The pack with further enrolled faces.

    Raises:
        ArtPackError: it would hold more faces than a pack may.
    """
    new = _kept(faces, pack, network)
    return _within_limits(replace(pack, faces=(*pack.faces, *new)))


def with_lesson(pack: ArtPack, faces: Sequence[Face], *, network: str, photo: str, made: str) -> ArtPack:
    """The pack with what a corrected photo taught; of each kind the four faces learned last stay in use."""
    by_kind = {kind: [face for face in faces if face.kind == kind] for kind in {face.kind for face in faces}}
    new = _kept((face for kind in KINDS for face in by_kind.get(kind, ())[-LEARNED_A_KIND:]), pack, network)
    new = tuple(replace(known, learned=True) for known in new)
    retired = []
    for kind in by_kind:
        older = [known.file for known in pack.in_use if known.learned and known.face.kind == kind]
        room = LEARNED_A_KIND - sum(known.face.kind == kind for known in new)
        retired += older[: max(0, len(older) - room)]
    lesson = Lesson(made, photo, tuple(known.file for known in new), tuple(retired))
    return _within_limits(replace(pack, faces=(*pack.faces, *new), lessons=(*pack.lessons, lesson)))


def without_last_lesson(pack: ArtPack) -> tuple[ArtPack, Lesson]:
    """The pack as it was before its last lesson, and that lesson.

    Raises:
        NothingLearned: there is none.
    """
    if not pack.lessons:
        raise NothingLearned(f"The art pack {pack.name} holds no lesson that could be taken back.")
    last = pack.lessons[-1]
    faces = tuple(known for known in pack.faces if known.file not in last.added)
    return replace(pack, faces=faces, lessons=pack.lessons[:-1]), last


def _kept(faces: Iterable[Face], pack: ArtPack, network: str) -> tuple[KeptFace, ...]:
    """Each face with a file that the pack does not have yet: faces/swiss-1.png, faces/swiss-2.png, ..."""
    numbers: Counter[str] = Counter()
    for known in pack.faces:
        numbers[known.face.kind] = max(numbers[known.face.kind], file_number(known.file))
    result = []
    for face in faces:
        numbers[face.kind] += 1
        result.append(KeptFace(f"faces/{face.kind}-{numbers[face.kind]}.png", face, network))
    return tuple(result)


def file_number(file: str) -> int:
    """The number of a face among those of its kind: 2 for faces/swiss-2.png."""
    return int(file.removesuffix(".png").rpartition("-")[2])


def _within_limits(pack: ArtPack) -> ArtPack:
    """The pack without its oldest lessons, as many as are too many: what they taught stays, for good."""
    while len(pack.lessons) > MAX_LESSONS or (pack.lessons and len(pack.faces) > MAX_FACES):
        retired = set(pack.lessons[0].retired)
        faces = tuple(known for known in pack.faces if known.file not in retired)
        pack = replace(pack, faces=faces, lessons=pack.lessons[1:])
    if len(pack.faces) > MAX_FACES:
        hint = "Enroll the art anew, without --add."
        raise ArtPackError("faces", f"a list of {len(pack.faces)}", f"at most {MAX_FACES}", hint=hint)
    return pack

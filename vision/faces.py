"""The faces of an art: what the tiles of one copy of the game look like, learned from photos of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoring.charcuterie.catalogue import KINDS

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]

FACE_PX = 256
FACE_MM = 72.0
"""Side of a face's picture: 3.6 px/mm, about what a 12-megapixel photo of a whole board shows."""
DESCRIPTOR = 96


@dataclass(frozen=True, slots=True)
class Face:
    """One printed face.

    `picture` (256, 256, 3) RGB shows 72 mm, as the tile lay, its outline's centroid in the middle; `outline` (n, 2) mm
    about that centroid; `descriptor` (96,) of unit length, as the tile network sees the face; `source` says where it
    was learned.
    """

    kind: str
    picture: Pixels
    outline: Floats
    descriptor: Floats32
    source: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Art:
    """A set of faces under a name; a kind may have several. `mm_known`: its millimetres are true, not relative.

    Two arts are the same only if they are one object: what is worked out from an art's faces is kept with it.
    """

    name: str
    faces: tuple[Face, ...]
    mm_known: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds with a face, in the catalogue's order."""
        have = {face.kind for face in self.faces}
        return tuple(kind for kind in KINDS if kind in have)

    @property
    def missing(self) -> tuple[str, ...]:
        """Kinds without a face, in the catalogue's order."""
        have = set(self.kinds)
        return tuple(kind for kind in KINDS if kind not in have)

    def of_kind(self, kind: str) -> tuple[Face, ...]:
        """The faces of one kind; () where it is missing."""
        return tuple(face for face in self.faces if face.kind == kind)

"""With the player's own art known, its faces name the tiles, and what resembles none of them is asked about."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import circle, look_of
from vision.crops import TileLook
from vision.faces import FACE_PX, Art, Face
from vision.recognition import confusions, recognise

RNG = np.random.default_rng(5)
ROUNDS = [kind for kind, entry in KINDS.items() if entry.shape == "round"]


def unit(vector: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def face(kind: str, descriptor: npt.NDArray[np.float32], *, shade: int = 128) -> Face:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    picture = np.full((FACE_PX, FACE_PX, 3), shade, np.uint8)
    return Face(kind, picture, 19 * np.c_[np.cos(angle), np.sin(angle)], descriptor)


def tile(descriptor: npt.NDArray[np.float32], kind: str = "salami") -> TileLook:
    flat = np.full(27, 1 / 27, np.float32)
    return replace(look_of(circle(0, 0, 5), kind=kind), embedding=descriptor, kinds=flat)


@pytest.fixture(scope="module")
def art() -> Art:
    return Art("mine", tuple(face(kind, unit(RNG.normal(size=96))) for kind in ROUNDS))


def test_tiles_are_named_by_the_faces_they_resemble(art: Art) -> None:
    found = recognise([tile(face.descriptor) for face in art.faces], art)
    assert [identity.kinds[0] for identity in found] == ROUNDS
    assert all(identity.probabilities[0] > 0.99 and identity.none < 0.01 for identity in found)


def test_a_thing_that_resembles_no_face_is_stated_without_confidence(art: Art) -> None:
    (found,) = recognise([tile(unit(RNG.normal(size=96)))], art)
    assert found.none > 0.4
    assert found.probabilities[0] < 0.5


def test_a_second_face_of_a_kind_is_as_good_as_the_first(art: Art) -> None:
    other = unit(RNG.normal(size=96))
    both = replace(art, faces=(*art.faces, face("tomato", other)))
    assert recognise([tile(other)], both)[0].kinds[0] == "tomato"


def test_an_empty_board_has_nothing_to_recognise(art: Art) -> None:
    assert recognise([], art) == []


def test_two_kinds_that_look_the_same_are_told_as_confused(art: Art) -> None:
    same = art.faces[0].descriptor
    twins = Art("twins", (face("salami", same), face("soppressata", same), face("tomato", art.faces[1].descriptor)))

    def sees_all_alike(batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        return [np.zeros(0, np.float32), np.repeat(same[None], len(batch), axis=0)]

    found = confusions(twins, sees_all_alike, views=2)
    assert ("tomato", "salami", 1.0) in found or ("tomato", "soppressata", 1.0) in found
    assert confusions(Art("none", ()), sees_all_alike) == []

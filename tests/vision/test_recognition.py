"""With the player's own art known, its faces name the tiles, and what resembles none of them is asked about."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import circle, look_of
from tests.vision.printed import art_of, look_at, printed
from vision.alignment import Alignment
from vision.crops import CROP_PX, TileLook
from vision.faces import FACE_PX, Art, Face
from vision.identify import KIND_IDS, Identity
from vision.outlines import edge_of
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
    grey = np.full((CROP_PX, CROP_PX, 3), 0.5, np.float32)
    return replace(look_of(circle(0, 0), kind=kind), embedding=descriptor, kinds=flat, pixels=grey)


def read(looks: list[TileLook], art: Art) -> tuple[list[Identity], list[Alignment | None]]:
    return recognise(looks, [edge_of(look) for look in looks], art)


@pytest.fixture(scope="module")
def art() -> Art:
    return Art("mine", tuple(face(kind, unit(RNG.normal(size=96))) for kind in ROUNDS))


def test_tiles_are_named_by_the_faces_they_resemble(art: Art) -> None:
    found, _ = read([tile(face.descriptor) for face in art.faces], art)
    assert [identity.kinds[0] for identity in found] == ROUNDS
    assert all(identity.probabilities[0] > 0.99 and identity.none < 0.01 for identity in found)


def test_a_thing_that_resembles_no_face_is_stated_without_confidence(art: Art) -> None:
    (found,), _ = read([tile(unit(RNG.normal(size=96)))], art)
    assert found.none > 0.4
    assert found.probabilities[0] < 0.5


def test_a_second_face_of_a_kind_is_as_good_as_the_first(art: Art) -> None:
    other = unit(RNG.normal(size=96))
    both = replace(art, faces=(*art.faces, face("tomato", other)))
    (found,), _ = read([tile(other)], both)
    assert found.kinds[0] == "tomato"


def test_an_empty_board_has_nothing_to_recognise(art: Art) -> None:
    assert recognise([], [], art) == ([], [])


SALAMI = printed("salami", seed=1)
TOMATO = replace(printed("tomato", seed=2), descriptor=SALAMI.descriptor)
"""Alike to the network, not as prints."""


def shown(art_face: Face, *, turn_deg: float = 40.0, opinion: str | None = None) -> TileLook:
    """A tile with the print of a face; `opinion` is the kind that the network takes it for."""
    kinds = np.full(27, 1 / 27, np.float32)
    if opinion is not None:
        kinds = np.where(np.array(KIND_IDS) == opinion, 0.9, 0.1 / 26).astype(np.float32)
    look = look_at((art_face, (3.0, 2.0, turn_deg), 1.0))
    return replace(look, embedding=art_face.descriptor, kinds=kinds)


def test_of_kinds_alike_to_the_network_the_print_tells_which_it_is() -> None:
    looks = [shown(SALAMI, opinion="tomato"), shown(TOMATO, opinion="salami")]
    found, laid = read(looks, art_of(SALAMI, TOMATO))
    assert [identity.kinds[0] for identity in found] == ["salami", "tomato"]
    assert all(identity.probabilities[0] > 0.9 for identity in found)
    assert [a.print.kind for a in laid if a is not None] == ["salami", "tomato"]


def test_a_tile_comes_with_the_print_of_the_kind_it_is_named_laid_onto_it() -> None:
    kinds = ["salami", "tomato", "orange"]
    art = art_of(*(printed(kind, seed=i) for i, kind in enumerate(kinds)))
    found, laid = read([shown(art.faces[i], turn_deg=90.0 * i) for i in range(3)], art)
    assert [identity.kinds[0] for identity in found] == kinds
    for i, alignment in enumerate(laid):
        assert alignment is not None
        assert alignment.print.kind == kinds[i]
        assert alignment.pose[:2] == pytest.approx([3.0, 2.0], abs=0.2)
        assert np.cos(alignment.pose[2] - np.pi / 2 * i) > 0.999


def test_of_two_faces_of_a_kind_the_one_that_is_seen_is_laid() -> None:
    faces = [printed("salami", seed=1), printed("salami", seed=2)]
    for face in faces:
        (identity,), (alignment,) = read([shown(face)], art_of(*faces))
        assert identity.kinds[0] == "salami"
        assert alignment is not None
        assert alignment.correlation > 0.9


def test_a_tile_of_a_kind_that_the_art_lacks_has_no_print_laid() -> None:
    art = art_of(printed("salami", seed=1))
    strange = replace(shown(printed("cucumber", seed=9), opinion="cucumber"), embedding=unit(RNG.normal(size=96)))
    (identity,), (alignment,) = read([strange], art)
    assert identity.kinds[0] == "cucumber"
    assert alignment is None


def test_a_face_with_another_print_makes_it_likelier_that_the_tile_is_none_of_the_copys() -> None:
    art = art_of(SALAMI)
    (right,), _ = read([shown(SALAMI)], art)
    (other,), _ = read([shown(TOMATO)], art)
    assert right.none < 0.01
    assert other.none > 5 * right.none


def test_two_kinds_that_look_the_same_are_told_as_confused(art: Art) -> None:
    same = art.faces[0].descriptor
    twins = Art("twins", (face("salami", same), face("soppressata", same), face("tomato", art.faces[1].descriptor)))

    def sees_all_alike(batch: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        return [np.zeros(0, np.float32), np.repeat(same[None], len(batch), axis=0)]

    found = confusions(twins, sees_all_alike, views=2)
    assert ("tomato", "salami", 1.0) in found or ("tomato", "soppressata", 1.0) in found
    assert confusions(Art("none", ()), sees_all_alike) == []

"""Kinds are named by the art's faces where the art is known, by the network's own opinion where not."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import circle, look_of
from vision.crops import TileLook
from vision.identify import KIND_IDS, Identity, KnownArts, identify, within_copies

RNG = np.random.default_rng(3)
ROUNDS = [kind for kind in KIND_IDS if KINDS[kind].shape == "round"]


def made_up_arts(*names: str) -> KnownArts:
    """Arts with faces of unit length drawn at random: all different from one another."""
    faces = RNG.normal(size=(len(names), len(KIND_IDS), 96)).astype(np.float32)
    return KnownArts(names, faces / np.linalg.norm(faces, axis=2, keepdims=True))


def opinion(**probabilities: float) -> npt.NDArray[np.float32]:
    """Probabilities of the 27 kinds, the rest shared among those not named."""
    p = np.full(len(KIND_IDS), (1 - sum(probabilities.values())) / (len(KIND_IDS) - len(probabilities)))
    for kind, value in probabilities.items():
        p[KIND_IDS.index(kind)] = value
    return p.astype(np.float32)


def tile(kind: str, *, face: npt.NDArray[np.float32] | None = None, **probabilities: float) -> TileLook:
    """A tile of a kind's shape, with the network's opinion and its face's descriptor."""
    look = look_of(circle(0, 0, 5), kind=kind)
    embedding = np.zeros(96, np.float32) if face is None else face
    return replace(look, embedding=embedding, kinds=opinion(**probabilities) if probabilities else look.kinds)


def named(looks: list[TileLook], arts: KnownArts | None = None) -> tuple[list[Identity], str | None]:
    return identify(looks, arts, sharpness=16.0, art_cosine=0.75)


def test_a_known_art_outweighs_the_networks_opinion() -> None:
    arts = made_up_arts("first", "second")
    first, second = ROUNDS[:2]
    looks = [tile(kind, face=arts.faces[1, KIND_IDS.index(kind)], **{first: 0.5, second: 0.4}) for kind in ROUNDS[:5]]
    identities, art = named(looks, arts)
    assert art == "second"
    assert [identity.kinds[0] for identity in identities] == ROUNDS[:5]
    assert all(identity.probabilities[0] > 0.99 for identity in identities)


def test_an_unknown_art_leaves_the_networks_opinion() -> None:
    arts, others = made_up_arts("first"), made_up_arts("other")
    looks = [tile(kind, face=others.faces[0, 0], **{kind: 0.9}) for kind in ROUNDS[:3]]
    identities, art = named(looks, arts)
    assert art is None
    assert [identity.kinds[0] for identity in identities] == ROUNDS[:3]


def test_the_shape_rules_kinds_of_other_shapes_out() -> None:
    square = next(kind for kind in KIND_IDS if KINDS[kind].shape == "square")
    (identity,), _ = named([tile(ROUNDS[0], **{square: 0.6, ROUNDS[0]: 0.3})])
    assert identity.kinds[0] == ROUNDS[0]


def test_one_tile_too_many_of_a_kind_moves_the_least_sure_one() -> None:
    kind, other = ROUNDS[0], ROUNDS[1]
    sure = [tile(kind, **{kind: 0.97, other: 0.01}) for _ in range(KINDS[kind].copies)]
    doubtful = tile(kind, **{kind: 0.55, other: 0.4})
    identities, _ = named([doubtful, *sure])
    assert [identity.kinds[0] for identity in identities] == [other, *[kind] * KINDS[kind].copies]


def test_too_many_of_a_kind_beyond_doubt_stay() -> None:
    kind = ROUNDS[0]
    log_p = np.full((KINDS[kind].copies + 1, len(KIND_IDS)), -50.0)
    log_p[:, KIND_IDS.index(kind)] = 0.0
    assert np.array_equal(within_copies(log_p), log_p)


def test_probabilities_fall_and_sum_to_one() -> None:
    (identity,), _ = named([tile(ROUNDS[0], **{ROUNDS[0]: 0.6, ROUNDS[1]: 0.3})])
    assert list(identity.probabilities) == sorted(identity.probabilities, reverse=True)
    assert sum(identity.probabilities) == pytest.approx(1)
    assert sorted(identity.kinds) == sorted(KIND_IDS)


def test_no_tiles_have_no_identities() -> None:
    assert named([]) == ([], None)

"""Colours from rim to middle tell faces apart whatever the light's colour and brightness."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.colours import RingColours, colour_costs, ring_colours

RNG = np.random.default_rng(4)
SIDE, PX_PER_MM = 96, 2.0


def disc(radius_mm: float) -> npt.NDArray[np.float64]:
    mm = (np.arange(SIDE) + 0.5 - SIDE / 2) / PX_PER_MM
    return (np.hypot(mm[None], mm[:, None]) < radius_mm).astype(float)


def target(rim: tuple[float, float, float], middle: tuple[float, float, float]) -> npt.NDArray[np.float32]:
    """A round face with one colour within 10 mm of its middle and another around."""
    inner = disc(10.0)[:, :, None]
    return (inner * middle + (1 - inner) * rim).astype(np.float32)


def seen(
    face: npt.NDArray[np.float32], *, light: float | npt.NDArray[np.float64] = 1.0, half: bool = False
) -> RingColours:
    part = disc(19.0)
    if half:
        part[:, : SIDE // 2] = 0
    return ring_colours((face * light).astype(np.float32), disc(19.0), part, PX_PER_MM)


FACES = [target(tuple(RNG.uniform(0.2, 0.9, 3)), tuple(RNG.uniform(0.2, 0.9, 3))) for _ in range(6)]


@pytest.mark.parametrize("half", [False, True])
def test_faces_are_told_apart_in_coloured_light_and_shadow(half: bool) -> None:
    shadows = RNG.uniform(0.6, 1.3, len(FACES))
    tiles = [seen(face, light=s * np.array([1.2, 1.0, 0.7]), half=half) for face, s in zip(FACES, shadows, strict=True)]
    costs = colour_costs(tiles, [seen(face) for face in FACES], np.arange(len(FACES)))
    np.testing.assert_array_equal(costs.argmin(1), np.arange(len(FACES)))
    assert np.diag(costs).max() < 0.5 * np.sort(costs, axis=1)[:, 1].min()


def test_the_colour_of_the_light_survives_some_wrong_guesses() -> None:
    tiles = [seen(face, light=np.array([1.3, 1.0, 0.7])) for face in FACES]
    guesses = np.array([0, 1, 2, 3, 0, 1])
    costs = colour_costs(tiles, [seen(face) for face in FACES], guesses)
    np.testing.assert_array_equal(costs.argmin(1), np.arange(len(FACES)))


def test_what_is_hidden_says_nothing() -> None:
    nothing = RingColours(np.zeros((3, 3)), np.zeros(3))
    costs = colour_costs([nothing], [seen(face) for face in FACES], np.array([0]))
    np.testing.assert_allclose(costs, 0, atol=1e-6)

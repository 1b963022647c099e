"""Trims: a rim of one colour along the cut, as wide as drawn, and the rest of the print kept."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from datasets.synth.scene import Face
from datasets.synth.trim import Trim, draw_trim, trimmed
from tests.datasets.art_dummy import dummy_art

BARE = Trim(
    width_mm=0.0,
    colour=(10.0, 200.0, 30.0),
    line_mm=0.0,
    line_colour=(250.0, 0.0, 0.0),
    gain=(1.0, 1.0, 1.0),
    power=1.0,
    saturation=1.0,
)


def colours_at_depths(face: Face, depths: list[float]) -> list[tuple[int, ...]]:
    """The colour of a face at some depths (mm) within its cut, negative ones beyond it; below its middle."""
    polygon = shapely.Polygon(face.outline)
    out = []
    for depth in depths:
        ring = shapely.get_coordinates(shapely.buffer(polygon, -depth).exterior)
        x, y = (ring[ring[:, 1].argmax()] - face.corner_mm) * face.px_per_mm - 0.5
        out.append(tuple(int(v) for v in face.rgba[round(y), round(x), :3]))
    return out


@pytest.mark.parametrize("kind", ["salami", "ciabatta", "grapes", "gouda"])
def test_a_rim_is_as_wide_as_drawn(kind: str) -> None:
    before = dummy_art().faces[kind][0]
    face = trimmed(dummy_art(), replace(BARE, width_mm=2.0, line_mm=1.0)).faces[kind][0]
    rim, line, print_ = (10, 200, 30), (250, 0, 0), tuple(before.rgba[40, 40, :3])
    assert colours_at_depths(face, [-0.4, 0.6, 1.5]) == [rim] * 3
    assert colours_at_depths(face, [2.5]) == [line]
    assert colours_at_depths(face, [3.6, 6.0]) == [print_] * 2
    assert np.array_equal(face.outline, before.outline)


def test_a_trim_of_nothing_changes_nothing() -> None:
    same = trimmed(dummy_art(), BARE)
    for kind, faces in dummy_art().faces.items():
        assert np.array_equal(same.faces[kind][0].rgba, faces[0].rgba)


def test_a_tint_darkens_and_greys_the_print_and_keeps_the_cut() -> None:
    grey = trimmed(dummy_art(), replace(BARE, saturation=0.0, gain=(0.5, 0.5, 0.5))).faces["salami"][0]
    before = dummy_art().faces["salami"][0].rgba[..., :3].astype(float)
    assert np.ptp(grey.rgba[..., :3], axis=2).max() <= 1
    assert grey.rgba[..., :3].mean() == pytest.approx(before.mean() / 2, abs=1.0)
    assert (grey.rgba[..., 3] == 255).all()


def test_trims_differ_and_the_same_draw_gives_the_same_one() -> None:
    drawn = [draw_trim(np.random.default_rng(seed)) for seed in range(40)]
    assert draw_trim(np.random.default_rng(7)) == drawn[7]
    assert 2 <= sum(trim.width_mm == 0 for trim in drawn) <= 20
    assert len({trim.colour for trim in drawn}) == 40

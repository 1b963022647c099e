"""The prints of a copy: its faces at one scale, as points with their colours, worked out once."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely import Polygon

from tests.vision.printed import Floats32, art_of, printed
from vision.faces import FACE_MM, FACE_PX, Art, Face
from vision.outlines import middle
from vision.prints import prints_of, round_mm
from vision.rectify import ROUND_MM

RIM_MM = 0.7
WELL_INSIDE_MM = 13.0


def slope(across_mm: float, *, scale: float = 1.0) -> Floats32:
    """A picture whose red grows to the right by 1 over `across_mm` of the tile; green and blue are even."""
    x = ((np.arange(FACE_PX) + 0.5) / FACE_PX - 0.5) * FACE_MM / scale
    red = np.broadcast_to(0.5 + x / across_mm, (FACE_PX, FACE_PX))
    return np.dstack([red, np.full_like(red, 0.3), np.full_like(red, 0.6)]).astype(np.float32).clip(0, 1)


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.25])
def test_whatever_millimetres_an_art_tells_its_rounds_are_of_one_size(scale: float) -> None:
    art = art_of(printed("salami", seed=1, scale=scale), printed("ciabatta", seed=2, scale=scale))
    round_, square = prints_of(art)
    assert round_mm(art) == pytest.approx(ROUND_MM * scale, rel=0.003)
    assert 2 * np.sqrt(Polygon(round_.template.outline).area / np.pi) == pytest.approx(ROUND_MM, abs=0.01)
    assert np.ptp(square.template.outline[:, 0]) == pytest.approx(35.0, abs=0.15)


def test_one_round_learned_badly_does_not_set_the_scale() -> None:
    art = art_of(*(printed(kind, seed=1, scale=s) for kind, s in (("salami", 1.0), ("tomato", 1.0), ("salami", 1.2))))
    assert round_mm(art) == pytest.approx(ROUND_MM, rel=0.003)


def test_an_art_without_rounds_is_taken_at_its_own_millimetres() -> None:
    art = art_of(printed("ciabatta", seed=1))
    assert round_mm(art) == ROUND_MM
    assert np.ptp(prints_of(art)[0].template.outline[:, 0]) == pytest.approx(35.0, abs=0.1)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("scale", [0.8, 1.2])
def test_points_have_the_colours_and_slopes_of_the_picture_a_millimetre_of_the_board(scale: float, level: int) -> None:
    (found,) = prints_of(art_of(printed("salami", seed=1, scale=scale, print_=slope(80.0, scale=scale))))
    points = found.levels[level]
    inner = np.hypot(*points.where.T) < WELL_INSIDE_MM
    expected = np.column_stack([0.5 + points.where[:, 0] / 80, np.full(len(inner), 0.3), np.full(len(inner), 0.6)])
    np.testing.assert_allclose(points.colours[inner], expected[inner], atol=0.004)
    np.testing.assert_allclose(points.slopes[inner, 0], [[1 / 80, 0]] * inner.sum(), atol=0.002)
    np.testing.assert_allclose(points.slopes[inner, 1:], 0, atol=0.002)


def test_points_are_told_from_the_middle_of_the_outline_even_where_it_is_not_that_of_the_picture() -> None:
    shift = np.array([3.0, -2.0])
    centred = printed("salami", seed=1, print_=slope(80.0))
    face = Face("salami", np.roll(centred.picture, (-7, 11), axis=(0, 1)), centred.outline + shift, centred.descriptor)
    (found,) = prints_of(art_of(face))
    assert np.abs(middle(found.template.outline)).max() < 1e-3
    for points in found.levels:
        inner = np.hypot(*points.where.T) < WELL_INSIDE_MM
        np.testing.assert_allclose(points.colours[inner, 0], 0.5 + points.where[inner, 0] / 80, atol=0.006)


@pytest.mark.parametrize("kind", ["salami", "ciabatta", "swiss", "grapes"])
def test_points_fill_the_face_up_to_its_rim_and_none_lies_on_the_ground(kind: str) -> None:
    (found,) = prints_of(art_of(printed(kind, seed=1)))
    inside = Polygon(found.template.outline).buffer(-RIM_MM)
    coarse, fine = (points.where for points in found.levels)
    assert 2.5 < len(fine) / len(coarse) < 4.5
    assert shapely.contains_xy(inside, coarse[:, 0], coarse[:, 1]).all()
    assert shapely.contains_xy(inside, fine[:, 0], fine[:, 1]).all()
    step = np.sqrt(inside.area / len(fine))
    assert inside.buffer(-step).difference(shapely.MultiPoint(fine).buffer(step)).is_empty


def test_prints_stand_in_the_order_of_the_faces_and_a_kind_may_have_two() -> None:
    faces = [printed(kind, seed=i) for i, kind in enumerate(("swiss", "salami", "swiss"))]
    found = prints_of(art_of(*faces))
    assert [p.kind for p in found] == ["swiss", "salami", "swiss"]
    assert not np.allclose(found[0].levels[0].colours, found[2].levels[0].colours, atol=0.05)


def test_the_prints_of_an_art_are_worked_out_once() -> None:
    art = art_of(printed("salami", seed=1))
    assert prints_of(art) is prints_of(art)


def test_an_art_learned_anew_under_the_same_name_has_its_own_prints() -> None:
    first, again = (Art("mine", (printed("salami", seed=seed),)) for seed in (1, 2))
    assert first != again
    assert not np.allclose(prints_of(first)[0].levels[0].colours, prints_of(again)[0].levels[0].colours, atol=0.05)


def test_an_art_without_faces_has_no_prints() -> None:
    assert prints_of(Art("none", ())) == ()


def test_tiles_of_one_shape_share_an_outline_though_one_was_drawn_badly() -> None:
    good = [printed(kind, seed=1) for kind in ("salami", "tomato", "cucumber")]
    bad = printed("baguette", seed=2)
    bitten = shapely.difference(Polygon(bad.outline), shapely.box(8.0, -30.0, 30.0, 30.0))
    bad = replace(bad, outline=np.asarray(bitten.exterior.coords)[:-1])
    found = prints_of(art_of(*good, bad))[-1]
    assert Polygon(found.template.outline).area == pytest.approx(np.pi * (ROUND_MM / 2) ** 2, rel=0.01)
    # The outline lies where the tile does, so its points are told from the tile's middle, not from the bitten one's.
    assert np.abs(found.levels[1].where.mean(0)).max() < 0.5

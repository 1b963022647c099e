"""The painted faces: 27 kinds, sound outlines, shared shapes, pixels wherever a cut could fall."""

from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import Polygon

from datasets.synth.faces import EVAL_STYLES, TRAIN_STYLES, contact_sheet, paint_art
from datasets.synth.scene import Art, Face

ROUNDS = {"round_cracker", "baguette", "salami", "soppressata", "orange", "tomato", "cucumber"}
SQUARES = {"square_cracker", "ciabatta", "tapenade", "ranch", "hummus", "fig_jam"}
WEDGES = {"parmesan", "swiss", "cheddar", "gouda", "colby", "bleu"}
CLUSTERS = {"meat_rose", "blackberries", "dates", "grapes", "strawberries", "carrots", "olives", "broccoli_cauliflower"}
PAINTED = ("sepia_tint", "retro_diner")  # one with two broccoli faces, one for evaluation
PX_PER_MM = 2.0


@pytest.fixture(scope="module", params=PAINTED)
def art(request: pytest.FixtureRequest) -> Art:
    return paint_art(request.param, 5, PX_PER_MM)


def every_face(art: Art) -> list[Face]:
    return [face for faces in art.faces.values() for face in faces]


def test_there_are_enough_styles_and_none_is_both_trained_on_and_judged_with() -> None:
    assert len(TRAIN_STYLES) >= 20
    assert len(EVAL_STYLES) >= 6
    assert not set(TRAIN_STYLES) & set(EVAL_STYLES)


def test_an_art_has_the_27_kinds(art: Art) -> None:
    assert set(art.faces) == ROUNDS | SQUARES | WEDGES | CLUSTERS
    assert len(art.faces) == 27


def test_outlines_are_valid_and_centred(art: Art) -> None:
    for face in every_face(art):
        polygon = Polygon(face.outline)
        assert polygon.is_valid, face.kind
        assert np.hypot(polygon.centroid.x, polygon.centroid.y) < 0.02, face.kind
        assert 40 <= len(face.outline) <= 120, face.kind


def test_clusters_are_38_to_58_mm_across(art: Art) -> None:
    for kind in CLUSTERS:
        for face in art.faces[kind]:
            hull = np.asarray(Polygon(face.outline).convex_hull.exterior.coords)
            across = np.hypot(*(hull[:, None] - hull[None]).transpose(2, 0, 1)).max()
            assert 37 < across < 59.5, kind


@pytest.mark.parametrize("kinds", [ROUNDS, SQUARES, WEDGES], ids=["rounds", "squares", "wedges"])
def test_kinds_of_a_shape_share_one_outline(art: Art, kinds: set[str]) -> None:
    first, *others = [art.faces[kind][0].outline for kind in sorted(kinds)]
    for outline in others:
        np.testing.assert_array_equal(outline, first)


def test_a_hand_drawn_style_strays_little_from_the_shared_outline() -> None:
    drawn = paint_art("pencil", 1, PX_PER_MM)
    first, *others = [Polygon(drawn.faces[kind][0].outline) for kind in sorted(ROUNDS)]
    for polygon in others:
        assert 0 < polygon.hausdorff_distance(first) < 1.0


def test_pixels_cover_the_outline_and_a_bleed(art: Art) -> None:
    for face in every_face(art):
        px = (face.outline - np.asarray(face.corner_mm)) * face.px_per_mm
        height, width = face.rgba.shape[:2]
        bleed = 1.5 * face.px_per_mm
        assert px.min() >= bleed, face.kind
        assert (px.max(0) <= [width - 1 - bleed, height - 1 - bleed]).all(), face.kind
        assert (face.rgba[..., 3] == 255).all(), face.kind


def test_the_same_style_and_seed_give_the_same_art(art: Art) -> None:
    again = paint_art(art.style, art.seed, PX_PER_MM)
    for face, twin in zip(every_face(art), every_face(again), strict=True):
        np.testing.assert_array_equal(face.rgba, twin.rgba)
        np.testing.assert_array_equal(face.outline, twin.outline)


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(KeyError):
        paint_art("no_such_style", 0)


def test_the_contact_sheet_shows_every_face(art: Art) -> None:
    sheet = contact_sheet(art)
    assert sheet.dtype == np.uint8
    assert sheet.shape[2] == 3

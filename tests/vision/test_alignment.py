"""Prints are laid onto the tiles that show them: turned, shifted, half hidden, in any light."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import shapely

import vision.crops
from tests.vision.drawn import circle, points_of, rounded
from tests.vision.printed import Floats32, Light, art_of, look_at, lying, printed, texture
from vision.alignment import Alignment, PrintScale, align, align_within, common_scale
from vision.apart import ApartSettings
from vision.crops import SEEN, TILES, TileLook
from vision.curves import evenly, grown
from vision.faces import FACE_PX
from vision.outlines import Edge, edge_of, placed
from vision.prints import prints_of
from vision.search import AlignmentSettings
from vision.settings import load_section

Pose = tuple[float, float, float]
FACES = {kind: printed(kind, seed=i) for i, kind in enumerate(("salami", "tomato", "ciabatta", "swiss", "grapes"))}
PRINTS = dict(zip(FACES, prints_of(art_of(*FACES.values())), strict=True))
GREY = printed("salami", seed=0, print_=np.full((FACE_PX, FACE_PX, 3), 0.6, np.float32))
SETTINGS = load_section("alignment", AlignmentSettings)
NO_EVIDENCE = load_section("apart", ApartSettings).no_evidence


def laid(kind: str, look: TileLook) -> Alignment:
    (found,) = align([look], [edge_of(look)], [(0, PRINTS[kind])])
    return found


def assert_at(found: Alignment, pose: Pose, *, mm: float = 0.3, degrees: float = 2.0) -> None:
    turned = np.degrees(found.pose[2]) - pose[2]
    assert np.hypot(*(found.pose[:2] - pose[:2])) < mm
    assert abs((turned + 180) % 360 - 180) < degrees


def half_over(kind: str, pose: Pose) -> shapely.Polygon:
    """A square laid over a tile so that it hides 40 % or more."""
    over = rounded(pose[0] + 19.0, pose[1] + 4.0, side=36.0, turn_deg=20.0)
    tile = lying(FACES[kind], pose)
    assert 0.38 < tile.intersection(over).area / tile.area < 0.6
    return over


def lamp(pixels: Floats32) -> Floats32:
    """Warm, dim and of another contrast."""
    return np.asarray(pixels**1.5 * np.array([0.9, 0.6, 0.4], np.float32) + 0.02, np.float32)


def flash(pixels: Floats32) -> Floats32:
    """Bright, falling off to one side."""
    return np.asarray((pixels**0.7 * np.linspace(1.0, 0.7, pixels.shape[1])[None, :, None]).clip(0, 1), np.float32)


@pytest.mark.parametrize("pose", [(321.3, -144.2, 77.0), (-7.0, 5.0, 200.0)])
@pytest.mark.parametrize("kind", FACES)
def test_a_print_is_found_wherever_and_however_it_lies(kind: str, pose: Pose) -> None:
    found = laid(kind, look_at((FACES[kind], pose, 1.0)))
    assert_at(found, pose, mm=0.1, degrees=0.5)
    assert found.correlation > 0.97
    assert found.size == pytest.approx(1.0, abs=0.005)
    assert found.edge_misfit < 0.5


@pytest.mark.parametrize("kind", FACES)
def test_a_print_of_which_two_fifths_are_hidden_is_found(kind: str) -> None:
    pose = (12.0, 30.0, 160.0)
    found = laid(kind, look_at((FACES[kind], pose, 1.0), covered_by=[half_over(kind, pose)]))
    assert_at(found, pose)
    assert found.correlation > 0.9


@pytest.mark.parametrize("light", [lamp, flash])
@pytest.mark.parametrize("kind", ["salami", "swiss"])
def test_a_print_is_found_in_other_light(kind: str, light: Light) -> None:
    pose = (5.0, 1.0, 115.0)
    for over in ([], [half_over(kind, pose)]):
        found = laid(kind, look_at((FACES[kind], pose, 1.0), covered_by=over, light=light))
        assert_at(found, pose)
        assert found.correlation > 0.8


@pytest.mark.parametrize("size", [0.97, 1.03])
@pytest.mark.parametrize("kind", ["salami", "swiss", "grapes"])
def test_the_size_tells_prints_larger_and_smaller_than_learned_though_edges_are_not(kind: str, size: float) -> None:
    look = look_at((FACES[kind], (4.0, -3.0, 50.0), size))
    as_learned = edge_of(look_at((FACES[kind], (4.0, -3.0, 50.0), 1.0)))
    (found,) = align([look], [as_learned], [(0, PRINTS[kind])])
    assert found.size == pytest.approx(size, abs=0.008)
    assert_at(found, (4.0, -3.0, 50.0))


def test_of_two_prints_the_right_one_has_more_evidence() -> None:
    kinds = ["salami", "tomato"]
    looks = [look_at((FACES[kind], (2.0, 1.0, 70.0), 1.0), light=lamp) for kind in kinds]
    wanted = [(i, PRINTS[kind]) for i in range(2) for kind in kinds]
    found = np.array([a.evidence for a in align(looks, [edge_of(look) for look in looks], wanted)]).reshape(2, 2)
    assert (np.diag(found) > 40).all()
    assert max(found[0, 1], found[1, 0]) < NO_EVIDENCE


def test_the_more_of_a_print_is_seen_the_more_evidence_it_gives() -> None:
    pose = (0.0, 0.0, 20.0)
    whole = laid("salami", look_at((FACES["salami"], pose, 1.0)))
    half = laid("salami", look_at((FACES["salami"], pose, 1.0), covered_by=[half_over("salami", pose)]))
    assert 0.4 * whole.evidence < half.evidence < 0.75 * whole.evidence


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
def test_an_even_surface_gives_no_evidence(level: float) -> None:
    even = replace(GREY, picture=np.full_like(GREY.picture, round(255 * level)))
    found = laid("salami", look_at((even, (3.0, 3.0, 3.0), 1.0)))
    assert found.evidence < 2.0
    assert found.size == pytest.approx(1.0, abs=0.02)
    assert abs(found.correlation) < SETTINGS.min_correlation


def test_a_trace_of_a_print_no_stronger_than_noise_gives_no_evidence() -> None:
    look = look_at((FACES["salami"], (3.0, 3.0, 3.0), 1.0), light=lambda pixels: 0.5 + 0.02 * (pixels - 0.5))
    assert laid("salami", look).evidence < NO_EVIDENCE


def test_a_print_on_another_than_its_own_outline_misfits_the_edge() -> None:
    look = look_at((FACES["ciabatta"], (0.0, 0.0, 10.0), 1.0))
    assert laid("grapes", look).edge_misfit > SETTINGS.max_edge_misfit > laid("ciabatta", look).edge_misfit


def test_where_nothing_is_printed_the_edge_lays_the_tile() -> None:
    even = replace(FACES["swiss"], picture=np.full_like(GREY.picture, 150))
    pose = (8.0, -6.0, 130.0)
    assert_at(laid("swiss", look_at((even, pose, 1.0))), pose)


def test_a_print_of_small_patches_is_found_beside_the_edge_drawn() -> None:
    """Some shifts are tried, since slopes lead no further than a patch."""
    pose = (0.0, 0.0, 20.0)
    fine = printed("salami", seed=7, print_=texture(7, patch_mm=2.5))
    beside = Edge(points_of(circle(4.0, -4.0)), np.ones(96), 1.0)
    (found,) = align([look_at((fine, pose, 1.0))], [beside], [(0, prints_of(art_of(fine))[0])])
    assert_at(found, pose)


def test_tiles_laid_together_are_laid_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ["salami", "grapes", "swiss", "ciabatta"]
    looks = [look_at((FACES[kind], (70.0 * i, 9.0, 85.0 * i), 1.0)) for i, kind in enumerate(kinds)]
    edges, wanted = [edge_of(look) for look in looks], [(i, PRINTS[kind]) for i, kind in enumerate(kinds)]
    monkeypatch.setattr(vision.crops, "_MOST_POINTS", 1000)  # OpenCV's limit, met by few tiles
    together = align(looks, edges, wanted)
    alone = [align([looks[i]], [edges[i]], [(0, p)])[0] for i, p in wanted]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.pose, other.pose, atol=1e-3)
        assert one.evidence == pytest.approx(other.evidence, rel=1e-3)


def test_nothing_wanted_is_nothing_laid() -> None:
    look = look_at((FACES["salami"], (0.0, 0.0, 0.0), 1.0))
    assert align([look], [edge_of(look)], []) == []
    assert align([], [], []) == []


@pytest.mark.parametrize("pose", [(14.0, -11.0, 250.0), (-12.0, 15.0, 40.0)])
def test_a_print_is_found_anywhere_on_what_is_seen_without_an_edge(pose: Pose) -> None:
    centred = look_at((GREY, (0.0, 0.0, 0.0), 1.0), (FACES["swiss"], pose, 1.0))
    (found,) = align_within(centred, [PRINTS["swiss"]])
    assert_at(found, pose)
    assert found.edge_misfit == 0.0


def test_a_print_that_would_hide_bare_ground_is_the_less_evident() -> None:
    pose = (4.0, -3.0, 60.0)
    look = look_at((FACES["swiss"], pose, 1.0), covered_by=[circle(18.0, -3.0, 14.0)])
    bare = replace(look, masks=look.masks.copy())
    bare.masks[TILES] = bare.masks[SEEN]  # what covers it is no tile, so ground would be seen beside the tile
    covered, uncovered = (align([seen], [edge_of(look)], [(0, PRINTS["swiss"])])[0] for seen in (look, bare))
    assert covered.correlation == pytest.approx(uncovered.correlation, abs=0.05)
    assert uncovered.evidence < covered.evidence - 10


def test_where_nothing_is_seen_nothing_is_laid() -> None:
    look = look_at((FACES["salami"], (0.0, 0.0, 0.0), 1.0))
    hidden = replace(look, masks=look.masks.copy())
    hidden.masks[SEEN] = 0
    assert align_within(hidden, [PRINTS["salami"]]) == []
    assert align_within(look, []) == []


def alignment(*, correlation: float = 0.9, misfit: float = 0.0, size: float = 1.0) -> Alignment:
    return Alignment(PRINTS["swiss"], np.array([30.0, 12.0, 0.7]), size, correlation, 50.0, misfit)


DRAWN = Edge(points_of(circle(31.0, 13.0))[:96], np.linspace(0.1, 1, 96), 1.0)
BETWEEN = (SETTINGS.min_correlation + SETTINGS.sure_correlation) / 2
DISAGREEING = SETTINGS.max_edge_misfit + 1


def test_an_open_edge_that_agrees_is_kept_unless_the_print_is_sure() -> None:
    assert alignment(correlation=BETWEEN).edge(DRAWN, PrintScale()) is DRAWN
    assert alignment(correlation=SETTINGS.sure_correlation + 0.01).edge(DRAWN, PrintScale()) is not DRAWN


def test_an_edge_that_disagrees_is_replaced_by_the_prints_outline() -> None:
    found = alignment(correlation=BETWEEN, misfit=DISAGREEING)
    edge = found.edge(DRAWN, PrintScale(1.02))
    outline = shapely.Polygon(placed(PRINTS["swiss"].template.outline * 1.02, found.pose))
    assert shapely.distance(outline.exterior, shapely.points(edge.points)).max() < 1e-6
    assert shapely.Polygon(edge.points).area == pytest.approx(outline.area, rel=0.005)
    assert len(edge.points) == len(DRAWN.points)
    assert (edge.weight == 1).all()
    assert edge.open_share == DRAWN.open_share


def test_an_edge_partly_hidden_is_replaced_though_what_is_seen_agrees() -> None:
    covered = replace(DRAWN, open_share=0.6)
    assert alignment(correlation=BETWEEN).edge(covered, PrintScale()) is not covered


@pytest.mark.parametrize("misfit", [0.0, DISAGREEING])
@pytest.mark.parametrize("open_share", [0.4, 1.0])
def test_a_print_hardly_seen_replaces_no_edge(open_share: float, misfit: float) -> None:
    drawn = replace(DRAWN, open_share=open_share)
    assert alignment(correlation=SETTINGS.min_correlation - 0.05, misfit=misfit).edge(drawn, PrintScale()) is drawn


def sized(sizes: Sequence[float] | npt.NDArray[np.float64], *, correlation: float = 0.9) -> list[Alignment | None]:
    return [alignment(size=float(size), correlation=correlation) for size in sizes]


def common_size(alignments: Sequence[Alignment | None]) -> float:
    """The size alone, told by tiles none of which lies open."""
    scale = common_scale([replace(DRAWN, open_share=0.5)] * len(alignments), alignments)
    assert scale.growth_mm == 0
    return scale.size


def beyond(by_mm: float, size: float, *, open_share: float = 1.0) -> Edge:
    """The edge of a tile drawn beyond its print's outline."""
    outline = grown(PRINTS["swiss"].template.outline * size, by_mm)
    return Edge(evenly(placed(outline, alignment().pose), 96), np.ones(96), open_share)


def test_the_common_size_is_that_of_most_prints() -> None:
    sizes = [1.02] * SETTINGS.min_sizes + [0.9, 1.2]
    assert common_size([None, *sized(sizes)]) == pytest.approx(1.02)


def test_too_few_prints_tell_no_size() -> None:
    few = sized([1.03] * (SETTINGS.min_sizes - 1))
    assert common_size(few) == 1.0
    assert common_size([*few, None, None]) == 1.0
    assert common_size([]) == 1.0


def test_prints_hardly_seen_tell_no_size() -> None:
    unsure = sized([0.95] * 20, correlation=SETTINGS.sure_correlation - 0.01)
    assert common_size(unsure) == 1.0
    assert common_size([*unsure, *sized([1.02] * SETTINGS.min_sizes)]) == pytest.approx(1.02)


@pytest.mark.parametrize("by_mm", [0.9, -0.7])
def test_outlines_that_open_tiles_are_drawn_beyond_grow_by_as_much(by_mm: float) -> None:
    count = SETTINGS.min_sizes
    edges = [*[beyond(by_mm, 1.02)] * count, *[beyond(5.0, 1.02, open_share=0.5)] * 20]
    scale = common_scale(edges, sized([1.02] * len(edges)))
    assert scale.growth_mm == pytest.approx(by_mm, abs=0.12)
    drawn = scale.outline(PRINTS["swiss"])
    own = shapely.Polygon(PRINTS["swiss"].template.outline * 1.02)
    assert (shapely.Polygon(drawn).area - own.area) / own.length == pytest.approx(scale.growth_mm, abs=0.05)


def test_outlines_that_are_drawn_about_as_they_are_stay_so() -> None:
    little = SETTINGS.min_growth_mm - 0.15
    edges = [beyond(little, 1.0)] * (2 * SETTINGS.min_sizes)
    assert common_scale(edges, sized([1.0] * len(edges))).growth_mm == 0


def test_few_open_tiles_let_no_outline_grow() -> None:
    edges = [beyond(1.0, 1.0)] * (SETTINGS.min_sizes - 1) + [beyond(1.0, 1.0, open_share=0.5)] * 9
    scale = common_scale(edges, sized([1.0] * len(edges)))
    assert (scale.size, scale.growth_mm) == (1.0, 0.0)

"""Full outlines are fitted to what is seen, and the sizes of a copy are learned from its open tiles."""

import numpy as np
import pytest
import shapely
from shapely import Polygon

from tests.vision.drawn import circle, cluster, iou, look_of, points_of, posed, rounded, wedge
from vision.curves import evenly, normals
from vision.outlines import Edge, Template, alike, edge_of, fit_footprints, placed

Case = tuple[Polygon, str, str, tuple[Polygon, ...]]  # outline, shape, kind, the tiles over it


def fitted(*tiles: Case, known: dict[str, Polygon] | None = None) -> list[Polygon]:
    """Footprints of tiles from their ideal masks; `known` are outlines of the player's copy."""
    learned = {kind: points_of(outline) for kind, outline in (known or {}).items()}
    edges = [edge_of(look_of(outline, covered_by=over, kind=kind)) for outline, _, kind, over in tiles]
    found = fit_footprints(edges, [shape for _, shape, _, _ in tiles], [kind for _, _, kind, _ in tiles], learned)
    return [Polygon(footprint.outline) for footprint in found]


def half_over(outline: Polygon) -> Polygon:
    """A square laid over a tile so that it covers just under half of it."""
    return rounded(outline.centroid.x + 19.0, outline.centroid.y + 4.0, side=36.0, turn_deg=20.0)


def rounds(*, radius: float) -> list[Case]:
    return [(circle(50.0 * i, 0, radius), "round", "salami", ()) for i in range(3)]


@pytest.mark.parametrize("radius", [17.5, 19.0, 20.3])
def test_the_radius_of_the_rounds_is_learned(radius: float) -> None:
    for polygon in fitted(*rounds(radius=radius)):
        assert np.sqrt(polygon.area / np.pi) == pytest.approx(radius, abs=0.15)


@pytest.mark.parametrize("side", [32.0, 35.0])
@pytest.mark.parametrize("corner", [1.5, 5.0])
def test_the_size_of_the_squares_is_learned(side: float, corner: float) -> None:
    tiles: list[Case] = [
        (rounded(50.0 * i, 3.0 * i, side=side, corner=corner, turn_deg=25.0 * i), "square", "ciabatta", ())
        for i in range(4)
    ]
    for polygon, (truth, *_) in zip(fitted(*tiles), tiles, strict=True):
        assert np.sqrt(polygon.area) == pytest.approx(np.sqrt(truth.area), abs=0.15)
        assert iou(polygon, truth) > 0.97


@pytest.mark.parametrize("turn_deg", range(0, 90, 15))
def test_the_corner_of_squares_drawn_with_noise_is_that_of_the_squares(turn_deg: float) -> None:
    rng = np.random.default_rng(turn_deg)
    truth = rounded(0, 0, side=35.0, corner=2.2, turn_deg=turn_deg)
    points = evenly(points_of(truth), 160)
    drawn = [points + rng.normal(0, 0.15, 160)[:, None] * normals(points) for _ in range(7)]
    for outline in alike("square", drawn):
        away = shapely.distance(truth.exterior, shapely.points(outline))
        assert away.max() < 0.3


@pytest.mark.parametrize("turn_deg", range(0, 360, 40))
def test_a_wedge_is_found_at_every_angle(turn_deg: float) -> None:
    open_one, turned = wedge(0, 0), wedge(60, 10, turn_deg=turn_deg)
    found = fitted((open_one, "wedge", "swiss", ()), (turned, "wedge", "swiss", (half_over(turned),)))
    assert iou(found[1], turned) > 0.97


@pytest.mark.parametrize(
    ("shape", "kind", "open_one", "covered"),
    [
        ("round", "salami", circle(0, 0), circle(60, 0)),
        ("square", "ciabatta", rounded(0, 0, turn_deg=10), rounded(60, 0, turn_deg=52)),
        ("wedge", "swiss", wedge(0, 0, turn_deg=10), wedge(60, 0, turn_deg=200)),
        ("cluster", "grapes", cluster(0, 0), cluster(70, 0, turn_deg=75)),
    ],
)
def test_a_tile_half_covered_gets_its_whole_outline(shape: str, kind: str, open_one: Polygon, covered: Polygon) -> None:
    over = half_over(covered)
    assert 0.5 <= 1 - covered.intersection(over).area / covered.area < 0.75
    found = fitted((open_one, shape, kind, ()), (covered, shape, kind, (over,)))
    assert iou(found[0], open_one) > 0.97
    assert iou(found[1], covered) > 0.97


def test_a_cluster_that_lies_open_keeps_its_own_contour() -> None:
    other = posed(cluster(0, 0).buffer(1.5), 80, 0, 30)
    found = fitted((cluster(0, 0), "cluster", "grapes", ()), (other, "cluster", "grapes", ()))
    assert iou(found[0], cluster(0, 0)) > 0.98
    assert iou(found[1], other) > 0.98


@pytest.mark.parametrize(
    ("shape", "kind", "learned", "drawn"),
    [
        ("round", "salami", circle(0, 0, 19.0), circle(0, 0, 19.7)),
        ("square", "ciabatta", rounded(0, 0, side=35.0), rounded(0, 0, side=35.9)),
        ("wedge", "swiss", wedge(0, 0), wedge(0, 0).buffer(0.6)),
        ("cluster", "grapes", cluster(0, 0), cluster(0, 0).buffer(0.6)),
    ],
)
def test_the_outline_of_the_players_copy_goes_before_what_is_drawn(
    shape: str, kind: str, learned: Polygon, drawn: Polygon
) -> None:
    tiles: list[Case] = [(posed(drawn, 60.0 * i, 4.0, 50.0 * i), shape, kind, ()) for i in range(2)]
    for polygon, (outline, *_) in zip(fitted(*tiles, known={kind: learned}), tiles, strict=True):
        assert polygon.area == pytest.approx(learned.area, rel=0.006)
        assert polygon.within(outline.buffer(0.15))
        assert polygon.centroid.distance(outline.centroid) < 0.3


def test_outlines_of_wedges_learned_in_different_ways_make_one() -> None:
    known = {"swiss": wedge(0, 0), "bleu": wedge(0, 0).segmentize(1.0), "gouda": wedge(0, 0).segmentize(0.3)}
    assert len({len(points_of(outline)) for outline in known.values()}) == 3
    (found,) = fitted((posed(wedge(0, 0), 5, 4, 30), "wedge", "swiss", ()), known=known)
    assert iou(found, posed(wedge(0, 0), 5, 4, 30)) > 0.97


def test_a_cluster_quite_unlike_the_known_one_keeps_its_own_contour() -> None:
    (found,) = fitted((cluster(0, 0), "cluster", "grapes", ()), known={"grapes": rounded(0, 0, side=40.0)})
    assert iou(found, cluster(0, 0)) > 0.98


def test_an_outline_is_placed_by_turning_it_about_its_middle() -> None:
    outline = points_of(wedge(0, 0))
    found = placed(outline, np.array([5.0, -3.0, np.radians(30)]))
    np.testing.assert_allclose(found, points_of(posed(wedge(0, 0), 5.0, -3.0, 30.0)), atol=1e-6)


def test_the_share_seen_and_the_seen_edge_are_measured() -> None:
    tile = circle(0, 0)
    over = shapely.box(0, -40, 40, 40)
    edge = edge_of(look_of(tile, covered_by=(over,)))
    assert edge.open_share == pytest.approx(0.5, abs=0.02)
    hidden = edge.points[:, 0] > 3
    assert (edge.weight[hidden] < 0.1).all()
    assert (edge.weight[edge.points[:, 0] < -3] > 0.9).all()


def test_an_edge_that_is_nowhere_seen_stays_as_it_is() -> None:
    nothing = Edge(np.zeros((0, 2)), np.zeros(0), 0.0)
    (found,) = fit_footprints([nothing], ["round"], ["salami"], {})
    assert len(found.outline) == 0


def test_an_outline_is_the_same_wherever_the_tile_lies() -> None:
    near, far = fitted(*rounds(radius=19.0))[0], fitted((circle(317.3, -122.8), "round", "salami", ()))[0]
    moved = posed(near, 317.3, -122.8, 0)
    assert np.abs(points_of(moved) - points_of(far)).max() < 0.15


def test_any_number_of_tiles_is_laid() -> None:
    """OpenCV looks up fewer than 32,768 points at a time."""
    template = Template.of(np.asarray(circle(0, 0).exterior.coords)[:-1])
    points = np.tile([[19.0, 0.0], [0.0, 0.0]], (40_000, 1))
    distance, slope = template.at(points)
    assert distance.shape == (80_000,)
    assert slope.shape == (80_000, 2)
    np.testing.assert_allclose(distance[:2], distance[-2:])
    assert template.at(np.zeros((0, 2)))[0].shape == (0,)

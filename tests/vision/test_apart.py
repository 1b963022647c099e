"""Tiles drawn as one are told apart by their prints; what is no tile of its own is left out."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from tests.vision.drawn import filled, iou
from tests.vision.printed import Shown, art_of, look_at, lying, printed
from vision.alignment import align
from vision.apart import ApartSettings, Found, as_laid, tell_apart
from vision.crops import FULL, SEEN, TileLook
from vision.identify import KIND_IDS, Identity, ranked
from vision.outlines import edge_of, placed
from vision.prints import prints_of
from vision.settings import load_section

FACES = {kind: printed(kind, seed=i) for i, kind in enumerate(("salami", "tomato", "swiss", "ciabatta"))}
PRINTS = prints_of(art_of(*FACES.values()))
OF_KIND = {p.kind: p for p in PRINTS}
SETTINGS = load_section("apart", ApartSettings)
LEFT, RIGHT = (-13.0, 0.0, 20.0), (13.0, 3.0, 140.0)


def shown(kind: str, pose: tuple[float, float, float]) -> Shown:
    return FACES[kind], pose, 1.0


def opinion(*kinds: str, none: float = 0.0) -> Identity:
    p = np.full(len(KIND_IDS), 1e-3)
    for kind, share in zip(kinds, (0.8, 0.1, 0.05), strict=False):
        p[KIND_IDS.index(kind)] = share
    return ranked(p / p.sum(), none=none)


def find(look: TileLook, *kinds: str) -> Found:
    """A find as `recognise` leaves it, its likeliest kind's print laid onto what was drawn."""
    edge = edge_of(look)
    (laid,) = align([look], [edge], [(0, OF_KIND[kinds[0]])])
    return Found(look, edge, opinion(*kinds), laid)


def unlaid(look: TileLook, *, confidence: float = 0.9, none: float = 0.0) -> Found:
    """A find whose kind the art lacks."""
    thing = replace(look.thing, confidence=confidence)
    return Found(replace(look, thing=thing), edge_of(look), opinion("bleu", none=none), None)


def where(found: Found) -> Polygon:
    assert found.print is not None
    return Polygon(placed(found.print.print.template.outline, found.print.pose))


def showing_only(tile: Found, part: Polygon) -> Found:
    """The find with only a part of it seen, its print as laid."""
    masks = tile.look.masks.copy()
    masks[SEEN] = filled([part], tile.look.to_crop, masks.shape[:0:-1])
    return replace(tile, look=replace(tile.look, masks=masks))


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("salami", LEFT, RIGHT),
        ("salami", (-17.0, 0.0, 0.0), (17.0, 2.0, 200.0)),
        ("swiss", (-14.0, 0.0, 0.0), (14.0, 0.0, 180.0)),
    ],
)
def test_two_tiles_of_one_kind_drawn_as_one_are_told_apart(
    kind: str, one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    found = tell_apart([find(look_at(shown(kind, one), shown(kind, other)), kind)], PRINTS)
    assert [f.identity.kinds[0] for f in found] == [kind, kind]
    truth = [lying(FACES[kind], pose) for pose in (one, other)]
    at = sorted((where(f) for f in found), key=lambda polygon: polygon.centroid.x)
    assert min(iou(a, b) for a, b in zip(at, truth, strict=True)) > 0.98
    drawn = sorted((Polygon(f.edge.points) for f in found), key=lambda polygon: polygon.centroid.x)
    assert min(iou(a, b) for a, b in zip(drawn, truth, strict=True)) > 0.94


def test_what_is_seen_of_tiles_told_apart_is_shared_out() -> None:
    drawn = find(look_at(shown("salami", LEFT), shown("salami", RIGHT)), "salami")
    upper, under = tell_apart([drawn], PRINTS)
    assert upper.edge.open_share > 0.9
    covered = lying(FACES["salami"], LEFT).intersection(lying(FACES["salami"], RIGHT)).area
    assert under.edge.open_share == pytest.approx(1 - covered / lying(FACES["salami"], LEFT).area, abs=0.05)
    assert (upper.look.masks[SEEN] * under.look.masks[SEEN]).sum() < 0.02 * upper.look.masks[SEEN].sum()
    assert (under.look.masks[SEEN] <= under.look.masks[FULL] + 1e-6).all()


def test_two_kinds_drawn_as_one_are_both_named() -> None:
    drawn = find(look_at(shown("salami", LEFT), shown("tomato", RIGHT)), "salami", "tomato")
    found = {f.identity.kinds[0]: f for f in tell_apart([drawn], PRINTS)}
    assert set(found) == {"salami", "tomato"}
    assert iou(where(found["salami"]), lying(FACES["salami"], LEFT)) > 0.98
    assert iou(where(found["tomato"]), lying(FACES["tomato"], RIGHT)) > 0.98
    assert all(f.identity.probabilities[0] > 0.9 and len(f.identity.kinds) == len(KIND_IDS) for f in found.values())


def test_a_tile_drawn_together_with_a_neighbour_that_was_found_too_is_laid_on_its_own_place() -> None:
    right = find(look_at(shown("salami", RIGHT)), "salami")
    drawn = find(look_at(shown("salami", LEFT), shown("salami", RIGHT)), "salami")
    for at in (0, 1):
        found = tell_apart([right, drawn] if at == 0 else [drawn, right], PRINTS)
        assert len(found) == 2
        assert found[at] is right
        assert iou(where(found[1 - at]), lying(FACES["salami"], LEFT)) > 0.98


def test_tiles_drawn_well_stay_as_they_are_and_in_order() -> None:
    tiles = [find(look_at(shown(k, (60.0 * i, 0.0, 50.0 * i))), k) for i, k in enumerate(("swiss", "salami", "tomato"))]
    found = tell_apart(tiles, PRINTS)
    assert all(a is b for a, b in zip(found, tiles, strict=True))


def test_nothing_found_is_nothing_told_apart() -> None:
    assert tell_apart([], PRINTS) == []


def test_a_tile_whose_kind_has_no_print_stays_as_it_was_drawn() -> None:
    strange = unlaid(look_at(shown("ciabatta", (0.0, 0.0, 10.0))))
    assert tell_apart([strange], ())[0] is strange
    assert tell_apart([strange], [OF_KIND["salami"], OF_KIND["swiss"]])[0] is strange


@pytest.mark.parametrize("kind", ["salami", "tomato"])
def test_a_tile_lying_under_another_is_kept(kind: str) -> None:
    under, over = (0.0, 0.0, 10.0), (17.0, 0.0, 200.0)
    upper = lying(FACES["salami"], over)
    tiles = [
        find(look_at(shown(kind, under), covered_by=[upper]), kind),
        find(look_at(shown("salami", over)), "salami"),
    ]
    assert lying(FACES[kind], under).intersection(upper).area > 0.4 * upper.area
    assert all(a is b for a, b in zip(tell_apart(tiles, PRINTS), tiles, strict=True))


def test_two_kinds_almost_in_one_place_are_both_kept() -> None:
    upper = lying(FACES["salami"], (6.0, 0.0, 80.0))
    under = find(look_at(shown("tomato", (0.0, 0.0, 20.0)), covered_by=[upper]), "tomato")
    tiles = [under, find(look_at(shown("salami", (6.0, 0.0, 80.0))), "salami")]
    assert all(a is b for a, b in zip(tell_apart(tiles, PRINTS), tiles, strict=True))


def test_what_lies_over_a_sure_tile_is_not_explained_by_it() -> None:
    """Only what is seen of a tile is its own."""
    over = lying(FACES["salami"], LEFT)
    sure = find(look_at(shown("ciabatta", (-24.0, -14.0, 30.0)), covered_by=[over]), "ciabatta")
    drawn = find(look_at(shown("salami", RIGHT), shown("salami", LEFT)), "salami")
    first, *others = tell_apart([sure, drawn], PRINTS)
    assert first is sure
    assert len(others) == 2
    on_top = max(others, key=lambda found: iou(where(found), over))
    assert iou(where(on_top), over) > 0.98
    assert on_top.edge.open_share > 0.95


def test_one_tile_found_twice_is_one() -> None:
    tile = shown("salami", (0.0, 0.0, 20.0))
    whole = find(look_at(tile), "salami")
    again = find(look_at(tile, covered_by=[shapely.box(6, -30, 30, 30)]), "salami")
    for twice in ([whole, again], [again, whole]):
        (found,) = tell_apart(twice, PRINTS)
        assert found is whole


def test_two_parts_of_one_tile_beside_what_lies_across_it_are_one() -> None:
    whole = find(look_at(shown("salami", (0.0, 0.0, 20.0))), "salami")
    parts = [showing_only(whole, shapely.box(-30, -30, -6, 30)), showing_only(whole, shapely.box(6, -30, 30, 30))]
    found = tell_apart(parts, PRINTS)
    assert len(found) == 1
    assert found[0] is parts[0]


def test_a_fragment_of_a_surer_tile_is_left_out() -> None:
    whole = find(look_at(shown("salami", (0.0, 0.0, 20.0))), "salami")
    fragment = unlaid(look_at(shown("tomato", (4.0, 2.0, 0.0)), covered_by=[shapely.box(-40, -40, 0, 40)]))
    fragment = showing_only(fragment, shapely.Point(4, 2).buffer(7))
    (found,) = tell_apart([fragment, whole], PRINTS)
    assert found is whole


def test_finds_without_a_print_come_back_where_a_few_tiles_are_missing_the_surest_first() -> None:
    sure = find(look_at(shown("salami", LEFT)), "salami")
    strange, stranger, never = (
        unlaid(look_at(shown("tomato", (60.0, y, 0.0))), confidence=confidence, none=none)
        for y, confidence, none in ((0.0, 0.3, 0.5), (60.0, 0.2, 0.5), (-60.0, SETTINGS.strange_confidence - 0.1, 1.0))
    )
    tiles = [never, stranger, sure, strange]
    assert tell_apart(tiles, PRINTS) == [sure]
    assert tell_apart(tiles, PRINTS, counts=(1, 2)) == [sure]
    assert tell_apart(tiles, PRINTS, counts=(2, 6)) == [sure, strange]
    assert tell_apart(tiles, PRINTS, counts=(4,)) == [stranger, sure, strange]
    assert tell_apart(tiles, PRINTS, counts=(2 + SETTINGS.most_missing,)) == [sure]


HARDLY, MOSTLY = SETTINGS.min_confidence - 0.05, SETTINGS.min_confidence + 0.05
STRANGE = SETTINGS.max_none + 0.05


@pytest.mark.parametrize(
    ("confidence", "none", "complete", "kept"),
    [
        (MOSTLY, 0.0, True, True),
        (HARDLY, 0.0, True, False),
        (MOSTLY, STRANGE - 0.1, True, True),
        (MOSTLY, STRANGE, True, False),
        (MOSTLY, STRANGE, False, True),
        (SETTINGS.sure_confidence + 0.05, STRANGE, True, True),
    ],
)
def test_what_shows_no_print_counts_only_if_it_was_surely_found_and_may_be_of_the_copy(
    confidence: float, none: float, complete: bool, kept: bool
) -> None:
    look = look_at(shown("ciabatta", (0.0, 0.0, 10.0)))
    prints = [replace(OF_KIND["salami"], kind=kind) for kind in (KINDS if complete else ["salami"])]
    found = tell_apart([unlaid(look, confidence=confidence, none=none)], prints)
    assert len(found) == int(kept)


def test_a_print_that_fits_counts_however_unsure_the_detector_was() -> None:
    tile = find(look_at(shown("ciabatta", (0.0, 0.0, 10.0))), "ciabatta")
    look = replace(tile.look, thing=replace(tile.look.thing, confidence=0.05))
    unsure = replace(tile, look=look, identity=replace(tile.identity, none=0.95))
    assert tell_apart([unsure], PRINTS)[0] is unsure


def test_a_sure_tile_explains_what_its_print_covers_and_no_more() -> None:
    drawn = find(look_at(shown("salami", LEFT), shown("salami", RIGHT)), "salami")
    laid = tell_apart([drawn], PRINTS)[0]
    both = replace(laid, look=replace(laid.look, masks=drawn.look.masks))
    seen = as_laid(both).masks[SEEN] > 0.5
    inside = filled([where(laid)], laid.look.to_crop, seen.shape) > 0
    assert seen.sum() > 0.9 * inside.sum()
    assert seen[~inside].sum() < 0.05 * inside.sum()
    assert (drawn.look.masks[SEEN] > 0.5)[~inside].sum() > 0.5 * inside.sum()
    unknown = unlaid(drawn.look)
    assert as_laid(unknown) is unknown.look

"""Tiles that were drawn as one, or badly, told apart by their prints.

Where no print fits what was drawn, prints are tried anywhere on what is seen there and is not explained by other tiles;
what is then left over may be one tile more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from vision.alignment import Alignment, align_within
from vision.crops import CROP_MM, CROP_PX, FULL, SEEN, TileLook, projected
from vision.curves import filled
from vision.identify import Identity
from vision.outlines import Edge, edge_of, placed
from vision.prints import Print
from vision.recognition import RecognitionSettings
from vision.settings import load_section

Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ApartSettings:
    """When prints are tried anywhere; reasons stand in `settings.toml`."""

    sure_evidence: float
    min_correlation: float
    kinds_tried: int
    min_left_mm2: float
    most_more: int
    no_evidence: float
    min_confidence: float
    max_none: float
    sure_confidence: float
    min_own_share: float
    same_place: float
    most_missing: int
    strange_confidence: float


@dataclass(frozen=True, slots=True)
class Found:
    """A tile so far: its look, its edge, what it may be, and its print where one was laid."""

    look: TileLook
    edge: Edge
    identity: Identity
    print: Alignment | None


def tell_apart(found: Sequence[Found], prints: Sequence[Print], *, counts: Sequence[int] = ()) -> list[Found]:
    """The tiles found, those badly drawn laid anew, and the tiles that were drawn together with them, at the end.

    `counts` tells how many tiles there may be. A find that shows no print is left out, unless tiles are missing.
    """
    settings = load_section("apart", ApartSettings)
    out = list(found)
    more: list[Found] = []
    for i, tile in enumerate(found):
        if _is_sure(tile, settings):
            continue
        look = _left(tile.look, [t for k, t in enumerate(out) if k != i and _is_sure(t, settings)] + more)
        anew = _laid_anew(look, tile, prints, settings)
        if anew is None:
            continue
        out[i] = anew
        for _ in range(settings.most_more):
            look = _left(tile.look, [t for t in out if _is_sure(t, settings)] + more)
            if _area_mm2(look.masks[SEEN]) < settings.min_left_mm2:
                break
            another = _laid_anew(look, tile, prints, settings)
            if another is None:
                break
            more.append(another)
    return _real([*out, *more], settings, complete={p.kind for p in prints} == set(KINDS), counts=counts)


def as_laid(tile: Found) -> TileLook:
    """The look of a tile, with only that seen which its print covers, where it shows one."""
    if tile.print is None or not _is_sure(tile, load_section("apart", ApartSettings)):
        return tile.look
    masks = tile.look.masks.copy()
    masks[SEEN] *= _inside(tile.look, tile.print)
    return replace(tile.look, masks=masks)


def _real(found: Sequence[Found], settings: ApartSettings, *, complete: bool, counts: Sequence[int]) -> list[Found]:
    """The finds without those that surer ones explain, and without those that show no print and were hardly found.

    Where a few tiles are missing the latter may be of a face never enrolled, or half hidden: the surest come back.
    """
    order = sorted(range(len(found)), key=lambda k: -_evidence(found[k]))
    none = [k for k in order if _is_none(found[k], settings, complete=complete)]
    kept: list[int] = []
    for k in [k for k in order if k not in none]:
        if _is_another(found[k], [found[i] for i in kept], settings):
            kept.append(k)
    missing = min((count - len(kept) for count in counts if count >= len(kept)), default=0)
    if missing > settings.most_missing:
        missing = 0
    for k in sorted(none, key=lambda k: -found[k].look.thing.confidence):
        if (
            missing > 0
            and _may_be_tile(found[k], settings)
            and _is_another(found[k], [found[i] for i in kept], settings)
        ):
            kept.append(k)
            missing -= 1
    return [found[k] for k in sorted(kept)]


def _is_another(tile: Found, others: Sequence[Found], settings: ApartSettings) -> bool:
    """Whether a find is a tile beside those that there are."""
    surer = [other for other in others if other.print is not None]
    if any(_same(tile, other, settings) for other in surer):
        return False
    seen, left = tile.look.masks[SEEN], _left(tile.look, surer).masks[SEEN]
    return bool(left.sum() >= settings.min_own_share * seen.sum())


def _is_none(tile: Found, settings: ApartSettings, *, complete: bool) -> bool:
    """Whether a find shows no print and is most likely no tile; `complete` where the copy's kinds are all known."""
    sure = tile.look.thing.confidence
    strange = complete and tile.identity.none > settings.max_none and sure < settings.sure_confidence
    return _evidence(tile) < settings.no_evidence and (sure < settings.min_confidence or strange)


def _may_be_tile(tile: Found, settings: ApartSettings) -> bool:
    """Whether a find without a print may be a tile all the same."""
    return tile.identity.none <= settings.max_none or tile.look.thing.confidence >= settings.strange_confidence


def _same(a: Found, b: Found, settings: ApartSettings) -> bool:
    """Whether two finds show one print in one place."""
    if a.print is None or b.print is None or a.print.print.kind != b.print.print.kind:
        return False
    if np.linalg.norm(a.print.pose[:2] - b.print.pose[:2]) > CROP_MM / 2:
        return False
    one, other = (Polygon(placed(t.print.template.outline, t.pose)).buffer(0) for t in (a.print, b.print))
    return bool(one.intersection(other).area > settings.same_place * one.area)


def _evidence(tile: Found) -> float:
    return 0.0 if tile.print is None else tile.print.evidence


def _is_sure(tile: Found, settings: ApartSettings) -> bool:
    return _evidence(tile) >= settings.sure_evidence


def _laid_anew(look: TileLook, tile: Found, prints: Sequence[Print], settings: ApartSettings) -> Found | None:
    """The best print anywhere on what is seen of a look; None where none fits well."""
    kinds = tile.identity.kinds[: settings.kinds_tried]
    laid = align_within(look, [p for p in prints if p.kind in kinds])
    likely = _log_odds(tile.identity, laid)
    best = max(zip(likely, laid, strict=True), key=lambda pair: pair[0], default=(0.0, None))[1]
    if best is None or best.evidence < settings.sure_evidence or best.correlation < settings.min_correlation:
        return None
    inside = _inside(look, best)
    masks = look.masks.copy()
    masks[FULL], masks[SEEN] = inside, inside * look.masks[SEEN]
    look = replace(look, masks=masks)
    return Found(look, edge_of(look), _named(tile.identity, laid, likely), best)


def _log_odds(identity: Identity, laid: Sequence[Alignment]) -> list[float]:
    """How likely each print is what is seen: how likely its kind was, and how well it fits."""
    weight = load_section("recognition", RecognitionSettings).print_weight
    prior = dict(zip(identity.kinds, identity.probabilities, strict=True))
    return [weight * a.evidence + float(np.log(prior[a.print.kind] + 1e-3)) for a in laid]


def _named(identity: Identity, laid: Sequence[Alignment], likely: Sequence[float]) -> Identity:
    """The identity with the kinds laid first, the likeliest before the others."""
    best: dict[str, float] = {}
    for a, value in zip(laid, likely, strict=True):
        best[a.print.kind] = max(best.get(a.print.kind, -np.inf), value)
    share = np.exp(np.array(list(best.values())) - max(best.values()))
    share /= share.sum()
    ranked = sorted(zip(best, share, strict=True), key=lambda item: -item[1])
    rest = [k for k in identity.kinds if k not in best]
    return Identity((*(k for k, _ in ranked), *rest), (*(float(p) for _, p in ranked), *(0.0 for _ in rest)), 0.0)


def _left(look: TileLook, others: Sequence[Found]) -> TileLook:
    """The look with only that seen which others do not explain."""
    masks = look.masks.copy()
    for tile in others:
        assert tile.print is not None
        inside = _inside(look, tile.print)
        if inside.any():
            masks[SEEN] *= 1 - inside * _seen_by(tile.look, look)
    return replace(look, masks=masks)


def _inside(look: TileLook, laid: Alignment) -> Floats32:
    """1 within a print's outline in the look's crop, (128, 128)."""
    outline = projected(placed(laid.print.template.outline * laid.size, laid.pose), look.to_crop)
    if np.abs(outline).max() >= 4 * CROP_PX:
        return np.zeros((CROP_PX, CROP_PX), np.float32)
    return filled(outline, (CROP_PX, CROP_PX)).astype(np.float32)


def _seen_by(other: TileLook, look: TileLook) -> Floats32:
    """The other's visible part in the look's crop, (128, 128)."""
    between = look.to_crop @ np.linalg.inv(other.to_crop)
    return np.asarray(cv2.warpPerspective(other.masks[SEEN], between, (CROP_PX, CROP_PX)), np.float32)


def _area_mm2(mask: Floats32) -> float:
    opened = cv2.morphologyEx((mask > 0.5).astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    return float(opened.sum() * (CROP_MM / CROP_PX) ** 2)

"""Tiles that the detector overlooked: what the crops of their neighbours show of a tile and nobody explains.

The detector takes two tiles of one kind that lie close for one, or passes over one half covered. The tile network then
draws one of the two; what it calls a tile besides (its mask TILES) is looked at as a find of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX, SEEN, TILES, TileLook, look_at_tiles, projected
from vision.detector import Thing
from vision.looking import centers_mm
from vision.mosaic import Raster, highest, mosaic
from vision.picture import Picture
from vision.rectify import Plane
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Forward = Callable[[Floats32], list[Floats32]]

_PX_PER_MM = 1.0
_MARGIN_MM = 40.0


@dataclass(frozen=True, slots=True)
class OverlookedSettings:
    """What counts as overlooked; reasons stand in `settings.toml`."""

    min_tile: float
    max_explained: float
    thin_mm: int
    min_mm2: float
    rounds: int
    min_own_share: float
    confidence: float


def look_for_overlooked(picture: Picture, looks: Sequence[TileLook], plane: Plane, tilenet: Forward) -> list[TileLook]:
    """Looks at what the detector overlooked between the looks; `plane` is the one in which these are told."""
    settings = load_section("overlooked", OverlookedSettings)
    out, around = list(looks), list(looks)
    for _ in range(settings.rounds):
        raster = _raster(around)
        if raster is None:
            break
        left, shown = _left_over(around, out, raster, settings)
        things = _things(left, raster, plane, settings)
        if not things:
            break
        new = look_at_tiles(picture, things, centers_mm(things, plane), plane.to_mm, tilenet)
        around += new
        out += [look for look in new if _is_new(look, left, shown, raster, settings)]
    return out[len(looks) :]


def _raster(looks: Sequence[TileLook]) -> Raster | None:
    """A raster over all crops; None where there is none."""
    if not looks:
        return None
    middles = np.array(
        [projected(np.full((1, 2), CROP_PX / 2), np.asarray(np.linalg.inv(look.to_crop)))[0] for look in looks]
    )
    low, high = middles.min(0) - _MARGIN_MM, middles.max(0) + _MARGIN_MM
    width, height = np.ceil((high - low) * _PX_PER_MM).astype(int)
    return Raster(low, _PX_PER_MM, (int(width), int(height)))


def _left_over(
    around: Sequence[TileLook], looks: Sequence[TileLook], raster: Raster, settings: OverlookedSettings
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """1 where the crops `around` show a tile that no look explains, slivers left out; 1 where they show anything.

    Both (height, width) of the raster.
    """
    tile, weight = mosaic(around, TILES, raster)
    left = (weight > 0) & (tile > settings.min_tile) & (highest(looks, SEEN, raster) < settings.max_explained)
    side = int(settings.thin_mm * raster.px_per_mm)
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    opened = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, brush)
    return np.asarray(opened, np.uint8), (weight > 0).astype(np.uint8)


def _things(left: npt.NDArray[np.uint8], raster: Raster, plane: Plane, settings: OverlookedSettings) -> list[Thing]:
    """What is left over, piece by piece, as finds on the photo."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left)
    to_photo = np.linalg.inv(plane.to_mm) @ np.linalg.inv(raster.from_plane)
    things = []
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] < settings.min_mm2 * raster.px_per_mm**2:
            continue
        at = np.argwhere(labels == k)[:, ::-1] + 0.5
        px = projected(at, to_photo)
        box = np.concatenate([px.min(0), px.max(0)]).astype(np.float32)
        things.append(Thing.of_box("cluster", settings.confidence, box))
    return things


def _is_new(
    look: TileLook,
    left: npt.NDArray[np.uint8],
    shown: npt.NDArray[np.uint8],
    raster: Raster,
    settings: OverlookedSettings,
) -> bool:
    """Whether most of what is seen of a tile was left over, and the crops before showed all of it.

    A tile shown in part is looked at once more, now that its surroundings are known.
    """
    seen = highest([look], SEEN, raster) > 0.5
    if not seen.any() or not shown[seen].all():
        return False
    return bool(left[seen].mean() >= settings.min_own_share)

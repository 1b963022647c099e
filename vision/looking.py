"""A close look at every tile: the plane of the faces, the crops cut in it, and what the tile network says of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
from shapely import Polygon

from vision import rectify
from vision.crops import SEEN, SHAPES, TileLook, contour_mm, look_at_tiles
from vision.detector import Thing
from vision.outlines import Edge, edge_of
from vision.picture import Picture
from vision.rectify import Plane
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Forward = Callable[[npt.NDArray[np.float32]], list[npt.NDArray[np.float32]]]


@dataclass(frozen=True, slots=True)
class LookingSettings:
    """When to look again; the reason stands in `settings.toml`."""

    max_stretch: float


def look_closely(
    picture: Picture, tiles: Sequence[Thing], tilenet: Forward
) -> tuple[Plane, list[TileLook], list[Edge]]:
    """The plane of the tiles' faces, and a look at each tile in it with the edge that is drawn there, in order.

    The first plane comes from the detector's boxes and rough masks, a closer one from the outlines drawn in it. Where
    that one stretches the picture by more than the network was trained on, the tiles are looked at again in it.
    """
    max_stretch = load_section("looking", LookingSettings).max_stretch
    plane = plane_of(tiles, picture.size)
    looks = look_at_tiles(picture, tiles, centers_mm(tiles, plane), plane.to_mm, tilenet)
    edges = [edge_of(look) for look in looks]
    closer = closer_plane(looks, edges, plane, picture.size)
    if rectify.stretch(plane, closer, _px_middle(tiles)) > max_stretch:
        plane = closer
        looks = look_at_tiles(picture, tiles, centers_mm(tiles, plane), plane.to_mm, tilenet)
        edges = [edge_of(look) for look in looks]
        closer = closer_plane(looks, edges, plane, picture.size)
    closer_from_first = np.asarray(closer.to_mm @ np.linalg.inv(plane.to_mm), np.float64)
    told = [look.seen_in(closer_from_first) for look in looks], [edge.seen_in(closer_from_first) for edge in edges]
    return closer, *told


def distinct(looks: Sequence[TileLook], same_seen: float) -> list[int]:
    """Which looks to keep: not those at a tile already looked at, surest first; in order."""
    part = cache(lambda i: seen_part(looks[i]))
    order = sorted(range(len(looks)), key=lambda i: -looks[i].thing.confidence * (1 - float(looks[i].shapes[4])))
    kept: list[int] = []
    for i in order:
        near = [k for k in kept if _box_overlap(looks[i].thing, looks[k].thing) > _BOXES_OVERLAP]
        if all(_overlap(part(i), part(k)) < same_seen for k in near):
            kept.append(i)
    return sorted(kept)


_BOXES_OVERLAP = 0.25
"""Boxes share more than this of the smaller one where they are of one tile: parts are drawn for such pairs alone."""


def _box_overlap(a: Thing, b: Thing) -> float:
    """Share of the smaller of two boxes that lies in the other."""
    common = np.maximum(np.minimum(a.box[2:], b.box[2:]) - np.maximum(a.box[:2], b.box[:2]), 0).prod()
    return float(common / max(min((t.box[2:] - t.box[:2]).prod() for t in (a, b)), 1e-6))


def seen_part(look: TileLook) -> Polygon:
    """The visible part of a tile in plane mm, its largest piece; empty where nothing of it is seen."""
    points = contour_mm(look, SEEN, count=48)
    return Polygon(points).buffer(0) if len(points) else Polygon()


def _overlap(a: Polygon, b: Polygon) -> float:
    """Share of the smaller of two areas that lies in the other."""
    return float(a.intersection(b).area / max(min(a.area, b.area), 1.0))


def plane_of(tiles: Sequence[Thing], size: tuple[int, int]) -> Plane:
    """The plane of the tiles' faces from what the detector found: boxes of the rounds, rough masks of the others."""
    blobs = []
    for tile in tiles:
        outline = tile.outline()
        blob = rectify.blob_of(outline, tile.cls, _wholeness(outline) * tile.confidence)
        if blob is not None:
            blobs.append(rectify.boxed(blob, tile.box) if tile.cls == "round" else blob)
    return rectify.fit_plane(blobs, size)


def closer_plane(looks: Sequence[TileLook], edges: Sequence[Edge], plane: Plane, size: tuple[int, int]) -> Plane:
    """The plane from the edges that were drawn in crops of a first plane; tiles that lie open count."""
    to_px, blobs = np.linalg.inv(plane.to_mm), []
    for look, edge in zip(looks, edges, strict=True):
        if len(edge.points) and look.shapes[4] < 0.5:
            outline = cv2.perspectiveTransform(edge.points[None], to_px)[0].astype(np.float32)
            weight = float(np.clip((edge.open_share - 0.75) / 0.2, 0.02, 1.0))
            blob = rectify.blob_of(outline, SHAPES[int(look.shapes[:4].argmax())], weight)
            blobs += [] if blob is None else [blob]
    return rectify.fit_plane(blobs, size) if len(blobs) >= 3 else plane


def centers_mm(tiles: Sequence[Thing], plane: Plane) -> Floats:
    """Middles (n, 2) mm of the tiles' boxes."""
    if not tiles:
        return np.zeros((0, 2))
    middles = np.stack([(tile.box[:2] + tile.box[2:]) / 2 for tile in tiles]).astype(float)
    return np.asarray(cv2.perspectiveTransform(middles[None], plane.to_mm)[0])


def _px_middle(tiles: Sequence[Thing]) -> Floats:
    return np.mean([(t.box[:2] + t.box[2:]) / 2 for t in tiles], axis=0) if tiles else np.zeros(2)


def _wholeness(outline: npt.NDArray[np.float32]) -> float:
    """1 for a convex outline, less for one with a bite taken out of it."""
    if len(outline) < 3:
        return 0.0
    area, hull = cv2.contourArea(outline), cv2.contourArea(cv2.convexHull(outline))
    return float(np.clip((area / max(hull, 1.0) - 0.8) / 0.15, 0.05, 1.0))

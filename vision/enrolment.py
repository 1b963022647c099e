"""Enrolment: the tiles of a copy laid out on a photo, found, put in rows, and turned into faces.

Tiles of an enrolment photo lie apart, on any ground, in rows as a page is read. Where the detector sees one tile as two
(a rose of meat as two rounds), the outlines overlap, and what overlaps is one tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from shapely import Polygon

from scoring.charcuterie.catalogue import KINDS
from scoring.geometry import near_pairs
from vision.contours import drawn_closer
from vision.crops import CROP_MM, CROP_PX, FULL, HINT_BOX, SHAPES, TileLook, contour_mm, projected
from vision.curves import filled, normals
from vision.detector import Thing, frame
from vision.detector import look as look_once
from vision.errors import EnrolmentPhotoError
from vision.faces import DESCRIPTOR, FACE_MM, FACE_PX, Art, Face, Floats32, Pixels
from vision.identify import KIND_IDS
from vision.image import Photo
from vision.looking import Forward, look_closely
from vision.outlines import middle
from vision.picture import Picture
from vision.rectify import GENERIC_AREA_MM2, Plane
from vision.settings import load_section

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EnrolmentSettings:
    """Thresholds of an enrolment; reasons stand in `settings.toml`."""

    min_confidence: float
    sure_confidence: float
    max_tilt_deg: float
    max_edge_mm: float
    row_gap_mm: float
    apart_mm: float
    min_contrast: float


@dataclass(frozen=True, slots=True)
class SheetTile:
    """One tile of an enrolment photo.

    `row` counts from 0; `picture` and `outline` are those of its face; `outline_px` (n, 2) is its outline on the photo;
    `suggestions` are kinds of its shape, likeliest first.
    """

    row: int
    shape: str
    picture: Pixels
    outline: Floats
    outline_px: Floats
    descriptor: Floats32
    suggestions: tuple[str, ...]

    def face(self, kind: str, source: str) -> Face:
        """The face that this tile shows, if it is of `kind`."""
        return Face(kind, self.picture, self.outline, self.descriptor, source)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What lies on an enrolment photo: its tiles row by row, as a page is read."""

    tiles: tuple[SheetTile, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """Number of tiles in each row."""
        return tuple(int(n) for n in np.bincount([t.row for t in self.tiles])) if self.tiles else ()


def read_sheet(photo: Photo, detector: Forward, tilenet: Forward) -> Sheet:
    """Find the tiles of an enrolment photo.

    Raises EnrolmentPhotoError where there are none, where the photo is blurred, or taken too much from the side.
    """
    settings = load_section("enrolment", EnrolmentSettings)
    picture = Picture(photo.rgb)
    things = _find(picture, detector, settings)
    if not things:
        raise EnrolmentPhotoError("no tile was found on it. Lay the tiles apart on a plain ground, all in view")
    plane, looks, _ = look_closely(picture, things, tilenet)
    plane, looks, _ = look_closely(picture, _one_each(looks, settings.apart_mm), tilenet)
    contours = [(look, _contour(look, plane)) for look in looks if _is_tile(look, settings)]
    contours = [(look, contour) for look, contour in contours if len(contour)]
    _check_tilt(plane, photo, settings.max_tilt_deg)
    centers, pictures, outlines = _faces(photo.rgb, plane, [contour for _, contour in contours])
    _check_sharpness(pictures, outlines, settings.max_edge_mm)
    descriptors = describe(pictures, outlines, tilenet)
    to_px = np.linalg.inv(plane.to_mm)
    tiles = []
    for row, i in in_rows(centers, settings.row_gap_mm):
        look = contours[i][0]
        outline_px = cv2.perspectiveTransform((outlines[i] + centers[i])[None], to_px)[0] / photo.scale
        shape = SHAPES[int(look.shapes[:4].argmax())]
        tiles.append(
            SheetTile(row, shape, pictures[i], outlines[i], outline_px, descriptors[i], _suggestions(look, shape))
        )
    return Sheet(tuple(tiles))


def _faces(image: Pixels, plane: Plane, contours: Sequence[Floats]) -> tuple[Floats, list[Pixels], list[Floats]]:
    """Middles (n, 2) mm, pictures, and outlines about the middles of the tiles, drawn closer than the contours."""
    centers = [middle(contour) for contour in contours]
    rough = [face_picture(image, plane.to_mm, center) for center in centers]
    closer = drawn_closer(rough, [contour - center for contour, center in zip(contours, centers, strict=True)])
    outlines = [outline - middle(outline) for outline in closer]
    at = np.array([c + middle(o) for c, o in zip(centers, closer, strict=True)]).reshape(-1, 2)
    return at, [face_picture(image, plane.to_mm, center) for center in at], outlines


def describe(pictures: Sequence[Pixels], outlines: Sequence[Floats], tilenet: Forward) -> Floats32:
    """Descriptors (n, 96) of faces from their pictures and outlines: the mean over four quarter turns."""
    if not pictures:
        return np.zeros((0, DESCRIPTOR), np.float32)
    batch = np.stack([_crop(picture, outline) for picture, outline in zip(pictures, outlines, strict=True)])
    turned = sum(tilenet(np.ascontiguousarray(np.rot90(batch, k, axes=(2, 3))))[1] for k in range(4))
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True), np.float32)


def described(art: Art, tilenet: Forward) -> Art:
    """The art with its faces described anew, as another tile network sees them; outlines as in the pictures."""
    found = describe([f.picture for f in art.faces], [f.outline for f in art.faces], tilenet)
    faces = tuple(replace(face, descriptor=seen) for face, seen in zip(art.faces, found, strict=True))
    return replace(art, faces=faces)


def _crop(picture: Pixels, outline: Floats) -> Floats32:
    """What the tile network is shown of a face: its picture and the box of its outline, (4, 128, 128)."""
    small = cv2.resize(picture, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    low, high = (np.array([outline.min(0), outline.max(0)]) + CROP_MM / 2) * (CROP_PX / CROP_MM)
    hint = np.zeros((CROP_PX, CROP_PX), np.uint8)
    hint[max(0, round(low[1])) : round(high[1]), max(0, round(low[0])) : round(high[0])] = HINT_BOX
    return np.concatenate([small.transpose(2, 0, 1), hint[None]]).astype(np.float32) / np.float32(255)


def _find(picture: Picture, detector: Forward, settings: EnrolmentSettings) -> list[Thing]:
    """Tiles of the photo, looked at again more closely around those that are sure."""
    size = np.array(picture.size, float)
    tiles = _tiles(picture, frame(np.zeros(2), size, fill=1.0), detector, settings)
    sure = [t.box for t in tiles if t.confidence >= settings.sure_confidence]
    if not sure:
        return tiles
    boxes = np.stack(sure).astype(float)
    low, high = boxes[:, :2].min(0), boxes[:, 2:].max(0)
    margin = 0.1 * (high - low).max()
    closer = _tiles(picture, frame(low - margin, high + margin), detector, settings)
    return closer if len(closer) >= len(sure) else tiles


def _tiles(picture: Picture, framing: Floats, detector: Forward, settings: EnrolmentSettings) -> list[Thing]:
    things = look_once(picture, framing, detector, confidence=settings.min_confidence)
    limit = np.array(picture.size) - 1
    # What the photo's edge cuts off cannot be learned, and is mostly something else on the table.
    return [t for t in things if t.cls in SHAPES and (t.box[:2] > 1).all() and (t.box[2:] < limit - 1).all()]


def _is_tile(look: TileLook, settings: EnrolmentSettings) -> bool:
    return bool(look.shapes[4] < 0.5 or look.thing.confidence >= settings.sure_confidence)


def _one_each(looks: Sequence[TileLook], apart_mm: float) -> list[Thing]:
    """One thing for each tile."""
    whole = [GENERIC_AREA_MM2[look.thing.cls] for look in looks]
    tiles = finds_of_tiles([_outline(look) for look in looks], whole, apart_mm)
    return [_merged([looks[i].thing for i in finds]) for finds in tiles]


def finds_of_tiles(outlines: Sequence[Polygon], whole_mm2: Sequence[float], apart_mm: float) -> list[tuple[int, ...]]:
    """The finds of each tile, by number: finds that overlap, or together are no larger than a tile, are of one.

    `whole_mm2` are the areas of whole tiles of the finds' shapes. Finds that make up the least together are joined
    first, so that two halves of a tile find each other, and neither the tile beside them.
    """
    groups = [_Group((i,), *find) for i, find in enumerate(zip(outlines, whole_mm2, strict=True))]
    while pairs := [pair for pair in _near(groups, apart_mm) if _same_tile(*pair)]:
        joined = min((_joined(*pair) for pair in pairs), key=lambda group: group.outline.area / group.whole_mm2)
        groups = [group for group in groups if not set(group.finds) & set(joined.finds)] + [joined]
    return sorted(group.finds for group in groups)


@dataclass(frozen=True, slots=True)
class _Group:
    """Finds of one tile, by number, what they cover together, and the area of a whole tile of their shape."""

    finds: tuple[int, ...]
    outline: Polygon
    whole_mm2: float

    @property
    def fragment(self) -> bool:
        return bool(self.outline.area < 0.6 * self.whole_mm2)


def _near(groups: Sequence[_Group], apart_mm: float) -> list[tuple[_Group, _Group]]:
    polygons = np.array([group.outline for group in groups], dtype=object)
    return [(groups[i], groups[j]) for i, j in near_pairs(polygons, within_mm=apart_mm)]


def _same_tile(a: _Group, b: _Group) -> bool:
    common = a.outline.intersection(b.outline).area
    halves = a.outline.area + b.outline.area - common < 1.25 * max(a.whole_mm2, b.whole_mm2)
    return bool(a.fragment or b.fragment or halves or common > 0.2 * min(a.outline.area, b.outline.area))


def _joined(a: _Group, b: _Group) -> _Group:
    whole_mm2 = max(a.whole_mm2, b.whole_mm2)
    return _Group(tuple(sorted(a.finds + b.finds)), a.outline.union(b.outline), whole_mm2)


def _contour(look: TileLook, plane: Plane) -> Floats:
    """The outline (n, 2) mm of a tile lying alone; the detector's, where the one drawn fills too little of its box."""
    drawn, rough = contour_mm(look, FULL), look.thing.outline()
    box = look.thing.box.astype(float)
    if len(drawn) == 0 or len(rough) < 8:
        return drawn
    on_photo = projected(drawn, np.asarray(np.linalg.inv(plane.to_mm), np.float64))
    filled = np.ptp(on_photo, axis=0) / np.maximum(box[2:] - box[:2], 1.0)
    return drawn if filled.min() > _FILLED else projected(rough, plane.to_mm)


_FILLED = 0.8
"""Share of the detector's box, across and down, that the outline of a tile lying alone fills at least."""


def _outline(look: TileLook) -> Polygon:
    contour = contour_mm(look, FULL)
    return Polygon(contour).buffer(0) if len(contour) else Polygon()


def _merged(things: Sequence[Thing]) -> Thing:
    first = max(things, key=lambda t: t.confidence)
    boxes = np.stack([t.box for t in things])
    box = np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])
    cls = first.cls if len(things) == 1 else "cluster"
    return replace(first, cls=cls, box=box, mask=np.max([t.mask for t in things], axis=0))


def _suggestions(look: TileLook, shape: str) -> tuple[str, ...]:
    order = [KIND_IDS[i] for i in np.argsort(-look.kinds)]
    return tuple(sorted(order, key=lambda kind: KINDS[kind].shape != shape))


def face_picture(image: Pixels, to_mm: Floats, center: Floats) -> Pixels:
    """The picture of a face whose middle is at `center` mm; `to_mm` (3, 3) maps photo px to mm.

    Drawn at twice its size and averaged, since a photo may show more detail.
    """
    scale, side = 2 * FACE_PX / FACE_MM, 2 * FACE_PX
    to_picture = np.array([[scale, 0, 0.0], [0, scale, 0.0], [0, 0, 1.0]])
    to_picture[:2, 2] = side / 2 - 0.5 - scale * center
    large = cv2.warpPerspective(image, to_picture @ to_mm, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def is_faint(face: Face) -> bool:
    """Whether a face hardly shows its print, as where a lamp is mirrored in it."""
    return print_contrast(face.picture, face.outline) < load_section("enrolment", EnrolmentSettings).min_contrast


def print_contrast(picture: Pixels, outline: Floats) -> float:
    """How much the print of a face varies within a few millimetres, as a share of its lightness; its rim left out."""
    inner = filled((outline * _INNER + FACE_MM / 2) * (FACE_PX / FACE_MM) - 0.5, picture.shape[:2]) > 0
    light = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    detail = light - cv2.GaussianBlur(light, (0, 0), _DETAIL_MM * FACE_PX / FACE_MM)
    return float(detail[inner].std() / max(light[inner].mean(), 1.0)) if inner.any() else 0.0


_INNER = 0.85
"""An outline shrunk to this leaves out the rim, which shows the edge of the cardboard."""
_DETAIL_MM = 1.7
"""Light and shadow vary more slowly than this."""


def in_rows(centers: Floats, row_gap_mm: float) -> list[tuple[int, int]]:
    """(row, index) of points (n, 2) mm as a page is read, for a page turned by up to 35 degrees either way.

    Of all turns the one counts that leaves few rows with their tiles near to a line.
    """
    best: tuple[float, list[tuple[int, int]]] = (np.inf, [])
    for degrees in np.arange(-35.0, 35.5):
        angle = np.radians(degrees)
        x = centers @ np.array([np.cos(angle), np.sin(angle)])
        y = centers @ np.array([-np.sin(angle), np.cos(angle)])
        order = np.argsort(y)
        row = np.cumsum(np.diff(y[order], prepend=y[order][:1]) > row_gap_mm)
        spread = np.sqrt(np.mean([np.var(y[order[row == r]]) for r in np.unique(row)])) if len(y) else 0.0
        cost = float(spread + row.max(initial=0) + 0.02 * abs(degrees))
        if cost < best[0]:
            best = (
                cost,
                [(r, i) for r, _, i in sorted(zip(row.tolist(), x[order].tolist(), order.tolist(), strict=True))],
            )
    return best[1]


def _check_tilt(plane: Plane, photo: Photo, max_tilt_deg: float) -> None:
    """Squares near the middle are foreshortened by the cosine of the tilt."""
    h, w = photo.rgb.shape[:2]
    corners = np.array([[w / 2, h / 2], [w / 2 + 4, h / 2], [w / 2, h / 2 + 4]])
    o, a, b = cv2.perspectiveTransform(corners[None], plane.to_mm)[0]
    wide, narrow = np.linalg.svd(np.stack([a - o, b - o]), compute_uv=False)
    tilt = float(np.degrees(np.arccos(np.clip(narrow / wide, 0, 1))))
    if tilt > max_tilt_deg:
        raise EnrolmentPhotoError(
            f"it was taken at {tilt:.0f} degrees from straight above; the limit is {max_tilt_deg:.0f}. "
            "Hold the phone over the middle of the tiles"
        )


def _check_sharpness(pictures: Sequence[Pixels], outlines: Sequence[Floats], max_edge_mm: float) -> None:
    widths = [w for p, o in zip(pictures, outlines, strict=True) if (w := edge_width_mm(p, o)) is not None]
    if widths and (width := float(np.median(widths))) > max_edge_mm:
        raise EnrolmentPhotoError(
            f"it is blurred: edges are {width:.1f} mm wide; the limit is {max_edge_mm:.1f}. "
            "Take it again in better light, without moving"
        )


def edge_width_mm(picture: Pixels, outline: Floats) -> float | None:
    """Width of a face's edge: its contrast over its steepest slope, the median around it; None without contrast."""
    step = FACE_MM / FACE_PX
    offsets = np.arange(-3.0, 3.0 + step, step)
    points = (outline[:, None] + offsets[None, :, None] * normals(outline)[:, None] + FACE_MM / 2) / step - 0.5
    light = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    across = cv2.remap(light, *np.moveaxis(points.astype(np.float32), 2, 0), cv2.INTER_LINEAR)
    contrast, slope = np.ptp(across, axis=1), np.abs(np.diff(across, axis=1)).max(1)
    seen = contrast > 25
    return float(np.median(contrast[seen] / slope[seen]) * step) if seen.sum() > 8 else None

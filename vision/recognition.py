"""Which kind each tile is when the player's own art is known: faces and tiles compared, the whole board at once.

Any tile may also show none of the faces: an object of another game, a coin, a cracker to eat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.alignment import Alignment, align
from vision.colours import RingColours, colour_costs, ring_colours
from vision.crops import CROP_MM, CROP_PX, FULL, HINT_BOX, SEEN, TileLook
from vision.curves import filled
from vision.faces import FACE_MM, FACE_PX, Art, Face, Pixels
from vision.identify import KIND_IDS, Identity, ranked, shape_log_odds, within_copies
from vision.looking import Forward
from vision.outlines import Edge
from vision.prints import prints_of
from vision.settings import load_section

Floats = npt.NDArray[np.float64]

_MISSING = 0.1
"""A tile of a kind without a face is rarer than a thing that is no tile: by this much cosine."""


@dataclass(frozen=True, slots=True)
class RecognitionSettings:
    """How much a resemblance says; reasons stand in `settings.toml`."""

    sharpness: float
    none_cosine: float
    opinion_weight: float
    shape_weight: float
    colour_weight: float
    print_weight: float
    min_tried: float
    none_evidence: float
    max_tried: int


def recognise(
    looks: Sequence[TileLook], edges: Sequence[Edge], art: Art
) -> tuple[list[Identity], list[Alignment | None]]:
    """Identify all tiles of a board laid with tiles of `art`, and lay the prints of their kinds onto them.

    A kind that the art lacks counts as a face that resembles the tile by a little less than `none_cosine`; a tile of
    such a kind has no alignment.
    """
    if not looks:
        return [], []
    settings = load_section("recognition", RecognitionSettings)
    cosine = _cosines(np.stack([look.embedding for look in looks]), art, settings.none_cosine - _MISSING)
    opinion = np.log(np.stack([look.kinds for look in looks]) + 1e-3)
    log_p = settings.sharpness * cosine + settings.opinion_weight * opinion
    log_p += settings.shape_weight * shape_log_odds(looks)
    log_p -= settings.colour_weight * _colour_costs(looks, art, log_p)
    laid = _lay_prints(looks, edges, art, within_copies(log_p), settings)
    for (tile, kind), alignment in laid.items():
        log_p[tile, KIND_IDS.index(kind)] += settings.print_weight * alignment.evidence
    log_p = within_copies(log_p)
    none = settings.sharpness * settings.none_cosine + settings.opinion_weight * opinion.max(1)
    none += settings.print_weight * settings.none_evidence
    whole = np.exp(np.concatenate([log_p, none[:, None]], 1) - np.maximum(log_p.max(1), none)[:, None])
    whole /= whole.sum(1, keepdims=True)
    identities = [ranked(row[:-1], none=float(row[-1])) for row in whole]
    return identities, [laid.get((i, identity.kinds[0])) for i, identity in enumerate(identities)]


def _lay_prints(
    looks: Sequence[TileLook], edges: Sequence[Edge], art: Art, log_p: Floats, settings: RecognitionSettings
) -> dict[tuple[int, str], Alignment]:
    """The prints of the likely kinds laid onto each tile, by tile and kind; the better one of two faces of a kind."""
    p = np.exp(log_p - log_p.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    prints = prints_of(art)
    wanted = []
    for tile, row in enumerate(p):
        tried = [KIND_IDS[k] for k in np.argsort(-row)[: settings.max_tried] if row[k] >= settings.min_tried]
        wanted += [(tile, print_) for print_ in prints if print_.kind in tried]
    out: dict[tuple[int, str], Alignment] = {}
    for (tile, _), alignment in zip(wanted, align(looks, edges, wanted), strict=True):
        key = tile, alignment.print.kind
        if key not in out or alignment.evidence > out[key].evidence:
            out[key] = alignment
    return out


def _cosines(embeddings: npt.NDArray[np.float32], art: Art, missing: float) -> Floats:
    """Best cosine (tiles, 27) of each tile with the faces of each kind; `missing` where there is no face."""
    out = np.full((len(embeddings), len(KIND_IDS)), missing)
    for kind in art.kinds:
        faces = np.stack([face.descriptor for face in art.of_kind(kind)])
        out[:, KIND_IDS.index(kind)] = (embeddings @ faces.T).max(1)
    return out


def _colour_costs(looks: Sequence[TileLook], art: Art, log_p: Floats) -> Floats:
    """How badly (tiles, 27) the colours of each tile fit its best face of each kind; 0 for a kind without a face."""
    out = np.zeros_like(log_p)
    tiles = [
        ring_colours(look.pixels, look.masks[FULL], look.masks[SEEN], CROP_PX / CROP_MM)
        for look in looks
        if look.pixels is not None
    ]
    if len(tiles) < len(looks) or not art.faces:
        return out
    faces = colours_of(art)
    column = np.array([KIND_IDS.index(face.kind) for face in art.faces])
    for _ in range(2):
        costs = colour_costs(tiles, faces, (log_p - out)[:, column].argmax(1))
        for kind in art.kinds:
            index = KIND_IDS.index(kind)
            out[:, index] = costs[:, column == index].min(1)
    return out


@lru_cache(maxsize=6)
def colours_of(art: Art) -> tuple[RingColours, ...]:
    """The colours of an art's faces, in order."""
    return tuple(face_colours(face) for face in art.faces)


def face_colours(face: Face) -> RingColours:
    """The colours of a face, as a tile that lies open shows them."""
    inside = filled((face.outline + FACE_MM / 2) * (FACE_PX / FACE_MM) - 0.5, (FACE_PX, FACE_PX))
    small = cv2.resize(inside * 255, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA) / 255.0
    pixels = cv2.resize(face.picture, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return ring_colours(pixels, small, small, CROP_PX / CROP_MM)


def confusions(art: Art, tilenet: Forward, *, views: int = 8, seed: int = 0) -> list[tuple[str, str, float]]:
    """Pairs of kinds (shown, taken for) that are most likely confused, and the share of views in which they were.

    Every face is shown to the network in other light, turned, and partly covered by another face of the art. Pairs come
    most confused first; a pair that was never confused is left out.
    """
    rng = np.random.default_rng(seed)
    faces = [face for face in art.faces for _ in range(views)]
    if not faces:
        return []
    batch = np.stack([_view(face, art.faces[int(rng.integers(len(art.faces)))], rng) for face in faces])
    settings = load_section("recognition", RecognitionSettings)
    parts = [tilenet(part)[1] for part in np.array_split(batch, max(1, len(batch) // 32))]
    taken = _cosines(np.concatenate(parts), art, settings.none_cosine - _MISSING).argmax(1)
    counts: dict[tuple[str, str], int] = {}
    for face, index in zip(faces, taken, strict=True):
        if KIND_IDS[index] != face.kind:
            counts[face.kind, KIND_IDS[index]] = counts.get((face.kind, KIND_IDS[index]), 0) + 1
    shown = {kind: views * len(art.of_kind(kind)) for kind in art.kinds}
    shares = [(a, b, count / shown[a]) for (a, b), count in counts.items()]
    return sorted(shares, key=lambda item: (-item[2], item[0], item[1]))


def _view(face: Face, other: Face, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A face as a board may show it, (4, 128, 128): turned, in other light, up to half covered by another."""
    canvas = face.picture.copy()
    if rng.random() < 0.6:
        away = rng.uniform(22, 34) * np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)])
        canvas = _pasted(canvas, other, away)
    turn = cv2.getRotationMatrix2D((FACE_PX / 2 - 0.5,) * 2, float(rng.uniform(0, 360)), CROP_PX / FACE_PX)
    turn[:, 2] += CROP_PX / 2 - FACE_PX / 2
    small = cv2.warpAffine(
        cv2.GaussianBlur(canvas, (0, 0), 0.9), turn, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE
    )
    light = np.clip(255 * (small / 255.0) ** np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.15, 3)), 0, 255)
    reach = np.linalg.norm(face.outline, axis=1).max() * CROP_PX / CROP_MM * 0.9
    hint = np.zeros((CROP_PX, CROP_PX))
    low, high = int(max(0, CROP_PX / 2 - reach)), int(CROP_PX / 2 + reach)
    hint[low:high, low:high] = HINT_BOX
    return np.concatenate([light.transpose(2, 0, 1), hint[None]]).astype(np.float32) / np.float32(255)


def _pasted(canvas: Pixels, other: Face, away_mm: Floats) -> Pixels:
    """A picture with another face laid over it at a distance."""
    scale = FACE_PX / FACE_MM
    mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
    cv2.fillPoly(mask, [np.round((other.outline + FACE_MM / 2) * scale).astype(np.int32)], 255)
    shift = np.array([[1, 0, away_mm[0] * scale], [0, 1, away_mm[1] * scale]])
    mask, picture = (cv2.warpAffine(layer, shift, (FACE_PX, FACE_PX)) for layer in (mask, other.picture))
    return np.where(mask[:, :, None] > 127, picture, canvas)

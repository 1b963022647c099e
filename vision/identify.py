"""Which kind each tile is: faces compared with the arts that are known, the whole board at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoring.charcuterie.catalogue import KINDS
from vision.crops import SHAPES, TileLook

Floats = npt.NDArray[np.float64]

KIND_IDS = tuple(KINDS)
_SHAPE_OF = np.array([SHAPES.index(KINDS[k].shape) for k in KIND_IDS])


@dataclass(frozen=True, slots=True)
class KnownArts:
    """Descriptors of faces by art: `faces` (arts, 27, 96), unit length, zero where an art lacks a kind."""

    names: tuple[str, ...]
    faces: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Identity:
    """Kinds of one tile by probability: ids, most probable first, with their probabilities.

    `none` is the probability that it shows none of the faces of a known art.
    """

    kinds: tuple[str, ...]
    probabilities: tuple[float, ...]
    none: float = 0.0


def identify(
    looks: Sequence[TileLook], arts: KnownArts | None, *, sharpness: float, art_cosine: float
) -> tuple[list[Identity], str | None]:
    """Identify all tiles of a board, and name the art that they are of, if it is a known one.

    All tiles of a board are of one art. If an art is found whose faces resemble the tiles' by `art_cosine` or more on
    average, its faces decide together with the network's own opinion; else that opinion alone.
    """
    if not looks:
        return [], None
    log_p = np.log(np.stack([look.kinds for look in looks]) + 1e-6) + shape_log_odds(looks)
    art = None
    if arts is not None and len(arts.names):
        descriptors = np.stack([look.embedding for look in looks])
        cosine = np.einsum("td,akd->atk", descriptors, arts.faces)
        fit = cosine.max(2).mean(1)
        best = int(fit.argmax())
        if fit[best] >= art_cosine:
            art = arts.names[best]
            log_p = log_p + sharpness * cosine[best]
    log_p = within_copies(log_p)
    p = np.exp(log_p - log_p.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    return [ranked(row) for row in p], art


def shape_log_odds(looks: Sequence[TileLook]) -> Floats:
    """How well each kind's shape (tiles, 27) fits the shape that each tile is seen to have."""
    shape = np.stack([look.shapes for look in looks])
    return np.asarray(np.log(shape[:, _SHAPE_OF] + 1e-3))


def ranked(p: Floats, *, none: float = 0.0) -> Identity:
    """Probabilities (27,) as kinds, most probable first."""
    order = np.argsort(-p)
    return Identity(tuple(KIND_IDS[k] for k in order), tuple(float(p[k]) for k in order), none)


def within_copies(log_p: Floats) -> Floats:
    """Lower the price of a kind named more often than the box holds it, until each board could exist (an auction).

    `log_p` (tiles, 27). A tile nearly as well another kind gives way first; a board that shows too many of a kind
    beyond doubt keeps them, and the count check reports it.
    """
    copies = np.array([KINDS[k].copies for k in KIND_IDS])
    price = np.zeros(len(KIND_IDS))
    for _ in range(60):
        named = (log_p - price).argmax(1)
        excess = np.bincount(named, minlength=len(KIND_IDS)) > copies
        if not excess.any() or price.max() > 6.0:
            break
        price[excess] += 0.25
    return np.asarray(log_p - price) if price.max() <= 6.0 else log_p

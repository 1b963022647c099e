"""The colours of a tile from its rim to its middle, which light changes in two ways only.

The colour of the light is the same for all tiles of a photo; how bright it is may differ from tile to tile. So colours
are compared as logarithms, after the shift that the whole board shares and the brightness of each tile are taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RIM_MM = (3.0, 8.0)
"""Ends of the rim and of what lies between rim and middle, from the tile's edge inwards."""
_DARK = 0.03
"""Added before the logarithm: noise and glare drown what is darker."""


@dataclass(frozen=True, slots=True)
class RingColours:
    """Mean log colours (3, 3: rim, between, middle; R, G, B) of what is seen, and the share (3,) of each ring seen."""

    logs: Floats
    seen: Floats


def ring_colours(pixels: npt.NDArray[np.float32], full: Floats, seen: Floats, px_per_mm: float) -> RingColours:
    """Colours of a tile in a picture (h, w, 3) of 0..1, given probabilities (h, w) of its outline and visible part."""
    depth = cv2.distanceTransform((full > 0.5).astype(np.uint8), cv2.DIST_L2, 3) / px_per_mm
    ring = np.digitize(depth, (0.8, *RIM_MM)) - 1  # the outermost 0.8 mm mix with the ground
    shown = seen > 0.6
    logs, share = np.zeros((3, 3)), np.zeros(3)
    for k in range(3):
        here = shown & (ring == k)
        if (count := int(here.sum())) > 12:
            logs[k] = np.log(pixels[here] + _DARK).mean(0)
            share[k] = count / max(1, int((ring == k).sum()))
    return RingColours(logs, share)


def colour_costs(tiles: Sequence[RingColours], faces: Sequence[RingColours], likely: npt.NDArray[np.int_]) -> Floats:
    """How badly (tiles, faces) the colours of tiles fit those of faces, 0 for a perfect fit.

    `likely` (tiles,) is each tile's most likely face so far: together they tell the colour of the light.
    """
    p, q = np.stack([t.logs for t in tiles]), np.stack([f.logs for f in faces])
    weight = np.minimum(np.stack([t.seen for t in tiles])[:, None], np.stack([f.seen for f in faces])[None])
    total = np.maximum(weight.sum(2), 1e-6)
    apart = p[:, None] - q[None]
    shift = (apart * weight[..., None]).sum(2) / total[..., None]
    light = np.median(shift[np.arange(len(tiles)), likely], axis=0)
    apart = apart - light
    bright = (apart.mean(3) * weight).sum(2) / total * _FREE
    rest = (apart - bright[:, :, None, None]) / _SPREAD
    fit = (np.log1p(rest**2).mean(3) * weight).sum(2)
    return np.asarray(fit + 0.5 * (bright / _BRIGHTNESS) ** 2)


_SPREAD = 0.12
"""Log units by which a ring's colour differs between two photos of one face, light taken out."""
_BRIGHTNESS = 0.45
"""Log units by which the brightness of tiles differs on a board, shadows and glare included."""
_FREE = 0.95

"""A quick art for tests: flat colours, true shapes."""

from __future__ import annotations

from functools import cache

import numpy as np
import shapely

from datasets.synth.scene import Art, Face, Polygon
from scoring.charcuterie.catalogue import KINDS


@cache
def dummy_art() -> Art:
    rng = np.random.default_rng(3)
    return Art("dummy", "dummy", 0, {kind: (_face(kind, rng),) for kind in KINDS})


def _face(kind: str, rng: np.random.Generator) -> Face:
    outline = _outline(KINDS[kind].shape, rng)
    low, span = outline.min(axis=0) - 1.0, np.ptp(outline, axis=0) + 2.0
    picture = np.full((int(span[1] * 5) + 1, int(span[0] * 5) + 1, 4), 255, np.uint8)
    picture[:, :, :3] = rng.integers(40, 250, 3)
    return Face(kind, outline, picture, 5.0, (float(low[0]), float(low[1])))


def _outline(shape: str, rng: np.random.Generator) -> Polygon:
    if shape == "round":
        body = shapely.Point(0, 0).buffer(18.5, quad_segs=18)
    elif shape == "square":
        body = shapely.box(-15.5, -15.5, 15.5, 15.5).buffer(1.75)
    elif shape == "wedge":
        t = np.radians(np.linspace(-27.5, 27.5, 24))
        body = shapely.Polygon([(0, 0), *zip(40 * np.cos(t), 40 * np.sin(t), strict=True)])
    else:
        body = shapely.union_all(
            [shapely.Point(0, 0).buffer(12), *(shapely.Point(*rng.uniform(-9, 9, 2)).buffer(9) for _ in range(5))]
        )
    points = np.asarray(shapely.segmentize(body.simplify(0.02), 3.0).exterior.coords)[:-1]
    middle: Polygon = points - np.asarray(shapely.Polygon(points).centroid.coords[0])
    return middle

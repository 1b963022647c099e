"""How tiles come to rest."""

import numpy as np
import shapely
from shapely import Point

from datasets.synth.resting import rest_all


def test_three_tiles_in_a_ring_are_not_lifted_off_the_board() -> None:
    middles = {"a": (0, 0), "b": (30, 0), "c": (15, 26)}
    shapes = {name: Point(at).buffer(18.5) for name, at in middles.items()}
    footprints = {name: shapely.get_coordinates(shape)[:-1] for name, shape in shapes.items()}
    planes = rest_all(footprints, shapes, [("a", "b"), ("b", "c"), ("c", "a")], thickness_mm=2.0)
    for name, plane in planes.items():
        heights = plane.at(footprints[name])
        assert np.isclose(heights.min(), 0.0, atol=0.01)
        assert heights.max() < 4.0

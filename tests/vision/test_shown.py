"""Where a tile shows its own print, and where something else is seen there."""

import numpy as np
import pytest
import shapely

from tests.vision.drawn import rounded
from tests.vision.printed import Floats32, Light, art_of, look_at, lying, printed
from vision.alignment import align
from vision.outlines import edge_of
from vision.prints import prints_of
from vision.shown import Shown
from vision.stacking import grid_points

SALAMI = printed("salami", seed=0)
PRINTS = prints_of(art_of(SALAMI))


def lamp(pixels: Floats32) -> Floats32:
    """Warm, dim and of another contrast."""
    return np.asarray(pixels**1.5 * np.array([0.9, 0.6, 0.4], np.float32) + 0.02, np.float32)


@pytest.mark.parametrize("light", [None, lamp])
@pytest.mark.parametrize("size", [1.0, 0.97])
def test_a_print_misfits_where_something_else_lies_over_it_and_only_there(size: float, light: Light | None) -> None:
    pose = (12.0, 30.0, 160.0)
    over = rounded(31.0, 34.0, side=36.0, turn_deg=20.0)
    look = look_at((SALAMI, pose, size), covered_by=[over], light=light)
    (laid,) = align([look], [edge_of(look)], [(0, PRINTS[0])])
    points = grid_points(lying(SALAMI, pose, size).buffer(-2), 2.0)
    seen = shapely.distance(over, shapely.points(points)) > 1.0
    hidden = shapely.contains_xy(over.buffer(-1.0), points[:, 0], points[:, 1])
    misfit = Shown(look, laid).misfit(points)
    assert np.median(misfit[hidden]) > 10 * np.median(misfit[seen])
    assert np.quantile(misfit[seen], 0.9) < 0.5
    assert np.quantile(misfit[hidden], 0.1) > 1.0

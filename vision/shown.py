"""Where a print is what is seen, and where something lies over it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.alignment import Alignment
from vision.crops import SEEN, TileLook, looked_up, projected
from vision.curves import turns
from vision.outlines import placed
from vision.search import EVEN

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shown:
    """A print as a look shows it: tells where the print is what is seen, and where something else is."""

    look: TileLook
    laid: Alignment

    def misfit(self, points: Floats) -> Floats:
        """Squared difference (n,) of the colours seen and printed at points (n, 2) plane mm, in the print's spreads."""
        fine = self.laid.print.levels[-1]
        (turn,) = turns(self.laid.pose[2:])
        seen, weight = self._seen(placed(np.asarray(fine.where * self.laid.size, np.float64), self.laid.pose))
        there = (points - self.laid.pose[:2]) @ turn / self.laid.size
        nearest = (((there**2).sum(1)[:, None] - 2 * there @ fine.where.T) + (fine.where**2).sum(1)).argmin(1)
        apart = _brought(seen, weight, self._seen(points)[0]) - _brought(fine.colours, weight, fine.colours[nearest])
        return np.asarray((apart**2).sum(1))

    def _seen(self, points: Floats) -> tuple[Floats32, Floats32]:
        """Colours (n, 3) and visibility (n,) at points."""
        px = projected(points, self.look.to_crop).astype(np.float32)
        assert self.look.pixels is not None
        return looked_up(self.look.pixels, px, cv2.BORDER_REPLICATE), self.look.sample(SEEN, points)


def _brought(colours: Floats32, weight: Floats32, other: Floats32) -> Floats32:
    """Other colours (m, 3) less the weighted mean of colours (n, 3), over their spread."""
    mean = (colours * weight[:, None]).sum(0) / (weight.sum() + 1e-6)
    spread = np.sqrt((((colours - mean) ** 2) * weight[:, None]).sum() / (weight.sum() + 1e-6))
    return np.asarray((other - mean) / max(float(spread), EVEN), np.float32)

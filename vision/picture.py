"""A photo's pixels and their halves: a small cut is taken from the half that is not far larger."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

GREY = (114, 114, 114)
"""What lies beyond the photo, as the networks know it."""
_SHARPER = 1.1
"""A cut takes at most twice this many px of what it is cut from for one of its own: with more, detail would flicker."""


class Picture:
    """The pixels of a photo (h, w, 3) RGB, halved as often as cuts ask for it; each half is made once."""

    __slots__ = ("_halves",)

    def __init__(self, rgb: Pixels) -> None:
        self._halves = [rgb]

    @property
    def rgb(self) -> Pixels:
        """The pixels as they came, (h, w, 3)."""
        return self._halves[0]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.rgb.shape[1], self.rgb.shape[0]

    def cut(self, to_cut: Floats, size: tuple[int, int], *, beyond: tuple[int, int, int] = GREY) -> Pixels:
        """What a homography (3, 3) from photo px to cut px shows in `size` (width, height): (height, width, 3)."""
        source, to_source = self._half(_px_each(to_cut, size))
        shown = cv2.warpPerspective(
            source, to_cut @ np.linalg.inv(to_source), size, flags=cv2.INTER_LINEAR, borderValue=beyond
        )
        return np.asarray(shown, np.uint8)

    def _half(self, px_each: float) -> tuple[Pixels, Floats]:
        """The half for cuts that take `px_each` photo px for one of theirs, and the map (3, 3) from photo px to it."""
        times = int(max(0.0, np.log2(max(px_each, 1e-9) / _SHARPER)))
        while len(self._halves) <= times and min(self._halves[-1].shape[:2]) > 1:
            last = self._halves[-1]
            half = (last.shape[1] // 2, last.shape[0] // 2)
            self._halves.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        chosen = self._halves[min(times, len(self._halves) - 1)]
        sx, sy = chosen.shape[1] / self.size[0], chosen.shape[0] / self.size[1]
        return chosen, np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])


def _px_each(to_cut: Floats, size: tuple[int, int]) -> float:
    """How many photo px lie on one px in the middle of a cut, along a side: the root of the Jacobian's determinant."""
    from_cut = np.linalg.inv(to_cut)
    depth = from_cut[2, 0] * size[0] / 2 + from_cut[2, 1] * size[1] / 2 + from_cut[2, 2]
    return float(np.sqrt(abs(np.linalg.det(from_cut) / depth**3)))

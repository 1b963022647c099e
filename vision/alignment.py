"""Prints laid onto the tiles that show them: where each lies, how large it looks, and how well it fits.

A face that is seen in part fixes the pose of the whole tile, and how well it fits tells whether it is the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX, SEEN, TileLook, projected
from vision.curves import evenly, grown, turns
from vision.outlines import Edge, middle, placed
from vision.prints import Print
from vision.search import AlignmentSettings, Search
from vision.settings import load_section

Floats = npt.NDArray[np.float64]

_SHIFTS_MM = (-4.0, 0.0, 4.0)
_PLACES = 12
"""Places across a crop at which prints are tried where no edge tells where the tile is: every 6 mm."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """A print laid onto a tile.

    `pose` (x, y in plane mm, turn in radians) of the print, as it looks, and its `size` there against the print's own;
    `correlation` of the print with what is seen, -1..1; `evidence` in log-odds that this print is seen rather than
    another; `edge_misfit` in log-odds that the tile's edge, as drawn, is not this outline.
    """

    print: Print
    pose: Floats
    size: float
    correlation: float
    evidence: float
    edge_misfit: float

    def edge(self, drawn: Edge, scale: PrintScale) -> Edge:
        """The edge to go by: the print's outline at a scale, unless the print decides less than the edge drawn."""
        settings = load_section("alignment", AlignmentSettings)
        agrees = self.edge_misfit < settings.max_edge_misfit and drawn.open_share >= settings.open_share
        if self.correlation < (settings.sure_correlation if agrees else settings.min_correlation):
            return drawn
        points = evenly(placed(scale.outline(self.print), self.pose), len(drawn.points))
        return Edge(points, np.ones(len(points)), drawn.open_share)


@dataclass(frozen=True, slots=True)
class PrintScale:
    """How large the copy's outlines are on a photo: their `size` against their own, then `growth_mm` on all sides."""

    size: float = 1.0
    growth_mm: float = 0.0

    def outline(self, print_: Print) -> Floats:
        """The print's outline (n, 2) mm about its middle, as it looks on the photo."""
        return grown(print_.template.outline * self.size, self.growth_mm)


def common_scale(edges: Sequence[Edge], alignments: Sequence[Alignment | None]) -> PrintScale:
    """The scale of a board's outlines, told by the tiles that show their prints well; `edges` are as drawn, in order.

    Outlines may be drawn too small or large, prints are not: these tell the size. But where all tiles that lie open are
    drawn beyond their prints' outlines by the same, enrolment took a margin in the ground's colour for ground.
    """
    settings = load_section("alignment", AlignmentSettings)
    sure = [
        (edge, a)
        for edge, a in zip(edges, alignments, strict=True)
        if a is not None and a.correlation >= settings.sure_correlation
    ]
    if len(sure) < settings.min_sizes:
        return PrintScale()
    size = float(np.median([a.size for _, a in sure]))
    beyond = [_beyond_mm(edge, a, size) for edge, a in sure if edge.open_share >= settings.open_share]
    growth = float(np.median(beyond)) if len(beyond) >= settings.min_sizes else 0.0
    return PrintScale(size, growth if abs(growth) >= settings.min_growth_mm else 0.0)


def _beyond_mm(edge: Edge, alignment: Alignment, size: float) -> float:
    """How far an edge lies beyond its print's outline in the middle."""
    own = (edge.points - alignment.pose[:2]) @ turns(alignment.pose[2:])[0]
    return float(np.median(alignment.print.template.at(own / size)[0]) * size)


def align(looks: Sequence[TileLook], edges: Sequence[Edge], wanted: Sequence[tuple[int, Print]]) -> list[Alignment]:
    """Lay prints onto tiles; `wanted` lists (index of the tile, print) and `edges` belong to the looks, in order.

    Prints are tried about the middle of a tile's edge. Where none fits, the edge may be off: other places too.
    """
    if not wanted:
        return []
    settings = load_section("alignment", AlignmentSettings)
    pairs = Search.of(looks, edges, wanted)
    out = _about_edges(pairs, np.zeros((1, 2)))
    best: dict[int, float] = {}
    for (tile, _), alignment in zip(wanted, out, strict=True):
        best[tile] = max(best.get(tile, 0.0), alignment.evidence - alignment.edge_misfit)
    again = [k for k, (tile, _) in enumerate(wanted) if best[tile] < settings.clear_evidence]
    if again:
        shifts = np.array([(x, y) for x in _SHIFTS_MM for y in _SHIFTS_MM])
        for k, alignment in zip(again, _about_edges(pairs.only(again), shifts), strict=True):
            out[k] = max(out[k], alignment, key=lambda a: a.evidence - a.edge_misfit)
    return out


def _about_edges(pairs: Search, shifts: Floats) -> list[Alignment]:
    """The best alignment of each pair, tried about the middle of its tile's edge, moved by shifts (n, 2) mm."""
    return _found(pairs, [middle(edge) + shifts for edge in pairs.edge])


def align_within(look: TileLook, prints: Sequence[Print]) -> list[Alignment]:
    """Lay prints anywhere onto what is seen of a tile, whatever its edge; [] where too little is seen."""
    here = cv2.resize(look.masks[SEEN], (_PLACES, _PLACES), interpolation=cv2.INTER_AREA) > 0.5
    if not here.any() or not prints:
        return []
    px = (np.argwhere(here)[:, ::-1] + 0.5) * (CROP_PX / _PLACES) - 0.5
    places = projected(px, np.asarray(np.linalg.inv(look.to_crop), np.float64))
    nowhere = Edge(np.zeros((2, 2)), np.zeros(2), 0.0)
    return _found(Search.of([look], [nowhere], [(0, p) for p in prints]), [places] * len(prints))


def _found(pairs: Search, middles: Sequence[Floats]) -> list[Alignment]:
    poses, fit, costs = pairs.run(middles)
    return [
        Alignment(p, pose[:3], float(np.exp(pose[3])), float(correlation), float(evidence), float(cost))
        for p, pose, correlation, evidence, cost in zip(
            pairs.prints, poses, fit.correlation, fit.evidence, costs, strict=True
        )
    ]

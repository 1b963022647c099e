"""Each tile's full footprint: the outline of its shape fitted to the edges that are seen.

The outlines of a copy are not known beforehand: the radius of the rounds, the side and corner of the squares, the
wedge and each cluster's silhouette are estimated on the board at hand, from tiles that lie open, and then laid onto the
visible edges of the covered ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scoring.charcuterie.catalogue import KINDS
from vision.crops import FULL, SEEN, TileLook, contour_mm, looked_up, projected
from vision.curves import evenly, normals, turns
from vision.leaning import Lean

Floats = npt.NDArray[np.float64]

_GRID_MM = 0.5
_HALF_MM = 48.0


@dataclass(frozen=True, slots=True)
class Template:
    """An outline (n, 2) mm about its centroid, and its field.

    `field` (h, w, 3) is a grid of signed distances (mm, negative inside) and their slopes along x and y.
    """

    outline: Floats
    field: npt.NDArray[np.float32]

    @classmethod
    def of(cls, outline: Floats) -> Template:
        """Template of a polygon (n, 2), moved so that its centroid is the origin."""
        centred = outline - middle(outline)
        side = int(2 * _HALF_MM / _GRID_MM)
        canvas = np.zeros((side * 2, side * 2), np.uint8)
        px = (centred + _HALF_MM) / _GRID_MM * 2 - 0.5
        cv2.fillPoly(canvas, [np.round(px * 16).astype(np.int32)], 255, shift=4)
        # It rounds halves upwards only: drawn upside down too, opposite edges are alike.
        turned = np.zeros_like(canvas)
        cv2.fillPoly(turned, [np.round((2 * side - 1 - px) * 16).astype(np.int32)], 255, shift=4)
        canvas |= turned[::-1, ::-1]
        signed = cv2.distanceTransform(255 - canvas, cv2.DIST_L2, 5) - cv2.distanceTransform(canvas, cv2.DIST_L2, 5)
        # Pixels that the polygon only touches are filled too: the filled area reaches half a pixel beyond it.
        signed = signed + np.where(canvas > 0, 0.5, -0.5) + 0.5
        field = np.empty((side, side, 3), np.float32)
        small = cv2.resize(signed.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA) * (_GRID_MM / 2)
        field[..., 0] = small
        field[..., 2], field[..., 1] = np.gradient(small, _GRID_MM)
        return cls(centred, field)

    def at(self, points: Floats) -> tuple[Floats, Floats]:
        """Signed distance (n,) and its gradient (n, 2) at points (n, 2) mm in the template's frame."""
        px = ((points + _HALF_MM) / _GRID_MM - 0.5).astype(np.float32)
        found = looked_up(self.field, px, cv2.BORDER_REPLICATE)
        return found[:, 0].astype(float), found[:, 1:].astype(float)


@dataclass(frozen=True, slots=True)
class Edge:
    """The contour of one tile: points (n, 2) mm, how much each counts (seen 1, hidden little), share of it seen."""

    points: Floats
    weight: Floats
    open_share: float

    def laid(self, lean: Lean) -> Edge:
        """The edge where it lies, given how its tile leans."""
        return Edge(lean.ground(self.points), self.weight, self.open_share) if len(self.points) else self

    def seen_in(self, plane_from_own: Floats) -> Edge:
        """The same edge told in another plane's mm; `plane_from_own` (3, 3) maps this plane's mm to that one's."""
        return Edge(projected(self.points, plane_from_own), self.weight, self.open_share)


@dataclass(frozen=True, slots=True)
class Footprint:
    """A fitted outline (n, 2) mm in the plane, its error, and the edge it was fitted to.

    The error is the root mean square distance (mm) at the seen part of the edge.
    """

    outline: Floats
    error_mm: float
    edge: Edge


def edge_of(look: TileLook) -> Edge:
    """Contour of the full mask as it looks; a point counts as seen where what lies just inside it is the tile's own."""
    points = contour_mm(look, FULL)
    if len(points) == 0:
        return Edge(points, np.zeros(0), 0.0)
    seen = look.sample(SEEN, points - 1.3 * normals(points))
    weight = np.clip((seen - 0.3) / 0.4, 0.04, 1.0)
    full = look.masks[FULL]
    share = float((np.minimum(look.masks[SEEN], full)).sum() / max(full.sum(), 1.0))
    return Edge(points, weight.astype(float), share)


def rounded_square(side: float, corner: float) -> Floats:
    """Outline of a square with rounded corners, (32, 2) mm about the origin."""
    quarter = np.radians(np.linspace(0, 90, 8))
    arc = corner * np.c_[np.cos(quarter), np.sin(quarter)] + (side / 2 - corner)
    turns = [
        np.array([[1, 0], [0, 1]]),
        np.array([[0, -1], [1, 0]]),
        np.array([[-1, 0], [0, -1]]),
        np.array([[0, 1], [-1, 0]]),
    ]
    return np.concatenate([arc @ t.T for t in turns])


def circle(radius: float) -> Floats:
    """Outline of a circle, (64, 2) mm about the origin: a polygon of the circle's area."""
    a = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return radius * np.sqrt(np.pi / 32 / np.sin(np.pi / 32)) * np.c_[np.cos(a), np.sin(a)]


def lay(
    template: Template, edges: Sequence[Edge], angles: Sequence[float], *, turn: bool = True
) -> tuple[Floats, Floats]:
    """Poses (n, 3: x, y, angle in radians) that lay a template on n edges, and their errors (n,) in mm.

    Every edge is tried from all first angles side by side, its centroid on the template's; after a few steps the best
    two of each go on. (The mean of the points that are seen is no such start: from it, of ideal wedges half covered,
    one in three was laid the wrong way round.)
    """
    n, k = len(edges), len(angles)
    points = np.stack([e.points for e in edges])
    weight = np.stack([e.weight for e in edges])
    start = np.stack([middle(e.points) for e in edges])
    poses = np.concatenate([np.repeat(start, k, axis=0), np.tile(angles, n)[:, None]], axis=1)
    owner = np.repeat(np.arange(n), k)
    if k > 2:
        poses, error = _descend(template, points[owner], weight[owner], poses, turn=turn, rounds=3)
        best = np.argsort(error.reshape(n, k), axis=1)[:, :2] + k * np.arange(n)[:, None]
        poses, owner, k = poses[best.ravel()], np.repeat(np.arange(n), 2), 2
    poses, error = _descend(template, points[owner], weight[owner], poses, turn=turn, rounds=6)
    best = error.reshape(n, k).argmin(1) + k * np.arange(n)
    return poses[best], error[best]


def middle(points: Floats) -> Floats:
    """Centroid (2,) of the area within a contour (n, 2)."""
    m = cv2.moments(points.astype(np.float32).reshape(-1, 1, 2))
    return np.array([m["m10"], m["m01"]]) / m["m00"]


def _descend(
    template: Template, points: Floats, weight: Floats, poses: Floats, *, turn: bool, rounds: int
) -> tuple[Floats, Floats]:
    """Gauss-Newton for m poses at once on the distances from points (m, p, 2) to the template, large ones damped."""
    ridge = np.diag([1e-3, 1e-3, 1e-1 if turn else 1e9])
    error = np.full(len(poses), np.inf)
    for _ in range(rounds):
        r = turns(poses[:, 2])
        local = (points - poses[:, None, :2]) @ r
        d, g = template.at(local.reshape(-1, 2))
        d, g = d.reshape(local.shape[:2]), g.reshape(local.shape)
        jac = np.concatenate(
            [-(g @ r.transpose(0, 2, 1)), (g[..., :1] * local[..., 1:] - g[..., 1:] * local[..., :1])], -1
        )
        w = weight / (1 + (d / 0.6) ** 2)
        weighted = (jac * w[..., None]).transpose(0, 2, 1)
        delta = -np.linalg.solve(weighted @ jac + ridge, weighted @ d[..., None])[..., 0]
        poses = poses + np.clip(delta, [-6, -6, -0.3], [6, 6, 0.3])
        error = np.sqrt((np.minimum(np.abs(d), 3.0) ** 2 * weight).sum(1) / weight.sum(1))
    return poses, error


def placed(outline: Floats, pose: Floats) -> Floats:
    """An outline (n, 2) mm about its centroid at a pose (x, y, turn)."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return outline @ np.array([[c, s], [-s, c]]) + pose[:2]


def fit_footprints(
    edges: Sequence[Edge], shapes: Sequence[str], names: Sequence[str], known: Mapping[str, Floats]
) -> list[Footprint]:
    """Footprints of all tiles of a board.

    `shapes` and `names` give each tile's shape and its kind as far as known (kinds of clusters share an outline);
    `known` holds outlines (n, 2) mm of kinds of the player's own copy.
    """
    out: list[Footprint] = [Footprint(e.points, 1.0, e) for e in edges]
    for shape in ("round", "square", "wedge"):
        here = [i for i, s in enumerate(shapes) if s == shape and len(edges[i].points)]
        if here:
            alike = [outline for kind, outline in known.items() if KINDS[kind].shape == shape]
            fits = _fit_shape(shape, [edges[i] for i in here], alike)
            for i, fit in zip(here, fits, strict=True):
                out[i] = fit
    for name in dict.fromkeys(n for n, s in zip(names, shapes, strict=True) if s == "cluster"):
        here = [
            i
            for i, (s, n) in enumerate(zip(shapes, names, strict=True))
            if s == "cluster" and n == name and len(edges[i].points)
        ]
        for i in here:
            out[i] = _fit_cluster(i, here, edges, known.get(name))
    return out


def _open(edges: Sequence[Edge], least: float = 0.97) -> list[Edge]:
    """Edges of tiles that lie open; where there are none, the most open one."""
    chosen = [e for e in edges if e.open_share >= least]
    return chosen or sorted(edges, key=lambda e: -e.open_share)[:1]


def _shared_template(shape: str, edges: Sequence[Edge], known: Sequence[Floats]) -> Template:
    """The outline that all tiles of a shape share; `known` holds those of the player's copy, if any."""
    outlines = known or [e.points for e in _open(edges)]
    if shape == "round":
        return Template.of(circle(float(np.median([_mean_radius(points) for points in outlines]))))
    if shape == "square":
        sizes = np.array([_square_size(points) for points in outlines])
        side = np.quantile(sizes[:, 0], 0.5 if known else _SQUARE_QUANTILE)
        return Template.of(rounded_square(float(side), float(np.median(sizes[:, 1]))))
    # Enrolled outlines and those learned from a corrected board have other numbers of points.
    return _wedge_template([Edge(evenly(points, _POINTS), np.ones(_POINTS), 1.0) for points in outlines])


_POINTS = 96


def alike(shape: str, outlines: Sequence[Floats]) -> list[Floats]:
    """Outlines of whole tiles of one shape, each replaced by the one outline that they share, laid where it was drawn.

    For "round", "square" and "wedge": the tiles of a copy were punched with one die. Any of them may be drawn badly.
    """
    edges = [Edge(evenly(points, _POINTS), np.ones(_POINTS), 1.0) for points in outlines]
    template = _shared_template(shape, edges, [edge.points for edge in edges])
    poses, _ = lay(template, edges, _FIRST_ANGLES[shape], turn=shape != "round")
    return [placed(template.outline, pose) for pose in poses]


def _mean_radius(points: Floats) -> float:
    return float(np.sqrt(abs(cv2.contourArea(points.astype(np.float32))) / np.pi))


_SQUARE_QUANTILE = 0.65
"""A bowl on a square plate may hide the plate, so squares are seen too small rather than too large."""


def _square_size(points: Floats) -> tuple[float, float]:
    """Side and corner radius: how far the outline is from its middle across the sides, and along the diagonals.

    Along a diagonal a corner of radius r is side / sqrt(2) - (sqrt(2) - 1) r away. (Area and widest diagonal tell the
    radius badly: a side drawn 0.4 mm too long makes it 3 mm larger.)
    """
    angle = np.radians(cv2.minAreaRect(points.astype(np.float32))[2])
    turned = np.abs((evenly(points, 2 * _POINTS) - middle(points)) @ turns(np.array([angle]))[0])
    far, near = turned.max(1), turned.min(1)
    side = 2 * float(np.median(far[near < 0.5 * far]))
    diagonal = float(np.mean(np.hypot(far, near)[near > _NEAR_DIAGONAL * far]))
    corner = (side / np.sqrt(2) - diagonal) / (np.sqrt(2) - 1)
    return side, float(np.clip(corner, 0.5, 0.3 * side))


_NEAR_DIAGONAL = 0.93
"""Points whose lesser coordinate is this share of the greater lie within two degrees of a diagonal."""


def _wedge_template(edges: Sequence[Edge]) -> Template:
    """Mean outline of the open wedges, turned onto the first."""
    template = Template.of(edges[0].points)
    if len(edges) == 1:
        return template
    return _mean_outline(template, edges)


_ANGLES = tuple(np.arange(12) * np.pi / 6)


def _mean_outline(template: Template, edges: Sequence[Edge]) -> Template:
    """Move each point of the outline to the mean of the nearest points of the edges laid on it."""
    near = []
    for edge, pose, error in zip(edges, *lay(template, edges, _ANGLES), strict=True):
        if error < 1.5:
            c, s = np.cos(pose[2]), np.sin(pose[2])
            points = (edge.points - pose[:2]) @ np.array([[c, -s], [s, c]])
            gap = np.linalg.norm(template.outline[:, None] - points[None], axis=2)
            near.append(points[gap.argmin(1)])
    return Template.of(np.mean(near, axis=0)) if near else template


_FIRST_ANGLES = {"round": (0.0,), "square": (0.0, np.pi / 6, np.pi / 3), "wedge": _ANGLES}


def _fit_shape(shape: str, edges: Sequence[Edge], known: Sequence[Floats]) -> list[Footprint]:
    template = _shared_template(shape, edges, known)
    poses, errors = lay(template, edges, _FIRST_ANGLES[shape], turn=shape != "round")
    return [
        Footprint(placed(template.outline, p), float(e), edge) for p, e, edge in zip(poses, errors, edges, strict=True)
    ]


def _fit_cluster(i: int, here: Sequence[int], edges: Sequence[Edge], known: Floats | None) -> Footprint:
    """The outline known; where there is none, its own contour if it lies open, else that of an open one of its kind."""
    openly = [k for k in here if edges[k].open_share >= 0.97]
    own = Footprint(edges[i].points, 0.2, edges[i])
    outlines = [edges[k].points for k in openly[:1]] if known is None else [known]
    if not outlines or (known is None and i in openly):
        return own
    fits = []
    for template in map(Template.of, outlines):
        poses, errors = lay(template, [edges[i]], _ANGLES)
        fits.append(Footprint(placed(template.outline, poses[0]), float(errors[0]), edges[i]))
    best = min(fits, key=lambda fit: fit.error_mm)
    return best if best.error_mm < 0.8 else own

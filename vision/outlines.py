"""Each tile's full footprint: the outline of its shape fitted to the edges that are seen.

The outlines of a copy are not known beforehand: the radius of the rounds, the side and corner of the squares, the wedge
and each cluster's silhouette are estimated on the board at hand, from tiles that lie open, and then laid onto the visible
edges of the covered ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import FULL, SEEN, TileLook, contour_mm

Floats = npt.NDArray[np.float64]

_GRID_MM = 0.5
_HALF_MM = 48.0


@dataclass(frozen=True, slots=True)
class Template:
    """An outline (n, 2) mm about its centroid, as a grid of signed distances (mm, negative inside)."""

    outline: Floats
    distance: npt.NDArray[np.float32]

    @classmethod
    def of(cls, outline: Floats) -> Template:
        """Template of a polygon (n, 2), moved so that its centroid is the origin."""
        m = cv2.moments(outline.astype(np.float32).reshape(-1, 1, 2))
        centred = outline - np.array([m["m10"], m["m01"]]) / m["m00"]
        side = int(2 * _HALF_MM / _GRID_MM)
        canvas = np.zeros((side * 4, side * 4), np.uint8)
        px = (centred + _HALF_MM) / _GRID_MM * 4 - 0.5
        cv2.fillPoly(canvas, [np.round(px * 16).astype(np.int32)], 255, shift=4)
        signed = cv2.distanceTransform(255 - canvas, cv2.DIST_L2, 5) - cv2.distanceTransform(canvas, cv2.DIST_L2, 5)
        signed = signed + np.where(canvas > 0, 0.5, -0.5)
        small = cv2.resize(signed.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA) * (_GRID_MM / 4)
        return cls(centred, small)

    def at(self, points: Floats) -> tuple[Floats, Floats]:
        """Signed distance (n,) and its gradient (n, 2) at points (n, 2) mm in the template's frame."""
        px = ((points + _HALF_MM) / _GRID_MM - 0.5).astype(np.float32)
        x, y = px[:, 0], px[:, 1]

        def value(dx: float, dy: float) -> Floats:
            return np.asarray(cv2.remap(self.distance, x + np.float32(dx), y + np.float32(dy), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel(), float)

        d = value(0, 0)
        gradient = np.c_[value(1, 0) - value(-1, 0), value(0, 1) - value(0, -1)] / (2 * _GRID_MM)
        return d, gradient


@dataclass(frozen=True, slots=True)
class Edge:
    """The contour of one tile: points (n, 2) mm, how much each counts (seen 1, hidden little), share of it seen."""

    points: Floats
    weight: Floats
    open_share: float


@dataclass(frozen=True, slots=True)
class Footprint:
    """A fitted outline (n, 2) mm in the plane, its error (mm, root mean square at the seen edges), and the edge itself."""

    outline: Floats
    error_mm: float
    edge: Edge


def edge_of(look: TileLook) -> Edge:
    """Contour of the full mask; a point counts as seen where the ground just inside it is the tile's own."""
    points = contour_mm(look, FULL)
    if len(points) == 0:
        return Edge(points, np.zeros(0), 0.0)
    center = points.mean(0)
    tangent = np.roll(points, -1, 0) - np.roll(points, 1, 0)
    normal = np.c_[tangent[:, 1], -tangent[:, 0]] / np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    if np.sum((points - center) * normal) > 0:
        normal = -normal
    seen = look.sample(SEEN, points + 1.3 * normal)
    weight = np.clip((seen - 0.3) / 0.4, 0.04, 1.0)
    full = look.masks[FULL]
    share = float((np.minimum(look.masks[SEEN], full)).sum() / max(full.sum(), 1.0))
    return Edge(points, weight.astype(float), share)


def rounded_square(side: float, corner: float) -> Floats:
    """Outline of a square with rounded corners, (32, 2) mm about the origin."""
    quarter = np.radians(np.linspace(0, 90, 8))
    arc = corner * np.c_[np.cos(quarter), np.sin(quarter)] + (side / 2 - corner)
    turns = [np.array([[1, 0], [0, 1]]), np.array([[0, -1], [1, 0]]), np.array([[-1, 0], [0, -1]]), np.array([[0, 1], [-1, 0]])]
    return np.concatenate([arc @ t.T for t in turns])


def circle(radius: float) -> Floats:
    """Outline of a circle, (64, 2) mm about the origin."""
    a = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return radius * np.c_[np.cos(a), np.sin(a)]


def lay(template: Template, edge: Edge, angles: Sequence[float], *, turn: bool = True) -> tuple[Floats, float]:
    """Pose (x, y, angle in radians) that lays a template on an edge, and its error in mm; the best of some first angles."""
    best, best_error = np.array([0.0, 0.0, 0.0]), np.inf
    start = np.average(edge.points, axis=0)
    for angle in angles:
        pose, error = _descend(template, edge, np.array([*start, angle]), turn=turn)
        if error < best_error:
            best, best_error = pose, error
    return best, best_error


def _descend(template: Template, edge: Edge, pose: Floats, *, turn: bool, rounds: int = 8) -> tuple[Floats, float]:
    """Gauss-Newton on the distances from the edge's points to the template, large ones damped."""
    error = np.inf
    for _ in range(rounds):
        c, s = np.cos(pose[2]), np.sin(pose[2])
        r = np.array([[c, -s], [s, c]])
        local = (edge.points - pose[:2]) @ r
        d, g = template.at(local)
        world = g @ r.T
        jac = np.c_[-world, np.einsum("ij,ij->i", g, np.c_[local[:, 1], -local[:, 0]])]
        w = edge.weight / (1 + (d / 0.6) ** 2)
        if not turn:
            jac[:, 2] = 0
        lhs = jac.T @ (w[:, None] * jac) + np.diag([1e-3, 1e-3, 1e-1])
        delta = -np.linalg.solve(lhs, jac.T @ (w * d))
        pose = pose + np.clip(delta, [-6, -6, -0.3], [6, 6, 0.3])
        error = float(np.sqrt(np.average(np.minimum(np.abs(d), 3.0) ** 2, weights=edge.weight)))
        if np.abs(delta).max() < 1e-3:
            break
    return pose, error


def placed(template: Template, pose: Floats) -> Floats:
    """The template's outline (n, 2) mm at a pose."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return template.outline @ np.array([[c, s], [-s, c]]) + pose[:2]


def fit_footprints(looks: Sequence[TileLook], shapes: Sequence[str], names: Sequence[str]) -> list[Footprint]:
    """Footprints of all tiles of a board.

    `shapes` and `names` give each tile's shape and its kind as far as known (kinds of clusters share an outline).
    """
    edges = [edge_of(look) for look in looks]
    out: list[Footprint | None] = [None] * len(looks)
    for shape in ("round", "square", "wedge"):
        here = [i for i, s in enumerate(shapes) if s == shape and len(edges[i].points)]
        template = _shared_template(shape, [edges[i] for i in here])
        for i in here:
            out[i] = _fit_one(shape, template, edges[i])
    for name in dict.fromkeys(n for n, s in zip(names, shapes, strict=True) if s == "cluster"):
        here = [i for i, (s, n) in enumerate(zip(shapes, names, strict=True)) if s == "cluster" and n == name and len(edges[i].points)]
        _fit_clusters(here, edges, out)
    return [f if f is not None else Footprint(e.points, 1.0, e) for f, e in zip(out, edges, strict=True)]


def _open(edges: Sequence[Edge], least: float = 0.97) -> list[Edge]:
    """Edges of tiles that lie open; where there are none, the most open one."""
    chosen = [e for e in edges if e.open_share >= least]
    return chosen or sorted(edges, key=lambda e: -e.open_share)[:1]


def _shared_template(shape: str, edges: Sequence[Edge]) -> Template | None:
    if not edges:
        return None
    good = _open(edges)
    if shape == "round":
        return Template.of(circle(float(np.median([_mean_radius(e) for e in good]))))
    if shape == "square":
        side, corner = np.median([_square_size(e) for e in good], axis=0)
        return Template.of(rounded_square(float(side), float(corner)))
    return _wedge_template(good)


def _mean_radius(edge: Edge) -> float:
    area = abs(cv2.contourArea(edge.points.astype(np.float32)))
    return float(np.sqrt(area / np.pi))


def _square_size(edge: Edge) -> tuple[float, float]:
    """Side and corner radius from area and widest diagonal: area = s^2 - (4 - pi) r^2."""
    area = abs(cv2.contourArea(edge.points.astype(np.float32)))
    width = float(np.mean(cv2.minAreaRect(edge.points.astype(np.float32))[1]))
    corner = np.sqrt(max(width**2 - area, 0.0) / (4 - np.pi))
    return width, float(np.clip(corner, 0.5, 0.3 * width))


def _wedge_template(edges: Sequence[Edge]) -> Template:
    """Mean outline of the open wedges, turned onto the first."""
    template = Template.of(edges[0].points)
    if len(edges) == 1:
        return template
    template = _mean_outline(template, edges)
    return _mean_outline(template, edges)


_ANGLES = tuple(np.arange(12) * np.pi / 6)


def _mean_outline(template: Template, edges: Sequence[Edge]) -> Template:
    """Move each point of the outline along its normal by the mean distance of the edges laid on it."""
    moved = []
    for edge in edges:
        pose, error = lay(template, edge, _ANGLES)
        if error < 1.5:
            c, s = np.cos(pose[2]), np.sin(pose[2])
            moved.append((edge.points - pose[:2]) @ np.array([[c, -s], [s, c]]))
    if not moved:
        return template
    near = []
    for points in moved:
        gap = np.linalg.norm(template.outline[:, None] - points[None], axis=2)
        near.append(points[gap.argmin(1)])
    return Template.of(np.mean(near, axis=0))


def _fit_one(shape: str, template: Template | None, edge: Edge) -> Footprint:
    assert template is not None
    if shape == "round":
        pose, error = lay(template, edge, (0.0,), turn=False)
    elif shape == "square":
        pose, error = lay(template, edge, (0.0, np.pi / 6, np.pi / 3))
    else:
        pose, error = lay(template, edge, _ANGLES)
    return Footprint(placed(template, pose), error, edge)


def _fit_clusters(here: Sequence[int], edges: Sequence[Edge], out: list[Footprint | None]) -> None:
    """A cluster that lies open keeps its own contour; a covered one takes an open one of its kind, if that fits."""
    openly = [i for i in here if edges[i].open_share >= 0.97]
    for i in here:
        own = Footprint(edges[i].points, 0.2, edges[i])
        if i in openly or not openly:
            out[i] = own
            continue
        template = Template.of(edges[openly[0]].points)
        pose, error = lay(template, edges[i], _ANGLES)
        out[i] = Footprint(placed(template, pose), error, edges[i]) if error < 0.8 else own

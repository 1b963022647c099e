"""Outlines in mm made into triangles for the path tracer.

Scene units are 100 mm, x right, y up, z towards the viewer: the board frame with y turned over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]

UNIT_MM = 100.0


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles: `vertices` (n, 3) mm in the board frame with z up, `faces` (m, 3), `uv` (m, 3, 2), `material` (m,)."""

    vertices: Array
    faces: Index
    uv: Array
    material: Index

    def arrays(self, name: str) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays of a job's `meshes.npz`, in scene units."""
        return {
            f"{name}.v": to_scene(self.vertices),
            f"{name}.f": self.faces[:, ::-1],  # y is turned over, so the faces are too
            f"{name}.uv": self.uv[:, ::-1],
            f"{name}.m": self.material,
        }


def to_scene(points: Array) -> Array:
    """Return board-frame points (..., 3) in mm as scene units."""
    turned: Array = points * np.array([1.0, -1.0, 1.0]) / UNIT_MM
    return turned


def extrude(
    outline: Array,
    *,
    thickness_mm: float,
    bevel_mm: float = 0.15,
    holes: Sequence[Array] = (),
    picture: tuple[tuple[float, float], tuple[float, float]] | None = None,
    top_material: int = 0,
    side_material: int = 0,
) -> Mesh:
    """Return a plate standing on z = 0 with a small bevel at its upper rim.

    `picture` is the (corner, size) in mm that the top material's picture covers; the bevel is printed too, as a
    die cut presses the print over the rim. The outline at its full size ends `bevel_mm` below the top.
    """
    rings = [_turning(outline, positive=True), *(_turning(hole, positive=False) for hole in holes)]
    inner = [_inset(ring, bevel_mm) for ring in rings]
    if not shapely.is_valid(shapely.polygons(inner[0], inner[1:] or None)):
        inner = rings  # narrow notches: a sharp rim there
    parts, count = _Parts(), 0
    for ring, small in zip(rings, inner, strict=True):
        size = len(ring)
        levels = ((ring, 0.0), (ring, thickness_mm - bevel_mm), (small, thickness_mm))
        for points, z in levels:
            parts.vertices.append(np.column_stack([points, np.full(size, z)]))
        parts.add(_band(size, count, count + size), side_material)
        parts.add(_band(size, count + size, count + 2 * size), top_material)
        count += 3 * size
    parts.add(_fill(inner, np.concatenate(parts.vertices), top=True), top_material)
    parts.add(_fill(rings, np.concatenate(parts.vertices), top=False), side_material)
    vertices = np.concatenate(parts.vertices)
    faces = np.concatenate(parts.faces)
    corner, extent = picture or ((0.0, 0.0), (UNIT_MM, UNIT_MM))
    uv = (vertices[:, :2] - np.array(corner)) / np.array(extent)
    uv[:, 1] = 1.0 - uv[:, 1]
    return Mesh(vertices, faces, uv[faces], np.concatenate(parts.material))


def dome(outline: Array, *, height_mm: float, levels: int = 6) -> Mesh:
    """Return a rounded lump over an outline: crumbs, berries, a pen lying down."""
    center = np.asarray(shapely.polygons(outline).centroid.coords[0])
    ring = _turning(outline, positive=True)
    size = len(ring)
    vertices: list[Array] = []
    faces: list[Index] = []
    for level in range(levels):
        turn = level / levels * np.pi / 2
        points = center + (ring - center) * np.cos(turn)
        vertices.append(np.column_stack([points, np.full(size, np.sin(turn) * height_mm)]))
        if level:
            faces.append(_band(size, (level - 1) * size, level * size))
    vertices.append(np.array([[*center, height_mm]]))
    last, start = levels * size, (levels - 1) * size
    around = np.arange(size)
    faces.append(np.column_stack([start + around, start + (around + 1) % size, np.full(size, last)]))
    all_faces, all_vertices = np.concatenate(faces), np.concatenate(vertices)
    flat = all_vertices[:, :2] / UNIT_MM
    return Mesh(all_vertices, all_faces, flat[all_faces], np.zeros(len(all_faces), dtype=np.int64))


def moved(mesh: Mesh, matrix: Array) -> Mesh:
    """Return the mesh moved by a 4x4 matrix."""
    vertices = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    return Mesh(vertices, mesh.faces, mesh.uv, mesh.material)


def plate(half_mm: float, z_mm: float) -> Mesh:
    """Return a square plane: the table."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float64) * half_mm
    faces = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int64)
    vertices = np.column_stack([corners, np.full(4, z_mm)])
    return Mesh(vertices, faces, (corners / UNIT_MM)[faces], np.zeros(2, dtype=np.int64))


class _Parts:
    """The pieces of a mesh while it is put together."""

    def __init__(self) -> None:
        self.vertices: list[Array] = []
        self.faces: list[Index] = []
        self.material: list[Index] = []

    def add(self, faces: Index, material: int) -> None:
        self.faces.append(faces)
        self.material.append(np.full(len(faces), material, dtype=np.int64))


def _turning(ring: Array, *, positive: bool) -> Array:
    """Return the ring with the wanted sign of its area (shoelace, in x right and y down taken as x, y)."""
    area = float(np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - np.roll(ring[:, 0], -1) * ring[:, 1]))
    return ring if (area > 0) == positive else ring[::-1]


def _inset(ring: Array, distance: float) -> Array:
    """Move each vertex along the mean of its two edge normals, into the plate."""
    edges = np.roll(ring, -1, axis=0) - ring
    normals = np.column_stack([-edges[:, 1], edges[:, 0]]) / np.maximum(np.linalg.norm(edges, axis=1), 1e-9)[:, None]
    mean = normals + np.roll(normals, 1, axis=0)
    length = np.maximum(np.linalg.norm(mean, axis=1), 0.7)[:, None]  # sharp corners move at most 2.9 x as far
    inset: Array = ring + 2.0 * distance * mean / length**2
    return inset


def _band(size: int, lower: int, upper: int) -> Index:
    """Return the triangles between two rings of vertices, seen from outside with the outline turning positively."""
    first = np.arange(size)
    second = (first + 1) % size
    near, far = lower + first, lower + second
    near_up, far_up = upper + first, upper + second
    return np.concatenate([np.column_stack([near, far, far_up]), np.column_stack([near, far_up, near_up])])


def _fill(rings: Sequence[Array], vertices: Array, *, top: bool) -> Index:
    """Triangulate a cap; its corners are the vertices of `rings` in the last (top) or first level of each ring."""
    area = shapely.polygons(rings[0], list(rings[1:]) or None)
    pieces = shapely.get_parts(shapely.constrained_delaunay_triangles(area))
    corners = shapely.get_coordinates(pieces).reshape(-1, 4, 2)[:, :3]
    where: dict[tuple[float, float], int] = {}
    start = 0
    for ring in rings:
        first = start + (2 * len(ring) if top else 0)
        where.update({(float(x), float(y)): first + i for i, (x, y) in enumerate(ring)})
        start += 3 * len(ring)
    faces = np.array([[where[(float(x), float(y))] for x, y in triangle] for triangle in corners], dtype=np.int64)
    sides = vertices[faces][:, :, :2]
    one, other = sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]
    turn = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    wrong = (turn > 0) != top
    faces[wrong] = faces[wrong][:, ::-1]
    return faces

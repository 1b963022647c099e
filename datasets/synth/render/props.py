"""Things beside the tiles, as meshes and materials."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from datasets.synth.render.looks import any_colour, linear
from datasets.synth.render.mesh import Array, Mesh, dome, extrude, moved
from datasets.synth.scene import Prop

SHADOW_HEIGHT_MM = 120.0
"""How high over the board a hand is held that only its shadow shows."""


def build_prop(prop: Prop, z_mm: float) -> tuple[Mesh, list[dict[str, Any]], bool]:
    """Return (mesh, its materials, seen by shadow rays only) of a prop that stands at `z_mm`."""
    rng = np.random.default_rng(prop.seed)
    what = prop.what.lower()
    if "shadow" in what:
        return _at(extrude(prop.outline, thickness_mm=4.0, bevel_mm=0.5), SHADOW_HEIGHT_MM), [_paper(rng)], True
    if "glass" in what:
        return _at(_tumbler(prop.outline, height_mm=float(rng.uniform(45, 70))), z_mm), [_glass(rng)], False
    if "coin" in what:
        return _at(extrude(prop.outline, thickness_mm=1.9, bevel_mm=0.4), z_mm), [_metal(rng)], False
    if "card" in what or "paper" in what or "napkin" in what:
        mesh = extrude(prop.outline, thickness_mm=0.5, bevel_mm=0.05, top_material=0, side_material=1)
        return _at(mesh, z_mm), [_paper(rng), {"type": "plain", "rgb": linear("f2efe8"), "roughness": 0.6}], False
    if "biscuit" in what or "slice" in what:
        food = {"type": "plain", "rgb": any_colour(rng, saturation=(0.3, 0.8), value=(0.4, 0.9)), "uneven": 0.4}
        food |= {"scale": float(rng.uniform(3, 30)), "roughness": float(rng.uniform(0.3, 0.9))}
        return _at(extrude(prop.outline, thickness_mm=float(rng.uniform(3, 8)), bevel_mm=0.8), z_mm), [food], False
    size = float(np.sqrt(shapely.polygons(prop.outline).area))
    if "crumb" in what:
        crumb = {"type": "plain", "rgb": linear("c9a063"), "uneven": 0.5, "scale": 40.0, "roughness": 0.9}
        return _at(dome(prop.outline, height_mm=max(0.6, 0.5 * size)), z_mm), [crumb], False
    shiny = {"type": "plain", "rgb": any_colour(rng, saturation=(0.2, 0.9), value=(0.1, 0.9)), "uneven": 0.25}
    shiny |= {"scale": float(rng.uniform(4, 20)), "roughness": float(rng.uniform(0.15, 0.6))}
    return _at(dome(prop.outline, height_mm=min(14.0, max(2.0, 0.4 * size))), z_mm), [shiny], False


def _at(mesh: Mesh, z_mm: float) -> Mesh:
    matrix = np.eye(4)
    matrix[2, 3] = z_mm
    return moved(mesh, matrix)


def _tumbler(outline: Array, *, height_mm: float) -> Mesh:
    wall = shapely.polygons(outline).buffer(-3.0)
    if wall.geom_type != "Polygon" or wall.is_empty:
        return extrude(outline, thickness_mm=height_mm, bevel_mm=1.0)
    hole = np.asarray(wall.exterior.coords)[:-1]
    return extrude(outline, thickness_mm=height_mm, bevel_mm=0.5, holes=[hole])


def _glass(rng: np.random.Generator) -> dict[str, Any]:
    tint = [float(v) for v in rng.uniform(0.88, 1.0, 3)]
    return {"type": "glass", "rgb": tint, "roughness": 0.02}


def _metal(rng: np.random.Generator) -> dict[str, Any]:
    rgb = linear(str(rng.choice(["c9a24a", "b87a4b", "c0c0c0"])))
    return {"type": "plain", "rgb": rgb, "uneven": 0.3, "scale": 30.0, "metallic": 1.0, "roughness": 0.35}


def _paper(rng: np.random.Generator) -> dict[str, Any]:
    rgb = any_colour(rng, saturation=(0.0, 0.85), value=(0.4, 0.95))
    return {"type": "plain", "rgb": rgb, "uneven": 0.15, "scale": 8.0, "roughness": float(rng.uniform(0.3, 0.7))}

"""The path-traced camera: a scene becomes a photo with truth in Blender's Cycles, which runs in its own environment."""

from __future__ import annotations

from datasets.synth.render.lean import LeanError, Plane, settle
from datasets.synth.render.run import NoBlender, Quality, Request, find_bpy_python, render_photos

__all__ = ["LeanError", "NoBlender", "Plane", "Quality", "Request", "find_bpy_python", "render_photos", "settle"]

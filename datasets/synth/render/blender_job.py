# mypy: ignore-errors
"""Render job folders with Cycles; run by a Python that has bpy, never imported by the rest of the project.

    python blender_job.py JOB_DIR [JOB_DIR ...]

A job folder holds `job.json` (camera, lights, materials, objects), `meshes.npz` (triangles in scene units of
100 mm, z up) and the pictures that its materials name. The picture goes to `render.png` in the same folder.
Several jobs in one process share bpy's start-up time. For each finished job one line `done JOB_DIR SECONDS` is printed.
"""

import json
import math
import sys
import time
from pathlib import Path

import bpy
import numpy as np
from blender_materials import build_material
from mathutils import Matrix, Vector

METER_LONG_SIDE_PX = 96
"""Size of the small picture that the exposure is metered on: 0.2 s, and the median is stable to 5 %."""


def clear():
    """Remove all that the job before left behind; pictures too, or memory grows by 30 MB a job."""
    for collection in (
        bpy.data.objects,
        bpy.data.meshes,
        bpy.data.materials,
        bpy.data.images,
        bpy.data.lights,
        bpy.data.cameras,
        bpy.data.worlds,
    ):
        for item in list(collection):
            collection.remove(item)


def add_object(entry, arrays, materials):
    """Make one mesh object from its triangles; `hidden` objects are seen by shadow rays only."""
    name = entry["mesh"]
    vertices, faces = arrays[name + ".v"], arrays[name + ".f"]
    mesh = bpy.data.meshes.new(entry["name"])
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    mesh.uv_layers.new(name="uv").data.foreach_set("uv", arrays[name + ".uv"].astype(np.float32).ravel())
    mesh.polygons.foreach_set("material_index", arrays[name + ".m"].astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.full(len(faces), bool(entry.get("smooth", False))))
    for material in entry["materials"]:
        mesh.materials.append(materials[material])
    mesh.update()
    thing = bpy.data.objects.new(entry["name"], mesh)
    bpy.context.collection.objects.link(thing)
    if entry.get("hidden"):
        thing.visible_camera = thing.visible_glossy = thing.visible_diffuse = False


def add_light(entry):
    """Make one area lamp that looks at its target."""
    light = bpy.data.lights.new(entry["name"], "AREA")
    light.shape, light.size, light.size_y = "RECTANGLE", entry["size"][0], entry["size"][1]
    light.energy, light.color = entry["energy"], entry["color"]
    thing = bpy.data.objects.new(entry["name"], light)
    place, target = Vector(entry["location"]), Vector(entry["target"])
    thing.matrix_world = Matrix.Translation(place) @ (place - target).to_track_quat("Z", "Y").to_matrix().to_4x4()
    thing.visible_camera = False
    bpy.context.collection.objects.link(thing)


def add_world(entry):
    """Light the scene by one of the environments that bpy carries."""
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    output = nodes.new("ShaderNodeOutputWorld")
    background = nodes.new("ShaderNodeBackground")
    background.inputs["Strength"].default_value = entry["strength"]
    links.new(background.outputs[0], output.inputs[0])
    folder = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world"
    picture = nodes.new("ShaderNodeTexEnvironment")
    picture.image = bpy.data.images.load(str(folder / entry["hdr"]))
    coordinates, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    mapping.inputs["Rotation"].default_value = (0.0, 0.0, math.radians(entry["rotation_deg"]))
    links.new(coordinates.outputs["Generated"], mapping.inputs["Vector"])
    links.new(mapping.outputs[0], picture.inputs["Vector"])
    links.new(picture.outputs[0], background.inputs["Color"])
    world.cycles.sampling_method = "MANUAL"
    world.cycles.sample_map_resolution = 256


def add_camera(entry, size):
    """Place the pinhole camera; `matrix` is camera to world."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width, data.lens = "HORIZONTAL", 36.0, entry["focal_px"] / size[0] * 36.0
    data.clip_start, data.clip_end = 0.1, 500.0
    thing = bpy.data.objects.new("camera", data)
    thing.matrix_world = Matrix(entry["matrix"])
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def set_up_cycles(job):
    """Few samples, few bounces, the denoiser; the picture is for finding outlines, not for hanging on a wall.

    Light that has met two rough surfaces is left out: it costs a third of the time, and on a flat board under an
    environment it only lifts the shadows a little.
    """
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.use_auto_tile, cycles.samples = "CPU", False, job["samples"]
    cycles.use_adaptive_sampling = False
    clear = any(entry["type"] == "glass" for entry in job["materials"].values())
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 5 if clear else 1, 0, 1
    cycles.transmission_bounces, cycles.transparent_max_bounces, cycles.volume_bounces = 5 if clear else 0, 4, 0
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 4.0, 0.0
    cycles.seed = job["seed"]
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = job.get("prefilter", "FAST")
    cycles.denoising_quality = job.get("quality", "BALANCED")
    scene.render.use_persistent_data = True
    scene.render.threads_mode, scene.render.threads = "FIXED", job["threads"]
    scene.render.resolution_x, scene.render.resolution_y = job["size"]
    scene.render.film_transparent = False
    scene.render.use_compositing = scene.render.use_sequencer = False


def meter(folder):
    """Return the median luminance of a small linear render, as a camera's light meter would."""
    scene = bpy.context.scene
    scene.render.resolution_percentage = max(
        1, round(100 * METER_LONG_SIDE_PX / max(scene.render.resolution_x, scene.render.resolution_y))
    )
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.filepath = str(folder / "meter.exr")
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(folder / "meter.exr"))
    pixels = np.empty(len(picture.pixels), dtype=np.float32)
    picture.pixels.foreach_get(pixels)
    bpy.data.images.remove(picture)
    (folder / "meter.exr").unlink()
    scene.render.resolution_percentage = 100
    return float(np.median(pixels.reshape(-1, 4)[:, :3] @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)))


def render(folder):
    """Render one job folder to its `render.png`."""
    job = json.loads((folder / "job.json").read_text())
    clear()
    arrays = np.load(folder / "meshes.npz")
    materials = {name: build_material(name, entry, folder) for name, entry in job["materials"].items()}
    for entry in job["objects"]:
        add_object(entry, arrays, materials)
    for entry in job["lights"]:
        add_light(entry)
    add_world(job["world"])
    add_camera(job["camera"], job["size"])
    set_up_cycles(job)
    scene = bpy.context.scene
    view = job["view"]
    scene.view_settings.view_transform, scene.view_settings.look = view["transform"], view.get("look", "None")
    scene.view_settings.exposure = math.log2(view["key"] / max(meter(folder), 1e-4))
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode, scene.render.image_settings.color_depth = "RGB", "8"
    scene.render.image_settings.compression = 10
    scene.render.filepath = str(folder / "render.png")
    bpy.ops.render.render(write_still=True)


def main(folders):
    """Render each folder in turn; a job that fails is named on stderr and the rest go on."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    failed = 0
    for folder in folders:
        start = time.monotonic()
        try:
            render(Path(folder))
        except Exception as error:  # one bad job must not cost the others
            failed += 1
            print(f"failed {folder}: {error!r}", file=sys.stderr, flush=True)
            continue
        print(f"done {folder} {time.monotonic() - start:.1f}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

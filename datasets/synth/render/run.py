"""Runs the Blender side in its own environment, and makes photos with truth of what it renders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from PIL import Image

from datasets.synth.camera import Camera
from datasets.synth.record import record
from datasets.synth.render.job import write_job
from datasets.synth.render.post import draw_finish, save
from datasets.synth.render.shot import Shot

BPY_PYTHON_VARIABLE = "BOARDSNAP_BPY_PYTHON"
SAMPLES = 3
"""Paths a pixel before the denoiser; time goes with pixels x samples, and the denoiser clears what is left."""

BATCH = 4
"""Photos a process: its start takes 2 s, and what is finished is kept if the next one fails."""

DIM_KEY = 0.1
"""Metered below this a photo is a dim one, with more noise."""


class NoBlender(RuntimeError):
    """No Python with bpy was found."""

    code = "no_blender"


def find_bpy_python(given: str | None = None) -> Path:
    """Return the Python that has bpy: the given one, the one named by BOARDSNAP_BPY_PYTHON, or .venv-bpy's.

    Raises `NoBlender` where none of them exists.
    """
    named = given or os.environ.get(BPY_PYTHON_VARIABLE)
    path = Path(named) if named else Path(__file__).parents[3] / ".venv-bpy" / "bin" / "python"
    if not path.exists():
        raise NoBlender(
            f"no Python with bpy at {path}: run `make bpy-env`, or name one with --bpy-python or {BPY_PYTHON_VARIABLE}"
        )
    return path


@dataclass(frozen=True, slots=True)
class Quality:
    """How a photo is rendered: paths a pixel and threads."""

    samples: int = SAMPLES
    threads: int = 1


def render_jobs(folders: Sequence[Path], *, bpy_python: Path) -> Iterator[Path]:
    """Render job folders in one process; yield each as soon as its `render.png` is there."""
    script = Path(__file__).parent / "blender_job.py"
    command = [str(bpy_python), str(script), *(str(folder) for folder in folders)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            word, _, rest = line.partition(" ")
            if word == "done":
                yield Path(rest.rpartition(" ")[0])
            elif word == "failed":
                print(line, end="", flush=True)


def truth_of(shot: Shot) -> dict[str, Any]:
    """Return the board file of a shot; footprints are those of the tiles as they lean."""
    camera = Camera(shot.camera.projection, shot.camera.size)
    footprints = shot.footprints
    shapes = {name: shapely.polygons(points) for name, points in footprints.items()}
    tops = {name: shot.camera.project(points) for name, points in shot.tops.items()}
    height = {name: float(top[:, 2].mean()) for name, top in shot.tops.items()}
    order = sorted(tops, key=height.__getitem__)
    return record(
        shot.scene,
        shot.art,
        camera=camera,
        footprints=footprints,
        shapes=shapes,
        tops=tops,
        order=order,
        has_board=shot.has_board,
    )


@dataclass(frozen=True, slots=True)
class Request:
    """A photo to make: its name and the function that sets the shot up from a random generator of its own."""

    name: str
    seed: tuple[int, ...]
    shoot: Callable[[np.random.Generator], Shot]


def render_photos(requests: Sequence[Request], out: Path, *, quality: Quality, bpy_python: Path) -> Iterator[str]:
    """Make NAME.jpg and NAME.json for each request that is not in `out` yet; yield the names as they are done."""
    out.mkdir(parents=True, exist_ok=True)
    todo = [r for r in requests if not ((out / f"{r.name}.jpg").exists() and (out / f"{r.name}.json").exists())]
    for start in range(0, len(todo), BATCH):
        with tempfile.TemporaryDirectory(prefix="boardsnap-render-") as work:
            finishes: dict[str, Any] = {}
            for request in todo[start : start + BATCH]:
                rng = np.random.default_rng(request.seed)
                shot = request.shoot(rng)
                job = write_job(
                    shot, Path(work) / request.name, rng=rng, samples=quality.samples, threads=quality.threads
                )
                truth = truth_of(shot)
                truth["light"] = {"hdr": job["world"]["hdr"], "lamps": len(job["lights"]), "key": job["view"]["key"]}
                truth["tilt_deg"] = round(shot.tilt_deg, 2)
                finishes[request.name] = (draw_finish(rng, dim=job["view"]["key"] < DIM_KEY), truth)
            for folder in render_jobs([Path(work) / name for name in finishes], bpy_python=bpy_python):
                finish, truth = finishes[folder.name]
                save(np.asarray(Image.open(folder / "render.png").convert("RGB")), out / f"{folder.name}.jpg", finish)
                (out / f"{folder.name}.json").write_text(json.dumps(truth, separators=(",", ":")))
                shutil.rmtree(folder)
                yield folder.name

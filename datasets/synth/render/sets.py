"""The path-traced evaluation sets, each the same whenever it is made.

    python -m datasets.synth.render.sets --split eval --out DIR

`eval`: arts that no training sees. `trained`: styles that training sees, on boards it does not. `enrol`: for each
art of `eval` one photo of its 27 kinds in four rows (7, 7, 7, 6), in the order of the catalogue, on a bare table.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from datasets.synth.faces import EVAL_STYLES, TRAIN_STYLES, paint_art
from datasets.synth.layout import make_scene
from datasets.synth.render.lean import LeanError
from datasets.synth.render.run import SAMPLES, Quality, Request, find_bpy_python, render_photos
from datasets.synth.render.shot import Shot, take
from datasets.synth.sheets import enrolment_scene

SPLITS = ("eval", "trained", "enrol")
COUNTS = {"eval": 60, "trained": 24, "enrol": len(EVAL_STYLES)}
SIZE = (1600, 1200)
PORTRAIT_SHARE = 0.12
MIN_GAP_MM = 2.0
"""Tiles on evaluation photos touch or lie at least this far apart: a person could say which on the photo."""

ART_SEED = 0


def requests_of(
    split: str,
    *,
    count: int | None = None,
    size: tuple[int, int] = SIZE,
    seed: int = 0,
    styles: Sequence[str] | None = None,
) -> list[Request]:
    """Return what to render for a split: ValueError for one that is not known."""
    if split not in SPLITS:
        raise ValueError(f"split {split!r} is not known; known: {', '.join(SPLITS)}")
    count = COUNTS[split] if count is None else count
    label = split if seed == 0 else f"{split}_{seed}"
    start = {"eval": 1_000, "trained": 2_000, "enrol": 3_000}[split] + seed * 10_000
    if split == "enrol":
        return [
            Request(f"{label}_{style}", (start, index), _enrolment(style, size=size))
            for index, style in enumerate((styles or EVAL_STYLES)[:count])
        ]
    chosen = styles or (EVAL_STYLES if split == "eval" else TRAIN_STYLES)
    # 7 of 31 styles further each time: a short set still has all families of styles
    step = 7 if len(chosen) > count and len(chosen) % 7 else 1
    return [
        Request(
            f"{label}_{index:03d}",
            (start, index),
            _board(chosen[index * step % len(chosen)], start + index, players=2 + index % 5, size=size),
        )
        for index in range(count)
    ]


def _board(style: str, number: int, *, players: int, size: tuple[int, int]) -> Callable[[np.random.Generator], Shot]:
    def shoot(rng: np.random.Generator) -> Shot:
        art = paint_art(style, ART_SEED)
        upright = (size[1], size[0]) if rng.uniform() < PORTRAIT_SHARE else size
        for attempt in range(40):
            scene = make_scene(
                number * 100 + attempt,
                art,
                players=players,
                min_gap_mm=MIN_GAP_MM,
                clear_shares=True,
                odd_counts=0.08,
                illegal=0.35,
            )
            try:
                return take(scene, art, rng=rng, size=upright)
            except LeanError:  # three tiles in a ring cannot lie as rigid plates
                continue
        raise LeanError(f"no scene without a ring in 40 tries for {style}, {number}")

    return shoot


def _enrolment(style: str, *, size: tuple[int, int]) -> Callable[[np.random.Generator], Shot]:
    def shoot(rng: np.random.Generator) -> Shot:
        art = paint_art(style, ART_SEED)
        return take(enrolment_scene(art, rng), art, rng=rng, size=size, tilt_deg=(0.0, 10.0), has_board=False)

    return shoot


def render_dataset(
    out: Path,
    *,
    split: str,
    count: int | None = None,
    seed: int = 0,
    styles: Sequence[str] | None = None,
    size: tuple[int, int] = SIZE,
    jobs: int = 1,
    bpy_python: str | None = None,
) -> list[Path]:
    """Render a set into `out`, with `jobs` threads, and return its truth files; photos already there are kept.

    `train` is taken for `trained`. Raises `NoBlender` where no Python with bpy is found, RuntimeError where photos
    are missing at the end.
    """
    requests = requests_of("trained" if split == "train" else split, count=count, size=size, seed=seed, styles=styles)
    python = find_bpy_python(bpy_python)
    for name in render_photos(requests, out, quality=Quality(threads=jobs), bpy_python=python):
        print(name, file=sys.stderr, flush=True)
    files = [out / f"{request.name}.json" for request in requests]
    missing = [file.stem for file in files if not file.exists()]
    if missing:
        raise RuntimeError(f"{len(missing)} of {len(files)} photos failed: {', '.join(missing[:5])}; run it again")
    return files


def main(argv: Sequence[str] | None = None) -> int:
    """Render one set; photos that are there already stay."""
    parser = argparse.ArgumentParser(prog="python -m datasets.synth.render.sets", description=__doc__)
    parser.add_argument("--split", choices=SPLITS, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, help="photos (default: all of the set)")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="paths a pixel")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, metavar=("W", "H"))
    parser.add_argument("--seed", type=int, default=0, help="0 is the set that results are quoted on")
    parser.add_argument("--bpy-python", help="a Python that has bpy")
    given = parser.parse_args(argv)
    requests = requests_of(given.split, count=given.count, size=(given.size[0], given.size[1]), seed=given.seed)
    start = time.monotonic()
    quality = Quality(given.samples, given.threads)
    made = 0
    for name in render_photos(requests, given.out, quality=quality, bpy_python=find_bpy_python(given.bpy_python)):
        made += 1
        print(f"{name} {time.monotonic() - start:.0f} s", flush=True)
    missing = [r.name for r in requests if not (given.out / f"{r.name}.json").exists()]
    print(f"{given.split}: {made} made, {len(missing)} missing {missing[:5]}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

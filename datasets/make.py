"""Makes data sets of synthetic photos with truth: NAME.jpg beside NAME.json."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.synth.arts import ArtShelf
from datasets.synth.compose import SIZE, Photo, photograph
from datasets.synth.faces import EVAL_STYLES, TRAIN_STYLES
from datasets.synth.layout import make_scene
from datasets.synth.scene import Art, Scene
from datasets.synth.sheets import enrolment_scene
from datasets.synth.trim import draw_trim, trimmed

ART_SEEDS = 3
"""Arts painted in each style."""

MIXED_SHARE = 0.15
"""Share of training photos whose kinds come each from another art."""

MOST_HANGING = 5
"""So many tiles at most hang over the edge of a hard board."""

MOST_COVERED = 8
"""So many tiles at most are covered by more than half on a hard board."""

TRIM_SHARE = 0.45
"""Share of training photos of which all faces are trimmed with a rim and a tint of their own."""

SHEET_TILT_DEG = (0.0, 15.0)
"""How far from straight above enrolment sheets are photographed."""

TRAIN_GAP_MM, EVAL_GAP_MM = 0.6, 2.0
"""Tiles that do not touch are at least this far apart; in evaluation nobody may doubt which is which."""


SPLITS = ("train", "sheets", "eval", "foreign")
"""What composites are made for: training; training on enrolment sheets; evaluation; evaluation among things on the
board that are no tiles."""

_TRAINING = ("train", "sheets")

FOREIGN_TILES, FOREIGN_THINGS = 12, 3
"""Tiles of a board with foreign things, which leave them room, and the things."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to make: `count` photos from `seed` for a split of `SPLITS`, of `size` (W, H), in the given styles.

    The share `hard` of them shows what is read worst: many tiles of few kinds over each other, tiles covered by more
    than half, tiles over the edge.
    """

    out: Path
    count: int
    seed: int
    styles: tuple[str, ...]
    split: str = "train"
    size: tuple[int, int] = SIZE
    art_seeds: int = ART_SEEDS
    cache: Path | None = None
    hard: float = 0.0


def make_dataset(
    out: Path,
    *,
    count: int,
    seed: int,
    styles: Sequence[str] | None = None,
    split: str = "train",
    renderer: str = "composite",
    jobs: int = 1,
    size: tuple[int, int] = SIZE,
    art_seeds: int = ART_SEEDS,
    cache: Path | None = None,
    hard: float = 0.0,
    bpy_python: str | None = None,
) -> list[Path]:
    """Write `count` photos with truth into `out` and return the truth files; those already there are kept.

    A photo depends on its split, seed and number alone, never on `jobs`. Painted arts are kept in `cache`
    (`arts` beside `out` by default). The renderer `cycles` path traces in Blender (`bpy_python`), `jobs` threads to a
    photo, and knows the splits `trained` and `enrol` too. Raises ValueError for a renderer or split that is not known.
    """
    if renderer == "cycles":
        from datasets.synth.render.sets import render_dataset

        return render_dataset(
            out, split=split, count=count, seed=seed, styles=styles, size=size, jobs=jobs, bpy_python=bpy_python
        )
    if renderer != "composite":
        raise ValueError(f"renderer {renderer!r} is not known; known: 'composite', 'cycles'")
    if split not in SPLITS:
        raise ValueError(f"split {split!r} is not known; known: {', '.join(map(repr, SPLITS))}")
    chosen = tuple(styles) if styles else (TRAIN_STYLES if split in _TRAINING else EVAL_STYLES)
    cache = cache if cache is not None else out.parent / "arts"
    order = Order(out, count, seed, chosen, split, size, art_seeds, cache, hard)
    out.mkdir(parents=True, exist_ok=True)
    if jobs <= 1:
        _make_share(order, 0, 1)
    else:
        with multiprocessing.get_context("spawn").Pool(jobs) as pool:
            pool.starmap(_make_share, [(order, i, jobs) for i in range(jobs)])
    return [out / f"{name_of(order, i)}.json" for i in range(count)]


def name_of(order: Order, index: int) -> str:
    """Return the name of a photo: split, seed, number."""
    return f"{order.split}_{order.seed}_{index:06d}"


def _make_share(order: Order, first: int, step: int) -> None:
    cv2.setNumThreads(1)
    shelf = ArtShelf(order.cache)
    for index in range(first, order.count, step):
        file = order.out / f"{name_of(order, index)}.json"
        if not (file.exists() and file.with_suffix(".jpg").exists()):
            write_photo(make_photo(order, index, shelf), file)
        if sys.stderr.isatty():
            print(f"\r{index + 1}/{order.count}", end="", file=sys.stderr, flush=True)


def make_photo(order: Order, index: int, shelf: ArtShelf) -> Photo:
    """Return photo number `index` of an order."""
    rng = np.random.default_rng((order.seed, index, *order.split.encode()))
    choices = [(style, art_seed) for style in order.styles for art_seed in range(order.art_seeds)]
    training = order.split in _TRAINING
    if training and rng.random() < MIXED_SHARE:
        art = shelf.mixed(choices, rng)
    else:
        art = shelf.art(*choices[int(rng.integers(len(choices)))])
    if training and rng.random() < TRIM_SHARE:
        art = trimmed(art, draw_trim(rng))
    if order.split == "sheets":
        sheet = enrolment_scene(art, rng)
        return photograph(sheet, art, rng, size=order.size, tilt_deg=SHEET_TILT_DEG, has_board=False)
    hard = order.hard > 0 and rng.random() < order.hard
    if order.split == "foreign":
        return photograph(_among_foreign_things(int(rng.integers(1 << 40)), art), art, rng, size=order.size)
    scene = make_scene(
        int(rng.integers(1 << 40)),
        art,
        min_gap_mm=TRAIN_GAP_MM if training else EVAL_GAP_MM,
        clear_shares=not training,
        odd_counts=0.15 if training else 0.05,
        illegal=0.8 if hard else 0.3,
        most_hanging=MOST_HANGING if hard else 2,
        most_covered=MOST_COVERED if hard else 2,
        few_kinds=hard and rng.random() < 0.5,
    )
    return photograph(scene, art, rng, size=order.size)


def _among_foreign_things(seed: int, art: Art) -> Scene:
    return make_scene(
        seed,
        art,
        players=4,
        tile_count=FOREIGN_TILES,
        min_gap_mm=EVAL_GAP_MM,
        clear_shares=True,
        illegal=0.0,
        props=False,
        foreign=FOREIGN_THINGS,
    )


def write_photo(photo: Photo, file: Path) -> None:
    """Write the picture beside the truth `file`, the truth last."""
    flags = [cv2.IMWRITE_JPEG_QUALITY, photo.jpeg_quality]
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(photo.image[:, :, ::-1]), flags)
    if not done:
        raise OSError(f"{file.with_suffix('.jpg')} could not be encoded")
    file.with_suffix(".jpg").write_bytes(data.tobytes())
    half = file.with_suffix(".part")
    half.write_text(json.dumps(photo.truth, separators=(",", ":")))
    half.rename(file)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m datasets.make", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=(*SPLITS, "trained", "enrol"), default="train")
    parser.add_argument("--renderer", choices=("composite", "cycles"), default="composite")
    parser.add_argument("--bpy-python", help="a Python that has bpy, for the renderer cycles")
    parser.add_argument("--style", action="append", help="only these styles; may be given several times")
    parser.add_argument("--art-seeds", type=int, default=ART_SEEDS, help="arts painted in each style")
    parser.add_argument("--hard", type=float, default=0.0, help="share of photos with hard boards, 0 to 1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, metavar=("W", "H"))
    parser.add_argument("--cache", type=Path, help="folder for painted arts (default: arts beside OUT)")
    given = parser.parse_args(argv)
    make_dataset(
        given.out,
        count=given.count,
        seed=given.seed,
        styles=given.style,
        split=given.split,
        renderer=given.renderer,
        bpy_python=given.bpy_python,
        jobs=given.jobs,
        size=(given.size[0], given.size[1]),
        art_seeds=given.art_seeds,
        cache=given.cache,
        hard=given.hard,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

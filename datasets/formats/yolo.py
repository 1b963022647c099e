"""YOLO segmentation labels: one line a thing, `class x1 y1 x2 y2 ...` in shares of the picture's width and height."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from datasets.formats.classes import CLASSES, Labelled, Ring, labelled
from datasets.formats.pairs import truths


def write_yolo(folder: Path, out: Path, *, val: Path | None = None) -> int:
    """Write a label file into `out`/labels/train for each photo with truth in `folder`, and `out`/data.yaml.

    Pictures are linked into `out`/images/train, those of `val` into images/val. Returns the number of photos.
    """
    parts = {"train": folder} | ({"val": val} if val is not None else {})
    count = 0
    for part, source in parts.items():
        for kind in ("images", "labels"):
            (out / kind / part).mkdir(parents=True, exist_ok=True)
        for file, truth in truths(source):
            link = out / "images" / part / f"{file.stem}.jpg"
            if not link.exists():
                link.symlink_to(file.with_suffix(".jpg").resolve())
            (out / "labels" / part / f"{file.stem}.txt").write_text(yolo_lines(truth))
            count += 1
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(CLASSES))
    held = "val" if val is not None else "train"
    (out / "data.yaml").write_text(f"path: {out.resolve()}\ntrain: images/train\nval: images/{held}\nnames:\n{names}")
    return count


def yolo_lines(truth: dict[str, Any]) -> str:
    """Return the label file of a truth."""
    w, h = truth["camera"]["size"]
    return "".join(_line(thing, w, h) for thing in labelled(truth))


def _line(thing: Labelled, w: float, h: float) -> str:
    ring = np.clip(joined(thing.parts) / (w, h), 0.0, 1.0)
    return f"{thing.label} " + " ".join(f"{v:.5f}" for v in ring.ravel()) + "\n"


def joined(parts: Sequence[Ring]) -> Ring:
    """Return one ring (n, 2) that runs round all parts, joined by seams of no width where they come nearest."""
    ring = parts[0]
    for part in parts[1:]:
        gaps = ((ring[:, None] - part[None]) ** 2).sum(axis=2)
        i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
        round_trip = np.concatenate([part[j:], part[: j + 1]])
        ring = np.concatenate([ring[: i + 1], round_trip, ring[i:]])
    return ring

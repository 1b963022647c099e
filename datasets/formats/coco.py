"""COCO instance segmentation: one JSON file for a folder of photos, polygons in pixels, several parts a thing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from datasets.formats.classes import CLASSES, Labelled, area_px2, labelled
from datasets.formats.pairs import truths

FIRST_ID = 1
"""COCO counts categories, pictures and annotations from one."""


def write_coco(folder: Path, out: Path) -> int:
    """Write the photos with truth of `folder` as the COCO file `out` and return their number."""
    data = coco((file.with_suffix(".jpg").name, truth) for file, truth in truths(folder))
    out.write_text(json.dumps(data))
    return len(data["images"])


def coco(photos: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Return the COCO data of photos given as (file name, truth)."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for image_id, (name, truth) in enumerate(photos, FIRST_ID):
        width, height = truth["camera"]["size"]
        images.append({"id": image_id, "file_name": name, "width": width, "height": height})
        for thing in labelled(truth):
            annotations.append({"id": FIRST_ID + len(annotations), "image_id": image_id, **_annotation(thing)})
    categories = [{"id": FIRST_ID + i, "name": name, "supercategory": "boardsnap"} for i, name in enumerate(CLASSES)]
    return {"images": images, "annotations": annotations, "categories": categories}


def _annotation(thing: Labelled) -> dict[str, Any]:
    points = np.concatenate(thing.parts)
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    return {
        "category_id": FIRST_ID + thing.label,
        "segmentation": [np.round(part, 2).ravel().tolist() for part in thing.parts],
        "bbox": [round(float(v), 2) for v in (left, top, right - left, bottom - top)],
        "area": round(sum(area_px2(part) for part in thing.parts), 2),
        "iscrowd": 0,
    }

"""Finds photos with truth in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def truths(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield (truth file, truth) for every photo with truth in `folder`, by name; FileNotFoundError if there is none."""
    files = [f for f in sorted(folder.glob("*.json")) if f.with_suffix(".jpg").exists()]
    if not files:
        raise FileNotFoundError(f"{folder} holds no photo with truth (NAME.jpg beside NAME.json)")
    for file in files:
        yield file, json.loads(file.read_text())

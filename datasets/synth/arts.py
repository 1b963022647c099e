"""Arts painted once: kept in the process and, as one file each, in a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from datasets.synth.faces import paint_art
from datasets.synth.scene import Art, Face

PX_PER_MM = 5.0
MOST_KEPT = 120
"""Arts held in memory, about 7 MB each."""


@dataclass(slots=True)
class ArtShelf:
    """Gives arts by (style, seed). `folder` keeps them between runs; a change to the painters makes new files."""

    folder: Path | None
    kept: dict[tuple[str, int], Art] = field(default_factory=dict)

    def art(self, style: str, seed: int) -> Art:
        """Return an art, painted now unless it is at hand."""
        key = (style, seed)
        if key not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                self.kept.pop(next(iter(self.kept)))
            self.kept[key] = self._fetch(style, seed)
        return self.kept[key]

    def mixed(self, choices: Sequence[tuple[str, int]], rng: np.random.Generator) -> Art:
        """Return an art whose kinds come each from one of several arts, so that faces vary within a photo."""
        drawn = [self.art(*choices[int(i)]) for i in rng.integers(len(choices), size=5)]
        faces = {kind: drawn[int(rng.integers(len(drawn)))].faces[kind] for kind in drawn[0].faces}
        return replace(drawn[0], name="mixed", style="mixed", faces=faces)

    def _fetch(self, style: str, seed: int) -> Art:
        if self.folder is None:
            return paint_art(style, seed, PX_PER_MM)
        file = self.folder / f"{style}-{seed}-{painters_version()}.npz"
        if file.exists():
            return load_art(file)
        art = paint_art(style, seed, PX_PER_MM)
        self.folder.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(f".{np.random.default_rng().integers(1 << 40)}.npz")
        save_art(half, art)
        half.rename(file)
        return art


@cache
def painters_version() -> str:
    """Return a short digest of the painters' sources."""
    folder = Path(__file__).parent / "faces"
    digest = hashlib.sha256()
    for file in sorted((*folder.rglob("*.py"), *folder.rglob("*.toml"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:10]


def save_art(file: Path, art: Art) -> None:
    """Write an art as .npz."""
    arrays: dict[str, Any] = {}
    for kind, faces in art.faces.items():
        for i, face in enumerate(faces):
            arrays[f"{kind}/{i}/outline"] = face.outline
            arrays[f"{kind}/{i}/rgba"] = face.rgba
            arrays[f"{kind}/{i}/frame"] = np.array([face.px_per_mm, *face.corner_mm])
    arrays["core"] = np.array(art.core_rgb)
    arrays["names"] = np.array([art.name, art.style, str(art.seed), repr(art.thickness_mm)])
    np.savez(file, **arrays)


def load_art(file: Path) -> Art:
    """Read an art that `save_art` wrote."""
    with np.load(file) as data:
        found: dict[str, list[Face]] = {}
        for key in sorted(k for k in data.files if k.endswith("/rgba")):
            kind, i, _ = key.split("/")
            scale, left, top = data[f"{kind}/{i}/frame"].tolist()
            found.setdefault(kind, []).append(Face(kind, data[f"{kind}/{i}/outline"], data[key], scale, (left, top)))
        name, style, seed, thickness = data["names"].tolist()
        core = data["core"].tolist()
    faces = {kind: tuple(f) for kind, f in found.items()}
    return Art(name, style, int(seed), faces, (core[0], core[1], core[2]), float(thickness))

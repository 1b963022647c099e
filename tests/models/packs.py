"""Art packs in one line, for tests: `pack_of("swiss bleu")`."""

from __future__ import annotations

import numpy as np

from models.artpack import ArtPack, with_faces
from vision.faces import DESCRIPTOR, FACE_PX, Face

NETWORK = "a" * 64
MADE = "2026-01-31T12:00:00Z"


def face_of(kind: str, seed: int = 0, source: str = "enrol.jpg") -> Face:
    """A made-up face: a circle of 38 mm, stripes of a colour, a random descriptor."""
    rng = np.random.default_rng(seed)
    descriptor = rng.normal(size=DESCRIPTOR)
    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return Face(
        kind,
        (rng.integers(0, 200, 3) + 50 * (np.arange(FACE_PX) // 4 % 2)[:, None, None])
        .repeat(FACE_PX, 1)
        .astype(np.uint8),
        19.0 * np.c_[np.cos(around), np.sin(around)],
        (descriptor / np.linalg.norm(descriptor)).astype(np.float32),
        source,
    )


def pack_of(kinds: str, name: str = "mine") -> ArtPack:
    """A pack with a face for each kind named."""
    faces = [face_of(kind, seed) for seed, kind in enumerate(kinds.split())]
    return with_faces(ArtPack(name, (), MADE, "0.1.0"), faces, network=NETWORK)

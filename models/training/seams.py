"""Training of the seam network on pairs of tiles from photos with truth."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import shapely
import torch
from torch.nn import functional as F

from models.networks import SeamNet
from models.training.light import relit
from models.training.photos import faces_to_px, truth_files
from models.training.run import TrainingRun, fast_precision
from vision.crops import SEEN, look_at_tiles, projected
from vision.curves import grown, turns
from vision.detector import Thing
from vision.looking import Forward, centers_mm
from vision.outlines import middle
from vision.picture import Picture
from vision.rectify import Plane
from vision.seams import SAID, Pair, SeamTile, cut_seams, pairs_with_seam

Floats = npt.NDArray[np.float64]


CLEAR_GAP_MM = 1.2
"""Pairs nearer than this that do not touch are not trained on: photos do not tell such gaps from none."""
UNDECIDED = -1


@dataclass(frozen=True, slots=True)
class SeamNetPlan:
    """How the seam network is trained; `minutes` is the wall time, `photos_a_batch` how many photos give a batch."""

    lr: float = 2e-3
    weight_decay: float = 0.02
    minutes: float = 40.0
    seed: int = 2
    ema_decay: float = 0.998
    threads: int = 1
    photos_a_batch: int = 6
    pairs_a_photo: int = 12


@dataclass(frozen=True, slots=True)
class SeamPhoto:
    """A photo as JPEG bytes, the map (3, 3) from its px to mm in the plane of the faces, and the tiles in that plane.

    `outlines` (n, 2) mm are as they look there, `finds` the tiles as a detector would find them; `said` tells of pairs
    (i, j) what there is to say, an index of `SAID` or `UNDECIDED`; of pairs not listed, "apart".
    """

    jpeg: npt.NDArray[np.uint8]
    to_plane: Floats
    outlines: tuple[Floats, ...]
    finds: tuple[Thing, ...]
    said: dict[Pair, int]


def read_seam_photo(truth_file: Path) -> SeamPhoto | None:
    """Read a photo with truth; None where it shows fewer than two tiles. Tiles hardly seen are left out."""
    truth: dict[str, Any] = json.loads(truth_file.read_text())
    tiles = [t for t in truth["tiles"] if t["visible"] > _LEAST_SEEN and t["visible_px"]]
    if len(tiles) < 2:
        return None
    to_plane = np.asarray(np.linalg.inv(faces_to_px(truth)), np.float64)
    outlines = tuple(projected(np.array(t["polygon_px"], float), to_plane) for t in tiles)
    index = {t["id"]: k for k, t in enumerate(tiles)}
    said: dict[Pair, int] = {}
    pairs = [(a, b, "touching", "touching") for a, b in truth["contacts"]]
    pairs += [(a, b, "first over second", "second over first") for a, b in truth["over"]]
    for a, b, there, back in pairs:
        if a in index and b in index:
            said[index[a], index[b]], said[index[b], index[a]] = SAID.index(there), SAID.index(back)
    said |= dict.fromkeys(_hardly_apart([np.asarray(t["footprint"], float) for t in tiles], said), UNDECIDED)
    finds = tuple(_find(t["shape"], [np.asarray(part, np.float32) for part in t["visible_px"]]) for t in tiles)
    return SeamPhoto(np.fromfile(truth_file.with_suffix(".jpg"), np.uint8), to_plane, outlines, finds, said)


_LEAST_SEEN = 0.1


def _hardly_apart(footprints: Sequence[Floats], said: Container[Pair]) -> list[Pair]:
    """Pairs (i, j) of which nothing is said that lie nearer than `CLEAR_GAP_MM`."""
    areas = np.array([shapely.Polygon(footprint) for footprint in footprints], dtype=object)
    near = zip(*shapely.STRtree(areas).query(areas, predicate="dwithin", distance=CLEAR_GAP_MM), strict=True)
    return [(int(i), int(j)) for i, j in near if i != j and (i, j) not in said]


def _find(shape: str, parts: Sequence[npt.NDArray[np.float32]]) -> Thing:
    points = np.concatenate(parts)
    return Thing.of_box(shape, 1.0, np.r_[points.min(0), points.max(0)])


def drawn(outline: Floats, growth_mm: float, rng: np.random.Generator) -> Floats:
    """An outline (n, 2) mm as a reading would draw it: moved, turned and grown by what readings err by.

    On 66 boards of enrolled arts half of all gaps are told to 0.45 mm, one in ten is off by 1.3 mm and more: tiles are
    laid a third of a millimetre off, some three times that, and outlines err by a fifth, on all tiles of a board too.
    """
    far = rng.choice([1.0, 3.0], p=[0.88, 0.12])
    at = middle(outline)
    turn = turns(np.array([rng.normal(0, 0.012 * far)]))[0]
    moved = (outline - at) @ turn.T + at + rng.normal(0, 0.33 * far, 2)
    return grown(moved, growth_mm + rng.normal(0, 0.2))


class SeamSource:
    """Endless batches of seams; `tilenet` tells what is seen of each tile, once for each photo."""

    def __init__(self, folders: Sequence[Path], plan: SeamNetPlan, tilenet: Forward) -> None:
        self.plan, self.tilenet, self.rng = plan, tilenet, np.random.default_rng(plan.seed)
        self.photos = [photo for file in truth_files(folders) if (photo := read_seam_photo(file)) is not None]
        self._looks: dict[int, list[tuple[npt.NDArray[np.uint8], Floats]]] = {}

    def batch(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """Pictures (n, channels, 48, 48) of seams and what there is to say of them (n,)."""
        picked = [self._seams(int(k)) for k in self.rng.integers(0, len(self.photos), self.plan.photos_a_batch)]
        return np.concatenate([p for p, _ in picked]), np.concatenate([s for _, s in picked])

    def _seams(self, index: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        photo = self.photos[index]
        image = cv2.cvtColor(cv2.imdecode(photo.jpeg, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        growth = self.rng.normal(0, 0.2)
        tiles = [
            SeamTile(drawn(outline, growth, self.rng), seen, to_crop)
            for outline, (seen, to_crop) in zip(photo.outlines, self._looks_at(index, image), strict=True)
        ]
        pairs = [
            pair for pair in pairs_with_seam([tile.outline for tile in tiles]) if photo.said.get(pair) != UNDECIDED
        ]
        some = [pairs[int(k)] for k in self.rng.permutation(len(pairs))[: self.plan.pairs_a_photo]]
        turned = [(a, b) if self.rng.random() < 0.5 else (b, a) for a, b in some]
        pictures = cut_seams(Picture(relit(image, self.rng)), photo.to_plane, tiles, turned)
        mirror = self.rng.random(len(turned)) < 0.5
        pictures[mirror] = pictures[mirror, :, ::-1]
        return pictures, np.array([photo.said.get(pair, 0) for pair in turned], np.int64)

    def _looks_at(self, index: int, image: npt.NDArray[np.uint8]) -> list[tuple[npt.NDArray[np.uint8], Floats]]:
        """What the tile network sees of each tile of a photo, and the maps to its crops."""
        if index not in self._looks:
            photo = self.photos[index]
            centers = centers_mm(photo.finds, Plane(photo.to_plane, np.inf))
            looks = look_at_tiles(Picture(image), photo.finds, centers, photo.to_plane, self.tilenet)
            self._looks[index] = [
                (cv2.imencode(".png", (255 * look.masks[SEEN]).astype(np.uint8))[1], look.to_crop) for look in looks
            ]
        return [(cv2.imdecode(seen, cv2.IMREAD_GRAYSCALE), to_crop) for seen, to_crop in self._looks[index]]


def train_seamnet(
    folders: Sequence[Path], out: Path, plan: SeamNetPlan, tilenet: Forward, resume: Path | None = None
) -> Path:
    """Train for `plan.minutes` on what `tilenet` sees, write checkpoints to `out`, return the path of the last."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    source = SeamSource(folders, plan, tilenet)
    network = SeamNet().to(memory_format=torch.channels_last)
    run = TrainingRun(network, plan, out, resume=resume)
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.lr, weight_decay=plan.weight_decay)
    while (progress := run.progress()) < 1:
        run.set_learning_rate(optimizer, progress)
        network.train()
        pictures, said = (torch.from_numpy(array) for array in source.batch())
        with fast_precision():
            logits = network(pictures.contiguous(memory_format=torch.channels_last)).float()
        loss = F.cross_entropy(logits, said)
        run.take_step(optimizer, loss, max_norm=5.0)
        run.note({"said": loss.item(), "wrong": (logits.argmax(1) != said).float().mean().item()})
    return run.save()

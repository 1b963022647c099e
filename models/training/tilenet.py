"""Training of the tile network on crops from photos with truth."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from models.networks import Identities, TileNet
from models.training.crops import BoardPhoto, Crop, Pixels, cut, cut_nothing, read_board_photo
from models.training.photos import truth_files
from models.training.run import TrainingRun, fast_precision
from scoring.charcuterie.catalogue import KINDS

FACES = 4096
"""Faces told apart by their descriptor at most; those of further arts train the masks and the kinds only."""
_AROUND = np.ones((7, 7), np.uint8)


@dataclass(frozen=True, slots=True)
class TileNetPlan:
    """How the tile network is trained; `minutes` is the wall time, `photos` how many photos are open at a time."""

    batch: int = 48
    lr: float = 2e-3
    weight_decay: float = 0.02
    minutes: float = 40.0
    seed: int = 1
    ema_decay: float = 0.998
    threads: int = 1
    photos_a_batch: int = 6


class CropSource:
    """Endless batches of crops; photos that appear in the folders join when `look` is called."""

    def __init__(self, folders: Sequence[Path], plan: TileNetPlan) -> None:
        self.folders, self.plan = folders, plan
        self.rng = np.random.default_rng(plan.seed)
        self.kinds = list(KINDS)
        self.photos: list[BoardPhoto] = []
        self.seen: set[Path] = set()
        self.faces: dict[str, int] = {}
        self._looked = -math.inf

    def look(self) -> None:
        """Take in photos written since the last look, every minute and a half."""
        if self.photos and time.monotonic() - self._looked < 90:
            return
        for file in truth_files(self.folders):
            if file not in self.seen:
                self._take_in(read_board_photo(file, self.kinds))
                self.seen.add(file)
        self._looked = time.monotonic()
        print(f"{len(self.photos)} photos, {len(self.faces)} faces", flush=True)

    def _take_in(self, photo: BoardPhoto) -> None:
        if photo.tiles:
            self.photos.append(photo)
            for tile in filter(lambda t: t.face, photo.tiles):
                self.faces.setdefault(tile.face, len(self.faces))

    def _photo_crops(self, photo: BoardPhoto, count: int) -> Iterator[Crop]:
        image = cv2.cvtColor(cv2.imdecode(photo.jpeg, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        for k in self.rng.permutation(len(photo.tiles))[:count]:
            yield cut(photo, image, photo.tiles[int(k)], self.rng)
        nothing = cut_nothing(photo, image, self.rng)
        if nothing is not None:
            yield nothing

    def batch(self) -> list[Crop]:
        """About `plan.batch` crops from a few photos."""
        each = self.plan.batch // self.plan.photos_a_batch
        crops: list[Crop] = []
        for k in self.rng.integers(0, len(self.photos), self.plan.photos_a_batch):
            crops += self._photo_crops(self.photos[int(k)], each)
        return crops


def mask_loss(logits: Tensor, target: Tensor, edge: Tensor) -> Tensor:
    """Cross-entropy with soft targets, heavier where `edge` is 1, plus the dice loss."""
    bce = (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * (1 + 3 * edge)).mean()
    p = torch.sigmoid(logits)
    dice = 1 - (2 * (p * target).sum((2, 3)) + 1) / ((p + target).sum((2, 3)) + 1)
    return bce + 0.5 * dice.mean()


def _stack(masks: list[Pixels]) -> Tensor:
    return torch.from_numpy(np.stack(masks))[:, None].float() / 255


def _with_edges(masks: list[Pixels]) -> tuple[Tensor, Tensor]:
    """The masks (n, 1, h, w) in 0..1, and 1 within three pixels of their edges."""
    return _stack(masks), _stack([cv2.dilate(m, _AROUND) - cv2.erode(m, _AROUND) for m in masks])


def batch_loss(network: TileNet, identities: Identities, crops: list[Crop], faces: dict[str, int]) -> dict[str, Tensor]:
    """The terms of the loss on one batch of crops."""
    image = torch.from_numpy(np.stack([c.image for c in crops])).permute(0, 3, 1, 2).float() / 255
    full, seen, board, tiles = (
        _with_edges([getattr(c, name) for c in crops]) for name in ("full", "seen", "board", "tiles")
    )
    rings = [(k, c.ring) for k, c in enumerate(crops) if c.ring is not None]
    given = torch.cat([image, _stack([c.hint for c in crops])], 1)
    with fast_precision():
        said = network(given.contiguous(memory_format=torch.channels_last))
    masks, embedding, kind, shape = (tensor.float() for tensor in said)
    real = torch.tensor([c.kind >= 0 for c in crops])
    kinds = torch.tensor([c.kind for c in crops])
    known = torch.tensor([faces.get(c.face, -1) for c in crops])
    named = real & (known >= 0) & (known < identities.weight.shape[0])
    return {
        "full": mask_loss(masks[:, :1], *full),
        "seen": mask_loss(masks[:, 1:2], *seen),
        "board": 0.3 * mask_loss(masks[:, 2:3], *board),
        "ring": _ring_loss(masks, rings),
        "tiles": 0.3 * mask_loss(masks[:, 4:5], *tiles),
        "kind": 0.5 * F.cross_entropy(kind[real], kinds[real]),
        "face": 0.15 * identities(embedding[named], known[named]),
        "shape": 0.3 * F.cross_entropy(shape, torch.tensor([c.shape for c in crops])),
    }


def _ring_loss(masks: Tensor, rings: list[tuple[int, Pixels]]) -> Tensor:
    """The loss of the inner ring on those crops whose board has one printed."""
    if not rings:
        return masks.sum() * 0
    return 0.2 * mask_loss(masks[[k for k, _ in rings], 3:4], *_with_edges([ring for _, ring in rings]))


def train_tilenet(folders: Sequence[Path], out: Path, plan: TileNetPlan, resume: Path | None = None) -> Path:
    """Train for `plan.minutes`, write checkpoints to `out`, return the path of the last."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    source = CropSource(folders, plan)
    network, identities = TileNet().to(memory_format=torch.channels_last), Identities(FACES)
    run = TrainingRun(network, plan, out, resume=resume)
    _go_on_naming(run, identities, source)
    optimizer = torch.optim.AdamW(
        [*network.parameters(), *identities.parameters()], lr=plan.lr, weight_decay=plan.weight_decay
    )
    while (progress := run.progress()) < 1:
        source.look()
        run.set_learning_rate(optimizer, progress)
        network.train()
        terms = batch_loss(network, identities, source.batch(), source.faces)
        run.take_step(optimizer, torch.stack(list(terms.values())).sum(), max_norm=5.0)
        run.note({name: term.item() for name, term in terms.items()})
    return run.save()


def _go_on_naming(run: TrainingRun, identities: Identities, source: CropSource) -> None:
    """Take the vectors of the faces named so far from the checkpoint, and keep them in the next ones."""
    if run.beside:
        source.faces = dict(run.beside["faces"])
        identities.load_state_dict(run.beside["identities"])
    run.beside = {"faces": source.faces, "identities": identities.state_dict()}

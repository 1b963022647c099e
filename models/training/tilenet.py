"""Training of the tile network on crops from photos with truth."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.networks import Identities, TileNet
from models.training.crops import BoardPhoto, Crop, Pixels, cut, cut_nothing, read_board_photo
from models.training.photos import truth_files
from scoring.charcuterie.catalogue import KINDS


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

    def look(self) -> None:
        """Take in photos written since the last look."""
        for file in truth_files(self.folders):
            if file not in self.seen:
                photo = read_board_photo(file, self.kinds)
                self.seen.add(file)
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


def mask_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Cross-entropy with soft targets, heavier near the edges, plus the dice loss."""
    edge = F.max_pool2d(target, 7, 1, 3) - (1 - F.max_pool2d(1 - target, 7, 1, 3))
    bce = (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * (1 + 3 * edge)).mean()
    p = torch.sigmoid(logits)
    dice = 1 - (2 * (p * target).sum((2, 3)) + 1) / ((p + target).sum((2, 3)) + 1)
    return bce + 0.5 * dice.mean()


def _stack(masks: list[Pixels]) -> Tensor:
    return torch.from_numpy(np.stack(masks))[:, None].float() / 255


def batch_loss(network: TileNet, identities: Identities, crops: list[Crop], faces: dict[str, int]) -> dict[str, Tensor]:
    """The terms of the loss on one batch of crops."""
    image = torch.from_numpy(np.stack([c.image for c in crops])).permute(0, 3, 1, 2).float() / 255
    hint, full, seen, board = (_stack([getattr(c, n) for c in crops]) for n in ("hint", "full", "seen", "board"))
    ringed = torch.tensor([c.ring is not None for c in crops])
    ring = _stack([c.full if c.ring is None else c.ring for c in crops])
    masks, embedding, kind, shape = network(torch.cat([image, hint], 1))
    real = torch.tensor([c.kind >= 0 for c in crops])
    kinds = torch.tensor([c.kind for c in crops])
    known = torch.tensor([faces.get(c.face, -1) for c in crops])
    named = real & (known >= 0) & (known < identities.weight.shape[0])
    return {
        "full": mask_loss(masks[:, :1], full),
        "seen": mask_loss(masks[:, 1:2], seen),
        "board": 0.3 * mask_loss(masks[:, 2:3], board),
        "ring": 0.2 * mask_loss(masks[ringed, 3:4], ring[ringed]) if ringed.any() else masks.sum() * 0,
        "kind": 0.5 * F.cross_entropy(kind[real], kinds[real]),
        "face": 0.15 * identities(embedding[named], known[named]),
        "shape": 0.3 * F.cross_entropy(shape, torch.tensor([c.shape for c in crops])),
    }


def train_tilenet(folders: Sequence[Path], out: Path, plan: TileNetPlan, resume: Path | None = None) -> Path:
    """Train for `plan.minutes`, write checkpoints to `out`, return the path of the last."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    network = TileNet()
    if resume is not None:
        network.load_state_dict(torch.load(resume, weights_only=True)["ema"])
    ema = copy.deepcopy(network).eval().requires_grad_(False)
    identities = Identities(4096)
    optimizer = torch.optim.AdamW(
        [*network.parameters(), *identities.parameters()], lr=plan.lr, weight_decay=plan.weight_decay
    )
    source = CropSource(folders, plan)
    start = last = last_save = time.monotonic()
    step, running = 0, dict[str, float]()
    while (progress := (time.monotonic() - start) / (60 * plan.minutes)) < 1:
        if not source.photos or time.monotonic() - last > 90:
            source.look()
            last = time.monotonic()
            print(f"{len(source.photos)} photos, {len(source.faces)} faces", flush=True)
        for group in optimizer.param_groups:
            group["lr"] = plan.lr * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        network.train()
        terms = batch_loss(network, identities, source.batch(), source.faces)
        optimizer.zero_grad(set_to_none=True)
        torch.stack(list(terms.values())).sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        _average(ema, network, min(plan.ema_decay, (1 + step) / (10 + step)))
        step += 1
        running = {k: running.get(k, v.item()) * 0.98 + 0.02 * v.item() for k, v in terms.items()}
        if step % 20 == 0:
            minutes = (time.monotonic() - start) / 60
            print(
                f"step {step} {minutes:.1f} min {60 * minutes / step:.2f} s/step "
                + " ".join(f"{k} {v:.3f}" for k, v in running.items()),
                flush=True,
            )
        if time.monotonic() - last_save > 180:
            _save(ema, plan, out / "last.pt", step)
            last_save = time.monotonic()
    _save(ema, plan, out / "last.pt", step)
    return out / "last.pt"


def _average(ema: nn.Module, network: nn.Module, decay: float) -> None:
    with torch.no_grad():
        for a, b in zip(ema.state_dict().values(), network.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - decay)
            else:
                a.copy_(b)


def _save(ema: nn.Module, plan: TileNetPlan, path: Path, step: int) -> None:
    part = path.with_suffix(".part")
    torch.save({"ema": ema.state_dict(), "plan": asdict(plan), "step": step}, part)
    part.replace(path)

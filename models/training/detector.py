"""Training of the detector: an ultralytics YOLO segmentation network for shapes, boards and cards.

The trainer of ultralytics accumulates gradients to a nominal batch of 64 and has no mixed precision on a CPU, so a
short run on a CPU learns little. This loop keeps the network and the loss of ultralytics and replaces the rest: one
optimizer step a batch, AdamW, a moving average of the weights, small pictures held in memory, bfloat16 where the
processor has it, and checkpoints to go on from.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
import yaml

from models.training.photos import Instance, TrainingPhoto, read_photo_with_truth, truth_files
from models.training.run import TrainingRun, fast_precision
from vision.detector import CLASSES
from vision.picture import GREY


@dataclass(frozen=True, slots=True)
class DetectorPlan:
    """How the detector is trained. Sizes are (width, height) px of the network's input, `minutes` the wall time.

    The first `early_share` of the time goes with smaller pictures: twice the steps for the same time.
    """

    size: tuple[int, int] = (544, 416)
    early_size: tuple[int, int] = (384, 288)
    early_share: float = 0.8
    batch: int = 8
    lr: float = 1.5e-3
    weight_decay: float = 0.02
    minutes: float = 60.0
    seed: int = 0
    ema_decay: float = 0.998
    threads: int = 1


def framing(
    board: npt.NDArray[np.float32], size: tuple[int, int], rng: np.random.Generator, photo_hw: tuple[int, int]
) -> npt.NDArray[np.float64]:
    """Random affine (2, 3) that shows the board in a frame of `size`: mostly filling it, sometimes the whole photo."""
    w, h = size
    low, high = board.min(0), board.max(0)
    if rng.random() < 0.3:
        low, high = np.zeros(2), np.array([photo_hw[1], photo_hw[0]], float)
    extent, center = high - low, (low + high) / 2
    turn = 90.0 if extent[1] > extent[0] else 0.0
    turn += 180.0 * rng.integers(2) + rng.normal(0, 6)
    if turn % 180 > 45 and turn % 180 < 135:
        extent = extent[::-1]
    scale = min(w / extent[0], h / extent[1]) * rng.uniform(0.72, 1.04)
    rad = math.radians(turn)
    a = scale * np.array([[math.cos(rad), -math.sin(rad)], [math.sin(rad), math.cos(rad)]])
    if rng.random() < 0.5:
        a[0] *= -1
    slack = np.maximum(np.array([w, h]) - scale * extent, 0) / 2
    shift = np.array([w, h]) / 2 + rng.uniform(-1, 1, 2) * (slack + 8)
    return np.hstack([a, (shift - a @ center)[:, None]])


def _recolour(image: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Change gain of each channel, gamma and contrast: one look-up a channel."""
    x = np.arange(256) / 255.0
    gamma, gain = math.exp(rng.normal(0, 0.2)), math.exp(rng.normal(0, 0.15))
    table = np.stack([np.clip(255 * gain * math.exp(rng.normal(0, 0.06)) * x**gamma, 0, 255) for _ in range(3)], -1)
    out = cv2.LUT(image, table[None].astype(np.uint8))
    if rng.random() < 0.3:
        gray = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        out = cv2.addWeighted(out, 1 - (k := rng.uniform(-0.4, 0.7)), gray, k, 0)
    if rng.random() < 0.25:
        out = np.clip(out.astype(np.int16) + rng.normal(0, rng.uniform(1, 9), out.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.2))
    return out


def _draw(
    parts: Sequence[npt.NDArray[np.float32]], affine: npt.NDArray[np.float64], hw: tuple[int, int]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Mask (h/4, w/4) and the moved points of an instance."""
    moved = [p @ affine[:, :2].T + affine[:, 2] for p in parts]
    mask = np.zeros((hw[0] // 4, hw[1] // 4), np.uint8)
    cv2.fillPoly(mask, [np.round((m / 4 - 0.5) * 16).astype(np.int32) for m in moved], 1, shift=4)
    return mask, np.concatenate(moved)


def make_sample(
    photo: TrainingPhoto, plan: DetectorPlan, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[tuple[int, npt.NDArray[np.float64], npt.NDArray[np.uint8]]]]:
    """One augmented picture (h, w, 3) and its instances (class, box xywh in 0..1, mask)."""
    w, h = plan.size
    affine = framing(photo.board, plan.size, rng, photo.image.shape[:2])
    image = cv2.warpAffine(
        photo.image, affine, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=GREY
    )
    out = []
    for instance in photo.instances:
        box = _visible_box(instance, affine, (h, w))
        if box is not None:
            out.append((instance.cls, box, _draw(instance.parts, affine, (h, w))[0]))
    return _recolour(image, rng), out


def _visible_box(
    instance: Instance, affine: npt.NDArray[np.float64], hw: tuple[int, int]
) -> npt.NDArray[np.float64] | None:
    moved = np.concatenate(instance.parts) @ affine[:, :2].T + affine[:, 2]
    limit = np.array([hw[1], hw[0]], float)
    low, high = np.clip(moved.min(0), 0, limit), np.clip(moved.max(0), 0, limit)
    full = np.prod(moved.max(0) - moved.min(0))
    if np.prod(high - low) < 0.35 * full or (high - low).min() < 3:
        return None
    return np.concatenate([(low + high) / 2 / limit, (high - low) / limit])


def make_batch(photos: Sequence[TrainingPhoto], plan: DetectorPlan, rng: np.random.Generator) -> dict[str, Any]:
    """A batch in the form that the loss of ultralytics takes."""
    images, index, cls, boxes, masks = [], [], [], [], []
    for i, k in enumerate(rng.integers(0, len(photos), plan.batch)):
        image, instances = make_sample(photos[int(k)], plan, rng)
        images.append(image)
        for c, box, mask in instances:
            index.append(i)
            cls.append(c)
            boxes.append(box)
            masks.append(mask)
    pixels = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).contiguous().float() / 255
    return {
        "img": pixels,
        "batch_idx": torch.tensor(index, dtype=torch.float32),
        "cls": torch.tensor(cls, dtype=torch.float32)[:, None],
        "bboxes": torch.from_numpy(np.array(boxes, np.float32)),
        "masks": torch.from_numpy(np.stack(masks)).float(),
    }


def build_network() -> Any:
    """The ultralytics segmentation network for our classes, untrained."""
    from ultralytics.cfg import get_cfg
    from ultralytics.nn.tasks import SegmentationModel

    config = yaml.safe_load(files("models.training").joinpath("detector.yaml").read_text(encoding="utf-8"))
    network = SegmentationModel(config, nc=len(CLASSES), verbose=False)
    network.args = get_cfg(overrides={"overlap_mask": False})
    network.names = dict(enumerate(CLASSES))
    return network


def train_detector(folders: Sequence[Path], out: Path, plan: DetectorPlan, resume: Path | None = None) -> Path:
    """Train for `plan.minutes` and write checkpoints to `out`; photos that appear meanwhile join at the next look.

    Returns the path of the last checkpoint, whose `ema` holds the averaged weights.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(plan.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = build_network().to(device, memory_format=torch.channels_last)
    run = TrainingRun(network, plan, out, resume=resume)
    optimizer, criterion = _optimizer(network, plan), network.init_criterion()
    album = Album(folders)
    while (progress := run.progress()) < 1:
        album.look()
        run.set_learning_rate(optimizer, progress)
        sized = replace(plan, size=plan.early_size) if progress < plan.early_share else plan
        batch = {k: v.to(device) for k, v in make_batch(album.photos, sized, rng).items()}
        network.train()
        with fast_precision(device.type):
            predictions = network(batch["img"].contiguous(memory_format=torch.channels_last))
        loss, parts = criterion(predictions, batch)
        run.take_step(optimizer, loss.sum(), max_norm=10.0)
        run.note({name: float(value) for name, value in parts.items()})
    return run.save()


def _optimizer(network: Any, plan: DetectorPlan) -> Any:
    """AdamW; norms and biases do not decay."""
    decay = [p for p in network.parameters() if p.ndim > 1]
    rest = [p for p in network.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": plan.weight_decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=plan.lr)


class Album:
    """The photos of some folders, those taken in that appear while a run goes on."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders, self.photos = folders, list[TrainingPhoto]()
        self._seen: set[Path] = set()
        self._looked = -math.inf

    def look(self) -> None:
        """Take in photos written since the last look, every two minutes."""
        if self.photos and time.monotonic() - self._looked < 120:
            return
        fresh = [f for f in truth_files(self.folders) if f not in self._seen]
        self.photos += [read_photo_with_truth(f, max_side_px=800, classes=CLASSES) for f in fresh]
        self._seen.update(fresh)
        self._looked = time.monotonic()
        print(f"{len(self.photos)} photos", flush=True)

"""Trains the networks from photos with truth and exports them: what `boardsnap train` runs. Needs the [train] extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.registry import load_network_file, load_networks

if TYPE_CHECKING:
    from vision.runtime import Network

NETWORKS = ("detector", "tilenet", "seamnet")
DEFAULT_PHOTOS = 2000
"""Photos made where no folder of photos is given: every face lies on some hundred of them."""


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """What to train: networks by name, folders of NAME.jpg beside NAME.json, minutes a network, seed, threads.

    Checkpoints and ONNX files go to `out`; `resume` goes on from the checkpoints that lie there.
    """

    out: Path
    folders: tuple[Path, ...] = ()
    networks: tuple[str, ...] = NETWORKS
    minutes: float = 60.0
    seed: int = 0
    threads: int = 1
    resume: bool = False
    photos: int = DEFAULT_PHOTOS


def train(order: TrainingOrder) -> list[Path]:
    """Train each network in turn and return its ONNX file; photos are made first where no folder is given.

    Raises:
        ModuleNotFoundError: torch is not installed.
        ValueError: a network is not known, or no folder holds a photo with truth.
    """
    unknown = sorted(set(order.networks) - set(NETWORKS))
    if unknown:
        raise ValueError(f"there is no network called {unknown[0]!r}; there are {', '.join(NETWORKS)}")
    folders = order.folders or (_made_photos(order),)
    if not any(file.with_suffix(".jpg").exists() for folder in folders for file in folder.glob("*.json")):
        raise ValueError(f"no photo with truth (NAME.jpg beside NAME.json) in {', '.join(map(str, folders))}")
    return [_train_one(name, folders, order) for name in NETWORKS if name in order.networks]


def _made_photos(order: TrainingOrder) -> Path:
    from datasets.make import make_dataset

    folder = order.out / "photos"
    make_dataset(folder, count=order.photos, seed=order.seed, jobs=order.threads)
    return folder


def _train_one(name: str, folders: Sequence[Path], order: TrainingOrder) -> Path:
    from models.export import export_detector, export_seamnet, export_tilenet
    from models.training.detector import DetectorPlan, train_detector
    from models.training.seams import SeamNetPlan, train_seamnet
    from models.training.tilenet import TileNetPlan, train_tilenet

    out = order.out / name
    last = out / "last.pt"
    resume = last if order.resume and last.exists() else None
    if name == "detector":
        plan = DetectorPlan(minutes=order.minutes, seed=order.seed, threads=order.threads)
        return export_detector(train_detector(folders, out, plan, resume), order.out / "detector.onnx")
    if name == "seamnet":
        seams = SeamNetPlan(minutes=order.minutes, seed=order.seed, threads=order.threads)
        return export_seamnet(
            train_seamnet(folders, out, seams, _tilenet(order.out), resume), order.out / "seamnet.onnx"
        )
    tiles = TileNetPlan(minutes=order.minutes, seed=order.seed, threads=order.threads)
    return export_tilenet(train_tilenet(folders, out, tiles, resume), order.out / "tilenet.onnx")


def _tilenet(out: Path) -> Network:
    """The tile network trained just now; where there is none, the one that comes with boardsnap."""
    made = out / "tilenet.onnx"
    if made.is_file():
        return load_network_file("tilenet", made)
    return load_networks().tilenet

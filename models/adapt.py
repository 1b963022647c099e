"""Adapting the networks to one art: a short further training on scenes laid with the faces learned. Needs [train].

The recipe: print the art's faces as a synthetic art (`printed`); make photos of boards laid with it, some of them held
out; go on training each network from its checkpoint; read the held-out photos with the old networks and the new one,
and keep the new one only if it errs less there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.make import write_photo
from datasets.synth import scene
from datasets.synth.compose import photograph
from datasets.synth.layout import make_scene
from models.adapted import AdaptedNetworks, AdaptedShelf
from models.evaluate import PhotoResult, evaluate_folder
from models.registry import Networks, load_network_file
from scoring.charcuterie.catalogue import KINDS
from scoring.errors import BoardsnapError
from vision.enrolment import described
from vision.faces import FACE_MM, FACE_PX, Art, Face

Report = Callable[[str], None]

CHECKPOINTS = Path(__file__).parent / "checkpoints"
_BLEED_MM = 2.0
_GAP_MM = 0.6
_SEEDS = {"training": 11, "held-out": 12}


class ArtIncomplete(BoardsnapError):
    """An art cannot be adapted to before every kind has a face: boards could not be laid with it."""

    code = "art_incomplete"

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__(
            f"{len(missing)} kinds have no face yet: {', '.join(missing)}. Enroll a photo of them with --add first."
        )


@dataclass(frozen=True, slots=True)
class AdaptPlan:
    """How to adapt: minutes of training for each network, photos made, how fast to learn, threads, seed."""

    minutes: float = 7.0
    photos: int = 160
    held_out: int = 12
    lr: float = 4e-4
    threads: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    """A network's errors on the held-out photos, as it was and adapted; lower is better."""

    network: str
    before: int
    after: int

    @property
    def kept(self) -> bool:
        """Whether the adapted network takes the old one's place."""
        return self.after < self.before


def adapt(art: Art, networks: Networks, shelf: AdaptedShelf, plan: AdaptPlan, report: Report) -> list[Trial]:
    """Adapt the networks to an art and keep what is better; goes on where an interrupted run stopped.

    `art` is at the scale of its pictures (a round tile 38 mm across). Raises ArtIncomplete where a kind has no face.
    """
    if art.missing:
        raise ArtIncomplete(art.missing)
    work = shelf.workplace(art)
    for split, count in (("training", plan.photos), ("held-out", plan.held_out)):
        _make_photos(printed(art), work / split, count, seed=_SEEDS[split] + plan.seed, report=report)
    best, trials = networks, []
    for name in ("tilenet", "detector"):
        file = _train(name, work, plan, report)
        tried = best.exchanged(**{name: load_network_file(name, file)})
        report(f"trying the adapted {name} on {plan.held_out} boards it was not trained on")
        before, after = (
            errors(evaluate_folder(work / "held-out", art=described(art, n.tilenet), networks=n)) for n in (best, tried)
        )
        trials.append(Trial(name, before, after))
        best = tried if trials[-1].kept else best
    kept = {t.network: work / f"{t.network}.onnx" for t in trials if t.kept}
    if kept:
        shelf.put(art, AdaptedNetworks(kept))
    shutil.rmtree(work)
    return trials


def errors(results: Sequence[PhotoResult]) -> int:
    """Everything wrong on some photos: tiles missed or made up, kinds, contacts, who lies on whom."""
    wrong = 0
    for r in results:
        wrong += (r.tiles - r.found) + r.extra + (r.found - r.kinds_right)
        wrong += r.contacts[1] + r.contacts[2] + (r.overs[1] - r.overs[0])
    return wrong


def printed(art: Art) -> scene.Art:
    """The art as the scenes of training photos lay it."""
    faces = {kind: tuple(_print(face) for face in art.of_kind(kind)) for kind in KINDS}
    return scene.Art(art.name, "enrolled", 0, faces)


def _print(face: Face) -> scene.Face:
    """A face cut from its picture, what lies beyond its outline painted over with what lies within."""
    scale = FACE_PX / FACE_MM
    inside = np.zeros((FACE_PX, FACE_PX), np.uint8)
    cv2.fillPoly(inside, [np.round((face.outline + FACE_MM / 2) * scale).astype(np.int32)], 255)
    sure = cv2.erode(inside, np.ones((5, 5), np.uint8))  # the edge itself shows some of the ground
    picture = _grown(face.picture, sure > 0)
    low = np.maximum(np.floor((face.outline.min(0) - _BLEED_MM + FACE_MM / 2) * scale), 0).astype(int)
    high = np.minimum(np.ceil((face.outline.max(0) + _BLEED_MM + FACE_MM / 2) * scale), FACE_PX).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    rgba = np.dstack([part, np.full(part.shape[:2], 255, np.uint8)])
    corner = low / scale - FACE_MM / 2
    return scene.Face(face.kind, face.outline, rgba, scale, (float(corner[0]), float(corner[1])))


def _grown(picture: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """A picture in which every pixel outside shows the nearest one inside."""
    _, label = cv2.distanceTransformWithLabels(
        (~inside).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of_label = np.zeros((int(label.max()) + 1, 3), np.uint8)
    of_label[label[inside]] = picture[inside]
    return np.asarray(of_label[label])


def _make_photos(art: scene.Art, folder: Path, count: int, *, seed: int, report: Report) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        file = folder / f"{index:04d}.json"
        if not file.exists():
            rng = np.random.default_rng((seed, index))
            laid = make_scene(int(rng.integers(1 << 40)), art, min_gap_mm=_GAP_MM, odd_counts=0.1)
            write_photo(photograph(laid, art, rng), file)
        if index % 20 == 19 or index + 1 == count:
            report(f"{folder.name} photos: {index + 1} of {count}")


def _train(name: str, work: Path, plan: AdaptPlan, report: Report) -> Path:
    """The ONNX file of a network trained further; one that was finished before an interruption is taken as it is."""
    from models.export import export_detector, export_tilenet
    from models.training.detector import DetectorPlan, train_detector
    from models.training.tilenet import TileNetPlan, train_tilenet

    done = work / f"{name}.onnx"
    if done.exists():
        return done
    out, photos = work / name, [work / "training"]
    begun = out / "last.pt"
    start = begun if begun.exists() else CHECKPOINTS / name / "last.pt"
    report(f"training the {name} for {plan.minutes:g} minutes")
    if name == "detector":
        detector = DetectorPlan(
            minutes=plan.minutes, seed=plan.seed, threads=plan.threads, lr=plan.lr, early_share=0.0, ema_decay=0.98
        )
        return export_detector(train_detector(photos, out, detector, start), done)
    tilenet = TileNetPlan(minutes=plan.minutes, seed=plan.seed, threads=plan.threads, lr=plan.lr, ema_decay=0.98)
    return export_tilenet(train_tilenet(photos, out, tilenet, start), done)

"""The detector: photo in, things out (tiles by shape, the board, cards) with their rough masks.

The network is a YOLO segmentation model. It looks at the photo once to find the board and, where the board fills little
of the frame, once more at the board alone, always with the longer side across.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.picture import Picture

Floats = npt.NDArray[np.float32]
Forward = Callable[[Floats], list[Floats]]

CLASSES = ("wedge", "cluster", "round", "square", "board", "card")
INPUT_PX = (544, 416)
"""Width and height of the network's input."""
MASK_STRIDE = 4
_CENTRE = 0.5 / MASK_STRIDE - 0.5
_INPUT_TO_MASK = np.array([[1 / MASK_STRIDE, 0, _CENTRE], [0, 1 / MASK_STRIDE, _CENTRE], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing found: class, confidence 0..1, box xyxy in photo px, rough mask on the network's mask grid.

    `mask` (h/4, w/4) holds probabilities; `to_mask` (3, 3) maps photo px to mask px.
    """

    cls: str
    confidence: float
    box: Floats
    mask: Floats
    to_mask: npt.NDArray[np.float64]

    @classmethod
    def of_box(cls, shape: str, confidence: float, box: Floats) -> Thing:
        """A find of which only the box (4,) px is known, with an empty mask."""
        return cls(shape, confidence, box, np.zeros((1, 1), np.float32), np.eye(3))

    def outline(self) -> Floats:
        """Largest contour of the mask at one half, (n, 2) photo px; (0, 2) where the mask is empty."""
        fine = cv2.resize(self.mask, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
        contours, _ = cv2.findContours((fine > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not contours:
            return np.zeros((0, 2), np.float32)
        points = (max(contours, key=cv2.contourArea)[:, 0].astype(np.float64) + 0.5) / 4 - 0.5
        return cv2.perspectiveTransform(points[None], np.linalg.inv(self.to_mask))[0].astype(np.float32)


def frame(
    low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], *, fill: float = 0.96
) -> npt.NDArray[np.float64]:
    """Affine (2, 3) from photo px to network px that shows the box `low`..`high`, its longer side across."""
    w, h = INPUT_PX
    extent, center = high - low, (low + high) / 2
    upright = extent[1] > extent[0]
    across, down = (extent[1], extent[0]) if upright else (extent[0], extent[1])
    scale = fill * min(w / across, h / down)
    a = scale * (np.array([[0.0, 1.0], [-1.0, 0.0]]) if upright else np.eye(2))
    return np.hstack([a, (np.array([w, h]) / 2 - a @ center)[:, None]])


def look(picture: Picture, to_input: npt.NDArray[np.float64], forward: Forward, *, confidence: float) -> list[Thing]:
    """Run the network on one framing of the photo and return what it finds, surest first."""
    pixels = picture.cut(np.vstack([to_input, [0.0, 0.0, 1.0]]), INPUT_PX)
    boxes, protos = forward(pixels.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255))
    return _decode(boxes[0], protos[0], to_input, confidence)


def _decode(rows: Floats, protos: Floats, to_input: npt.NDArray[np.float64], confidence: float) -> list[Thing]:
    """Rows (4 + classes + 32, anchors) and prototypes (32, h/4, w/4) -> things, overlapping boxes merged."""
    count = len(CLASSES)
    scores = rows[4 : 4 + count]
    best = scores.max(0)
    keep = best > confidence
    rows, best, cls = rows[:, keep], best[keep], scores[:, keep].argmax(0)
    if not keep.any():
        return []
    cx, cy, w, h = rows[:4]
    xywh = np.stack([cx - w / 2, cy - h / 2, w, h], 1)
    # Boards and cards never compete with tiles; the four shapes compete with one another.
    family = np.where(cls >= 4, cls, 0).astype(int)
    chosen = cv2.dnn.NMSBoxesBatched(xywh.tolist(), best.tolist(), family.tolist(), confidence, 0.65)
    order = sorted((int(i) for i in np.asarray(chosen).reshape(-1)), key=lambda i: -best[i])
    from_photo = np.vstack([to_input, [0, 0, 1]])
    to_mask, back = _INPUT_TO_MASK @ from_photo, np.linalg.inv(from_photo)
    coefficients = rows[4 + count :, order].T
    masks = coefficients @ protos.reshape(protos.shape[0], -1)
    masks = sigmoid(masks).reshape(-1, *protos.shape[1:])
    return [_thing(CLASSES[cls[i]], float(best[i]), xywh[i], masks[k], to_mask, back) for k, i in enumerate(order)]


def _thing(
    cls: str,
    confidence: float,
    xywh: Floats,
    mask: Floats,
    to_mask: npt.NDArray[np.float64],
    back: npt.NDArray[np.float64],
) -> Thing:
    x, y, w, h = (float(v) for v in xywh)
    x0, y0 = int(max(0, np.floor(x / MASK_STRIDE))), int(max(0, np.floor(y / MASK_STRIDE)))
    x1, y1 = int(np.ceil((x + w) / MASK_STRIDE)), int(np.ceil((y + h) / MASK_STRIDE))
    inside = np.zeros_like(mask)
    inside[y0:y1, x0:x1] = mask[y0:y1, x0:x1]
    corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) @ back[:2, :2].T + back[:2, 2]
    box = np.concatenate([corners.min(0), corners.max(0)]).astype(np.float32)
    return Thing(cls, confidence, box, inside.astype(np.float32), to_mask)


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Probabilities from logits, in place: masks are large, and fresh memory costs more than arithmetic."""
    np.clip(logits, -30, 30, out=logits)
    np.negative(logits, out=logits)
    np.exp(logits, out=logits)
    logits += 1
    return np.asarray(np.reciprocal(logits, out=logits), np.float32)


def detect(picture: Picture, forward: Forward, *, confidence: float, look_again_below: float) -> list[Thing]:
    """Find the tiles, boards and cards of a photo.

    `forward` runs the network. Where the surest board fills less than `look_again_below` of the frame's width and of
    its height, a second look at that board alone replaces the first.
    """
    size = np.array(picture.size, float)
    things = look(picture, frame(np.zeros(2), size, fill=1.0), forward, confidence=confidence)
    boards = [t for t in things if t.cls == "board"]
    if not boards:
        return things
    low, high = boards[0].box[:2].astype(float), boards[0].box[2:].astype(float)
    low, high = np.maximum(low, 0), np.minimum(high, size)
    if ((high - low) / size).max() >= look_again_below:
        return things
    margin = 0.05 * (high - low).max()
    closer = look(picture, frame(low - margin, high + margin), forward, confidence=confidence)
    return closer if any(t.cls == "board" for t in closer) else things

"""Times a warm reading of a 12-megapixel JPEG against decoding and the networks alone, all in one run.

python tests/benchmarks/bench_reading.py PHOTO.jpg
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.registry import load_networks
from vision.image import decode_photo
from vision.reading import read_photo
from vision.seams import CHANNELS

_SIZE = (4032, 3024)
_ROUNDS = 7


def twelve_megapixels(file: Path) -> bytes:
    """The photo enlarged to 4032 x 3024 px, as JPEG."""
    image = cv2.imread(str(file))
    if image is None:
        raise SystemExit(f"{file} is no image")
    return cv2.imencode(".jpg", cv2.resize(image, _SIZE, interpolation=cv2.INTER_CUBIC), [1, 92])[1].tobytes()


def median_ms(work: Callable[[], object]) -> float:
    """Median wall time of a call, after one to warm up."""
    times = []
    for _ in range(_ROUNDS + 1):
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return float(np.median(times[1:]))


def main(file: Path) -> None:
    """Print the times and their ratio."""
    data, networks = twelve_megapixels(file), load_networks()
    photo = decode_photo(data)
    seams: list[int] = []
    counted = replace(networks, seamnet=lambda batch: (seams.append(len(batch)), networks.seamnet(batch))[1])
    tiles = len(read_photo(photo, counted).board.placements)
    h, w = networks.detector.input_px
    crops = np.zeros((tiles, 4, *networks.tilenet.input_px), np.float32)
    decode = median_ms(lambda: decode_photo(data))
    detector = median_ms(lambda: networks.detector(np.zeros((1, 3, h, w), np.float32)))
    tilenet = median_ms(lambda: networks.tilenet(crops))
    squares = np.zeros((seams[0], 2 * CHANNELS, *networks.seamnet.input_px), np.float32)
    seamnet = median_ms(lambda: networks.seamnet(squares))
    whole = median_ms(lambda: read_photo(decode_photo(data), networks))
    print(f"decode {decode:.0f} ms, detector {detector:.0f} ms, tile network {tilenet:.0f} ms for {tiles} tiles")
    print(f"seam network {seamnet:.0f} ms for {seams[0]} seams")
    alone = decode + detector + tilenet + seamnet
    print(f"decode and read {whole:.0f} ms: {whole / alone:.2f} times decode and networks alone")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

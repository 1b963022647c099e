"""`python -m datasets.synth.faces --out DIR`: one contact sheet a style, as PNG."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
from PIL import Image

from datasets.synth.faces import EVAL_STYLES, TRAIN_STYLES, contact_sheet, paint_art


def main() -> None:
    """Paint the sheets asked for."""
    parser = argparse.ArgumentParser(description="Paint a contact sheet of every style.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--px-per-mm", type=float, default=5.0)
    parser.add_argument("--style", action="append", help="only this style (may be given again)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for style in options.style or (*TRAIN_STYLES, *EVAL_STYLES):
        start = time.perf_counter()
        art = paint_art(style, options.seed, options.px_per_mm)
        spent = time.perf_counter() - start
        Image.fromarray(contact_sheet(art)).save(options.out / f"{style}-{options.seed}.png")
        print(f"{style}: {spent:.2f} s")


if __name__ == "__main__":
    main()

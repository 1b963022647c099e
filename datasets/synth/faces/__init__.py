"""Painted tile faces: many styles of the same 27 kinds, for training on and for judging what was trained."""

from __future__ import annotations

from datasets.synth.faces.art import art_names, paint_art
from datasets.synth.faces.sheet import contact_sheet
from datasets.synth.faces.styles import EVAL_STYLES, TRAIN_STYLES

__all__ = ["EVAL_STYLES", "TRAIN_STYLES", "art_names", "contact_sheet", "paint_art"]

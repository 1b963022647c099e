"""What a technique does to the whole picture: paper, washes, brushes, hatching, screens, chalk, cut blocks, film.

Every finish takes the canvas and a strength in 0..1, and changes `canvas.rgb` (float32, 0..1) in place of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from datasets.synth.faces import textures
from datasets.synth.faces.canvas import Canvas
from datasets.synth.faces.palette import rgb
from datasets.synth.faces.textures import Field

Image = npt.NDArray[Any]
WARP_MM = 0.9  # a margin narrower than this would be dragged into the picture by the brushes
ONE = np.ones((1, 1), np.float32)


def _blur(image: Image, sigma_px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(sigma_px, 0.3)), np.float32)


def _grey(image: Image) -> Field:
    return np.asarray(image @ np.array([0.3, 0.59, 0.11], np.float32), np.float32)


def _warp(image: Image, dx: Field, dy: Field) -> Image:
    h, w = image.shape[:2]
    gx, gy = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    return np.asarray(cv2.remap(image, gx + dx, gy + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _edges(image: Image, sigma_px: float) -> Field:
    grey = _blur(_grey(image), sigma_px)
    gx, gy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(np.clip(np.hypot(gx, gy) * 2.2, 0, 1), np.float32)


def paper(c: Canvas, k: float) -> None:
    """The tooth of paper: fine light and dark."""
    c.glaze(ONE, 0.6 * c.noise(0.7, octaves=2) + 0.4 * c.noise(2.4), amount=0.35 * k)


def watercolor(c: Canvas, k: float) -> None:
    """Pigment that pools at edges and dries in clouds; wandering borders."""
    c.rgb = _warp(c.rgb, (c.noise(2.2) - 0.5) * 1.8 * k * c.ppm, (c.noise(2.2) - 0.5) * 1.8 * k * c.ppm)
    soft = _blur(c.rgb, 0.22 * c.ppm)
    pool = np.clip(_blur(_grey(c.rgb), 0.9 * c.ppm) - _grey(soft), -0.2, 0.2)
    c.rgb = soft * (1 - 1.3 * k * np.clip(pool, 0, 1) - 0.5 * k * _edges(soft, 0.2 * c.ppm))[..., None]
    cloud = c.noise(7) * k * 0.4
    c.rgb += (np.float32(0.97) - c.rgb) * (cloud**1.5)[..., None]


def gouache(c: Canvas, k: float) -> None:
    """Thick strokes: colour dragged along a turning field, with ridges of paint."""
    angle = c.noise(9, octaves=1) * 5 + c.draw("stroke", 0, 3)
    along = np.asarray(c.x * np.sin(angle) - c.y * np.cos(angle), np.float32)
    drag = (c.noise(1.0, octaves=1) - 0.5) * 3.2 * k * c.ppm
    c.rgb = _warp(c.rgb, drag * np.cos(angle), drag * np.sin(angle))
    c.glaze(ONE, textures.stripes(along, along, angle_deg=0, period=0.75, warp=c.noise(2.5) * 1.5), amount=0.13 * k)


def smear(c: Canvas, k: float) -> None:
    """Oil dabs: every pixel takes the colour of the nearest of many dabs, over a softened picture."""
    h, w = c.shape
    _, labels, centers = _mosaic(c, 1.1)
    picked = c.rgb[np.clip(centers[:, 1], 0, h - 1), np.clip(centers[:, 0], 0, w - 1)]
    dab = _blur(picked[labels], 0.12 * c.ppm)
    c.rgb += (dab - c.rgb) * np.float32(k)
    relief = _grey(dab) - np.roll(_grey(dab), (1, 1), (0, 1))
    c.rgb *= (1 + np.clip(relief * 1.5, -0.2, 0.2) * k)[..., None]


def _mosaic(c: Canvas, size_mm: float) -> tuple[Field, npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    h, w = c.shape
    ink = np.full((h, w), 255, np.uint8)
    count = int(h * w / (size_mm * c.ppm) ** 2)
    ys, xs = c.rng.integers(0, h, count), c.rng.integers(0, w, count)
    ink[ys, xs] = 0
    distance, labels = cv2.distanceTransformWithLabels(ink, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    centers = np.zeros((int(labels.max()) + 1, 2), np.int64)
    centers[labels[ys, xs]] = np.stack([xs, ys], 1)
    return np.asarray(distance, np.float32), np.asarray(labels, np.int32), centers


def mosaic(c: Canvas, k: float) -> None:
    """Small stones set in grout."""
    size = 1.1 + 1.2 * k
    distance, labels, centers = _mosaic(c, size)
    stone = c.rgb[centers[:, 1], centers[:, 0]][labels]
    edge = cv2.Laplacian(labels.astype(np.float32), cv2.CV_32F) != 0
    grout = _blur(edge.astype(np.float32), 0.12 * c.ppm)
    c.rgb = stone * (1 - 0.12 * distance / (size * c.ppm))[..., None]
    c.fill(np.clip(grout * 0.75, 0, 1), (0.86, 0.83, 0.78))


def hatch(c: Canvas, k: float) -> None:
    """Pencil: strokes over the darker tones, the lightest left as paper."""
    dark = np.clip(1.15 - _grey(c.rgb), 0, 1)
    wobble = c.noise(6) * 1.2
    lines = textures.stripes(c.x, c.y, angle_deg=c.draw("hatch", 20, 70), period=1.0, warp=wobble)
    cross = textures.stripes(c.x, c.y, angle_deg=c.draw("hatch", 20, 70) + 75, period=1.2, warp=wobble)
    stroke = textures.step(lines, 0.45, soft=0.3) * (0.5 + 0.5 * c.noise(0.8, octaves=1))
    stroke = np.maximum(stroke, textures.step(cross, 0.5, soft=0.3) * (dark > 0.65))
    c.rgb += (np.float32(0.96) - c.rgb) * (k * (1 - stroke) * (1 - 0.55 * dark))[..., None]


def stipple(c: Canvas, k: float) -> None:
    """Dots of ink, denser where it is dark, over a pale tint of the colours."""
    c.rgb += (1 - c.rgb) * np.float32(0.45 * k)
    dark = np.clip(0.95 - _grey(c.rgb), 0, 1)
    pts = c.scatter(0.62, within=np.ones(c.shape, np.float32), limit=9000)
    px = np.clip(c.to_px(pts).astype(int), 0, [c.shape[1] - 1, c.shape[0] - 1])
    keep = c.rng.random(len(pts)) < dark[px[:, 1], px[:, 0]] * 0.8
    spots = np.zeros(c.shape, np.float32)
    spots[px[keep, 1], px[keep, 0]] = 1
    c.fill(np.clip(_blur(spots, 0.17 * c.ppm) * 4.5, 0, 1), rgb(c.style.ink), alpha=0.85 * k)


def halftone(c: Canvas, k: float) -> None:
    """A print screen: each channel as dots on its own angle."""
    period = 0.8 + 0.5 * k
    out = c.rgb.copy()
    for channel, angle in enumerate((15.0, 75.0, 40.0)):
        a = np.deg2rad(angle)
        u, v = (c.x * np.cos(a) + c.y * np.sin(a)) / period, (c.y * np.cos(a) - c.x * np.sin(a)) / period
        screen = np.asarray(0.5 + 0.25 * (np.cos(2 * np.pi * u) + np.cos(2 * np.pi * v)), np.float32)
        out[..., channel] = np.clip(0.5 + (c.rgb[..., channel] - screen) * 3, 0, 1)
    c.rgb += (out - c.rgb) * np.float32(0.75 * k)


def pixel(c: Canvas, k: float) -> None:
    """Large square pixels and few colours."""
    h, w = c.shape
    cell = (0.8 + 1.0 * k) * c.ppm
    small = cv2.resize(c.rgb, (max(int(w / cell), 8), max(int(h / cell), 8)), interpolation=cv2.INTER_AREA)
    small = np.round(small * 9) / 9
    c.rgb = np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_NEAREST), np.float32)


def photo(c: Canvas, k: float) -> None:
    """Something like a photograph: relief in light, gloss, soft focus, sensor grain."""
    height = _blur(_grey(c.rgb), 0.3 * c.ppm) + 0.35 * c.noise(1.2) * k
    dx, dy = cv2.Sobel(height, cv2.CV_32F, 1, 0), cv2.Sobel(height, cv2.CV_32F, 0, 1)
    slope = np.asarray(-(dx * np.cos(c.light) + dy * np.sin(c.light)), np.float32)
    c.rgb *= (1 + np.clip(slope * 0.8 * k, -0.35, 0.35))[..., None]
    gloss = np.clip(slope * 1.6 - 0.25, 0, 1) * c.noise(5)
    c.rgb += (1 - c.rgb) * (np.clip(gloss, 0, 0.6) * k)[..., None]
    c.rgb = _blur(c.rgb, 0.12 * c.ppm)
    c.rgb += c.rng.normal(scale=0.025 * k, size=(*c.shape, 1)).astype(np.float32)


def chalk(c: Canvas, k: float) -> None:
    """Chalk on a dark board: colour only where the grain caught it, brighter at edges."""
    ground = np.asarray(rgb(c.style.margin), np.float32)
    edge = np.clip(_edges(c.rgb, 0.25 * c.ppm) * 1.6, 0, 1)
    tooth = c.noise(0.55, octaves=1)
    strokes = textures.stripes(c.x, c.y, angle_deg=c.draw("chalk", 20, 70), period=1.3, warp=c.noise(5) * 1.4)
    cover = textures.step(0.5 * strokes + 0.6 * tooth + 0.35 * _grey(c.rgb), 0.78 - 0.2 * k, soft=0.2)
    cover = np.maximum(cover * 0.8, edge * textures.step(tooth, 0.3, soft=0.2))
    light = c.rgb + (1 - c.rgb) * (0.15 + 0.4 * edge)[..., None]
    c.rgb = ground + (light - ground) * cover[..., None]


def lino(c: Canvas, k: float) -> None:
    """A cut block: the darks as one ink with gouge marks, colour in flat layers, edges black."""
    grey = _blur(_grey(c.rgb), 0.2 * c.ppm)
    gouge = textures.stripes(c.x, c.y, angle_deg=c.draw("gouge", 0, 180), period=1.6, warp=c.noise(7) * 2.5)
    dark = textures.step(0.24 - grey + (gouge - 0.5) * 0.22, 0.0, soft=0.04)
    line = textures.step(_edges(c.rgb, 0.3 * c.ppm), 0.42, soft=0.06)
    flat = np.round(_blur(c.rgb, 0.25 * c.ppm) * 5 + 0.35) / 5
    c.rgb += (flat - c.rgb) * np.float32(k)
    c.fill(np.maximum(dark, line), rgb(c.style.ink), alpha=k)


def pastel(c: Canvas, k: float) -> None:
    """Soft chalk sticks: softened edges, white in the colour, a dry grain."""
    c.rgb = _blur(c.rgb, 0.35 * k * c.ppm)
    c.rgb += (1 - c.rgb) * np.float32(0.22 * k)
    c.rgb += (np.float32(0.97) - c.rgb) * (textures.step(c.noise(0.6, octaves=1), 0.7, soft=0.15) * 0.5 * k)[..., None]


def neon(c: Canvas, k: float) -> None:
    """Glowing tubes on the dark: edges bright and haloed, surfaces dim."""
    ground = np.asarray(rgb(c.style.margin), np.float32)
    edge = np.clip(_edges(c.rgb, 0.22 * c.ppm) * 1.8, 0, 1)[..., None]
    top = c.rgb.max(-1, keepdims=True)
    low = c.rgb.min(-1, keepdims=True)
    bright = np.clip((c.rgb - 0.6 * low) / np.maximum(top - 0.5 * low, 0.1), 0, 1)
    tube = bright * edge
    glow = _blur(tube, 0.9 * c.ppm) * 1.1
    c.rgb = np.clip(ground + c.rgb * (0.45 - 0.15 * k) + (tube * 0.9 + glow) * k, 0, 1)


def misprint(c: Canvas, k: float) -> None:
    """Plates out of register: two channels shifted apart."""
    for channel, sign in ((0, 1), (2, -1)):
        shift = np.full(c.shape, sign * 0.45 * k * c.ppm, np.float32)
        c.rgb[..., channel] = _warp(np.ascontiguousarray(c.rgb[..., channel]), shift, shift * np.float32(0.6))


def fade(c: Canvas, k: float) -> None:
    """Old print: blacks lifted, whites yellowed, blotches."""
    c.rgb = c.rgb * np.float32(1 - 0.3 * k) + np.float32(0.18 * k)
    c.rgb *= np.array([1.0, 1 - 0.06 * k, 1 - 0.2 * k], np.float32)
    c.glaze(ONE, c.noise(9), amount=0.12 * k)


def duotone(c: Canvas, k: float) -> None:
    """Tones between the style's ink and paper, with a share of the colour left."""
    grey = np.clip((_grey(c.rgb) - 0.12) / 0.8, 0, 1)[..., None]
    low, high = np.asarray(rgb(c.style.ink), np.float32), np.asarray(rgb(c.style.margin), np.float32)
    c.rgb += (low + (high - low) * grey - c.rgb) * np.float32(k)


def posterize(c: Canvas, k: float) -> None:
    """Few flat steps of each colour."""
    steps = np.float32(8 - 5 * k)
    c.rgb = np.round(_blur(c.rgb, 0.18 * c.ppm) * steps) / steps


def emboss(c: Canvas, k: float) -> None:
    """Clay or felt: every patch raised, softly lit from the side."""
    height = _blur(_grey(c.rgb) + _edges(c.rgb, 0.3 * c.ppm) * np.float32(-0.7), 0.45 * c.ppm)
    dx, dy = cv2.Sobel(height, cv2.CV_32F, 1, 0), cv2.Sobel(height, cv2.CV_32F, 0, 1)
    slope = np.asarray(-(dx * np.cos(c.light) + dy * np.sin(c.light)), np.float32)
    c.rgb = _blur(c.rgb, 0.25 * c.ppm) * (1 + np.clip(slope * 2.2 * k, -0.45, 0.45))[..., None]


def stitch(c: Canvas, k: float) -> None:
    """Embroidery: short threads side by side, each of one colour, lit along its middle."""
    angle = np.deg2rad(c.draw("stitch", 20, 70))
    u, v = c.x * np.cos(angle) + c.y * np.sin(angle), c.y * np.cos(angle) - c.x * np.sin(angle)
    row = np.floor(v / 0.75)
    phase = (u + row * 1.37) / 2.6
    du = ((np.floor(phase) + 0.5) * 2.6 - row * 1.37 - u) * c.ppm * k
    dv = ((row + 0.5) * 0.75 - v) * c.ppm * k
    c.rgb = _warp(c.rgb, np.asarray(du * np.cos(angle) - dv * np.sin(angle), np.float32),
                  np.asarray(du * np.sin(angle) + dv * np.cos(angle), np.float32))  # fmt: skip
    thread = np.cos(np.pi * (v / 0.75 - row - 0.5)) * np.clip(np.sin(np.pi * (phase - np.floor(phase))) * 3, 0.4, 1)
    c.rgb *= (1 - 0.5 * k + 0.55 * k * np.asarray(thread, np.float32))[..., None]


def glass(c: Canvas, k: float) -> None:
    """Stained glass: large panes of mean colour, lead between, light through."""
    _, labels, centers = _mosaic(c, 4.5)
    soft = _blur(c.rgb, 0.5 * c.ppm)
    pane = soft[centers[:, 1], centers[:, 0]][labels]
    c.rgb += (pane - c.rgb) * np.float32(0.5 * k)
    c.rgb *= (0.75 + 0.5 * c.noise(6))[..., None]
    lead = (cv2.Laplacian(labels.astype(np.float32), cv2.CV_32F) != 0).astype(np.float32)
    c.fill(np.clip(_blur(lead, 0.16 * c.ppm) * 1.3, 0, 1), rgb(c.style.ink), alpha=k)


def scanlines(c: Canvas, k: float) -> None:
    """Engraving: horizontal lines that swell with the dark."""
    dark = 1 - _grey(c.rgb)
    wave = textures.stripes(
        c.x, c.y, angle_deg=90 + c.draw("engrave", -25, 25), period=0.95, warp=_blur(dark, c.ppm) * 1.2
    )
    line = textures.step(wave, 1.02 - 0.75 * dark, soft=0.12)
    c.rgb += (1 - c.rgb) * np.float32(0.4 * k)
    c.fill(line, rgb(c.style.ink), alpha=0.75 * k)


FINISHES: dict[str, Callable[[Canvas, float], None]] = {
    f.__name__: f
    for f in (paper, watercolor, gouache, smear, mosaic, hatch, stipple, halftone, pixel, photo, chalk, lino, pastel,
              neon, misprint, fade, duotone, posterize, emboss, stitch, glass, scanlines)
}  # fmt: skip


def finish(c: Canvas) -> None:
    """Apply the style's finishes in order, then lay the clean margin round the picture."""
    if c.margin_mm < WARP_MM:
        _bleed(c)
    for name, strength in c.style.finish:
        FINISHES[name](c, strength)
        np.clip(c.rgb, 0, 1, out=c.rgb)
    if c.margin_mm > 0.05:
        c.fill(1 - c.mask(c.picture), c.margin_colour())
    else:
        _bleed(c)


def _bleed(c: Canvas) -> None:
    """Carry the colours at the cut outwards, so that a cut a little off still meets print."""
    inside = (c.mask(c.picture) > 0.99).astype(np.uint8)
    _, labels = cv2.distanceTransformWithLabels(1 - inside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros((int(labels.max()) + 1, 3), np.float32)
    table[labels[inside > 0]] = c.rgb[inside > 0]
    c.rgb = np.where(inside[..., None] > 0, c.rgb, table[labels])

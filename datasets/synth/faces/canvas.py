"""The sheet a face is painted on: shapes in mm, filled, shaded and inked the way the style asks."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import cv2
import numpy as np
import shapely

from datasets.synth.faces import textures
from datasets.synth.faces.palette import Palette, Rgb, mix, rgb
from datasets.synth.faces.styles import Style
from datasets.synth.faces.textures import Field
from datasets.synth.scene import Polygon as Points

FIXED = 6  # fractional bits of cv2's sub-pixel drawing
WHITE: Rgb = (1.0, 1.0, 1.0)


class Canvas:
    """A float32 RGB sheet over a box in mm. `picture` is the part of the cut that is painted, inside the margin."""

    def __init__(self, cut: Points, *, style: Style, seed: int, kind: str, px_per_mm: float, bleed_mm: float) -> None:
        self.style, self.seed, self.kind, self.ppm = style, seed, kind, px_per_mm
        self.rng = np.random.default_rng([seed, zlib.crc32(kind.encode())])
        self.pal = Palette(style.mood, seed, style.colours)
        self.cut = cut
        self.corner = cut.min(0) - bleed_mm
        w, h = np.ceil((cut.max(0) + bleed_mm - self.corner) * px_per_mm).astype(int) + 1
        self.shape = (int(h), int(w))
        self.x, self.y = np.meshgrid(
            (np.arange(w, dtype=np.float32) / px_per_mm + np.float32(self.corner[0])),
            (np.arange(h, dtype=np.float32) / px_per_mm + np.float32(self.corner[1])),
        )
        self.r = np.hypot(self.x, self.y)
        self.t = np.arctan2(self.y, self.x)
        self.ink_mm = self.draw("ink", *style.ink_mm)
        self.margin_mm = self.draw("margin", *style.margin_mm)
        self.light = np.deg2rad(style.light_deg + self.draw("light", -25, 25))
        shape = shapely.Polygon(cut).buffer(-self.margin_mm)
        self.picture = np.asarray(max(getattr(shape, "geoms", [shape]), key=lambda g: g.area).exterior.coords)[:-1]
        self.radius = float(np.sqrt(shapely.Polygon(self.picture).area / np.pi))
        self.rgb = np.empty((*self.shape, 3), np.float32)
        self.rgb[:] = self.margin_colour()

    # choices -------------------------------------------------------------------------------------------------
    def draw(self, what: str, low: float, high: float) -> float:
        """A figure shared by every face of the art, such as the width of the ink line."""
        return float(np.random.default_rng([self.seed, zlib.crc32(what.encode())]).uniform(low, high))

    def pick(self, what: str, options: Sequence[str], *, held_out: Sequence[str] = ()) -> str:
        """One make of a motif, mostly fixed by the style; `held_out` ones are for evaluation styles alone."""
        evaluation = self.style.split == "eval"
        rng = np.random.default_rng([zlib.crc32(self.style.name.encode()), zlib.crc32(what.encode())])
        if evaluation and held_out and rng.random() < 0.75:
            return held_out[int(rng.integers(len(held_out)))]
        own = np.random.default_rng([self.seed, zlib.crc32(what.encode())])
        source = own if own.random() < 0.45 else rng
        return options[int(source.integers(len(options)))]

    def margin_colour(self) -> Rgb:
        """The colour of the strip between the picture and the cut."""
        return rgb(self.style.margin)

    # masks ---------------------------------------------------------------------------------------------------
    def to_px(self, points: Points) -> Points:
        """Points in mm as pixels."""
        return (np.asarray(points, float) - self.corner) * self.ppm

    def mask(self, points: Points) -> Field:
        """1 inside a polygon, with smooth edges."""
        out = np.zeros(self.shape, np.uint8)
        fixed = np.round(self.to_px(points) * 2**FIXED).astype(np.int32)
        cv2.fillPoly(out, [fixed], 255, lineType=cv2.LINE_AA, shift=FIXED)
        return out.astype(np.float32) / np.float32(255)

    def dots_mask(self, xy: Points, radii: Points | float, *, squash: float = 1.0, turn: float | None = None) -> Field:
        """1 on many small discs (or ellipses, when `squash` < 1)."""
        out = np.zeros(self.shape, np.uint8)
        px = np.round(self.to_px(xy) * 2**FIXED).astype(int)
        rr = np.broadcast_to(np.asarray(radii, float) * self.ppm, len(px))
        for (cx, cy), r in zip(px.tolist(), rr.tolist(), strict=True):
            if squash >= 1:
                cv2.circle(out, (cx, cy), max(int(r * 2**FIXED), 1), 255, -1, cv2.LINE_AA, FIXED)
            else:
                angle = np.rad2deg(turn) if turn is not None else self.rng.uniform(0, 180)
                axes = (max(int(r * 2**FIXED), 20), max(int(r * squash * 2**FIXED), 20))
                cv2.ellipse(out, (cx, cy), axes, float(angle), 0, 360, 255, -1, cv2.LINE_AA, FIXED)
        return out.astype(np.float32) / np.float32(255)

    def lines_mask(self, lines: Sequence[Points], width_mm: float, *, closed: bool = False) -> Field:
        """1 on poly-lines of one width; lines thinner than a pixel get fainter instead."""
        out = np.zeros(self.shape, np.uint8)
        width = width_mm * self.ppm
        fixed = [np.round(self.to_px(p) * 2**FIXED).astype(np.int32) for p in lines]
        cv2.polylines(out, fixed, closed, 255, max(1, round(width)), cv2.LINE_AA, FIXED)
        return out.astype(np.float32) * np.float32(min(width, 1.0) / 255)

    def noise(self, size_mm: float, *, octaves: int = 3) -> Field:
        """Cloud noise with bumps of `size_mm`."""
        return textures.fbm(self.shape, cell_px=size_mm * self.ppm, rng=self.rng, octaves=octaves)

    def cells(self, size_mm: float) -> tuple[Field, Field]:
        """A Voronoi mosaic: (grey per cell, distance to its seed)."""
        return textures.cells(self.shape, cell_px=size_mm * self.ppm, rng=self.rng)

    # paint ---------------------------------------------------------------------------------------------------
    def fill(self, mask: Field, colour: Rgb, *, alpha: float = 1.0) -> None:
        """Lay `colour` on the sheet where `mask` is."""
        m = (mask * np.float32(alpha))[..., None]
        self.rgb += (np.asarray(colour, np.float32) - self.rgb) * m

    def glaze(self, mask: Field, field: Field, *, amount: float) -> None:
        """Lighten and darken where `mask` is by a grey field: 0.5 changes nothing."""
        self.rgb *= (1 + (field - np.float32(0.5)) * mask * np.float32(2 * amount))[..., None]

    def grain(self, mask: Field, *, size_mm: float = 0.0, amount: float = 0.0) -> None:
        """The style's surface texture inside `mask`."""
        strength = amount or self.style.texture
        if strength > 0.01:
            self.glaze(mask, self.noise(size_mm or self.style.texture_mm), amount=strength * 0.5)

    def dots(self, xy: Points, radii: Points | float, colour: Rgb, *, within: Field, squash: float = 1.0) -> None:
        """Many small discs of one colour inside `within`; raised a little where the style shades."""
        if not len(xy):
            return
        m = self.dots_mask(xy, radii, squash=squash) * within
        if self.style.shade in ("dome", "soft"):
            shift = np.array([np.cos(self.light), np.sin(self.light)]) * 0.25
            self.fill(self.dots_mask(xy - shift, radii, squash=squash) * within, (0.1, 0.05, 0.05), alpha=0.25)
        self.fill(m, colour)

    def item(
        self,
        points: Points,
        colour: Rgb,
        *,
        depth: float = 1.0,
        ink: bool = True,
        within: Field | None = None,
        grain: float = 0.0,
    ) -> Field:
        """Paint one thing: its colour, the style's shading (times `depth`), texture and ink line; its mask."""
        m = self.mask(points)
        if within is not None:
            m = m * within
        if not m.any():
            return m
        self.fill(m, colour)
        if depth > 0:
            self.shade(points, m, depth=depth)
        if grain >= 0:
            self.grain(m, amount=grain)
        if ink:
            self.ink(points, within=within)
        return m

    def ink(self, points: Points, *, factor: float = 1.0, within: Field | None = None) -> None:
        """The style's ink line along a closed polygon, wandering as its hand does."""
        width = self.ink_mm * factor
        if width < 0.05:
            return
        path = np.asarray(points, float)
        if self.style.wobble > 0:
            n = len(path)
            drift = self.rng.normal(size=(max(n // 6, 3), 2)) * self.style.wobble
            index = np.arange(n) * len(drift) / n
            wrap = np.vstack([drift, drift[:1]])
            path = path + np.stack([np.interp(index, np.arange(len(wrap)), wrap[:, k]) for k in (0, 1)], 1)
        m = self.lines_mask([path], width, closed=True)
        self.fill(m if within is None else m * within, rgb(self.style.ink))

    def shade(self, points: Points, m: Field, *, depth: float) -> None:
        """Light and shadow of one thing, by the style's manner: flat, cel, dome, soft, rim or wash."""
        manner = self.style.shade
        if manner == "flat":
            return
        px = self.to_px(points)
        (x0, y0), (x1, y1) = np.floor(px.min(0) - 2).astype(int), np.ceil(px.max(0) + 3).astype(int)
        rows, cols = slice(max(y0, 0), max(y1, 1)), slice(max(x0, 0), max(x1, 1))
        box, sub = self.rgb[rows, cols], m[rows, cols]
        if box.size == 0:
            return
        size = float(np.sqrt(shapely.Polygon(points).area / np.pi)) + 1e-3
        cx, cy = np.asarray(points).mean(0)
        lit = ((self.x[rows, cols] - cx) * np.cos(self.light) + (self.y[rows, cols] - cy) * np.sin(self.light)) / size
        strength = np.float32(depth * self.style.relief)
        if manner == "cel":
            dark = textures.step(-lit + 0.15 * (self.t[rows, cols] % 1), 0.55, soft=0.04) * sub
            box *= (1 - dark * strength * np.float32(0.35))[..., None]
            return
        edge = np.asarray(cv2.distanceTransform((sub > 0.5).astype(np.uint8), cv2.DIST_L2, 3), np.float32)
        edge = 1 - np.clip(edge / (size * self.ppm * 0.7), 0, 1)
        if manner == "dome":
            gain = lit * np.float32(0.22) - edge**2 * np.float32(0.32)
            box *= (1 + gain * strength * sub)[..., None]
            if depth >= 0.9 and size < 9:
                self.shine(points, size, alpha=0.45 * self.style.relief)
        elif manner == "soft":
            box *= (1 + (lit * np.float32(0.12) - edge**3 * np.float32(0.25)) * strength * sub)[..., None]
        elif manner == "wash":
            box *= (1 - (edge**8 * np.float32(0.4) - np.float32(0.06)) * strength * sub)[..., None]
            box += (1 - box) * (np.clip(lit, 0, 1) * np.float32(0.25) * strength * sub)[..., None]
        else:
            box += (1 - box) * (edge**6 * np.clip(lit, 0, 1) * np.float32(0.8) * strength * sub)[..., None]
            box *= (1 - edge**6 * np.clip(-lit, 0, 1) * np.float32(0.6) * strength * sub)[..., None]

    def shine(self, points: Points, size: float, *, alpha: float) -> None:
        """A highlight on the lit side of a small round thing."""
        center = np.asarray(points).mean(0) + 0.42 * size * np.array([np.cos(self.light), np.sin(self.light)])
        spot = self.dots_mask(center[None], size * 0.2, squash=0.6, turn=float(self.light) + 1.57)
        if size > 2:
            spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), size * 0.06 * self.ppm), np.float32)
        self.fill(spot, WHITE, alpha=alpha)

    # places --------------------------------------------------------------------------------------------------
    def scatter(self, gap_mm: float, *, within: Field, jitter: float = 0.4, limit: int = 400) -> Points:
        """Points about `gap_mm` apart inside `within`, on a shaken triangular lattice (n, 2)."""
        lo, hi = self.cut.min(0) - gap_mm, self.cut.max(0) + gap_mm
        xs, ys = np.arange(lo[0], hi[0], gap_mm), np.arange(lo[1], hi[1], gap_mm * 0.866)
        gx, gy = np.meshgrid(xs, ys)
        gx = gx + (np.arange(len(ys)) % 2)[:, None] * gap_mm / 2 + self.rng.uniform(0, gap_mm)
        pts = np.stack([gx.ravel(), gy.ravel()], 1) + self.rng.uniform(-jitter, jitter, (gx.size, 2)) * gap_mm
        px = np.clip(np.round(self.to_px(pts)).astype(int), 0, [self.shape[1] - 1, self.shape[0] - 1])
        pts = pts[within[px[:, 1], px[:, 0]] > 0.5]
        return self.rng.permutation(pts)[:limit]

    def tone(self, role: str, share: float = 0.0, *, toward: Rgb = WHITE) -> Rgb:
        """A food colour, mixed with another."""
        return mix(self.pal[role], toward, share)

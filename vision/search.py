"""The search for the pose at which a print fits: by its colours and by the tile's edge together.

All turns and some places are tried coarsely, then the best are refined by Gauss-Newton in the print's own frame
(inverse compositional image alignment, Baker and Matthews 2004), all tiles at once. Colours are compared after the mean
and the spread of what is seen are taken out, so that light and contrast do not count; pixels that fit badly count less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_PX, SEEN, TILES, TileLook, looked_up
from vision.curves import turns
from vision.outlines import Edge, Template
from vision.prints import STEPS_MM, Print
from vision.settings import load_section

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int_]

_BLURS_PX = (2.0, 0.6)
"""What crops are blurred by, coarse and fine, as the prints are."""
_TURNS = 24
_TRIED = (4, 2)
"""How many poses of each print are refined, coarse and fine."""
_ROUNDS = (6, 6)
_SIZE_SPREAD = (0.003, 0.1)
"""How far the size of a print may be off the copy's own, coarse and fine: a photo's millimetres err by so much."""
_FARTHEST_MM = 3.0
"""An edge further off than this says no more: it belongs to something else."""
EVEN = 0.02
"""Spread of colours (0..1) below which a surface counts as one even colour: noise is no print."""


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """How much colours and edges say; reasons stand in `settings.toml`."""

    look_mm2: float
    bare_weight: float
    edge_look_points: float
    edge_mm: float
    min_correlation: float
    max_edge_misfit: float
    open_share: float
    sure_correlation: float
    min_sizes: int
    min_growth_mm: float
    clear_evidence: float


@dataclass(frozen=True, slots=True)
class Fit:
    """How prints (m, p points) fit at poses: colours seen and printed, brought to one scale; weights; a summary."""

    seen: Floats32
    printed: Floats32
    weight: Floats32
    spread: Floats32
    correlation: Floats32
    evidence: Floats32


@dataclass(frozen=True, slots=True)
class Search:
    """All (tile, print) pairs wanted, n of them, as arrays.

    Poses (n * k, 4) list k for each pair: x and y in plane mm, turn in radians, logarithm of the size.
    """

    crops: tuple[Floats32, ...]
    to_crop: Floats
    tile: Indices
    prints: Sequence[Print]
    where: tuple[Floats32, ...]
    colours: tuple[Floats32, ...]
    slopes: tuple[Floats32, ...]
    mask: tuple[Floats32, ...]
    edge: Floats
    edge_weight: Floats
    settings: AlignmentSettings

    @classmethod
    def of(cls, looks: Sequence[TileLook], edges: Sequence[Edge], wanted: Sequence[tuple[int, Print]]) -> Search:
        prints = [p for _, p in wanted]
        levels = range(len(STEPS_MM))
        return cls(
            tuple(_stacked(looks, blur) for blur in _BLURS_PX),
            np.stack([look.to_crop for look in looks]),
            np.array([i for i, _ in wanted]),
            prints,
            tuple(_filled([p.levels[level].where for p in prints]) for level in levels),
            tuple(_filled([p.levels[level].colours for p in prints]) for level in levels),
            tuple(_filled([p.levels[level].slopes for p in prints]) for level in levels),
            tuple(_filled([np.ones(len(p.levels[level].where), np.float32) for p in prints]) for level in levels),
            np.stack([edges[i].points[::2] for i, _ in wanted]),
            np.stack([2 * edges[i].weight[::2] for i, _ in wanted]),
            load_section("alignment", AlignmentSettings),
        )

    def only(self, pairs: Sequence[int]) -> Search:
        """The search of some of the pairs."""
        rows = list(pairs)
        where, colours, slopes, mask = (
            tuple(level[rows] for level in levels) for levels in (self.where, self.colours, self.slopes, self.mask)
        )
        return replace(
            self,
            tile=self.tile[rows],
            prints=[self.prints[k] for k in rows],
            where=where,
            colours=colours,
            slopes=slopes,
            mask=mask,
            edge=self.edge[rows],
            edge_weight=self.edge_weight[rows],
        )

    def run(self, middles: Sequence[Floats]) -> tuple[Floats, Fit, Floats]:
        """The best pose (n, 4) of each pair, how it fits, and what its edge costs (n,).

        All turns are tried about `middles` (places, 2) mm of each pair.
        """
        poses = self.descend(self.first(_TRIED[0], middles), _TRIED[0], 0)
        poses = self.descend(self.best(poses, _TRIED[0], _TRIED[1], 0), _TRIED[1], 1)
        poses = self.best(poses, _TRIED[1], 1, 1)
        poses[:, 2] = np.angle(np.exp(1j * poses[:, 2]))
        return poses, *self.fit(poses, 1, 1)

    def first(self, count: int, middles: Sequence[Floats]) -> Floats:
        """The best `count` poses of each pair, each clearly another than the others, out of all turns about `middles`.

        `middles` (places, 2) mm, for each pair.
        """
        angles = np.arange(_TURNS) * (2 * np.pi / _TURNS)
        out = []
        for k in range(len(self.prints)):
            poses = np.array([(x, y, t, 0.0) for x, y in middles[k] for t in angles])
            pair = np.full(len(poses), k)
            total = self._coarse_evidence(poses, k) - self._edge_cost(poses, pair, every=4)
            out.append(poses[_apart(poses, total, count)])
        return np.concatenate(out)

    def _coarse_evidence(self, poses: Floats, k: int) -> Floats32:
        """Evidence (m,) of one pair at many poses; near a tile the crop's perspective is taken as even."""
        points, tile = self.prints[k].levels[0], self.tile[k]
        scale, shift = _even_map(self.to_crop[tile], poses[:, :2].mean(0))
        turned = (scale @ turns(poses[:, 2])).astype(np.float32)
        px = points.where @ turned.transpose(0, 2, 1) + (poses[:, :2] @ scale.T + shift).astype(np.float32)[:, None]
        crop = self.crops[0][tile * CROP_PX : (tile + 1) * CROP_PX]
        pixels = looked_up(crop, px.reshape(-1, 2)).reshape(len(poses), -1, 4)
        bare = -np.minimum(pixels[..., 3], 0).sum(1)
        np.maximum(pixels[..., 3], 0, out=pixels[..., 3])
        return self._evidence(*_correlation(pixels, points.colours), bare, 0)

    def _evidence(self, correlation: Floats32, total: Floats32, bare: Floats32, level: int) -> Floats32:
        """Log-odds (m,) of prints that correlate so on `total` points, and would hide the ground seen on `bare`."""
        look = np.float32(STEPS_MM[level] ** 2 / self.settings.look_mm2)
        alike = -0.5 * look * total * np.log(1 - np.clip(correlation, 0, 0.98) ** 2)
        return np.asarray(alike - look * np.float32(self.settings.bare_weight) * bare)

    def best(self, poses: Floats, count: int, keep: int, level: int) -> Floats:
        """The best `keep` of the `count` poses of each pair."""
        fit, edge_cost = self.fit(poses, count, level)
        total = (fit.evidence - edge_cost).reshape(-1, count)
        order = np.argsort(-total, axis=1)[:, :keep]
        return poses.reshape(-1, count, 4)[np.arange(len(total))[:, None], order].reshape(-1, 4)

    def fit(self, poses: Floats, count: int, level: int) -> tuple[Fit, Floats]:
        """How well the prints fit, and what their edges cost."""
        pair = np.repeat(np.arange(len(self.prints)), count)
        return self._fit(poses, pair, level), self._edge_cost(poses, pair)

    def descend(self, poses: Floats, count: int, level: int) -> Floats:
        """Gauss-Newton on colours and edges together."""
        pair = np.repeat(np.arange(len(self.prints)), count)
        where, slopes = self.where[level][pair], self.slopes[level][pair]
        turning = slopes[..., 1] * where[..., :1] - slopes[..., 0] * where[..., 1:]
        growing = (slopes * where[..., None, :]).sum(-1)
        jacobian = np.concatenate([slopes, turning[..., None], growing[..., None]], -1)
        for _ in range(_ROUNDS[level]):
            fit = self._fit(poses, pair, level)
            apart = fit.seen - fit.printed
            noise = 2 * np.clip(1 - fit.correlation**2, 0.08, 1)[:, None]
            weight = fit.weight / (1 + (apart**2).sum(-1) / (3 * noise))
            weight *= np.float32(STEPS_MM[level] ** 2 / self.settings.look_mm2) / noise
            by_colour = _normal_equations(jacobian / fit.spread[:, None, None, None], apart, weight)
            by_edge = self._edge_equations(poses, pair)
            a, b = by_colour[0], by_colour[1]
            a[:, :3, :3] += by_edge[0]
            b[:, :3] += by_edge[1]
            a += np.diag([1e-3, 1e-3, 1e-1, 1 / _SIZE_SPREAD[level] ** 2])
            b[:, 3] += poses[:, 3] / _SIZE_SPREAD[level] ** 2
            step = np.clip(np.linalg.solve(a, b[..., None])[..., 0], [-3, -3, -0.2, -0.03], [3, 3, 0.2, 0.03])
            moved = np.einsum("mij,mj->mi", turns(poses[:, 2]), step[:, :2])
            poses = poses - np.c_[moved, step[:, 2:]]
        return poses

    def _fit(self, poses: Floats, pair: Indices, level: int) -> Fit:
        where = self.where[level][pair] * np.exp(poses[:, 3])[:, None, None]
        at = where @ turns(poses[:, 2]).transpose(0, 2, 1) + poses[:, None, :2]
        pixels = self._pixels(at, pair, level)
        shown = self.mask[level][pair] * pixels[..., 3]
        weight = np.maximum(shown, 0)
        seen, _ = _normalised(pixels[..., :3], weight)
        printed, spread = _normalised(self.colours[level][pair], weight)
        total = weight.sum(1)
        correlation = np.einsum("mpc,mpc,mp->m", seen, printed, weight) / (total + 1e-6)
        bare = -np.minimum(shown, 0).sum(1)
        return Fit(seen, printed, weight, spread, correlation, self._evidence(correlation, total, bare, level))

    def _pixels(self, at: Floats, pair: Indices, level: int) -> Floats32:
        """Colours and what is shown (m, p, 4) at points (m, p, 2) mm in the crops of the pairs' tiles."""
        tile = self.tile[pair]
        h = self.to_crop[tile]
        depth = at @ h[:, 2, :2, None] + h[:, 2, 2, None, None]
        px = ((at @ h[:, :2, :2].transpose(0, 2, 1) + h[:, None, :2, 2]) / depth).astype(np.float32)
        inside = ((px > 0) & (px < CROP_PX - 1)).all(-1)
        px = np.clip(px, 0, np.float32(CROP_PX - 1.01))
        px[..., 1] += (tile * CROP_PX)[:, None]
        out = looked_up(self.crops[level], px.reshape(-1, 2)).reshape(*px.shape[:2], 4)
        out[..., 3] *= inside
        return out

    def _edge_distances(self, poses: Floats, pair: Indices, every: int = 1) -> tuple[Floats, Floats, Floats]:
        """Edge points in the prints' frames (m, q, 2), their signed distances (m, q) and slopes (m, q, 2)."""
        local = (self.edge[pair, ::every] - poses[:, None, :2]) @ turns(poses[:, 2])
        distance, slope = np.empty(local.shape[:2]), np.empty(local.shape)
        for template, rows in _alike([self.prints[k].template for k in pair]):
            d, g = template.at(local[rows].reshape(-1, 2))
            distance[rows], slope[rows] = d.reshape(len(rows), -1), g.reshape(len(rows), -1, 2)
        return local, distance, slope

    def _edge_cost(self, poses: Floats, pair: Indices, every: int = 1) -> Floats:
        _, distance, _ = self._edge_distances(poses, pair, every)
        near = np.minimum(np.abs(distance), _FARTHEST_MM) / self.settings.edge_mm
        weight = self.edge_weight[pair, ::every] * every
        return np.asarray(0.5 * (weight * near**2).sum(1) / self.settings.edge_look_points)

    def _edge_equations(self, poses: Floats, pair: Indices) -> tuple[Floats, Floats]:
        local, distance, slope = self._edge_distances(poses, pair, 2)
        weight = 2 * self.edge_weight[pair, ::2] / (self.settings.edge_look_points * self.settings.edge_mm**2)
        weight = weight / (1 + (distance / 1.2) ** 2)
        turning = slope[..., 1] * local[..., 0] - slope[..., 0] * local[..., 1]
        jacobian = np.concatenate([slope, turning[..., None]], -1)
        return _normal_equations(jacobian[:, :, None], -distance[..., None], weight)


def _even_map(to_crop: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The map (2, 2) and shift (2,) from plane mm to crop px that a homography is near a point (2,)."""
    around = at + np.array([[0.0, 0], [1, 0], [0, 1]])
    o, x, y = cv2.perspectiveTransform(around[None], to_crop)[0]
    scale = np.stack([x - o, y - o], 1)
    return scale, o - scale @ at


def _correlation(pixels: Floats32, printed: Floats32) -> tuple[Floats32, Floats32]:
    """Correlation (m,) of pixels (m, p, 4) with what is printed (p, 3), and the sum of the weights (m,)."""
    weight = pixels[..., 3]
    seen = pixels[..., :3]
    weighted = seen * weight[..., None]
    total = weight.sum(1) + np.float32(1e-6)
    mean, mean_printed = weighted.sum(1) / total[:, None], weight @ printed / total[:, None]
    both = weighted.reshape(len(pixels), -1) @ printed.ravel() / total - (mean * mean_printed).sum(1)
    spread = np.einsum("mpc,mpc->m", weighted, seen) / total - (mean**2).sum(1)
    spread_printed = weight @ (printed**2).sum(1) / total - (mean_printed**2).sum(1)
    least = np.float32(EVEN**2)
    return both / np.sqrt(np.maximum(spread, least) * np.maximum(spread_printed, least)), total


def _stacked(looks: Sequence[TileLook], blur: float) -> Floats32:
    """The crops one under the other, (n * 128, 128, 4): colours, and what is shown as `_shown` tells."""
    layers = [
        np.dstack([cv2.GaussianBlur(np.ascontiguousarray(look.pixels), (0, 0), blur), _shown(look)]) for look in looks
    ]
    return np.concatenate(layers).astype(np.float32)


def _shown(look: TileLook) -> Floats32:
    """How surely a pixel shows the tile (up to 1), or no tile at all (down to -1), (128, 128)."""
    bare = np.clip(1 - 2 * look.masks[TILES], 0, 1)
    return np.asarray(look.masks[SEEN] - bare * (1 - look.masks[SEEN]), np.float32)


def _filled(arrays: Sequence[Floats32]) -> Floats32:
    """Arrays of unequal length as one (n, longest, ...), zero beyond their ends."""
    out = np.zeros((len(arrays), max(map(len, arrays)), *arrays[0].shape[1:]), np.float32)
    for row, array in zip(out, arrays, strict=True):
        row[: len(array)] = array
    return out


def _normalised(colours: Floats32, weight: Floats32) -> tuple[Floats32, Floats32]:
    """Colours (m, p, 3) less their weighted mean, over their spread; and the spread (m,)."""
    total = weight.sum(1)[:, None, None] + np.float32(1e-6)
    apart = colours - np.einsum("mpc,mp->mc", colours, weight)[:, None] / total
    spread = np.sqrt(np.einsum("mpc,mpc,mp->m", apart, apart, weight) / total[:, 0, 0])
    spread = np.maximum(spread, np.float32(EVEN))
    return apart / spread[:, None, None], spread


def _normal_equations(
    jacobian: Floats | Floats32, apart: Floats | Floats32, weight: Floats | Floats32
) -> tuple[Floats, Floats]:
    """Left sides (m, k, k) and right sides (m, k) from slopes (m, p, c, k), differences (m, p, c), weights (m, p)."""
    m, p, c, k = jacobian.shape
    flat = jacobian.reshape(m, p * c, k)
    weighted = (jacobian * weight[..., None, None]).reshape(m, p * c, k).transpose(0, 2, 1)
    return weighted @ flat, (weighted @ apart.reshape(m, p * c, 1))[..., 0]


def _alike(templates: Sequence[Template]) -> list[tuple[Template, Indices]]:
    """The different templates, each with the rows at which it stands."""
    rows: dict[int, list[int]] = {}
    for row, template in enumerate(templates):
        rows.setdefault(id(template), []).append(row)
    return [(templates[at[0]], np.array(at)) for at in rows.values()]


def _apart(poses: Floats, total: Floats, count: int) -> list[int]:
    """Indices of the `count` best poses, of which no two are nearly the same."""
    kept: list[int] = []
    for k in np.argsort(-total):
        away = np.hypot(*(poses[kept, :2] - poses[k, :2]).T)
        turned = np.abs(np.angle(np.exp(1j * (poses[kept, 2] - poses[k, 2]))))
        if ((away > 4.5) | (turned > 0.4)).all():
            kept.append(int(k))
        if len(kept) == count:
            break
    return kept

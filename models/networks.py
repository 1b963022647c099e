"""The tile network: one crop in, the tile's full outline, its visible part and its face's descriptor out (torch)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.crops import SHAPES
from vision.seams import CHANNELS, SAID, SEAM_PX, SIDES_MM

EMBEDDING = 96
MASKS = 5


def _conv(c_in: int, c_out: int, *, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions beside the identity."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class TileNet(nn.Module):
    """A small U-Net with a descriptor pooled over the visible part.

    Input (n, 4, 128, 128): RGB in 0..1 and the detector's rough mask of the tile meant. Output: `masks`
    (n, 5, 128, 128), logits of the tile's full outline, its visible part, the board, the ground within the board's
    inner ring (these two go on under the tiles) and whatever is seen of any tile; `embedding` (n, 96), unit length;
    `kind` (n, 27) logits; `shape` (n, 5) logits, the last for "no tile".
    """

    def __init__(self, kinds: int = 27, width: int = 16) -> None:
        super().__init__()
        a, b, c, d = width, 2 * width, 4 * width, 8 * width
        self.stem = nn.Sequential(_conv(4, a, stride=2), _conv(a, a))
        self.down1 = nn.Sequential(_conv(a, b, stride=2), Residual(b))
        self.down2 = nn.Sequential(_conv(b, c, stride=2), Residual(c), Residual(c))
        self.down3 = nn.Sequential(_conv(c, d, stride=2), Residual(d), Residual(d))
        self.lift2, self.up2 = _conv(d, c, kernel=1), _conv(c, c)
        self.lift1, self.up1 = _conv(c, b, kernel=1), _conv(b, b)
        self.lift0, self.up0 = _conv(b, a, kernel=1), _conv(a, a)
        self.mask = nn.Conv2d(a, 4 * MASKS, 3, 1, 1)
        self.face = _conv(c + d, d, kernel=1)
        self.embed = nn.Linear(2 * d, EMBEDDING)
        self.kind = nn.Linear(2 * d, kinds)
        self.shape = nn.Linear(2 * d, len(SHAPES))

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x0 = self.stem(crop)
        x1 = self.down1(x0)
        x2 = self.down2(x1)
        x3 = self.down3(x2)
        y2 = self.up2(x2 + F.interpolate(self.lift2(x3), scale_factor=2.0, mode="bilinear"))
        y1 = self.up1(x1 + F.interpolate(self.lift1(y2), scale_factor=2.0, mode="bilinear"))
        y0 = self.up0(x0 + F.interpolate(self.lift0(y1), scale_factor=2.0, mode="bilinear"))
        masks = F.pixel_shuffle(self.mask(y0), 2)
        pooled = self._pool(x2, x3, masks[:, 1:2])
        return masks, F.normalize(self.embed(pooled), dim=1), self.kind(pooled), self.shape(pooled)

    def _pool(self, x2: Tensor, x3: Tensor, visible: Tensor) -> Tensor:
        features = self.face(torch.cat([x2, F.interpolate(x3, scale_factor=2.0, mode="nearest")], 1))
        weight = F.avg_pool2d(torch.sigmoid(visible.detach()), 8) + 1e-3
        mean = (features * weight).sum((2, 3)) / weight.sum((2, 3))
        peak = (features * weight.clamp(0, 1)).amax((2, 3))
        return torch.cat([mean, peak], 1)


class SeamNet(nn.Module):
    """Tells what two tiles do where they meet.

    Input (n, 16, 48, 48): two squares about the seam, as `vision.seams.cut_seams` gives them. Output (n, 4): logits of
    what `vision.seams.SAID` lists.
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        a, b, c, d = width, 3 * width // 2, 2 * width, 3 * width
        self.body = nn.Sequential(
            _conv(len(SIDES_MM) * CHANNELS, a),
            _conv(a, b, stride=2),
            Residual(b),
            _conv(b, c, stride=2),
            Residual(c),
            _conv(c, d, stride=2),
            Residual(d),
        )
        self.narrow = _conv(d, a, kernel=1)
        side = SEAM_PX // 8
        self.said = nn.Sequential(nn.Linear(a * side * side, 96), nn.ReLU(inplace=True), nn.Linear(96, len(SAID)))

    def forward(self, squares: Tensor) -> Tensor:
        said: Tensor = self.said(self.narrow(self.body(squares)).flatten(1))
        return said


class Identities(nn.Module):
    """Cosine softmax over the faces seen in training, with a margin (ArcFace family: CosFace, Wang et al. 2018)."""

    def __init__(self, count: int, *, scale: float = 24.0, margin: float = 0.2) -> None:
        super().__init__()
        # Short vectors turn quickly: at unit variance the optimizer would need thousands of steps to turn one.
        self.weight = nn.Parameter(0.05 * torch.randn(count, EMBEDDING))
        self.scale, self.margin = scale, margin

    def forward(self, embedding: Tensor, identity: Tensor) -> Tensor:
        cosine = embedding @ F.normalize(self.weight, dim=1).T
        target = F.one_hot(identity, self.weight.shape[0]) * self.margin
        return F.cross_entropy(self.scale * (cosine - target), identity)

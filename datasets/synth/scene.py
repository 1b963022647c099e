"""What a synthetic photo shows, before any camera: faces, arts, placed tiles, the board and what lies beside it.

A `Scene` is plain geometry in the board frame (mm, x right, y down as seen, angles clockwise in degrees),
shared by both cameras: the fast 2-D compositor (`compose`) and the path tracer (`render`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Polygon = npt.NDArray[np.float64]  # (n, 2), mm, not closed


@dataclass(frozen=True, slots=True)
class Face:
    """The printed picture of one kind in one art, with its die-cut outline.

    `outline` (n, 2) is in mm with its area centroid at (0, 0). `rgba` (h, w, 4) uint8 covers the outline's
    bounding box and a bleed of `bleed_mm` around it; alpha is 255 wherever colour is defined (the bleed included),
    so the outline alone decides where the tile is cut. Pixel of an outline point p: `(p - corner_mm) * px_per_mm`.
    """

    kind: str
    outline: Polygon
    rgba: npt.NDArray[np.uint8]
    px_per_mm: float
    corner_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Art:
    """A set of 27 faces: one printing of the game.

    `faces[kind]` holds one or more faces (broccoli_cauliflower may have two). `core_rgb` is the colour of the
    cardboard's cut edge, `thickness_mm` its thickness.
    """

    name: str
    style: str
    seed: int
    faces: dict[str, tuple[Face, ...]]
    core_rgb: tuple[int, int, int] = (214, 204, 186)
    thickness_mm: float = 2.0


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """One tile of the scene: face `faces[kind][variant]`, turned by `angle_deg`, its centroid at `center_mm`."""

    id: str
    kind: str
    variant: int
    center_mm: tuple[float, float]
    angle_deg: float


@dataclass(frozen=True, slots=True)
class Prop:
    """Something that is not a tile: crumb, card, coin, hand shadow, real-food look-alike, pen, glass.

    `what` names it; `outline` (n, 2) mm; `seed` draws its looks. It lies on the table unless it is `on_board`.
    """

    what: str
    outline: Polygon
    seed: int
    on_board: bool = False

    @property
    def layer(self) -> str:
        """What it lies on: the "table", the "board", or "all" there is, as crumbs and shadows do."""
        if self.what == "crumb" or self.what.endswith("shadow"):
            return "all"
        return "board" if self.on_board else "table"


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished board on a table. `over` holds (upper, lower) ids; `contacts` includes every overlapping pair."""

    seed: int
    players: int
    board_outline: Polygon
    holes: tuple[Polygon, ...]
    inner_ring: Polygon | None
    board_style: str
    tiles: tuple[PlacedTile, ...]
    over: tuple[tuple[str, str], ...]
    contacts: tuple[tuple[str, str], ...]
    violations: tuple[tuple[str, str], ...]
    props: tuple[Prop, ...] = field(default=())

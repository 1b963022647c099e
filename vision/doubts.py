"""What the photo cannot decide, as questions that name the tiles and what else could be the case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shapely import Polygon

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import finished_counts
from scoring.charcuterie.corrections import RemoveTile, SetContact, SetKind, SetOver
from scoring.charcuterie.questions import Question
from scoring.geometry import as_array, overhang
from vision.identify import Identity
from vision.settings import load_section
from vision.stacking import Meeting


@dataclass(frozen=True, slots=True)
class DoubtSettings:
    """When to ask; reasons stand in `settings.toml`."""

    sure_contact: float
    clear_order: float
    sure_kind: float
    sure_tile: float
    none_of_these: float
    other_art_share: float
    min_alternative: float
    max_alternatives: int
    hang_mm: float
    rough_hang_mm: float


def questions_about(
    board: Board,
    identities: Sequence[Identity],
    found: Sequence[float],
    met: Sequence[Meeting],
    *,
    cut_off: bool,
    rough: Polygon | None = None,
    left_out: int = 0,
) -> tuple[Question, ...]:
    """Questions on tiles, kinds, contacts, overlaps, the board's edge, the art, their number and a cut-off board.

    `identities` and `found` (how sure the detector is, 0..1) belong to the board's placements, in order; the indices in
    `met` too. `rough` is the board as the detector alone sees it; `left_out` finds were more than a board may hold.
    """
    settings = load_section("doubts", DoubtSettings)
    ids = [p.id for p in board.placements]
    out = []
    for tile, sure, identity in zip(ids, found, identities, strict=True):
        if sure < settings.sure_tile or identity.none > settings.none_of_these:
            out.append(_tile_question(tile, min(sure, 1 - identity.none)))
    for tile, identity in zip(ids, identities, strict=True):
        if identity.probabilities[0] < settings.sure_kind:
            out.append(_kind_question(tile, identity, settings))
    for m in met:
        if m.upper == 0 and max(m.touching, 1 - m.touching) < settings.sure_contact:
            out.append(_contact_question(ids[m.a], ids[m.b], m))
        elif 0 < abs(m.upper) < settings.clear_order:
            out.append(_order_question(ids[m.a], ids[m.b], m))
    out += _edge_questions(board, rough, settings)
    out += _art_question(identities, settings)
    return (*out, *_left_out_question(left_out), *_count_question(board), *(_CUT_OFF if cut_off else ()))


_CUT_OFF = (Question("board", (), "the board is cut off at the edge of the photo; tiles beyond it are not counted"),)


def _tile_question(tile: str, sure: float) -> Question:
    return Question("tile", (tile,), f"{sure:.0%} sure that this is a tile", ((RemoveTile(tile),),))


def _kind_question(tile: str, identity: Identity, settings: DoubtSettings) -> Question:
    listed = list(zip(identity.kinds, identity.probabilities, strict=True))
    likely = [(k, p) for k, p in listed[1 : 1 + settings.max_alternatives] if p >= settings.min_alternative]
    others = likely or listed[1:2]
    why = " or ".join(f"{kind} ({p:.0%})" for kind, p in [listed[0], *others])
    return Question("kind", (tile,), why, tuple((SetKind(tile, kind),) for kind, _ in others))


def _contact_question(a: str, b: str, m: Meeting) -> Question:
    seen = f"touching ({m.touching:.0%} sure)" if m.touches else f"apart ({1 - m.touching:.0%} sure)"
    why = f"gap {max(m.gap_mm, 0):.1f} mm, taken as {seen}"
    return Question("contact", (a, b), why, ((SetContact(a, b, touching=not m.touches),),))


def _order_question(a: str, b: str, m: Meeting) -> Question:
    upper, lower = (a, b) if m.upper > 0 else (b, a)
    why = f"{upper} seems to lie over {lower}; the overlap of {m.overlap_mm2:.0f} mm2 does not show it clearly"
    return Question("over", (upper, lower), why, ((SetOver(lower, upper),),))


def _edge_questions(board: Board, rough: Polygon | None, settings: DoubtSettings) -> list[Question]:
    """Whether tiles hang over the board's edge, where the detector sees it otherwise."""
    placed = [(p.id, p.footprint) for p in board.placements if p.footprint is not None]
    if board.outline is None or rough is None or not placed:
        return []
    polygons = as_array([footprint for _, footprint in placed])
    out = []
    for (tile, _), drawn, seen in zip(placed, *(overhang(polygons, o)[0] for o in (board.outline, rough)), strict=True):
        if drawn >= settings.hang_mm > seen:
            why = f"seems to hang {drawn:.0f} mm over the board's edge, which is not seen clearly there"
            out.append(Question("edge", (tile,), why))
        elif drawn < settings.hang_mm and seen >= settings.rough_hang_mm:
            out.append(Question("edge", (tile,), "seems to lie on the board, whose edge is not seen clearly there"))
    return out


def _art_question(identities: Sequence[Identity], settings: DoubtSettings) -> tuple[Question, ...]:
    """Whether the photo shows another copy of the game than the one whose faces were compared."""
    strange = sum(identity.none > 0.5 for identity in identities)
    if strange == 0 or strange < settings.other_art_share * len(identities):
        return ()
    why = f"{strange} of {len(identities)} tiles resemble no face of this art; the photo may show another copy"
    return (Question("art", (), why),)


def _left_out_question(count: int) -> tuple[Question, ...]:
    if count == 0:
        return ()
    why = f"{count} more may be tiles; as a board holds no more than are here, the least clear are left out"
    return (Question("left_out", (), why),)


def _count_question(board: Board) -> tuple[Question, ...]:
    """A finished board holds a number of tiles that the rulebook fixes; any other number is worth a look."""
    wanted = finished_counts(board.players, board.variant)
    found = len(board.placements)
    if found in wanted:
        return ()
    allowed = " or ".join(str(n) for n in wanted)
    whose = f"with {board.players} players" if board.players is not None else "at the end of a game"
    return (Question("count", (), f"{found} tiles found; a board {whose} holds {allowed}"),)

"""What the photo cannot decide, as questions that name the tiles and what else could be the case."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.charcuterie.board import Board
from scoring.charcuterie.catalogue import tiles_per_board
from scoring.charcuterie.corrections import SetContact, SetKind, SetOver
from scoring.charcuterie.questions import Question
from vision.identify import Identity
from vision.stacking import Meeting

_MIN_ALTERNATIVE = 0.02
"""A kind less probable than this is not worth a tap."""
_MAX_ALTERNATIVES = 3
_CLEAR_ORDER = 0.35
"""Where a tile lies over another its face is seen all over the overlap: evidence nears 1; under this it is mixed."""


def questions_about(
    board: Board, identities: Sequence[Identity], met: Sequence[Meeting], *, contact_gap_mm: float, contact_doubt_mm: float, sure_kind: float
) -> tuple[Question, ...]:
    """Questions on contacts, on the order of overlaps, on kinds and on the number of tiles."""
    ids = [p.id for p in board.placements]
    out = [_kind_question(ids[i], identity) for i, identity in enumerate(identities) if identity.probabilities[0] < sure_kind]
    for m in met:
        if m.upper == 0 and abs(m.gap_mm - contact_gap_mm) < contact_doubt_mm:
            out.append(_contact_question(ids[m.a], ids[m.b], m.gap_mm, touching=m.gap_mm < contact_gap_mm))
        elif 0 < abs(m.upper) < _CLEAR_ORDER:
            out.append(_order_question(ids[m.a], ids[m.b], m))
    return (*out, *_count_question(board))


def _kind_question(tile: str, identity: Identity) -> Question:
    listed = list(zip(identity.kinds, identity.probabilities, strict=True))
    others = [(k, p) for k, p in listed[1 : 1 + _MAX_ALTERNATIVES] if p >= _MIN_ALTERNATIVE] or listed[1:2]
    why = " or ".join(f"{kind} ({p:.0%})" for kind, p in [listed[0], *others])
    return Question("kind", (tile,), why, tuple((SetKind(tile, kind),) for kind, _ in others))


def _contact_question(a: str, b: str, gap_mm: float, *, touching: bool) -> Question:
    why = f"gap {max(gap_mm, 0):.1f} mm, taken as {'touching' if touching else 'apart'}"
    return Question("contact", (a, b), why, ((SetContact(a, b, touching=not touching),),))


def _order_question(a: str, b: str, m: Meeting) -> Question:
    upper, lower = (a, b) if m.upper > 0 else (b, a)
    why = f"{upper} seems to lie over {lower}; the overlap of {m.overlap_mm2:.0f} mm2 does not show it clearly"
    return Question("over", (upper, lower), why, ((SetOver(lower, upper),),))


def _count_question(board: Board) -> tuple[Question, ...]:
    if board.players is None:
        return ()
    wanted, found = tiles_per_board(board.players, board.variant), len(board.placements)
    if wanted == found:
        return ()
    return (Question("count", (), f"{found} tiles found, {wanted} belong on a board with {board.players} players"),)


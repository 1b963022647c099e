"""Which tiles touch: as the board says, or as it follows from the footprints."""

from __future__ import annotations

from scoring.charcuterie.board import Board, Pair
from scoring.charcuterie.catalogue import read_data
from scoring.errors import BoardFileError
from scoring.geometry import as_array, near_pairs

MEET_MM: float = read_data("tolerances.toml")["contact"]["meet_mm"]


def contacts_of(board: Board) -> tuple[Pair, ...]:
    """Return the pairs of tiles that touch, each pair once (rulebook, "Adjacent").

    Contacts given by the board are the truth. Else two tiles touch whose footprints overlap or meet, or of which one
    lies on the other. Raises BoardFileError where contacts and some footprint are both missing.

    >>> import shapely
    >>> from scoring.charcuterie.placement import Placement
    >>> left, right = shapely.box(0, 0, 10, 10), shapely.box(10, 0, 20, 10)
    >>> contacts_of(Board((Placement("a", "swiss", left), Placement("b", "bleu", right))))
    (('a', 'b'),)
    """
    if board.contacts is not None:
        return board.contacts
    footprints = [placement.footprint for placement in board.placements]
    known = [footprint for footprint in footprints if footprint is not None]
    if len(known) < len(footprints):
        missing = next(placement.id for placement in board.placements if placement.footprint is None)
        raise BoardFileError("contacts", f"missing, and so is the footprint of {missing!r}", "one or the other")
    if not known:
        return ()
    ids = [placement.id for placement in board.placements]
    meeting = [(ids[i], ids[j]) for i, j in near_pairs(as_array(known), within_mm=MEET_MM)]
    found = {frozenset(pair) for pair in meeting}
    return (*meeting, *(pair for pair in board.over if frozenset(pair) not in found))

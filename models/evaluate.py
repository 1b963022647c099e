"""Measures readings against photos with truth: tiles, footprints, contacts, order, kinds, and whole scorecards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from shapely import Polygon

from models.registry import load_networks
from scoring import Board, Report, ScoreOptions, load_document, score
from vision.errors import NoBoardFound
from vision.faces import Art
from vision.image import load_photo
from vision.reading import Networks, Reading, read_photo

_IOU_FOUND = 0.5
_SURE = 0.99
_FOREIGN_SHARE = 0.3
"""Share of the smaller outline that a find and a thing share where the one is of the other."""
_PLACEMENT_CHECKS = ("off_board", "outside_ring", "covered", "not_on_board")


@dataclass(slots=True)
class PhotoResult:
    """What was right and wrong on one photo; pairs and tiles are named by the truth's ids.

    `half_seen` counts kinds right and tiles, of those at least half visible; `sure` those wrong and all that are stated
    with a confidence of `_SURE`; `foreign` the things that are no tiles and were stated to be one, and all such things.
    """

    name: str
    tiles: int = 0
    found: int = 0
    extra: int = 0
    ious: list[float] = field(default_factory=list)
    contacts: tuple[int, int, int] = (0, 0, 0)
    overs: tuple[int, int] = (0, 0)
    visible_errors: list[float] = field(default_factory=list)
    violations: tuple[int, int, int] = (0, 0, 0)
    kinds_right: int = 0
    half_seen: tuple[int, int] = (0, 0)
    sure: tuple[int, int] = (0, 0)
    foreign: tuple[int, int] = (0, 0)
    exact: bool = False
    warned: bool = False
    art: str | None = None
    questions: int = 0
    faults: list[str] = field(default_factory=list)
    milliseconds: float = 0.0


def truth_files(folder: Path) -> list[Path]:
    """Truth files of the boards in a folder (enrolment photos have no board and are left out)."""
    files = sorted(f for f in folder.glob("*.json") if f.with_suffix(".jpg").exists())
    return [f for f in files if json.loads(f.read_text())["board"]]


def evaluate_folder(folder: Path, *, art: Art | None = None, networks: Networks | None = None) -> list[PhotoResult]:
    """Read every photo with truth in a folder and compare; a photo without a readable board counts as all missed.

    `art` is the copy of the game on the photos, where its faces were learned.
    """
    known = networks if networks is not None else load_networks()
    return [evaluate_photo(file, known, art=art) for file in truth_files(folder)]


def evaluate_photo(truth_file: Path, networks: Networks, *, art: Art | None = None) -> PhotoResult:
    """Read one photo and compare it with its truth."""
    document = json.loads(truth_file.read_text())
    truth = load_document(document)
    assert isinstance(truth, Board)
    photo = load_photo(truth_file.with_suffix(".jpg"))
    result = PhotoResult(truth_file.stem, tiles=len(truth.placements))
    try:
        reading = read_photo(photo, networks, players=truth.players, art=art)
    except NoBoardFound as error:
        result.faults.append(str(error))
        return result
    result.art, result.milliseconds, result.questions = (
        reading.art,
        sum(reading.timings_ms.values()),
        len(reading.questions),
    )
    match = match_tiles(reading.board, truth)
    _compare_tiles(result, reading.board, truth, match)
    _compare_kinds(result, reading, truth, match)
    _compare_foreign(result, reading, document, match)
    _compare_pairs(result, reading.board, truth, match)
    _compare_violations(result, reading.board, document, match)
    _compare_scorecards(result, reading, truth, match)
    return result


def _px(board: Board) -> list[Polygon]:
    return [Polygon(p.polygon_px or ()).buffer(0) for p in board.placements]


def match_tiles(read: Board, truth: Board) -> dict[str, str]:
    """Read tile id -> truth tile id, by the overlap of full outlines on the photo, best first, each once."""
    ours, theirs = _px(read), _px(truth)
    pairs = []
    for i, a in enumerate(ours):
        for j, b in enumerate(theirs):
            common = a.intersection(b).area
            if common > 0:
                pairs.append((common / (a.area + b.area - common), i, j))
    match: dict[str, str] = {}
    taken: set[int] = set()
    for iou, i, j in sorted(pairs, reverse=True):
        if iou >= _IOU_FOUND and read.placements[i].id not in match and j not in taken:
            match[read.placements[i].id] = truth.placements[j].id
            taken.add(j)
    return match


def _compare_tiles(result: PhotoResult, read: Board, truth: Board, match: dict[str, str]) -> None:
    by_id = {p.id: p for p in truth.placements}
    result.found, result.extra = len(match), len(read.placements) - len(match)
    for p in read.placements:
        if p.id not in match:
            result.faults.append(f"{p.id} is no tile (read as {p.kind})")
            continue
        t = by_id[match[p.id]]
        a, b = Polygon(p.polygon_px or ()).buffer(0), Polygon(t.polygon_px or ()).buffer(0)
        result.ious.append(a.intersection(b).area / a.union(b).area)
        result.visible_errors.append(abs((p.visible or 0) - (t.visible or 0)))
        result.kinds_right += p.kind == t.kind
        if p.kind != t.kind:
            result.faults.append(f"{t.id} is {t.kind}, read as {p.kind} ({p.confidence})")
        if result.ious[-1] < 0.85:
            result.faults.append(f"{t.id} ({t.kind}, visible {t.visible}) outline IoU {result.ious[-1]:.2f}")
    for missing in sorted(set(by_id) - set(match.values())):
        result.faults.append(f"{missing} ({by_id[missing].kind}, visible {by_id[missing].visible}) was not found")


def _compare_kinds(result: PhotoResult, reading: Reading, truth: Board, match: dict[str, str]) -> None:
    by_id = {p.id: p for p in truth.placements}
    tiles = [(p, by_id.get(match.get(p.id, ""))) for p in reading.board.placements]
    half = [p.kind == t.kind for p, t in tiles if t is not None and (t.visible or 0) >= 0.5]
    result.half_seen = (sum(half), len(half))
    sure = [t is not None and p.kind == t.kind for p, t in tiles if (p.confidence or 0) >= _SURE]
    result.sure = (len(sure) - sum(sure), len(sure))


def _compare_foreign(result: PhotoResult, reading: Reading, document: dict[str, Any], match: dict[str, str]) -> None:
    """Things on the board that are no tiles: one is stated to be a tile where a find on it is asked nothing about."""
    asked = {t for q in reading.questions if q.about in ("tile", "kind") for t in q.tiles}
    stated = [
        polygon
        for p, polygon in zip(reading.board.placements, _px(reading.board), strict=True)
        if p.id not in match and p.id not in asked
    ]
    things = [Polygon(points).buffer(0) for points in document.get("foreign_px", [])]
    taken = [any(_is_of(polygon, thing) for polygon in stated) for thing in things]
    result.foreign = (sum(taken), len(things))
    result.faults += [f"thing {k} on the board was stated to be a tile" for k, called in enumerate(taken) if called]


def _is_of(find: Polygon, thing: Polygon) -> bool:
    return bool(find.intersection(thing).area > _FOREIGN_SHARE * min(find.area, thing.area))


def _pairs(pairs: Iterable[tuple[str, str]] | None) -> set[frozenset[str]]:
    return {frozenset(p) for p in pairs or ()}


def _named(pairs: Iterable[tuple[str, str]] | None, match: dict[str, str]) -> list[tuple[str, str]]:
    return [(match.get(a, f"?{a}"), match.get(b, f"?{b}")) for a, b in pairs or ()]


def _compare_pairs(result: PhotoResult, read: Board, truth: Board, match: dict[str, str]) -> None:
    ours, theirs = _pairs(_named(read.contacts, match)), _pairs(truth.contacts)
    result.contacts = (len(ours & theirs), len(ours - theirs), len(theirs - ours))
    over = set(_named(read.over, match))
    result.overs = (len(over & set(truth.over)), len(truth.over))
    result.faults += [f"contact {'-'.join(sorted(p))} seen, is none" for p in ours - theirs]
    result.faults += [f"contact {'-'.join(sorted(p))} not seen" for p in theirs - ours]
    result.faults += [f"{u} over {lower} not seen" for u, lower in sorted(set(truth.over) - over)]


def _compare_violations(result: PhotoResult, read: Board, document: dict[str, Any], match: dict[str, str]) -> None:
    report = score(read, ScoreOptions())
    ours = {
        (match.get(t, f"?{t}"), c.id)
        for c in report.checks
        if c.status == "violation" and c.id in _PLACEMENT_CHECKS
        for t in c.tiles
    }
    theirs = {(t, kind) for t, kind in document.get("violations", [])}
    result.violations = (len(ours & theirs), len(ours - theirs), len(theirs - ours))
    result.faults += [f"violation {v} seen, is none" for v in sorted(ours - theirs)] + [
        f"violation {v} not seen" for v in sorted(theirs - ours)
    ]


def _lines(report: Report) -> dict[str, int | None]:
    return {line.id: line.points for line in report.objectives}


def _compare_scorecards(result: PhotoResult, reading: Reading, truth: Board, match: dict[str, str]) -> None:
    options = ScoreOptions(objectives=("all",))
    ours, theirs = _lines(score(reading.board, options)), _lines(score(truth, options))
    result.exact = ours == theirs
    if not result.exact:
        wrong = {card: (ours[card], theirs[card]) for card in ours if ours[card] != theirs[card]}
        result.faults.append("cards read, true: " + ", ".join(f"{c} {a}, {b}" for c, (a, b) in wrong.items()))
        result.warned = _warned(reading, truth, match)


def _warned(reading: Reading, truth: Board, match: dict[str, str]) -> bool:
    """Whether a question names a tile or a contact that is wrong."""
    kinds = {p.id: p.kind for p in truth.placements}
    wrong = {p.id for p in reading.board.placements if kinds.get(match.get(p.id, "")) != p.kind}
    ours, theirs = _pairs(_named(reading.board.contacts, match)), _pairs(truth.contacts)
    missing = len(set(kinds) - set(match.values()))
    for q in reading.questions:
        named = {match.get(t, f"?{t}") for t in q.tiles}
        if (q.about == "count" and missing) or set(q.tiles) & wrong or frozenset(named) in ours ^ theirs:
            return True
    return False


def _f1(counts: Sequence[tuple[int, int, int]]) -> float:
    right, extra, missed = np.sum(np.array(counts).reshape(-1, 3), axis=0)
    return float(2 * right / (2 * right + extra + missed)) if right + extra + missed else 1.0


def _share(counts: Sequence[tuple[int, int]], *, none: float) -> float:
    """The first of the sums over the second; `none` where that is 0."""
    some, total = np.sum(np.array(counts).reshape(-1, 2), axis=0)
    return float(some / total) if total else none


def summary(results: Sequence[PhotoResult]) -> dict[str, float]:
    """The table of measures over all photos; shares are 0..1."""
    tiles, found, extra = (sum(getattr(r, n) for r in results) for n in ("tiles", "found", "extra"))
    ious = np.array([i for r in results for i in r.ious] or [0.0])
    errors = np.array([e for r in results for e in r.visible_errors] or [1.0])
    wrong = [r for r in results if not r.exact]
    return {
        "photos": len(results),
        "recall": found / max(tiles, 1),
        "precision": found / max(found + extra, 1),
        "iou_median": float(np.median(ious)),
        "iou_p5": float(np.percentile(ious, 5)),
        "contacts_f1": _f1([r.contacts for r in results]),
        "over_right": _share([r.overs for r in results], none=1.0),
        "visible_error_p95": float(np.percentile(errors, 95)),
        "violations_f1": _f1([r.violations for r in results]),
        "kinds": sum(r.kinds_right for r in results) / max(found, 1),
        "kinds_half_seen": _share([r.half_seen for r in results], none=1.0),
        "sure_wrong": _share([r.sure for r in results], none=0.0),
        "foreign_stated": _share([r.foreign for r in results], none=0.0),
        "scorecards_exact": float(np.mean([r.exact for r in results])) if results else 0.0,
        "wrong_with_question": float(np.mean([r.warned for r in wrong])) if wrong else 1.0,
        "questions_a_photo": float(np.mean([r.questions for r in results])) if results else 0.0,
        "reading_ms": float(np.median([r.milliseconds for r in results])) if results else 0.0,
    }

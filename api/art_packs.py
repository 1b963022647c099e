"""What the `arts` commands do with art packs: list, show, learn, take back; the JSON of each, and how it is told."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.enrolment import learned_json, show_enrolment
from api.errors import InputError, UsageError
from api.inputs import DocumentInput, open_input
from models.artpack import ArtPack, utc_text, without_last_lesson
from models.artpacks import ArtShelf
from models.enrolling import learned
from scoring import Board, load_document
from scoring.errors import BoardsnapError

if TYPE_CHECKING:
    from rich.console import Console


def list_answer() -> dict[str, Any]:
    """All art packs; one that is damaged says so."""
    shelf = ArtShelf()
    return {"format": "boardsnap.arts/1", "arts": [_entry(shelf, name) for name in shelf.names()]}


def show_answer(name: str) -> dict[str, Any]:
    """One art pack: what it knows and where from.

    Raises:
        BoardsnapError: there is none of this name, or it is damaged.
    """
    shelf = ArtShelf()
    pack = shelf.load(name)
    return {
        **_heading(pack),
        "folder": str(shelf.folder / pack.name),
        "boardsnap": pack.version,
        "photos": sorted({known.face.source for known in pack.faces}),
        **learned_json(learned(pack)),
        "lessons": [
            {"made": one.made, "photo": one.photo, "added": len(one.added), "retired": len(one.retired)}
            for one in pack.lessons
        ],
    }


def learn_answer(name: str, photo: Path, board: Path, *, everything: bool) -> dict[str, Any]:
    """Learn from a photo and its corrected board.

    Raises:
        BoardsnapError: there is no such pack, or the photo or the board cannot be read.
    """
    from models.learning import teach
    from models.registry import load_networks
    from vision.image import load_photo

    shelf = ArtShelf()
    shelf.check(name)
    truth = _board(board)
    if isinstance(open_input(photo), DocumentInput):
        raise InputError(f"{photo} is a JSON file, and a photo is needed. Give PHOTO first, then BOARD.json.")
    made, source = utc_text(datetime.now(UTC)), photo.name.encode(errors="replace").decode()
    taught = teach(
        shelf, name, load_photo(photo), truth, load_networks(), source=source, made=made, everything=everything
    )
    kinds = [face.kind for face in taught.faces]
    return {"format": "boardsnap.lesson/1", "art": taught.pack.name, "photo": source, "learned": _counted(kinds)}


def undo_answer(name: str) -> dict[str, Any]:
    """Take the last lesson of a pack back.

    Raises:
        BoardsnapError: there is no such pack, it is damaged, or holds no lesson.
    """
    undone = []

    def undo(pack: ArtPack) -> ArtPack:
        before, lesson = without_last_lesson(pack)
        undone.append((lesson, [known.face.kind for known in pack.faces if known.file in lesson.added]))
        return before

    pack = ArtShelf().change(name, undo)
    lesson, kinds = undone[-1]
    return {"format": "boardsnap.lesson/1", "art": pack.name, "photo": lesson.photo, "taken_back": _counted(kinds)}


def print_list(console: "Console", answer: dict[str, Any]) -> None:
    """Print all packs as a table."""
    from rich.table import Table

    if not answer["arts"]:
        console.print("There are no art packs yet. boardsnap enroll PHOTO --art NAME makes one.", soft_wrap=True)
        return
    table = Table("art", "kinds", "faces", "learned from", "made")
    for art in answer["arts"]:
        if "problem" in art:
            table.add_row(art["name"], "", "", f"damaged: {art['problem']}", "")
        else:
            table.add_row(art["name"], str(art["kinds"]), str(art["faces"]), f"{art['lessons']} boards", art["made"])
    console.print(table, markup=False)


def print_pack(console: "Console", answer: dict[str, Any]) -> None:
    """Print one pack."""
    lines = [
        f"Made {answer['made']} by boardsnap {answer['boardsnap']} from {', '.join(answer['photos'])}.",
        f"It lies in {answer['folder']}.",
    ]
    lines += [f"Learned {one['added']} faces from {one['photo']}, {one['made']}." for one in answer["lessons"]]
    show_enrolment(console, {**answer, "art": answer["name"]})
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


def print_lesson(console: "Console", answer: dict[str, Any]) -> None:
    """Print what was learned or taken back."""
    learned_now = answer.get("learned")
    if learned_now is None:
        text = f"{answer['art']}: taken back what {answer['photo']} taught: {_words(answer['taken_back'])}."
    elif learned_now:
        text = f"{answer['art']}: learned from {answer['photo']}: {_words(learned_now)}. arts undo takes it back."
    else:
        text = f"{answer['art']}: nothing to learn; every kind on {answer['photo']} that shows enough was read right."
    console.print(text, markup=False, soft_wrap=True)


def _entry(shelf: ArtShelf, name: str) -> dict[str, Any]:
    try:
        pack = shelf.load(name)
    except BoardsnapError as error:
        return {"name": name, "problem": str(error)}
    art = pack.art
    counts = {"kinds": len(art.kinds), "missing": list(art.missing), "faces": len(art.faces)}
    return {**_heading(pack), **counts, "lessons": len(pack.lessons)}


def _heading(pack: ArtPack) -> dict[str, Any]:
    return {"name": pack.name, "made": pack.made, "mm_known": pack.round_mm is not None, "round_mm": pack.round_mm}


def _board(path: Path) -> Board:
    opened = open_input(path)
    if not isinstance(opened, DocumentInput):
        raise UsageError(f"{path} is no board file. Give PHOTO first, then BOARD.json.")
    document = opened.document
    if isinstance(document, dict) and "report" in str(document.get("format")):
        document = document.get("board")  # what boardsnap score --json gives
    board = load_document(document)
    if not isinstance(board, Board):
        raise UsageError(f"{path} holds no single board of Charcuterie. Give the board file of this photo.")
    return board


def _counted(kinds: Sequence[str]) -> list[dict[str, Any]]:
    return [{"kind": kind, "faces": kinds.count(kind)} for kind in dict.fromkeys(kinds)]


def _words(counts: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"{one['kind']} ({one['faces']})" if one["faces"] > 1 else one["kind"] for one in counts)

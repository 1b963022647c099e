"""Photos of a copy laid out -> an art pack, and what was learned: the JSON of an enrolment, and how it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.errors import InputError, PhotoFailed, UsageError
from api.inputs import DocumentInput, open_input
from models.artpack import check_name, utc_text
from models.artpacks import ArtShelf
from models.enrolling import (
    Kinds,
    Learned,
    PhotoSheet,
    TileCountError,
    check_in_step,
    enrolled,
    faces_of,
    learned,
    name_tiles,
    odd_shapes,
    read_layout,
    sheet_of,
)
from models.registry import Networks, load_networks
from scoring.errors import BoardsnapError
from vision.image import Photo, load_photo

if TYPE_CHECKING:
    from rich.console import Console

MAX_LAYOUT_BYTES = 100_000
Ask = Callable[[Sequence[PhotoSheet], Path], list[Kinds]]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be enrolled.

    `layout` holds the kinds in the order of the tiles; None asks for them. `add`: to the pack there is, not instead
    of it. `round_mm` is the true diameter of a round tile.
    """

    photos: tuple[Path, ...]
    art: str
    layout: Kinds | None = None
    add: bool = False
    round_mm: float | None = None


def checked_order(photos: Sequence[Path], art: str, *, layout: Path | None, add: bool, round_mm: float | None) -> Order:
    """Check what can be checked before any photo is read.

    Raises:
        BoardsnapError: a name, the layout or the length is not allowed, or there is no art to add to.
    """
    name = check_name(art)
    if add:
        ArtShelf().check(name)
    return Order(tuple(photos), name, None if layout is None else _layout(layout), add, round_mm)


def enrolment_answer(order: Order, ask: Ask) -> dict[str, Any]:
    """Enroll an art; `ask` gives the kinds where there is no layout, from the tiles and a picture of them all.

    Raises:
        BoardsnapError: a photo cannot be used, or the layout does not fit what was found. An old pack is kept.
    """
    photos, shelf = [_photo(path) for path in order.photos], ArtShelf()
    networks = load_networks()
    sheets = [_sheet(path, photo, networks) for path, photo in zip(order.photos, photos, strict=True)]
    kinds = _kinds(order, sheets, ask)
    faces = faces_of(sheets, kinds)
    if not faces:
        raise UsageError("No tile was named, so there is nothing to learn. The old pack, if any, is as it was.")
    made = utc_text(datetime.now(UTC))
    if order.add:
        pack = shelf.change(
            order.art, lambda old: enrolled(order.art, faces, made=made, round_mm=order.round_mm, onto=old)
        )
    else:
        pack = enrolled(order.art, faces, made=made, round_mm=order.round_mm)
        shelf.save(pack)
    return {
        "format": "boardsnap.enrolment/1",
        "art": pack.name,
        "photos": [{"photo": one.photo, "rows": list(one.sheet.rows)} for one in sheets],
        "mm_known": pack.round_mm is not None,
        **learned_json(learned(pack, networks.tilenet)),
        "notes": odd_shapes(sheets, kinds),
    }


def learned_json(known: Learned) -> dict[str, Any]:
    """What an art knows, as JSON."""
    return {
        "learned": [{"kind": kind, "faces": count} for kind, count in known.faces.items()],
        "missing": list(known.missing),
        "faint": list(known.faint),
        "confusions": [{"kinds": [a, b], "share": round(share, 4)} for a, b, share in known.confusions],
        "ask_again": list(known.ask_again),
    }


def show_enrolment(console: "Console", answer: dict[str, Any]) -> None:
    """Print what was learned, what is missing, what may be confused, and which photo would help."""

    def tell(text: str) -> None:
        console.print(text, markup=False, soft_wrap=True)

    faces = sum(entry["faces"] for entry in answer["learned"])
    tell(f"{answer['art']}: {len(answer['learned'])} kinds from {faces} faces.")
    several = [f"{entry['kind']} ({entry['faces']})" for entry in answer["learned"] if entry["faces"] > 1]
    if several:
        tell(f"With several faces: {', '.join(several)}.")
    if answer["missing"]:
        tell(f"Missing: {', '.join(answer['missing'])}.")
    if answer["faint"]:
        tell(f"Hardly a print is seen on: {', '.join(answer['faint'])}. A lamp may be mirrored there.")
    for pair in answer["confusions"]:
        a, b = pair["kinds"]
        tell(f"Likely confused: {a} with {b}, in {100 * pair['share']:.0f} % of trial views.")
    for note in answer.get("notes", []):
        tell(f"Look again: {note}")
    if answer["ask_again"]:
        tell(
            f"Another photo of just these would help: {', '.join(answer['ask_again'])}. "
            f'boardsnap enroll PHOTO --art "{answer["art"]}" --add'
        )


def _photo(path: Path) -> Photo:
    try:
        if isinstance(open_input(path), DocumentInput):
            raise InputError("This is a JSON file, and a photo is needed.")
        return load_photo(path)
    except BoardsnapError as error:
        raise PhotoFailed(str(path), error) from error


def _sheet(path: Path, photo: Photo, networks: Networks) -> PhotoSheet:
    try:
        return sheet_of(photo, path.name.encode(errors="replace").decode(), networks)
    except BoardsnapError as error:
        raise PhotoFailed(str(path), error) from error


def _kinds(order: Order, sheets: Sequence[PhotoSheet], ask: Ask) -> list[Kinds]:
    from api.contact_sheet import write_contact_sheet

    picture = ArtShelf().folder.parent / "enrolments" / f"{order.art}.png"
    if order.layout is None:
        write_contact_sheet(sheets, picture)
        return ask(sheets, picture)
    try:
        kinds = name_tiles(sheets, order.layout)
        check_in_step(sheets, kinds)
    except TileCountError as error:
        write_contact_sheet(sheets, picture)
        raise type(error)(f"{error} The tiles found are numbered on {picture}.") from error
    return kinds


def _layout(path: Path) -> Kinds:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_LAYOUT_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"The layout {path} cannot be read: {reason}.") from error
    if len(data) > MAX_LAYOUT_BYTES:
        raise UsageError(f"The layout {path} has more than {MAX_LAYOUT_BYTES} bytes. It holds one kind a line.")
    try:
        return read_layout(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"The layout {path} is no text (byte {error.start} is not UTF-8).") from error

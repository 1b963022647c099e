"""The commands that learn a copy of the game and keep what was learned: `enroll` and `arts`.

As in `api.cli`, heavy imports wait inside the commands.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

arts = typer.Typer(help="Art packs: the copies of the game whose faces were learned.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", show_default=False, help="The art pack.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
_WRONG_USAGE = frozenset(
    {"usage", "art_unknown", "art_name_invalid", "art_exists", "layout_invalid", "nothing_learned"}
)


def enroll(
    photos: Annotated[
        list[Path],
        typer.Argument(metavar="PHOTO", show_default=False, help="Photos of the tiles laid apart, row by row."),
    ],
    art: Annotated[str, typer.Option(metavar="NAME", show_default=False, help="What to call your copy.")],
    layout: Annotated[
        Path | None,
        typer.Option(metavar="KINDS.txt", show_default=False, help="One kind a line, row by row; - skips a tile."),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Add to the art pack, instead of replacing it.")] = False,
    round_mm: Annotated[
        float | None,
        typer.Option(min=10, max=200, metavar="MM", show_default=False, help="True diameter of a round tile."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn your own copy of the game from photos of its tiles."""
    with _told(as_json):
        from api.asking import ask_kinds
        from api.enrolment import checked_order, enrolment_answer, show_enrolment

        order = checked_order(photos, art, layout=layout, add=add, round_mm=round_mm)
        _show(enrolment_answer(order, ask_kinds), show_enrolment, as_json)


@arts.callback(invoke_without_command=True)
def list_arts(context: typer.Context, as_json: AsJson = False) -> None:
    """List the art packs, or do something with one."""
    if context.invoked_subcommand is None:
        with _told(as_json):
            from api.art_packs import list_answer, print_list

            _show(list_answer(), print_list, as_json)


@arts.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show what an art pack knows, and where from."""
    with _told(as_json):
        from api.art_packs import print_pack, show_answer

        _show(show_answer(name), print_pack, as_json)


@arts.command("export")
def export_pack(
    name: Name,
    out: Annotated[Path, typer.Argument(metavar="OUT.zip", show_default=False, help="The file to write.")],
) -> None:
    """Write an art pack into one file to share."""
    with _told():
        from models.artpacks import ArtShelf

        ArtShelf().export_zip(name, out)
        typer.echo(f"{name} is in {out}.", err=True)


@arts.command("import")
def import_pack(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", show_default=False, help="A file of arts export.")],
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", show_default=False, help="Another name for it here.")
    ] = None,
) -> None:
    """Take an art pack that somebody shared."""
    with _told():
        from models.artpacks import ArtShelf

        pack = ArtShelf().import_zip(file, name=name)
        typer.echo(f"{pack.name}: {len(pack.art.kinds)} kinds taken from {file}.", err=True)


@arts.command()
def remove(name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Remove an art pack for good."""
    with _told():
        from models.adapted import AdaptedShelf
        from models.artpacks import ArtShelf

        shelf = ArtShelf()
        shelf.check(name)
        if not yes:
            if not sys.stdin.isatty():
                from api.errors import UsageError

                raise UsageError("Nobody can be asked, as this is no terminal: give --yes.")
            typer.confirm(f"Remove {name} for good?", abort=True, err=True)
        shelf.remove(name)
        AdaptedShelf().remove(name)
        typer.echo(f"{name} is removed.", err=True)


@arts.command()
def learn(
    name: Name,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", show_default=False, help="The photo of a board.")],
    board: Annotated[
        Path, typer.Argument(metavar="BOARD.json", show_default=False, help="Its board file, with kinds corrected.")
    ],
    everything: Annotated[bool, typer.Option("--all", help="Also learn from kinds that were read right.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn from a corrected board: tiles whose kind was read wrong become further references of their kind."""
    with _told(as_json):
        from api.art_packs import learn_answer, print_lesson

        _show(learn_answer(name, photo, board, everything=everything), print_lesson, as_json)


@arts.command()
def undo(name: Name, as_json: AsJson = False) -> None:
    """Take back what the last corrected board taught."""
    with _told(as_json):
        from api.art_packs import print_lesson, undo_answer

        _show(undo_answer(name), print_lesson, as_json)


@contextmanager
def _told(as_json: bool = False) -> Iterator[None]:
    """End the process with a message and the exit code of what went wrong."""
    from api.batch import Exit, leave
    from api.errors import PhotoFailed, UsageError
    from scoring.errors import BoardsnapError
    from vision.errors import NoBoardFound

    try:
        yield
    except BoardsnapError as error:
        if error.code in _WRONG_USAGE:
            leave(error)
        print(f"Error: {error}", file=sys.stderr)
        if as_json:
            reason = error.error if isinstance(error, PhotoFailed) else error
            print(json.dumps({"error": {"code": reason.code, "message": str(error)}}))
        raise SystemExit(Exit.NO_BOARD if isinstance(error, NoBoardFound) else Exit.UNREADABLE) from error
    except OSError as error:
        place = f" {error.filename}" if error.filename else ""
        leave(UsageError(f"The file or folder{place} cannot be used: {error.strerror or error}."))


def _show(answer: dict[str, Any], show: "Callable[[Console, dict[str, Any]], None]", as_json: bool) -> None:
    if as_json:
        print(json.dumps(answer, allow_nan=False))
        return
    from rich.console import Console

    show(Console(highlight=False), answer)

"""Asks in the terminal what each tile of an enrolment shows."""

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from api.errors import UsageError
from models.enrolling import SKIP, Kinds, LayoutError, PhotoSheet, read_kind
from scoring.charcuterie.catalogue import KINDS
from vision.enrolment import SheetTile

_SUGGESTED = 5


def ask_kinds(sheets: Sequence[PhotoSheet], picture: Path) -> list[Kinds]:
    """Ask for the kind of each tile, by its number on `picture`.

    Raises:
        UsageError: standard input is no terminal, so nobody can answer.
    """
    if not is_terminal():
        raise UsageError(
            f"Nobody can be asked what the tiles are, as this is no terminal: give --layout KINDS.txt. "
            f"The tiles found are numbered on {picture}."
        )
    typer.echo(f"The tiles are numbered on {picture}.", err=True)
    typer.echo(f"Answer with a number, a kind, {SKIP} to skip the tile, or ? for all kinds.", err=True)
    named: set[str] = set()
    number, answers = 0, []
    for one in sheets:
        kinds: list[str | None] = []
        for tile in one.sheet.tiles:
            number += 1
            kinds.append(_ask(number, tile, named))
            named |= {kind for kind in kinds[-1:] if kind is not None}
        answers.append(tuple(kinds))
    return answers


def is_terminal() -> bool:
    """Whether somebody can answer."""
    return sys.stdin.isatty()


def suggested(tile: SheetTile, named: set[str]) -> list[str]:
    """The kinds to offer for a tile: likeliest first, those already named left to the end."""
    return sorted(tile.suggestions, key=lambda kind: kind in named)[:_SUGGESTED]


def _ask(number: int, tile: SheetTile, named: set[str]) -> str | None:
    offered = suggested(tile, named)
    choices = "  ".join(f"{i} {kind}" for i, kind in enumerate(offered, start=1))
    typer.echo(f"Tile {number}, row {tile.row + 1}, {tile.shape}:  {choices}", err=True)
    while True:
        word = typer.prompt("  Kind", err=True).strip()
        if word == "?":
            typer.echo("  " + ", ".join(KINDS), err=True)
            continue
        if word == SKIP:
            return None
        if word.isdecimal() and 1 <= int(word) <= len(offered):
            return offered[int(word) - 1]
        try:
            return read_kind(word, "the answer")
        except LayoutError as error:
            typer.echo(f"  {error}", err=True)

"""`boardsnap adapt`: networks trained further on scenes laid with a player's own faces, with progress."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from api.errors import UsageError


def adapt_art(name: str, *, minutes: float, threads: int, home: Path | None = None) -> None:
    """Adapt the networks to the art pack `name` and print what was kept.

    Raises:
        UsageError: torch is not installed.
        ArtUnknown, ArtPackError: there is no such pack, or it is damaged.
        ArtIncomplete: some kinds have no face yet.
    """
    from dataclasses import replace

    from models.adapted import AdaptedShelf
    from models.artpacks import ArtShelf
    from models.registry import load_networks

    art = replace(ArtShelf(home).load(name), round_mm=None).art  # outlines at the scale of the pictures
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        raise UsageError('Adapting needs torch: pip install "boardsnap[train]", about 6 GB.') from error
    from models.adapt import AdaptPlan, adapt

    plan = AdaptPlan(minutes=minutes, threads=threads)
    for trial in adapt(art, load_networks(), AdaptedShelf(home), plan, _progress):
        told = "kept" if trial.kept else "not better, so the old one stays"
        typer.echo(f"{trial.network}: {trial.before} errors before, {trial.after} adapted ({told})")


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

"""How well photos with truth are read: the JSON of an evaluation, and its table."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.errors import EmptyFolder, InputError

if TYPE_CHECKING:
    from rich.console import Console


def evaluation_answer(folder: Path, *, art: str | None = None) -> dict[str, Any]:
    """Read every photo with truth of a folder and compare; `art` names the art pack of the copy on them.

    Raises:
        BoardsnapError: there is no such photo, the networks are missing, or there is no such art pack.
    """
    from models.enrolling import load_art
    from models.evaluate import evaluate_folder, summary, truth_files
    from models.registry import load_networks

    if not folder.is_dir():
        raise InputError(f"{folder} is no folder. Give one that holds NAME.jpg beside NAME.json.")
    if not truth_files(folder):
        raise EmptyFolder(str(folder))
    if art is None:
        results = evaluate_folder(folder)
    else:
        faces, networks = load_art(art, load_networks())
        results = evaluate_folder(folder, art=faces, networks=networks)
    photos = [asdict(result) for result in results]
    return {"format": "boardsnap.evaluation/1", "summary": summary(results), "photos": photos}


def show_evaluation(console: "Console", answer: dict[str, Any], title: str) -> None:
    """Print what was wrong on each photo, then the measures over all."""
    from rich.table import Table

    for photo in answer["photos"]:
        console.print(f"{photo['name']}: {'exact' if photo['exact'] else 'not exact'}", markup=False, soft_wrap=True)
        for fault in photo["faults"]:
            console.print(f"  {fault}", markup=False, soft_wrap=True)
    table = Table("measure", "value", title=title, title_justify="left")
    for name, value in answer["summary"].items():
        table.add_row(name.replace("_", " "), f"{value:.3f}" if isinstance(value, float) else str(value))
    console.print(table)

"""The copies of the game whose faces were learned, as the service shows them."""

from pathlib import Path
from typing import Any

from api.schemas import Art


def check_art(name: str | None, home: Path) -> str | None:
    """Return the name of an art pack there is, or None for none.

    Raises:
        ArtUnknown: there is no such pack.
    """
    # Art packs bring OpenCV along, which takes a third of a second to import: only where one is asked for.
    from models.artpacks import ArtShelf

    if name is None or not name.strip():
        return None
    ArtShelf(home).check(name.strip())
    return name.strip()


def known_arts(home: Path) -> list[Art]:
    """Return the art packs there are; one that is damaged knows no kinds."""
    from models.artpacks import ArtShelf

    shelf = ArtShelf(home)
    return [_art(shelf, name) for name in shelf.names()]


def _art(shelf: Any, name: str) -> Art:
    from scoring.charcuterie.catalogue import KINDS
    from scoring.errors import BoardsnapError

    try:
        art = shelf.load(name).art
    except BoardsnapError:
        return Art(name=name, kinds=0, missing=list(KINDS))
    return Art(name=name, kinds=len(art.kinds), missing=list(art.missing))

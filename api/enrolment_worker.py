"""The part of an enrolment that needs the networks: finding the tiles, and trying the faces learned on each other."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.photo_worker import Outcome, Readers

if TYPE_CHECKING:
    from vision.enrolment import SheetTile
    from vision.faces import Face

TILES_FILE, LIST_FILE = "tiles.npz", "tiles.json"
# Two printings of 27 kinds, three of each; more tiles are no enrolment.
MOST_TILES = 200


@dataclass(frozen=True, slots=True)
class FindTiles:
    """Find the tiles on the photos of a folder (0.photo, 1.photo, ...), and leave there what was found."""

    id: str
    folder: Path
    photos: int

    def run(self, readers: Readers) -> Outcome:
        """Find them; the photos themselves are deleted."""
        from api.problems import problem_of
        from scoring.errors import BoardsnapError

        try:
            return Outcome(result={"crops": self._found(readers)})
        except BoardsnapError as error:
            return Outcome(problem=problem_of(error).document())
        finally:
            for photo in self.folder.glob("*.photo"):
                photo.unlink()

    def _found(self, readers: Readers) -> list[dict[str, Any]]:
        from vision.enrolment import read_sheet
        from vision.errors import EnrolmentPhotoError
        from vision.image import load_photo

        networks, tiles = readers.networks(), []
        for number in range(self.photos):
            photo = load_photo(self.folder / f"{number}.photo")
            tiles += [(number, tile) for tile in read_sheet(photo, networks.detector, networks.tilenet).tiles]
        if len(tiles) > MOST_TILES:
            raise EnrolmentPhotoError(f"{len(tiles)} tiles were found, and {MOST_TILES} are the most")
        _write(self.folder, tiles)
        listed = [
            {"n": n, "photo": photo, "row": tile.row, "shape": tile.shape, "suggestions": list(tile.suggestions)}
            for n, (photo, tile) in enumerate(tiles, start=1)
        ]
        (self.folder / LIST_FILE).write_text(json.dumps(listed))
        return listed


@dataclass(frozen=True, slots=True)
class LearnFaces:
    """Make an art pack of the tiles of a folder that have a kind; never in place of one that there is."""

    id: str
    folder: Path
    name: str
    kinds: tuple[str | None, ...]

    def run(self, readers: Readers) -> Outcome:
        """Make it, and tell what it knows."""
        from api.problems import problem_of
        from scoring.errors import BoardsnapError

        try:
            return Outcome(result=self._learned(readers))
        except BoardsnapError as error:
            return Outcome(problem=problem_of(error).document())

    def _learned(self, readers: Readers) -> dict[str, Any]:
        from api.enrolment import learned_json
        from models.artpack import ArtExists, utc_text
        from models.artpacks import ArtShelf
        from models.enrolling import enrolled, learned

        shelf = ArtShelf(readers.home)
        if self.name.casefold() in (name.casefold() for name in shelf.names()):
            raise ArtExists(self.name)
        pack = enrolled(self.name, self._faces(), made=utc_text(datetime.now(UTC)))
        shelf.save(pack)
        known = learned_json(learned(pack, readers.networks().tilenet))
        return {"art": pack.name, **known}

    def _faces(self) -> "list[Face]":
        import numpy as np

        from models.enrolling import sound
        from vision.faces import Face

        faces = []
        with np.load(self.folder / TILES_FILE, allow_pickle=False) as held:
            for n, kind in enumerate(self.kinds):
                if kind is not None:
                    picture, outline, descriptor = (held[f"{part}{n}"] for part in ("picture", "outline", "descriptor"))
                    faces.append(sound(Face(kind, picture, outline, descriptor, "photo sent to the service")))
        return faces


def _write(folder: Path, tiles: "list[tuple[int, SheetTile]]") -> None:
    """Leave pictures to look at, and arrays to learn from."""
    import numpy as np
    from PIL import Image

    arrays: dict[str, Any] = {}
    for n, (_, tile) in enumerate(tiles):
        arrays |= {f"picture{n}": tile.picture, f"outline{n}": tile.outline, f"descriptor{n}": tile.descriptor}
        Image.fromarray(tile.picture).save(folder / f"{n + 1}.png")
    np.savez(folder / TILES_FILE, **arrays)

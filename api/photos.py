"""From the file of a photo to the board on it: decoding, the networks (loaded once), the reading."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.registry import Networks
    from vision.faces import Art
    from vision.image import Photo
    from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """A decoded photo, its reading, and how long each step took."""

    photo: "Photo"
    reading: "Reading"
    timings_ms: dict[str, float]


class PhotoReader:
    """Reads photos one after another with one set of networks, loaded at the first.

    With an art pack, tiles are compared with its faces, and networks adapted to it are used where there are any. Both
    are loaded again when they have changed on disk.
    """

    def __init__(self, *, art: str | None = None, home: Path | None = None) -> None:
        """`art` names a pack in the user data folder, which is `home` unless that is None.

        Raises:
            ArtUnknown: there is no such pack; the message lists those there are.
        """
        self._name, self._home = art, home
        self._base: Networks | None = None
        self._networks: Networks | None = None
        self._art: Art | None = None
        self._stamps: tuple[object, object] = (None, None)
        if art is not None:
            from models.artpacks import ArtShelf

            ArtShelf(home).check(art)

    def read(self, path: Path, *, players: int | None = None) -> ReadPhoto:
        """Decode and read one photo.

        Raises:
            ImageError: the file is no photo within the limits.
            NoBoardFound: there is no board on it, or more than one.
            NetworkError: the networks are missing or altered.
            ArtUnknown: the art pack was removed meanwhile.
            ArtPackError: the art pack is damaged.
        """
        # Decoder, networks and OpenVINO take two seconds to import: only where there is a photo.
        from vision.image import load_photo

        start = perf_counter()
        photo = load_photo(path)
        decoded = perf_counter()
        networks = self._current()
        from vision.reading import read_photo

        loaded = perf_counter()
        reading = read_photo(photo, networks, players=players, art=self._art)
        timings_ms = {"decode": 1000 * (decoded - start), "load": 1000 * (loaded - decoded), **reading.timings_ms}
        return ReadPhoto(photo, reading, timings_ms)

    def _current(self) -> "Networks":
        """The networks to read with; loads the art anew where it is another one on disk."""
        if self._base is None:
            from models.registry import load_networks

            self._base = load_networks()
        if self._name is None:
            return self._base
        from models.adapted import AdaptedShelf
        from models.artpacks import ArtShelf
        from models.enrolling import load_art

        stamps = ArtShelf(self._home).stamp(self._name), AdaptedShelf(self._home).stamp(self._name)
        if self._networks is None or stamps[0] is None or stamps != self._stamps:
            self._art, self._networks = load_art(self._name, self._base, home=self._home)
            self._stamps = stamps
        return self._networks

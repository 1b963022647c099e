"""From the file of a photo to the board on it: decoding, the networks (loaded once), the reading."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from api.errors import UsageError

if TYPE_CHECKING:
    from models.registry import Networks
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

    Raises:
        UsageError: an art pack is asked for; this version reads every photo without one.
    """

    def __init__(self, *, art: str | None = None) -> None:
        if art is not None:
            raise UsageError(f"There is no art pack called {art}: this version cannot learn art yet. Leave --art out.")
        self._networks: Networks | None = None

    def read(self, path: Path, *, players: int | None = None) -> ReadPhoto:
        """Decode and read one photo.

        Raises:
            ImageError: the file is no photo within the limits.
            NoBoardFound: there is no board on it, or more than one.
            NetworkError: the networks are missing or altered.
        """
        # Decoder, networks and OpenVINO take two seconds to import: only where there is a photo.
        from vision.image import load_photo

        start = perf_counter()
        photo = load_photo(path)
        decoded = perf_counter()
        if self._networks is None:
            from models.registry import load_networks

            self._networks = load_networks()
        from vision.reading import read_photo

        loaded = perf_counter()
        reading = read_photo(photo, self._networks, players=players)
        timings_ms = {"decode": 1000 * (decoded - start), "load": 1000 * (loaded - decoded), **reading.timings_ms}
        return ReadPhoto(photo, reading, timings_ms)

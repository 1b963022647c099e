"""Photos as files: what came in waits until it is read; what is kept is the upright picture without its metadata."""

import os
from collections.abc import Iterator
from pathlib import Path


class PhotoStore:
    """Two folders: `incoming`, a file a reading that waits; `photos`, a JPEG a photo, by the hash of what was sent."""

    def __init__(self, home: Path) -> None:
        self._incoming = home / "incoming"
        self._photos = home / "photos"
        for folder in (self._incoming, self._photos):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def accept(self, reading_id: str, data: bytes) -> Path:
        """Keep the bytes of a photo until it is read; on the disk before this returns."""
        path = self.incoming(reading_id)
        rough = path.with_suffix(".part")
        with rough.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        rough.replace(path)
        return path

    def incoming(self, reading_id: str) -> Path:
        """Return the file of a photo that waits; it may be gone."""
        return self._incoming / f"{reading_id}.photo"

    def kept(self, photo_hash: str) -> Path:
        """Return the file of a photo that was read; its folder exists."""
        folder = self._photos / photo_hash[:2]
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder / f"{photo_hash}.jpg"

    def forget_incoming(self, reading_id: str) -> None:
        """Delete a photo that was read or given up."""
        self.incoming(reading_id).unlink(missing_ok=True)

    def forget(self, photo_hash: str) -> None:
        """Delete the picture of a photo."""
        self.kept(photo_hash).unlink(missing_ok=True)

    def all_incoming(self) -> Iterator[tuple[str, Path]]:
        """Yield the reading's id and the file of each photo that waits."""
        for path in self._incoming.iterdir():
            yield path.stem, path

    def all_kept(self) -> Iterator[tuple[str, Path]]:
        """Yield the hash and the file of each picture kept."""
        for path in self._photos.glob("??/*.jpg"):
            yield path.stem, path

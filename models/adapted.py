"""Networks adapted to one art, kept beside the art packs: found, checked and loaded without torch.

They are never part of a shared pack: a network from a stranger is not loaded.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.artpacks import home_folder
from models.registry import FOLDER, Networks, load_network_file
from vision.faces import Art

if TYPE_CHECKING:
    from vision.runtime import Network

_LIST = "adapted.json"


@dataclass(frozen=True, slots=True)
class AdaptedNetworks:
    """Files of adapted networks by name; those not named are the ones that come with boardsnap."""

    files: dict[str, Path]


@dataclass(frozen=True, slots=True)
class AdaptedShelf:
    """The folder of adapted networks, one folder an art, within the user data folder (`home` unless None)."""

    home: Path | None = None

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return (self.home or home_folder()) / "adapted"

    def workplace(self, art: Art) -> Path:
        """Where an art is being adapted to; faces learned meanwhile, or new networks to start from, begin a new one."""
        return self.folder / f"{art.name.casefold()}.{_digest_of_start(art)}.work"

    def put(self, art: Art, networks: AdaptedNetworks) -> None:
        """Keep the networks of an art in place of earlier ones; those not named stay as they were."""
        place = self._place(art.name)
        place.mkdir(parents=True, exist_ok=True)
        listed = self._listed(art.name)
        for name, file in networks.files.items():
            shutil.copyfile(file, place / f"{name}.part")
            (place / f"{name}.part").replace(place / f"{name}.onnx")
            listed[name] = _sha256(file)
        (place / _LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")

    def remove(self, name: str) -> None:
        """Forget what was adapted to an art, and what was begun."""
        shutil.rmtree(self._place(name), ignore_errors=True)
        for work in self.folder.glob(f"{name.casefold()}.*.work"):
            shutil.rmtree(work, ignore_errors=True)

    def networks(self, name: str, base: Networks) -> Networks:
        """The networks for an art: those adapted to it, the others as in `base`.

        Files that were altered, or come from an earlier boardsnap whose networks answered otherwise, are left out.
        """
        found: dict[str, Network] = {}
        for network, own in (("detector", base.detector), ("tilenet", base.tilenet)):
            file = self._place(name) / f"{network}.onnx"
            if file.is_file() and _sha256(file) == self._listed(name).get(network):
                adapted = load_network_file(network, file)
                found |= {network: adapted} if adapted.outputs == own.outputs else {}
        return base.exchanged(**found)

    def stamp(self, name: str) -> tuple[int, int] | None:
        """What differs whenever an art has other networks on disk; None where it has none of its own."""
        try:
            status = (self._place(name) / _LIST).stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _place(self, name: str) -> Path:
        return self.folder / name.casefold()  # as art packs: some file systems know no case

    def _listed(self, name: str) -> dict[str, str]:
        file = self._place(name) / _LIST
        return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _digest_of_start(art: Art) -> str:
    digest = hashlib.sha256((FOLDER / "manifest.toml").read_bytes())
    for face in art.faces:
        digest.update(face.kind.encode() + face.picture.tobytes() + face.outline.tobytes())
    return digest.hexdigest()[:10]

"""Finds the networks that come with boardsnap, checks that they are the ones named, and loads them. No torch."""

import hashlib
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.errors import NetworkError

if TYPE_CHECKING:
    from vision.identify import KnownArts
    from vision.runtime import Network

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class NetworkEntry:
    """What the manifest says of one network.

    Attributes:
        file: name of the file in the weights folder.
        sha256: hex digest of that file.
        input_px: (height, width) of its pictures.
        classes: names behind its class numbers.
        made_by: the command, data and seed it was trained with.
    """

    name: str
    file: str
    sha256: str
    input_px: tuple[int, int]
    classes: tuple[str, ...]
    made_by: str


@dataclass(frozen=True, slots=True)
class Networks:
    """The compiled networks that a reading needs.

    Attributes:
        detector: finds the tiles and the board on the whole photo.
        tilenet: draws one tile's outline and describes its face.
        seamnet: tells whether two tiles touch, and who lies over whom.
        arts: the arts whose faces come with boardsnap; None where there are none.
    """

    detector: "Network"
    tilenet: "Network"
    seamnet: "Network"
    arts: "KnownArts | None" = None

    def exchanged(self, **other: "Network") -> "Networks":
        """These networks with some exchanged, by name."""
        given: dict[str, Any] = {**other}
        return replace(self, **given)


def read_manifest(folder: Path = FOLDER) -> dict[str, NetworkEntry]:
    """The entries of `manifest.toml`, by name; empty where it names no networks.

    Raises:
        NetworkError: an entry lacks a field or has one too many.
    """
    document = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))
    return {name: _entry(name, fields) for name, fields in document.items()}


def weights_path(entry: NetworkEntry, folder: Path = FOLDER) -> Path:
    """The file of a network, once its checksum is found to be the manifest's.

    Raises:
        NetworkError: the file is missing or another one; the message names both checksums.
    """
    path = folder / "weights" / entry.file
    if not path.is_file():
        raise NetworkError(f"The weights of the {entry.name} are missing: {path}. Install boardsnap again.")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != entry.sha256:
        raise NetworkError(
            f"{path} is not the file the manifest names: expected sha256 {entry.sha256}, found {found}. "
            "Install boardsnap again, or put the new checksum into models/manifest.toml if you trained it yourself."
        )
    return path


def load_networks(folder: Path = FOLDER) -> Networks:
    """Check and compile every network a reading needs: about a second, so once a process.

    Raises:
        NetworkError: a network is missing, altered or cannot be compiled.
    """
    manifest = read_manifest(folder)
    for name in ("detector", "tilenet", "seamnet"):
        if name not in manifest:
            raise NetworkError(f"This build of boardsnap has no {name}, so it cannot read photos; board files it can.")
    return Networks(
        detector=_load(manifest["detector"], folder),
        tilenet=_load(manifest["tilenet"], folder),
        seamnet=_load(manifest["seamnet"], folder),
        arts=load_arts(folder / "weights" / "arts.npz"),
    )


def load_arts(file: Path) -> "KnownArts | None":
    """The descriptors of known faces in a file that `save_arts` wrote; None where there is no such file."""
    if not file.is_file():
        return None
    import numpy as np

    from vision.identify import KnownArts

    with np.load(file, allow_pickle=False) as held:
        return KnownArts(tuple(str(name) for name in held["names"]), held["faces"].astype(np.float32))


def _load(entry: NetworkEntry, folder: Path) -> "Network":
    from vision.runtime import Network  # OpenVINO takes a second to import: only once a photo is read

    return Network(weights_path(entry, folder), input_px=entry.input_px, classes=entry.classes)


def load_network_file(name: str, file: Path, folder: Path = FOLDER) -> "Network":
    """Compile a network trained here, with the input and the classes that the manifest gives to the one called `name`.

    Raises:
        KeyError: the manifest knows no such network.
        NetworkError: the file cannot be compiled.
    """
    from vision.runtime import Network

    entry = read_manifest(folder)[name]
    return Network(file, input_px=entry.input_px, classes=entry.classes)


def _entry(name: str, fields: dict[str, Any]) -> NetworkEntry:
    try:
        height, width = fields["input_px"]
        values = {**fields, "input_px": (int(height), int(width)), "classes": tuple(fields["classes"])}
        return NetworkEntry(name=name, **values)
    except (KeyError, TypeError, ValueError) as error:
        raise NetworkError(
            f"manifest.toml [{name}] needs file, sha256, input_px, classes and made_by: {error}"
        ) from error

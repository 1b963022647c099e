"""Adapted networks lie beside the art packs, are checked before use, and go with the art."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.adapted import AdaptedNetworks, AdaptedShelf
from models.registry import FOLDER, Networks, load_networks
from vision.faces import FACE_PX, Art, Face


@pytest.fixture(scope="module")
def base() -> Networks:
    return load_networks()


@pytest.fixture
def shelf(tmp_path: Path) -> AdaptedShelf:
    """A shelf with a detector adapted to "Ours" (a copy of the one that comes with boardsnap)."""
    made = tmp_path / "made.onnx"
    shutil.copyfile(FOLDER / "weights" / "detector.onnx", made)
    shelf = AdaptedShelf(tmp_path / "home")
    shelf.put(Art("Ours", ()), AdaptedNetworks({"detector": made}))
    return shelf


def test_an_adapted_network_takes_the_place_of_the_one_that_comes_with_boardsnap(
    shelf: AdaptedShelf, base: Networks
) -> None:
    found = shelf.networks("ours", base)
    assert found.detector is not base.detector
    assert found.tilenet is base.tilenet


def test_an_art_nobody_adapted_to_has_the_networks_that_come_with_boardsnap(
    shelf: AdaptedShelf, base: Networks
) -> None:
    assert shelf.networks("theirs", base) == base


def test_an_altered_file_is_not_loaded(shelf: AdaptedShelf, base: Networks) -> None:
    (file,) = shelf.folder.rglob("detector.onnx")
    file.write_bytes(file.read_bytes() + b"\0")
    assert shelf.networks("Ours", base).detector is base.detector


def test_a_network_that_answers_otherwise_than_the_present_one_is_not_loaded(
    shelf: AdaptedShelf, base: Networks
) -> None:
    shelf.put(Art("Ours", ()), AdaptedNetworks({"tilenet": FOLDER / "weights" / "detector.onnx"}))
    found = shelf.networks("Ours", base)
    assert found.tilenet is base.tilenet
    assert found.detector is not base.detector


def test_removing_an_art_forgets_what_was_adapted_and_begun(shelf: AdaptedShelf, base: Networks) -> None:
    shelf.workplace(Art("Ours", ())).mkdir()
    shelf.remove("OURS")
    assert shelf.networks("Ours", base).detector is base.detector
    assert list(shelf.folder.iterdir()) == []


def test_faces_learned_meanwhile_begin_another_workplace(shelf: AdaptedShelf) -> None:
    face = Face("salami", np.zeros((FACE_PX, FACE_PX, 3), np.uint8), np.eye(3, 2), np.zeros(96, np.float32))
    assert shelf.workplace(Art("Ours", ())) != shelf.workplace(Art("Ours", (face,)))

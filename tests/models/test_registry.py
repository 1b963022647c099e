"""The networks are the ones the manifest names, or an error says which file differs and how."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import openvino
import pytest
from openvino import opset13 as ops

from models.registry import load_networks, read_manifest, weights_path
from vision.errors import NetworkError
from vision.runtime import Network


def save_doubling_network(path: Path) -> None:
    """A network with one picture in, twice the picture and its mean out."""
    picture = ops.parameter([-1, 3, 4, 4], np.float32)
    mean = ops.reduce_mean(picture, np.array([1, 2, 3]), False)
    openvino.save_model(openvino.Model([ops.multiply(picture, np.float32(2)), mean], [picture]), path)


def manifest_folder(folder: Path, *, sha256: str | None = None, fields: str = "") -> Path:
    (folder / "weights").mkdir(exist_ok=True)
    lines = []
    for name in ("detector", "tilenet", "seamnet"):
        save_doubling_network(folder / "weights" / f"{name}.xml")
        digest = sha256 or hashlib.sha256((folder / "weights" / f"{name}.xml").read_bytes()).hexdigest()
        lines += [f"[{name}]", f'file = "{name}.xml"', f'sha256 = "{digest}"', "input_px = [4, 4]"]
        lines += [fields or 'classes = ["round"]\nmade_by = "a test"']
    (folder / "manifest.toml").write_text("\n".join(lines))
    return folder


def test_the_networks_of_a_manifest_are_loaded_and_run(tmp_path: Path) -> None:
    networks = load_networks(manifest_folder(tmp_path))
    doubled, mean = networks.detector(np.ones((2, 3, 4, 4), np.float32))
    assert doubled.shape == (2, 3, 4, 4)
    assert np.allclose(doubled, 2)
    assert np.allclose(mean, 1)
    assert networks.tilenet.input_px == (4, 4)
    assert networks.tilenet.classes == ("round",)
    assert networks.arts is None


def test_an_altered_file_is_refused_with_both_checksums(tmp_path: Path) -> None:
    folder = manifest_folder(tmp_path, sha256="0" * 64)
    with pytest.raises(NetworkError, match=r"detector\.xml.*expected sha256 0{64}, found [0-9a-f]{64}.*again"):
        load_networks(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = manifest_folder(tmp_path)
    (folder / "weights" / "detector.xml").unlink()
    with pytest.raises(NetworkError, match=r"detector are missing.*detector\.xml"):
        load_networks(folder)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "detector.onnx"
    path.write_bytes(b"no network")
    with pytest.raises(NetworkError, match=r"detector\.onnx cannot be loaded"):
        Network(path, input_px=(4, 4))


@pytest.mark.parametrize("fields", ['classes = ["round"]', 'classes = []\nmade_by = ""\nspeed = 3'])
def test_an_entry_with_other_fields_than_the_five_is_refused(tmp_path: Path, fields: str) -> None:
    with pytest.raises(NetworkError, match=r"manifest\.toml \[detector\] needs file"):
        load_networks(manifest_folder(tmp_path, fields=fields))


def test_a_manifest_without_a_detector_says_that_photos_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text("# none")
    with pytest.raises(NetworkError, match="cannot read photos"):
        load_networks(tmp_path)


def test_every_network_that_comes_along_is_the_one_named() -> None:
    for entry in read_manifest().values():
        assert weights_path(entry).is_file()
        assert entry.made_by


def test_the_registry_loads_neither_torch_nor_openvino() -> None:
    code = "import sys, models.registry; assert not {'torch', 'openvino', 'cv2'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

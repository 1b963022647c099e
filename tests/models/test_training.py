"""A real step of each network, from photos to an ONNX file that answers as torch does."""

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.make import write_photo
from datasets.synth.compose import photograph
from datasets.synth.layout import make_scene
from models.train import TrainingOrder, train
from tests.datasets.art_dummy import dummy_art
from vision.runtime import Network

torch = pytest.importorskip("torch", reason="torch is not installed: training needs the [train] extra")
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]  # torch and its exporter warn of themselves
A_MOMENT = 1e-6
"""Minutes: one step is taken in any case."""


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two composites with truth."""
    folder = tmp_path_factory.mktemp("photos")
    for seed in (1, 2):
        scene = make_scene(seed, dummy_art(), players=6, illegal=0)
        photo = photograph(scene, dummy_art(), np.random.default_rng(seed), size=(480, 360))
        write_photo(photo, folder / f"train_{seed}.json")
    return folder


@pytest.fixture(scope="module")
def trained(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trained")
    files = train(TrainingOrder(out, (photos,), minutes=A_MOMENT))
    assert files == [out / "detector.onnx", out / "tilenet.onnx", out / "seamnet.onnx"]
    return out


@pytest.mark.parametrize("name", ["detector", "tilenet", "seamnet"])
def test_a_step_has_a_finite_loss_and_changes_the_weights(trained: Path, name: str) -> None:
    saved = torch.load(trained / name / "last.pt", weights_only=True)
    assert saved["step"] >= 1
    assert saved["losses"]
    assert all(np.isfinite(loss) for loss in saved["losses"].values())
    assert all(torch.isfinite(value.float()).all() for value in saved["ema"].values())


def test_the_exported_detector_answers_as_torch_does(trained: Path) -> None:
    from models.training.detector import build_network

    network = build_network()
    network.load_state_dict(torch.load(trained / "detector" / "last.pt", weights_only=True)["ema"])
    network.eval()
    picture = np.random.default_rng(0).random((1, 3, 416, 544), np.float32)
    rows, protos = Network(trained / "detector.onnx", input_px=(416, 544))(picture)
    network.model[-1].export = True
    network.model[-1].format = "onnx"
    with torch.no_grad():
        wanted = network(torch.from_numpy(picture))
    assert rows.shape == (1, 4 + 6 + 32, 4641)
    assert protos.shape == (1, 32, 104, 136)
    assert rows[:, 4:10] == pytest.approx(wanted[0].numpy()[:, 4:10], abs=1e-2)
    assert rows[:, :4] / 544 == pytest.approx(wanted[0].numpy()[:, :4] / 544, abs=1e-2)
    assert protos == pytest.approx(wanted[1].numpy(), abs=1e-2)


def test_the_exported_tile_network_answers_as_torch_does(trained: Path) -> None:
    from models.networks import TileNet

    network = TileNet()
    network.load_state_dict(torch.load(trained / "tilenet" / "last.pt", weights_only=True)["ema"])
    network.eval()
    crops = np.random.default_rng(0).random((3, 4, 128, 128), np.float32)
    found = Network(trained / "tilenet.onnx", input_px=(128, 128))(crops)
    with torch.no_grad():
        wanted = [tensor.numpy() for tensor in network(torch.from_numpy(crops))]
    assert [array.shape for array in found] == [(3, 5, 128, 128), (3, 96), (3, 27), (3, 5)]
    for array, other in zip(found, wanted, strict=True):
        assert array == pytest.approx(other, abs=1e-2)


def test_the_exported_seam_network_answers_as_torch_does(trained: Path) -> None:
    from models.networks import SeamNet

    network = SeamNet()
    network.load_state_dict(torch.load(trained / "seamnet" / "last.pt", weights_only=True)["ema"])
    network.eval()
    squares = np.random.default_rng(0).random((3, 16, 48, 48), np.float32)
    (found,) = Network(trained / "seamnet.onnx", input_px=(48, 48))(squares)
    with torch.no_grad():
        assert found == pytest.approx(network(torch.from_numpy(squares)).numpy(), abs=1e-2)


def test_a_run_goes_on_from_its_checkpoint(photos: Path, trained: Path) -> None:
    before = torch.load(trained / "tilenet" / "last.pt", weights_only=True)["ema"]
    train(TrainingOrder(trained, (photos,), ("tilenet",), minutes=A_MOMENT, seed=5, resume=True))
    after = torch.load(trained / "tilenet" / "last.pt", weights_only=True)["ema"]
    weights = [name for name in before if name.endswith("weight")]
    assert all(torch.allclose(before[name], after[name], atol=1e-3) for name in weights)


def test_a_folder_without_photos_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no photo with truth"):
        train(TrainingOrder(tmp_path / "out", (tmp_path,), minutes=A_MOMENT))


def test_an_unknown_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no network called 'nose'; there are detector, tilenet, seamnet"):
        train(TrainingOrder(tmp_path, (tmp_path,), ("nose",)))


def test_what_is_said_of_seams_is_the_truth_of_the_photo(photos: Path) -> None:
    from models.training.seams import UNDECIDED, read_seam_photo
    from vision.seams import SAID

    for file in sorted(photos.glob("*.json")):
        truth, photo = json.loads(file.read_text()), read_seam_photo(file)
        assert photo is not None
        ids = [tile["id"] for tile in truth["tiles"] if tile["visible"] > 0.1]
        said = {(ids[a], ids[b]): SAID[what] for (a, b), what in photo.said.items() if what != UNDECIDED}
        over = {(a, b) for a, b in truth["over"] if a in ids and b in ids}
        assert {pair for pair, what in said.items() if what == "first over second"} == over
        assert {pair[::-1] for pair, what in said.items() if what == "second over first"} == over
        assert {frozenset(pair) for pair in said} == {frozenset(p) for p in truth["contacts"] if set(p) <= set(ids)}
        for tile, outline in zip((t for t in truth["tiles"] if t["id"] in ids), photo.outlines, strict=True):
            assert np.abs(outline.mean(0) - np.mean(tile["footprint"], axis=0)).max() < 4


def test_outlines_are_drawn_as_far_off_as_readings_draw_them() -> None:
    from models.training.seams import drawn
    from vision.outlines import circle

    rng = np.random.default_rng(0)
    off = [np.linalg.norm(drawn(circle(18), 0.0, rng).mean(0)) for _ in range(500)]
    assert np.quantile(off, [0.5, 0.9]) == pytest.approx([0.42, 1.0], abs=0.2)

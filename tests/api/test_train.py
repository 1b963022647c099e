"""`boardsnap train` says what it needs before it starts."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import app
from models import train


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["train", *words])
    return result.exit_code, result.output


def test_a_folder_without_photos_with_truth_is_refused(tmp_path: Path) -> None:
    code, said = run("--out", str(tmp_path / "out"), "--photos", str(tmp_path))
    assert code == 2
    assert "no photo with truth" in said.replace("\n", " ")


def test_an_unknown_network_is_refused(tmp_path: Path) -> None:
    code, said = run("--out", str(tmp_path), "--network", "nose")
    assert code == 2
    assert "there are detector, tilenet, seamnet" in said.replace("\n", " ")


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_torch(order: train.TrainingOrder) -> list[Path]:
        raise ModuleNotFoundError("No module named 'torch'")

    monkeypatch.setattr(train, "train", without_torch)
    code, said = run("--out", str(tmp_path))
    assert code == 2
    assert "boardsnap[train]" in said.replace("\n", "")


def test_the_order_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[train.TrainingOrder] = []

    def noted(order: train.TrainingOrder) -> list[Path]:
        orders.append(order)
        return [tmp_path / "tilenet.onnx"]

    monkeypatch.setattr(train, "train", noted)
    code, _ = run("--out", str(tmp_path), "--network", "tilenet", "--minutes", "5", "--seed", "3", "--resume")
    assert code == 0
    assert orders == [train.TrainingOrder(tmp_path, (), ("tilenet",), minutes=5.0, seed=3, resume=True)]

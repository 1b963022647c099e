"""Trained checkpoints to ONNX files with half-precision weights, and their line in the manifest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from models.networks import SeamNet, TileNet
from models.training.detector import DetectorPlan, build_network
from vision.crops import CROP_PX
from vision.seams import CHANNELS, SEAM_PX, SIDES_MM


class _DetectorHead(nn.Module):
    """The segmentation network with plain outputs.

    Rows (n, 4 + classes + 32, anchors) and prototypes (n, 32, h/4, w/4).
    """

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        rows, protos = self.network(image)
        return rows, protos


def export_detector(checkpoint: Path, out: Path) -> Path:
    """Write the averaged weights of a detector checkpoint as ONNX for the plan's size."""
    network = build_network()
    saved = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(saved["ema"])
    network.eval()
    network.model[-1].export = True
    network.model[-1].format = "onnx"
    w, h = DetectorPlan().size
    return _export(_DetectorHead(network), torch.zeros(1, 3, h, w), out, ["rows", "protos"], dynamic_batch=False)


def export_tilenet(checkpoint: Path, out: Path) -> Path:
    """Write the averaged weights of a tile network checkpoint as ONNX, for any number of crops."""
    network = TileNet()
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["ema"])
    network.eval()
    names = ["masks", "embedding", "kinds", "shapes"]
    return _export(network, torch.zeros(2, 4, CROP_PX, CROP_PX), out, names, dynamic_batch=True)


def export_seamnet(checkpoint: Path, out: Path) -> Path:
    """Write the averaged weights of a seam network checkpoint as ONNX, for any number of seams."""
    network = SeamNet()
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["ema"])
    network.eval()
    example = torch.zeros(2, CHANNELS * len(SIDES_MM), SEAM_PX, SEAM_PX)
    return _export(network, example, out, ["said"], dynamic_batch=True)


def _export(network: nn.Module, example: Tensor, out: Path, names: list[str], *, dynamic_batch: bool) -> Path:
    axes = {n: {0: "n"} for n in ["input", *names]} if dynamic_batch else None
    torch.onnx.export(
        network,
        (example,),
        str(out),
        input_names=["input"],
        output_names=names,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    halve_weights(out)
    return out


def halve_weights(file: Path) -> None:
    """Store the weights of an ONNX file in half precision, cast back at loading: half the size, the same graph."""
    model = onnx.load(str(file))
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < 64:
            continue
        name = tensor.name
        values = numpy_helper.to_array(tensor).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(values, name + ".half"))
        casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(file))


def sha256(file: Path) -> str:
    """Hex digest of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()

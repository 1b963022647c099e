"""Runs a network on the CPU through OpenVINO."""

import hashlib
from pathlib import Path
from threading import Lock

import numpy as np
import openvino
from numpy.typing import NDArray

from vision.errors import NetworkError


class Network:
    """One compiled network: a batch in, its outputs out.

    Safe to share between threads (calls wait for each other).

    Attributes:
        input_px: (height, width) of the pictures it takes.
        classes: the names behind its class numbers, in order; empty where it has none.
        outputs: shape of each output, in order, "?" where it is open.
        sha256: hex digest of its file, which tells descriptors of one network from those of another.
    """

    __slots__ = ("_lock", "_request", "classes", "input_px", "outputs", "sha256")

    def __init__(self, path: Path, *, input_px: tuple[int, int], classes: tuple[str, ...] = ()) -> None:
        """Load and compile an ONNX or OpenVINO file.

        Raises:
            NetworkError: OpenVINO cannot read or compile the file.
        """
        self.input_px = input_px
        self.classes = classes
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self._lock = Lock()
        core = openvino.Core()
        try:
            # LATENCY: one photo at a time on all cores, rather than many photos side by side.
            compiled = core.compile_model(core.read_model(path), "CPU", {"PERFORMANCE_HINT": "LATENCY"})
        except RuntimeError as error:
            raise NetworkError(f"{path.name} cannot be loaded: {error}. Install boardsnap again.") from error
        self.outputs = tuple(str(port.partial_shape) for port in compiled.outputs)
        self._request = compiled.create_infer_request()

    def __call__(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Run a batch (n, channels, height, width) through the network.

        Returns:
            One array an output, in the order of the file, each with n rows. An empty batch is not run: it is
            the caller's to skip, as the outputs' shapes are then unknown.
        """
        with self._lock:
            results = self._request.infer([np.ascontiguousarray(batch, dtype=np.float32)])
            return [np.array(results[place], dtype=np.float32) for place in range(len(results))]

"""ONNX Runtime and OpenVINO on a network in integers of 8 bits: the peers' end of int8.py.

It is given a folder with `network.json`, the network as a list of operators, and `weights.npz`;
makes an ONNX file of them; lets ONNX Runtime's quantizer make another, with the range of each value
in `images.npy`; and runs that in both, in as many threads as OMP_NUM_THREADS says. It needs onnx,
onnxruntime and openvino, and is run by a Python that has them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import openvino
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)

sys.path.insert(0, str(Path(__file__).parent))
from turns import serve

OPSET = 17
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def written(folder: Path) -> Path:
    """The network as an ONNX file."""
    network = json.loads((folder / "network.json").read_text())
    weights = np.load(folder / "weights.npz")
    nodes = [
        helper.make_node(o["type"], o["inputs"], [o["output"]], **o["attributes"])
        for o in network["operators"]
    ]
    tensors = [numpy_helper.from_array(weights[name], name) for name in weights.files]
    shape = network["shape"]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(network["input"], TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(network["output"], TensorProto.FLOAT, [1, None])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    onnx.checker.check_model(model)
    path = folder / "float.onnx"
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
    return path


class Images(CalibrationDataReader):
    """The images that ranges are taken from."""

    def __init__(self, name: str, images: np.ndarray):
        self.left = iter([{name: image[None]} for image in images])

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next one."""
        return next(self.left, None)


def quantized(folder: Path) -> tuple[Path, str, np.ndarray]:
    """The ONNX file in integers, the name of its input, and an image."""
    name = json.loads((folder / "network.json").read_text())["input"]
    images, path = np.load(folder / "images.npy"), folder / "integers.onnx"
    quantize_static(
        str(written(folder)),
        str(path),
        Images(name, images),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )
    return path, name, images[:1]


def timed(run: Callable[[], Any]) -> Callable[[], float]:
    """A work that gives its own seconds: of processor time in one thread, of the clock in more."""
    clock = time.process_time if THREADS == 1 else time.perf_counter

    def work() -> float:
        begin = clock()
        run()
        return clock() - begin

    return work


def in_onnxruntime(path: Path, name: str, image: np.ndarray) -> Callable[[], float]:
    """The work of a file in ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
    session = onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    return timed(lambda: session.run(None, {name: image}))


def in_openvino(path: Path, name: str, image: np.ndarray) -> Callable[[], float]:
    """The work of a file in OpenVINO."""
    settings = {
        "INFERENCE_NUM_THREADS": THREADS, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",  # it computes floats in bfloat16 else
    }  # fmt: skip
    compiled = openvino.Core().compile_model(str(path), "CPU", settings)
    request = compiled.create_infer_request()
    return timed(lambda: request.infer({0: image}))


if __name__ == "__main__":
    given = quantized(Path(sys.argv[1]))
    serve(
        "peers",
        {
            "ONNX Runtime": lambda: in_onnxruntime(*given),
            "OpenVINO": lambda: in_openvino(*given),
            "ONNX Runtime, float32": lambda: in_onnxruntime(
                given[0].with_name("float.onnx"), *given[1:]
            ),
            "OpenVINO, float32": lambda: in_openvino(given[0].with_name("float.onnx"), *given[1:]),
        },
    )

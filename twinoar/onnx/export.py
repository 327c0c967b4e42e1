"""Writing a Layer or function as an ONNX model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.export.entry_point import entry_points
from twinoar.export.inference import traced_for_inference
from twinoar.export.loaded import FORWARD
from twinoar.export.save import for_saving
from twinoar.formats.atomic import path_text, write_atomically
from twinoar.formats.onnx.write import OLDEST, write_model
from twinoar.jit.kept import array_of
from twinoar.tracebacks import showing_users_frames

OLDER = (9, 10)  # which Paddle's own exporter begins with, and raises to what operators need


@showing_users_frames
def export(
    layer: Any,
    path: str,
    input_spec: Sequence | None = None,
    opset_version: int = 9,
    **configs: Any,
) -> None:
    """Write a Layer, or a function under `to_static`, as the ONNX model `path + ".onnx"`.

    input_spec: an InputSpec, or an example Tensor, per tensor argument of forward; dimensions of
    None keep a name. opset_version: the version of the operators, 11 to 28; 9 and 10 are written as
    11. It computes what the Layer computes in eval mode. Raises UnsupportedError, with the user's
    line, for an operator that has no form in ONNX, ArgumentError for another version, and
    FileError where the file cannot be written; then nothing is.

    Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md

    >>> import os, tempfile
    >>> import twinoar as paddle
    >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 2), paddle.nn.ReLU())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = paddle.static.InputSpec([None, 4], "float32", "x")
    ...     paddle.onnx.export(net, f"{folder}/net", [spec], opset_version=17)
    ...     os.listdir(folder)
    ['net.onnx']
    """
    if configs:
        raise ArgumentError(
            f"onnx.export does not know {sorted(configs)}",
            cure="give input_spec and opset_version; prune the outputs in the Layer itself",
        )
    path = path_text(path)
    entries = [e for e in entry_points(layer, input_spec) if e.name == FORWARD]
    if not entries:
        raise ArgumentError(
            "expected a Layer with a forward, or a function under to_static",
            cure="give onnx.export the Layer",
        )
    trace = traced_for_inference(entries[0])
    opset = OLDEST if opset_version in OLDER else opset_version
    model = write_model(for_saving(trace.program), opset, array_of)
    write_atomically(f"{path}.onnx", model)

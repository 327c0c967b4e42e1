"""Writing a Layer or function as an ONNX model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.core.ir.program import Program
from twinoar.errors import ArgumentError
from twinoar.export.entry_point import entry_points
from twinoar.export.inference import traced_for_inference
from twinoar.export.loaded import FORWARD
from twinoar.export.save import for_saving
from twinoar.formats.atomic import AtomicFiles, path_text
from twinoar.formats.onnx.beside import Beside
from twinoar.formats.onnx.graph import LARGEST
from twinoar.formats.onnx.write import OLDEST, bytes_of, write_model
from twinoar.jit.kept import array_of
from twinoar.tracebacks import showing_users_frames

OLDER = (9, 10)  # which Paddle's own exporter begins with, and raises to what operators need


@showing_users_frames
def export(
    layer: Any,
    path: str,
    input_spec: Sequence | None = None,
    opset_version: int = 9,
    external_data: bool | None = None,
    **configs: Any,
) -> None:
    """Write a Layer, or a function under `to_static`, as the ONNX model `path + ".onnx"`.

    input_spec: an InputSpec, or an example Tensor, per tensor argument of forward; dimensions of
    None keep a name. opset_version: the version of the operators, 11 to 28; 9 and 10 are written as
    11. external_data: whether parameters go into a file beside it, `path + ".onnx.data"`; None does
    so for models of 2 GiB and more, which one file does not hold. It computes what the Layer
    computes in eval mode. Raises UnsupportedError, with the user's line, for an operator that has
    no form in ONNX, ArgumentError for another version, and FileError where the file cannot be
    written; then nothing is.

    Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md

    >>> import os, tempfile
    >>> net = twinoar.nn.Sequential(twinoar.nn.Linear(4, 2), twinoar.nn.ReLU())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = twinoar.static.InputSpec([None, 4], "float32", "x")
    ...     twinoar.onnx.export(net, f"{folder}/net", [spec], opset_version=17)
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
    write_files(for_saving(trace.program), path, opset, external_data)


def write_files(
    program: Program,
    path: str,
    opset: int,
    external_data: bool | None = None,
    largest: int = LARGEST,
) -> None:
    """Write a Program as `path + ".onnx"`, with parameters of more than `largest` bytes beside it.

    The rest as of `export`.
    """
    if external_data is None:
        external_data = sum(map(bytes_of, program.states.values())) > largest
    beside = Beside(f"{Path(path).name}.onnx.data") if external_data else None
    model = write_model(program, opset, array_of, beside, largest)
    with AtomicFiles() as files:
        files.write(f"{path}.onnx", model)
        if beside is not None:
            files.write(f"{path}.onnx.data", beside.write)

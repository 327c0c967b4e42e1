"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def export(layer: Any, path: builtins.str, input_spec: collections.abc.Sequence | None = None, opset_version: Any = 9, **configs: Any) -> None:
    """Write a Layer, or a function under `to_static`, as the ONNX model `path + '.onnx'`."""

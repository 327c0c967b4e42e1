"""An ONNX model as a Layer: it runs, trains, and becomes a Program as any other."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError
from twinoar.jit import not_to_static
from twinoar.nn import Layer
from twinoar.onnx import values
from twinoar.onnx.model import Model, read_model
from twinoar.onnx.running import Run
from twinoar.onnx.table import rule_of
from twinoar.static import InputSpec


def load(source: str | os.PathLike | bytes) -> ImportedLayer:
    """The Layer that computes what the ONNX model in a file, or in bytes, computes.

    It is in eval mode; `train()` lets it be trained further. Raises FileError where there is no
    such model, UnsupportedError for elements that cannot be held.

    Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md

    >>> import tempfile
    >>> net = twinoar.nn.Linear(4, 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = [twinoar.static.InputSpec([None, 4], "float32", "x")]
    ...     twinoar.onnx.export(net, f"{folder}/net", spec, opset_version=17)
    ...     again = twinoar.onnx.load(f"{folder}/net.onnx")
    >>> x = twinoar.ones([1, 4])
    >>> bool((again(x) == net(x)).all())
    True
    """
    return ImportedLayer(read_model(source))


class ImportedLayer(Layer):
    """The Layer of an ONNX model.

    Its arguments are the model's inputs, in their order or by name; it returns the model's output,
    a tuple of several. Arrays of floating numbers are parameters, apart from statistics and from
    those that operators need to know while a Program is made.
    """

    def __init__(self, model: Model):
        super().__init__()
        self.model = model
        graph = model.graph
        self.inputs = [v for v in graph.inputs if v.name not in graph.arrays]
        self._arrays: dict[str, str | np.ndarray] = dict(graph.arrays)
        kept, fixed = _uses(model)
        for name, array in graph.arrays.items():
            is_weight = array.dtype.kind not in "iubc" and array.size > 1 and name not in fixed
            if is_weight:
                self._arrays[name] = self._hold(name, array, name not in kept)
        self.eval()

    def _hold(self, name: str, array: np.ndarray, is_trained: bool) -> str:
        """Make a parameter or buffer of an array; the attribute's name."""
        own = re.sub(r"\W", "_", name) or "array"
        while hasattr(self, own):
            own += "_"
        if is_trained:
            parameter = self.create_parameter(list(array.shape), dtype=array.dtype.name)
            parameter.set_value(array)
            self.add_parameter(own, parameter)
        else:
            self.register_buffer(own, values.tensor(array))
        return own

    @property
    def input_spec(self) -> list[InputSpec]:
        """What the model says of its inputs: `paddle.jit.save(layer, path, layer.input_spec)`.

        Raises ArgumentError for a model that does not say how many dimensions they have.
        """
        found = []
        for v in self.inputs:
            if v.shape is None or v.dtype is None:
                raise ArgumentError(
                    f"the model does not say which shape its input {v.name!r} has",
                    cure="write the InputSpecs yourself",
                )
            dtype = values.HELD.get(v.dtype.name, v.dtype.name)
            shape = [d if isinstance(d, int) else None for d in v.shape]
            found.append(InputSpec(shape, dtype, re.sub(r"\W", "_", v.name)))
        return found

    @not_to_static
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of the model."""
        given = self._given(args, kwargs)
        arrays = {
            name: getattr(self, held) if isinstance(held, str) else held
            for name, held in self._arrays.items()
        }
        results = Run(self.model, self.training).graph(self.model.graph, given, arrays)
        found = tuple(values.tensor(x) for x in results)
        return found if len(found) != 1 else found[0]

    def _given(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        names = [v.name for v in self.inputs]
        unknown = sorted(set(kwargs) - set(names))
        if len(args) > len(names) or unknown or {*names[: len(args)]} & set(kwargs):
            raise ArgumentError(
                f"expected the inputs {names}, received {len(args)} and {sorted(kwargs)}",
                cure="give each input once",
            )
        given = dict(zip(names, args, strict=False)) | kwargs
        missing = [name for name in names if name not in given]
        if missing:
            raise ArgumentError(f"the inputs {missing} are missing", cure="give each input once")
        return {name: x if isinstance(x, Tensor) else values.tensor(x) for name, x in given.items()}


def _uses(model: Model) -> tuple[set[str], set[str]]:
    """Names of arrays that are statistics, and of those that have to be known."""
    kept: set[str] = set()
    fixed: set[str] = set()
    for graph in (model.graph, *model.graph.bodies()):
        for node in graph.nodes:
            rule = rule_of(node.domain, node.type, model.opsets.get(node.domain, 1))
            for n, name in enumerate(node.inputs):
                if rule is None or (n >= len(rule.operands) and rule.variadic is None):
                    continue
                said = rule.operand(n)
                if said == "Kept":
                    kept.add(name)
                elif said in ("Known", "Sizes"):
                    fixed.add(name)
    return kept, fixed

"""twinoar as a backend of the `onnx` package, which runs models of any maker by it.

Source: https://onnx.ai/onnx/api/backend.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import ValueInfoProto, helper
from onnx.backend.base import Backend, BackendRep, Device, DeviceType

from twinoar.errors import ArgumentError
from twinoar.onnx.layer import ImportedLayer, load


class PreparedModel(BackendRep):
    """A model that is ready to run."""

    def __init__(self, layer: ImportedLayer):
        self.layer = layer

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs, as arrays of the elements that the model says.

        inputs: a value per input, in their order, or by name.
        """
        if kwargs:
            raise ArgumentError(f"run does not know {sorted(kwargs)}", cure="give the inputs alone")
        if isinstance(inputs, dict):
            found = self.layer(**inputs)
        else:
            found = self.layer(*(inputs if isinstance(inputs, (list, tuple)) else [inputs]))
        found = found if isinstance(found, tuple) else (found,)
        told = self.layer.model.graph.outputs
        return tuple(_array(x, v.dtype) for x, v in zip(found, told, strict=True))


class TwinoarBackend(Backend):
    """Runs ONNX models here, on the processor.

    >>> from onnx import helper
    >>> node = helper.make_node("Relu", ["x"], ["y"])
    >>> x = helper.make_tensor_value_info("x", 1, [2])
    >>> y = helper.make_tensor_value_info("y", 1, [2])
    >>> model = helper.make_model(helper.make_graph([node], "g", [x], [y]))
    >>> TwinoarBackend.run_model(model, [np.array([-1.0, 2.0], "float32")])
    (array([0., 2.], dtype=float32),)
    """

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        """A model, made ready. Raises ArgumentError for another device than the processor."""
        if not cls.supports_device(device):
            raise ArgumentError(f"models run on the CPU, not on {device!r}", cure='device="CPU"')
        super().prepare(model, device, **kwargs)
        return PreparedModel(load(model.SerializeToString()))

    @classmethod
    def run_node(
        cls,
        node: Any,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """The outputs of one node of the newest operators."""
        arrays = [np.asarray(x) for x in inputs]
        given = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
            for name, a in zip(node.input, arrays, strict=True)
        ]
        results = [ValueInfoProto(name=name) for name in node.output]
        model = helper.make_model(helper.make_graph([node], "node", given, results))
        return PreparedModel(load(model.SerializeToString())).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run on a device."""
        return bool(Device(device).type == DeviceType.CPU)


def _array(x: Any, dtype: np.dtype | None) -> Any:
    if isinstance(x, (list, tuple)):
        return [_array(v, None) for v in x]
    array = x if isinstance(x, np.ndarray) else x.numpy()
    return array if dtype is None else array.astype(dtype, copy=False)


prepare = TwinoarBackend.prepare
run_model = TwinoarBackend.run_model
run_node = TwinoarBackend.run_node
supports_device = TwinoarBackend.supports_device

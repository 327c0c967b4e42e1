"""Bilinear: a form of two inputs, as a layer."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer


class Bilinear(Layer):
    """x1 W_i x2 + b_i for each of out_features matrices W_i.

    x1: [N,in1_features]. x2: [N,in2_features]. weight: [out_features,in1_features,in2_features].
    bias: [1,out_features], absent where bias_attr is False. Returns [N,out_features].

    >>> twinoar.nn.Bilinear(3, 4, 5)(twinoar.ones([2, 3]), twinoar.ones([2, 4])).shape
    [2, 5]
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        self._in1_features, self._in2_features = in1_features, in2_features
        self._out_features, self._name = out_features, name
        shape = [out_features, in1_features, in2_features]
        self.weight = self.create_parameter(shape, weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        """The forms of each pair of rows."""
        return functional.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The arguments."""
        name = f", name={self._name}" if self._name else ""
        return (
            f"in1_features={self._in1_features}, in2_features={self._in2_features}, "
            f"out_features={self._out_features}, dtype={self._dtype}{name}"
        )

"""Linear with the weight as PyTorch keeps it."""

from __future__ import annotations

import math
from typing import Any

from twinoar.compat.nn.functional import linear
from twinoar.core.values import Value as Tensor
from twinoar.nn.initializer import Uniform
from twinoar.nn.layer import Layer


class Linear(Layer):
    """x weight' + bias, with weight [out_features,in_features].

    Both start uniform between plus and minus 1 / sqrt(in_features). device: where they lie.

    >>> twinoar.compat.nn.Linear(2, 3).weight.shape
    [3, 2]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bound = 1.0 / math.sqrt(in_features) if in_features else 0.0
        start = Uniform(-bound, bound)
        self.weight = self.create_parameter(
            [out_features, in_features], dtype=dtype, default_initializer=start
        )
        self.bias = self.create_parameter(
            [out_features], None if bias else False, dtype, True, default_initializer=start
        )
        if device is not None:
            self.to(device)

    def forward(self, input: Tensor) -> Tensor:
        """x weight' + bias."""
        return linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The arguments, as text."""
        has_bias = self.bias is not None
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={has_bias}"

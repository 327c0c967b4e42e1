"""Linear: the fully connected layer; Identity: none at all."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import default_dtype
from twinoar.nn import functional
from twinoar.nn.layer import Layer


class Linear(Layer):
    """y = x W + b.

    x: [*,in_features], weight: [in_features,out_features], bias: [out_features], absent where
    bias_attr is False. Returns [*,out_features].

    >>> twinoar.nn.Linear(4, 2)(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        self._dtype = default_dtype().name
        self.in_features, self.out_features, self.name = in_features, out_features, name
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """y = x W + b."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        name = f", name={self.name}" if self.name else ""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"dtype={self._dtype}{name}"
        )


class Identity(Layer):
    """y = x, whatever the layer is made with.

    >>> twinoar.nn.Identity()(twinoar.to_tensor(2.0)).item()
    2.0
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def forward(self, input: Any) -> Any:
        """x."""
        return input

"""Layers that apply one function to a sparse tensor."""

from __future__ import annotations

from typing import Any

from twinoar.nn.layer import Layer
from twinoar.sparse.nn import functional
from twinoar.sparse.tensor import SparseTensor


class ReLU(Layer):
    """`relu` of each element."""

    def __init__(self, name: str | None = None):
        super().__init__()

    def forward(self, x: SparseTensor) -> Any:
        """The elements of x that are positive, 0 in place of others."""
        return functional.relu(x)


class ReLU6(Layer):
    """`relu6` of each element."""

    def __init__(self, name: str | None = None):
        super().__init__()

    def forward(self, x: SparseTensor) -> Any:
        """The elements of x, from 0 to 6."""
        return functional.relu6(x)


class LeakyReLU(Layer):
    """`leaky_relu` of each element."""

    def __init__(self, negative_slope: float = 0.01, name: str | None = None):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x: SparseTensor) -> Any:
        """The elements of x, those below 0 times `negative_slope`."""
        return functional.leaky_relu(x, self.negative_slope)


class Softmax(Layer):
    """`softmax` over the last dimension."""

    def __init__(self, axis: int = -1, name: str | None = None):
        super().__init__()
        self.axis = axis

    def forward(self, x: SparseTensor) -> Any:
        """The softmax of the elements of x."""
        return functional.softmax(x, self.axis)

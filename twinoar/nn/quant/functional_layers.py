"""Functions as layers, so that what they are given can be quantized. The names are Paddle's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.nn.layer import Layer
from twinoar.ops.linalg import matmul as products
from twinoar.ops.math import arithmetic
from twinoar.ops.shape import concat as joining
from twinoar.ops.shape import reshape as shaping


class FloatFunctionalLayer(Layer):
    """A function as a layer: what it is called with are the arguments of the function.

    >>> add()(twinoar.to_tensor(1.0), twinoar.to_tensor(2.0)).item()
    3.0
    """

    function: Callable

    def __init__(self) -> None:
        super().__init__()

    def forward(self, *operands: Any, **options: Any) -> Any:
        """What the function returns."""
        return type(self).function(*operands, **options)


class add(FloatFunctionalLayer):
    """x + y."""

    function = staticmethod(arithmetic.add)


class subtract(FloatFunctionalLayer):
    """x - y."""

    function = staticmethod(arithmetic.subtract)


class multiply(FloatFunctionalLayer):
    """x * y."""

    function = staticmethod(arithmetic.multiply)


class divide(FloatFunctionalLayer):
    """x / y."""

    function = staticmethod(arithmetic.divide)


class reshape(FloatFunctionalLayer):
    """x in another shape."""

    function = staticmethod(shaping.reshape)


class transpose(FloatFunctionalLayer):
    """x with its dimensions in another order."""

    function = staticmethod(shaping.transpose)


class concat(FloatFunctionalLayer):
    """A list of tensors, one behind the other along an axis."""

    function = staticmethod(joining.concat)


class flatten(FloatFunctionalLayer):
    """x with some dimensions as one."""

    function = staticmethod(shaping.flatten)


class matmul(FloatFunctionalLayer):
    """The product of matrices."""

    function = staticmethod(products.matmul)

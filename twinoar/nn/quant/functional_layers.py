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

    def __init_subclass__(cls, of: Callable | None = None) -> None:
        super().__init_subclass__()
        if of is not None:
            cls.function = staticmethod(of)

    def __init__(self) -> None:
        super().__init__()

    def forward(self, *operands: Any, **options: Any) -> Any:
        """What the function returns."""
        return type(self).function(*operands, **options)


class add(FloatFunctionalLayer, of=arithmetic.add):
    """x + y."""


class subtract(FloatFunctionalLayer, of=arithmetic.subtract):
    """x - y."""


class multiply(FloatFunctionalLayer, of=arithmetic.multiply):
    """x * y."""


class divide(FloatFunctionalLayer, of=arithmetic.divide):
    """x / y."""


class reshape(FloatFunctionalLayer, of=shaping.reshape):
    """x in another shape."""


class transpose(FloatFunctionalLayer, of=shaping.transpose):
    """x with its dimensions in another order."""


class concat(FloatFunctionalLayer, of=joining.concat):
    """A list of tensors, one behind the other along an axis."""


class flatten(FloatFunctionalLayer, of=shaping.flatten):
    """x with some dimensions as one."""


class matmul(FloatFunctionalLayer, of=products.matmul):
    """The product of matrices."""

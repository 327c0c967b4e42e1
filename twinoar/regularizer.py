"""Weight decay as a term of the gradient: the derivative of a penalty on a parameter's size."""

from __future__ import annotations

import numbers
from typing import Any

from twinoar.core.op.explain import Told
from twinoar.core.values import Value
from twinoar.errors import TypeMismatchError


class WeightDecayRegularizer(Told):
    """Base of regularizers: what a penalty on a parameter adds to its gradient.

    coeff: the weight of the penalty. Raises TypeMismatchError where it is not a number.
    """

    def __init__(self, coeff: float = 0.0):
        if isinstance(coeff, bool) or not isinstance(coeff, numbers.Real):
            raise TypeMismatchError(
                f"coeff must be a number, received {type(coeff).__name__}",
                cure="pass an int or a float",
            )
        self._coeff: float = float(coeff)

    def __call__(self, param: Value, grad: Value | None = None, block: Any = None) -> Value:
        """The term to add to the gradient of `param`; `grad` and `block` are not used."""
        raise NotImplementedError  # every subclass has its own

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._coeff,)

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"


class L1Decay(WeightDecayRegularizer):
    """The penalty coeff * sum(|w|), whose gradient is coeff * sign(w): it drives weights to zero.

    >>> twinoar.regularizer.L1Decay(0.5)(twinoar.to_tensor([3.0, -2.0, 0.0])).tolist()
    [0.5, -0.5, 0.0]
    """

    def __call__(self, param: Value, grad: Value | None = None, block: Any = None) -> Value:
        """coeff * sign(param)."""
        return param.sign() * self._coeff


class L2Decay(WeightDecayRegularizer):
    """The penalty coeff / 2 * sum(w * w), whose gradient is coeff * w: it shrinks weights.

    >>> twinoar.regularizer.L2Decay(0.5)(twinoar.to_tensor([3.0, -2.0])).tolist()
    [1.5, -1.0]
    """

    def __call__(self, param: Value, grad: Value | None = None, block: Any = None) -> Value:
        """coeff * param."""
        return param * self._coeff


__all__ = ["L1Decay", "L2Decay", "WeightDecayRegularizer"]

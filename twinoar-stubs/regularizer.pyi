"""Weight decay as a term of the gradient: the derivative of a penalty on a parameter's size."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.regularizer
from typing import Any, Literal, overload

import numpy as _numpy

class L1Decay(twinoar.regularizer.WeightDecayRegularizer):
    """The penalty coeff * sum(|w|), whose gradient is coeff * sign(w): it drives weights to zero."""
    def __call__(self, param: twinoar._TensorLike, grad: twinoar._TensorLike | None = None, block: Any = None) -> twinoar.Tensor:
        """coeff * sign(param)."""
class L2Decay(twinoar.regularizer.WeightDecayRegularizer):
    """The penalty coeff / 2 * sum(w * w), whose gradient is coeff * w: it shrinks weights."""
    def __call__(self, param: twinoar._TensorLike, grad: twinoar._TensorLike | None = None, block: Any = None) -> twinoar.Tensor:
        """coeff * param."""
class WeightDecayRegularizer:
    """Base of regularizers: what a penalty on a parameter adds to its gradient."""
    def __init__(self, coeff: Any = ...) -> None: ...
    def __call__(self, param: twinoar._TensorLike, grad: twinoar._TensorLike | None = None, block: Any = None) -> twinoar.Tensor:
        """The term to add to the gradient of `param`; `grad` and `block` are not used."""

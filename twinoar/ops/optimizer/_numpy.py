"""What the update rules of optimizers share: checks, numbers, rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Spec, Tensor, Value
from twinoar.errors import ShapeError
from twinoar.ops.math.cast import cast
from twinoar.ops.shape.reshape import reshape


def rate_for(param: Tensor, learning_rate: Any) -> Any:
    """The learning rate in the dtype of `param`, []; a number as it is."""
    rate = single(learning_rate)
    return cast(rate, param.dtype) if isinstance(rate, Value) else rate


def single(x: Any) -> Any:
    """A tensor with one element as []; a number as it is."""
    return reshape(x, ()) if isinstance(x, Value) and x.spec.ndim else x


def rest_of(beta: float, dtype: np.dtype) -> float:
    """1 - beta in the precision of the moments: powers of beta are too, and the two must cancel."""
    precise = type_of_step(dtype)
    return float(precise(1) - precise(beta))


def type_of_step(dtype: np.dtype) -> type[np.floating]:
    """The type that numbers of a step are computed in."""
    return np.float64 if dtype == np.float64 else np.float32


def number_in(x: Any) -> float:
    """The only element of an array, or a number."""
    return x.item() if isinstance(x, np.ndarray) else x


def checked(param: Any, grad: Any, *states: Any) -> Any:
    """Specs of what is updated. Raises ShapeError where a shape is not that of param."""
    names = ("grad", "velocity") if len(states) == 1 else ("grad", "moment1", "moment2")
    for name, x in zip(names, (grad, *states), strict=False):
        if x.shape != param.shape:
            raise ShapeError(
                f"{name} has shape {list(x.shape)}, param {list(param.shape)}",
                cure="reset the optimizer's state where a parameter changed its shape",
            )
    return (param, *states) if isinstance(param, Spec) else None

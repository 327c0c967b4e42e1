"""Rounding: floor, ceil, trunc, round."""

from __future__ import annotations

from functools import partial

import numpy as np

from twinoar.core.op.declare import Tensor, function, primitive
from twinoar.ops.math._unary import flat_slope, step_samples, unary_desc
from twinoar.ops.math.cast import elementwise


def _rounded(function):
    """`function` on floats; integers are whole already."""
    return lambda x: function(x) if x.dtype.kind not in "iub" else x


# What all step functions share.
step = partial(
    primitive, one_function=True, infer=elementwise, grad=flat_slope, samples=step_samples
)


@step(
    method=True,
    inplace=True,
    kernel=_rounded(np.floor),
    scalar=lambda s, x: s.floor(x),
    desc=unary_desc("floor"),
)
def floor(x: Tensor) -> Tensor:
    """The largest whole number not above x.

    x: [*]. Returns [*], dtype of x.

    >>> twinoar.floor(twinoar.to_tensor([-1.5, 2.5])).tolist()
    [-2.0, 2.0]
    """


@step(
    method=True,
    inplace=True,
    kernel=_rounded(np.ceil),
    scalar=lambda s, x: s.ceil(x),
    desc=unary_desc("ceil"),
)
def ceil(x: Tensor) -> Tensor:
    """The smallest whole number not below x.

    x: [*]. Returns [*], dtype of x.

    >>> twinoar.ceil(twinoar.to_tensor([-1.5, 2.5])).tolist()
    [-1.0, 3.0]
    """


@step(
    method=True,
    inplace=True,
    kernel=_rounded(np.trunc),
    scalar=lambda s, x: s.trunc(x),
    desc=unary_desc("trunc"),
)
def trunc(x: Tensor) -> Tensor:
    """x without its fraction: rounded towards 0.

    x: [*]. Returns [*], dtype of x.

    >>> twinoar.to_tensor([-1.5, 2.5]).trunc().tolist()
    [-1.0, 2.0]
    """


@step(
    name="round",
    kernel=_rounded(np.rint),
    scalar=lambda s, x: s.round(x),
    desc=unary_desc("round"),
)
def round_op(x: Tensor) -> Tensor:
    """The whole number nearest to x, the even one of two: the operator under `round`.

    x: [*]. Returns [*], dtype of x.
    """


def _whole_rounded(x: Tensor, unit: int) -> Tensor:
    """Integers rounded to multiples of a unit, halves to even multiples."""
    if unit > 2 * np.iinfo(x.dtype.numpy).max:
        return x * 0
    below = x // unit
    rest = x - below * unit
    is_half_of_odd = (rest == unit // 2) & (below % 2 == 1)
    return (below + (rest > unit // 2).astype(x.dtype) + is_half_of_odd.astype(x.dtype)) * unit


@function(method=True, inplace=True)
def round(x: Tensor, decimals: int = 0) -> Tensor:
    """x rounded to `decimals` places, halves to even; negative `decimals` round to tens, hundreds.

    x: [*]; integers are rounded exactly. Returns [*], dtype of x.

    >>> twinoar.round(twinoar.to_tensor([0.5, 1.5, 2.4])).tolist()
    [0.0, 2.0, 2.0]
    >>> twinoar.round(twinoar.to_tensor([15.0, 127.0]), -1).tolist()
    [20.0, 130.0]
    """
    if decimals == 0:
        return round_op(x)
    if x.dtype.is_integer:
        out = x + 0 if decimals > 0 else _whole_rounded(x, 10**-decimals)
    else:
        unit = 10.0 ** max(decimals, -decimals)
        out = round_op(x * unit) / unit if decimals > 0 else round_op(x / unit) * unit
    return out

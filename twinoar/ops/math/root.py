"""Roots, squares and reciprocals."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Tensor, primitive
from twinoar.ops.math._unary import quiet, samples_within, unary, unary_desc
from twinoar.ops.math.cast import (
    elementwise_numbers,
    require_numbers,
)


@unary(
    kernel=quiet(np.sqrt),
    grad=lambda g, out: g * 0.5 / out,
    scalar=lambda s, x: s.sqrt(x),
    desc=unary_desc("sqrt"),
    samples=samples_within(1, 4),
)
def sqrt(x: Tensor) -> Tensor:
    """The square root; nan below 0.

    x: [*]; integers count as floats. Returns [*]. The gradient at 0 is infinite.

    >>> twinoar.sqrt(twinoar.to_tensor([4.0, 9.0])).tolist()
    [2.0, 3.0]
    """


@unary(
    kernel=quiet(lambda x: 1 / np.sqrt(x)),
    grad=lambda g, out: g * (out * out * out) * -0.5,
    scalar=lambda s, x: s.rsqrt(x),
    desc=unary_desc("rsqrt"),
    samples=samples_within(1, 4),
    amp="high",
)
def rsqrt(x: Tensor) -> Tensor:
    """1 / sqrt(x): inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.rsqrt(twinoar.to_tensor([4.0, 16.0])).tolist()
    [0.5, 0.25]
    """


def _squared(x: np.ndarray) -> np.ndarray:
    require_numbers(x)
    found: np.ndarray = np.square(x)
    return found


@primitive(
    one_function=True,
    method=True,
    inplace=True,
    infer=elementwise_numbers,
    kernel=_squared,
    grad=lambda g, x: g * (x * 2.0),
    scalar=lambda s, x: s.mul(x, x),
    desc=unary_desc("square"),
    samples=samples_within(-2, 2),
    amp="high",
)
def square(x: Tensor) -> Tensor:
    """x * x.

    x: [*]. Returns [*], dtype of x.

    >>> twinoar.square(twinoar.to_tensor([-3.0, 2.0])).tolist()
    [9.0, 4.0]
    """


@unary(
    one_function=True,
    kernel=quiet(lambda x: 1 / x),
    grad=lambda g, out: -g * (out * out),
    scalar=lambda s, x: s.div(1.0, x),
    desc=unary_desc("reciprocal"),
    samples=samples_within(1, 4),
    amp="high",
)
def reciprocal(x: Tensor) -> Tensor:
    """1 / x.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.to_tensor([4.0, -2.0]).reciprocal().tolist()
    [0.25, -0.5]
    """

"""Exponentials and logarithms."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.op.declare import Tensor
from twinoar.ops.math._unary import quiet, samples_within, unary, unary_desc


@unary(
    kernel=quiet(np.exp),
    grad=lambda g, out: g * out,
    scalar=lambda s, x: s.exp(x),
    desc=unary_desc("exp"),
    samples=samples_within(-2, 2),
    amp="high",
)
def exp(x: Tensor) -> Tensor:
    """e to the power of x.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.exp(twinoar.to_tensor([0.0])).tolist()
    [1.0]
    """


@unary(
    kernel=quiet(np.expm1),
    grad=lambda g, out: g * (out + 1.0),
    scalar=lambda s, x: s.expm1(x),
    desc=unary_desc("expm1"),
    samples=samples_within(-2, 2),
    amp="high",
)
def expm1(x: Tensor) -> Tensor:
    """exp(x) - 1, accurate near 0.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.expm1(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.log),
    grad=lambda g, x: g / x,
    scalar=lambda s, x: s.log(x),
    desc=unary_desc("log"),
    samples=samples_within(1, 4),
    amp="high",
)
def log(x: Tensor) -> Tensor:
    """The natural logarithm: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.log(twinoar.to_tensor([1.0])).tolist()
    [0.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.log2),
    grad=lambda g, x: g / (x * math.log(2)),
    scalar=lambda s, x: s.log2(x),
    desc=unary_desc("log2"),
    samples=samples_within(1, 4),
    amp="high",
)
def log2(x: Tensor) -> Tensor:
    """The logarithm to base 2: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.log2(twinoar.to_tensor([8.0])).tolist()
    [3.0]
    """


@unary(
    one_function=True,
    kernel=quiet(np.log10),
    grad=lambda g, x: g / (x * math.log(10)),
    scalar=lambda s, x: s.log10(x),
    desc=unary_desc("log10"),
    samples=samples_within(1, 4),
    amp="high",
)
def log10(x: Tensor) -> Tensor:
    """The logarithm to base 10: -inf at 0, nan below.

    x: [*]; integers count as floats. Returns [*].

    >>> round(twinoar.log10(twinoar.to_tensor([100.0])).item(), 5)
    2.0
    """


@unary(
    kernel=quiet(np.log1p),
    grad=lambda g, x: g / (x + 1.0),
    scalar=lambda s, x: s.log1p(x),
    desc=unary_desc("log1p"),
    samples=samples_within(0, 4),
)
def log1p(x: Tensor) -> Tensor:
    """log(1 + x), accurate near 0.

    x: [*]; integers count as floats. Returns [*].

    >>> twinoar.log1p(twinoar.to_tensor([0.0])).tolist()
    [0.0]
    """

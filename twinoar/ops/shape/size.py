"""How large a tensor is, as a tensor: shape and numel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import int32, int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, loop, op, primitive
from twinoar.ops.math.cast import cast


@primitive(
    infer=lambda input: Spec((input.ndim,), int32),
    kernel=lambda input: np.array(input.shape, np.int32),
    desc=Desc("shape", {"Input": "input"}),
    total=True,
)
def shape_32(input: Tensor) -> Tensor:
    """The sizes of `input` as int32: what Paddle's files call shape."""


@shape_32.lower
def _(i, input):
    out: Any = 0
    for k, n in enumerate(input.shape):
        out = loop.select(loop.eq(i[0], k), n, out)
    return out


@shape_32.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.randn(), gradient=False)


@op(
    name="shape",
    infer=lambda input: Spec((input.ndim,), int64),
    kernel=lambda input: np.array(input.shape, np.int64),
    total=True,
    moves=True,
)
def shape_op(input: Tensor) -> Tensor:
    """The sizes of `input` as a tensor. See `shape`."""
    return cast(shape_32(input), int64)


@shape_op.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.randn(), gradient=False)


@function(named=False)
def shape(input: Tensor) -> Tensor:
    """The sizes of `input` as a tensor, [ndim], int64.

    >>> twinoar.shape(twinoar.zeros([2, 3])).tolist()
    [2, 3]
    """
    return shape_op(input)


@primitive(
    method=True,
    infer=lambda x: Spec((), int64),
    kernel=lambda x: np.asarray(x.size, np.int64),
    lower=lambda i, x: math.prod(x.shape),
    desc=Desc("size", {"Input": "x"}),
    total=True,
    moves=True,
)
def numel(x: Tensor) -> Tensor:
    """The number of elements as a tensor, [], int64.

    >>> twinoar.numel(twinoar.zeros([2, 3])).item()
    6
    """


@numel.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)
    yield s(s.zeros(0, 2), gradient=False)

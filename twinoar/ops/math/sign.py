"""Magnitude and sign: abs, sign."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import REAL_OF
from twinoar.core.op.declare import Spec, Tensor, op_named, primitive
from twinoar.ops.math._unary import flat_slope, step_samples, unary_desc
from twinoar.ops.math.cast import elementwise


@primitive(
    one_function=True,
    method="__abs__ abs",
    inplace=True,
    infer=lambda x: Spec(x.shape, REAL_OF.get(x.dtype, x.dtype)),
    kernel=np.absolute,
    grad=lambda g, x: g * op_named("sgn").function(x) if x.dtype.is_complex else g * sign(x),
    scalar=lambda s, x: s.abs(x),
    desc=unary_desc("abs"),
)
def abs(x: Tensor) -> Tensor:
    """The absolute value.

    x: [*]. Returns [*], dtype of x, real for complex numbers. The gradient at 0 is 0.

    >>> twinoar.abs(twinoar.to_tensor([-1.5, 2.0])).tolist()
    [1.5, 2.0]
    """


@abs.samples
def _(s):
    yield s(s.distinct(2, 5) + np.float32(0.05))
    yield s(s.randn(3, dtype="float64"))
    yield s(s.randn())
    yield s(s.zeros(0, 2))
    yield s(s.ints(-3, 3, 3), gradient=False)


def _sign(s: Any, x: Any) -> Any:
    if x.dtype.is_complex:
        size = s.abs(x)
        return s.select(s.eq(size, 0.0), 0.0, x / s.cast(size, x.dtype))
    return s.select(s.isnan(x), x, s.cast(x > 0, x.dtype) - s.cast(x < 0, x.dtype))


@primitive(
    method=True,
    infer=elementwise,
    kernel=np.sign,
    grad=flat_slope,
    scalar=_sign,
    desc=unary_desc("sign"),
    samples=step_samples,
)
def sign(x: Tensor) -> Tensor:
    """-1, 0 or 1, by the sign of x; nan stays. x / |x| of complex numbers.

    x: [*]. Returns [*], dtype of x.

    >>> twinoar.sign(twinoar.to_tensor([-1.5, 0.0, 2.0])).tolist()
    [-1.0, 0.0, 1.0]
    """

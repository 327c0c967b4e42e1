"""Statistics over axes: variance, standard deviation, and what leaves out nan or zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Tensor, function, op
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import elementwise, promote_to_floating
from twinoar.ops.math.compare import isnan, not_equal
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import (
    accumulate,
    axes_of,
    count_of,
    mean_op,
    over,
    over_count,
    reduced,
    spread,
    sum,
    sum_op,
)


@op(slow_kernel=True, name="var", infer=reduced, promote=promote_to_floating)
def var_op(
    x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False, correction: float = 1.0
) -> Tensor:
    """The variance over `axis`: the operator under `var` and `std`."""
    from_mean = x - mean_op(x, axis, True)
    total = sum_op(from_mean * from_mean, axis, keepdim)
    return over_count(total, count_of(x.spec, axis), correction)


@var_op.kernel
@quiet
def _(x, axis, keepdim, correction):
    from_mean = x - mean_op.kernel_rule(x, axis, True)
    total = accumulate(np.sum, from_mean * from_mean, axis=over(axis), keepdims=keepdim)
    rest = max(count_of(x, axis) - correction, 0.0)
    return (total / np.asarray(rest, total.dtype)).astype(x.dtype)


@var_op.grad
def _(g, x, specs, axis, keepdim, correction):
    slope = over_count((x - mean_op(x, axis, True)) * 2.0, count_of(specs[0], axis), correction)
    return spread(g, specs[0], axis, keepdim) * slope


@var_op.samples
def _(s):
    yield s(s.randn(2, 3, 4))
    yield s(s.randn(2, 3, 4), (-1, 0), True)
    yield s(s.randn(2, 3, dtype="float64"), (0,))
    yield s(s.randn(3, 1, 2), (1,), gradient=False)
    yield s(s.randn(), gradient=False)
    yield s(s.zeros(2, 0), (0,))
    yield s(s.ints(-5, 5, 2, 3), (1,), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), (2,))
    yield s(s.randn(2, 3), (1,), False, 0.0)


def _correction(unbiased: bool | None, correction: float) -> float:
    if unbiased is None:
        return correction
    if correction != 1:
        raise ArgumentError("expected unbiased or correction, received both")
    return float(unbiased)


@function(method=True)
def var(
    x: Tensor,
    axis: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    correction: float = 1,
) -> Tensor:
    """The variance over `axis`, of all for None: squared distances from the mean over n - 1.

    x: [*]; integers count as floats. The divisor is n with `unbiased=False`, n - correction in
    general; nan where it is 0. Returns the shape without the axes, or with sizes of 1 for
    `keepdim`. Raises AxisError, ArgumentError for both `unbiased` and `correction`.

    >>> twinoar.var(twinoar.to_tensor([1.0, 3.0]), unbiased=False).item()
    1.0
    """
    return var_op(x, axes_of(x, axis), keepdim, _correction(unbiased, correction), name=name)


@function(method=True)
def std(
    x: Tensor,
    axis: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    correction: float = 1,
) -> Tensor:
    """The standard deviation over `axis`, of all for None: the square root of `var`.

    x: [*]; integers count as floats. Returns the shape without the axes, or with sizes of 1 for
    `keepdim`. Raises AxisError, ArgumentError for both `unbiased` and `correction`.

    >>> twinoar.std(twinoar.to_tensor([1.0, 3.0]), unbiased=False).item()
    1.0
    """
    return sqrt(var(x, axis, unbiased, keepdim, correction=correction), name=name)


@function(method=True)
def nansum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Tensor:
    """The sum over `axis` of the elements that are not nan. See `sum`.

    >>> twinoar.to_tensor([1.0, float("nan"), 3.0]).nansum().item()
    4.0
    """
    known = x if not x.dtype.is_floating else zero_for_nan(x)
    return sum(known, axis, dtype, keepdim)


@op(infer=elementwise, grad=lambda g, x: select(isnan(x), 0.0, g))
def zero_for_nan(x: Tensor) -> Tensor:
    """x with 0 in the places of nan, so that sums leave it out.

    x: [*], floating. Returns [*].
    """
    return select(isnan(x), 0.0, x)


@zero_for_nan.samples
def _(s):
    yield s(np.array([1.0, np.nan, -2.0], np.float32), gradient=False)
    yield s(s.randn(2, 3, dtype="float64"))
    yield s(s.zeros(0, 2))


@function(method=True)
def nanmean(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """The mean over `axis` of the elements that are not nan. See `mean`.

    >>> twinoar.to_tensor([1.0, float("nan"), 3.0]).nanmean().item()
    2.0
    """
    total = nansum(x, axis, None, keepdim)
    return divide(total, sum(~isnan(x), axis, None, keepdim))


@function(method=True)
def count_nonzero(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """How many elements over `axis` are not 0, of all for None.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`, int64.

    >>> twinoar.to_tensor([[0.0, 1.0], [2.0, 3.0]]).count_nonzero(axis=1).tolist()
    [1, 2]
    """
    return sum(not_equal(x, 0), axis, None, keepdim)

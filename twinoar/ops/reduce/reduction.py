"""Reductions over axes: sums, means, products, logic.

The operators take `axis` as a tuple, empty for all axes; the public functions take it as Paddle
does: None, a number, a list, or a tensor.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import DType, bool_, float64, int32, int64
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axes,
    primitive,
)
from twinoar.errors import AxisError
from twinoar.ops._sizes import sizes
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.cast import astype, broadcast_to, promote_to_floating, sum_to_shape
from twinoar.ops.math.compare import equal
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import select
from twinoar.ops.shape.reshape import unsqueeze_op

Axes = tuple[int, ...]


def axes_of(x: Tensor, axis: Any) -> Axes:
    """The `axis` attribute of a reduction of x, from what users give; () for all axes."""
    if axis is None:
        return ()
    axes = (axis,) if axis.__class__ is int else sizes(axis, "axis")
    if x.ndim == 0 and builtins.all(a in (0, -1) for a in axes):
        return ()
    return axes  # type: ignore[return-value]


def reduced_shape(shape: Shape, axis: Axes, keepdim: bool) -> Shape:
    """The shape after a reduction. Raises AxisError."""
    gone = normalize_axes(axis, len(shape))
    if keepdim:
        return tuple(1 if i in gone else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in gone)


def reduced(x: Spec, axis: Axes, keepdim: bool, **attrs: Any) -> Spec:
    """An `infer` rule: the reduced shape, the dtype of x."""
    return Spec(reduced_shape(x.shape, axis, keepdim), x.dtype)


def spread(g: Tensor, spec: Spec, axis: Axes, keepdim: bool) -> Tensor:
    """g, of the reduced shape, repeated to the shape before the reduction."""
    if not keepdim and g.spec.ndim:
        g = unsqueeze_op(g, normalize_axes(axis, spec.ndim))
    return broadcast_to(g, spec.shape)


def over(axis: Axes) -> Axes | None:
    """The axis as NumPy takes it."""
    return axis or None


def reduce_desc(kind: str, many: str = "INTS", **rest: Any) -> Desc:
    """Paddle's form of a reduction; `many` is the kind of its list of axes."""

    def write(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
        axis = list(attrs["axis"])
        return {"dim": (many, axis), "reduce_all": not axis, "in_dtype": -1, "out_dtype": -1}

    return Desc(kind, {"X": "x"}, attrs={"keep_dim": "keepdim"}, write=write, **rest)


def read_axes(attrs: dict[str, Any], name: str = "dim") -> Axes:
    """The axes of a reduction in a file."""
    given = attrs.get(name, ())
    given = (given,) if isinstance(given, int) else given
    return () if attrs.get("reduce_all") else tuple(given)


def reading(reduction: Any) -> Any:
    """A `read` rule: `reduction(x, axis, keepdim)`, in the dtype that the file asks for."""

    def read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
        out = reduction()(slots["X"][0], read_axes(attrs), attrs.get("keep_dim", False))
        wanted = attrs.get("out_dtype")
        return astype(out, wanted) if isinstance(wanted, DType) else out

    return read


def reduce_samples(s):
    """Calls that every reduction of numbers must serve."""
    yield s(s.distinct(2, 3, 4))
    yield s(s.distinct(2, 3, 4), (1,))
    yield s(s.distinct(2, 3, 4), (-1, 0), True)
    yield s(s.distinct(2, 3), (), True)
    yield s(s.distinct(2, 3, dtype="float64"), (0,), tolerance=1e-12)
    yield s(s.randn())
    yield s(s.distinct(3, 1, 2), (1,))
    yield s(s.zeros(2, 0), (0,))
    yield s(s.ints(-5, 5, 2, 3), (1,), gradient=False)
    yield s(s.ints(-5, 5, 2, 3, dtype="int32"), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), (2,))
    yield s.bad(AxisError, "twice", s.randn(2, 3), (0, -2))


def _sum_dtype(d: DType) -> DType:
    return int64 if d is bool_ or d is int32 else d


@quiet
def accumulate(function: Any, x: np.ndarray, **kwargs: Any) -> np.ndarray:
    """`function(x)`; 16-bit floats are worked on as float32, and rounded once."""
    if x.dtype.kind in "biu" or x.dtype.itemsize > 2:
        return function(x, **kwargs)
    return np.asarray(function(x.astype(np.float32), **kwargs)).astype(x.dtype)


@primitive(
    name="sum",
    infer=lambda x, axis, keepdim: Spec(reduced_shape(x.shape, axis, keepdim), _sum_dtype(x.dtype)),
    grad=lambda g, specs, axis, keepdim: spread(g, specs[0], axis, keepdim),
    desc=reduce_desc("reduce_sum", read=reading(lambda: sum_op)),
    samples=reduce_samples,
    total=True,
    amp="high",
)
def sum_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The sum over `axis`: the operator under `sum`."""


@sum_op.kernel
def _(x, axis, keepdim):
    if x.dtype.kind in "biu":
        dtype = np.int64 if x.dtype in (np.bool_, np.int32) else x.dtype
        return x.sum(axis=over(axis), keepdims=keepdim, dtype=dtype)
    return accumulate(np.add.reduce, x, axis=over(axis), keepdims=keepdim)


@sum_op.lower
def _(i, x, spec, axis, keepdim):
    sizes, term = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    return loop.sum(sizes, lambda *k: loop.cast(term(*k), loop.compute_dtype(spec.dtype)))


@function(method=True)
def sum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False) -> Tensor:
    """The sum of the elements over `axis`, of all for None.

    x: [*]; with `dtype`, x is cast to it first. Returns the shape without the axes, or with sizes
    of 1 for `keepdim`, in `dtype`; without one bool and int32 sum up to int64. Raises AxisError.

    >>> x = twinoar.to_tensor([[1, 2], [3, 4]])
    >>> twinoar.sum(x).item(), twinoar.sum(x, axis=0).tolist()
    (10, [4, 6])
    """
    if isinstance(dtype, bool):  # sum(x, axis, keepdim, dtype), as others order them
        dtype, keepdim = keepdim or None, dtype
    if dtype is None:
        return sum_op(x, axes_of(x, axis), keepdim)
    total = sum_op(astype(x, dtype), axes_of(x, axis), keepdim)
    return astype(total, dtype)


def count_of(spec: Spec, axis: Axes) -> Dim:
    """How many elements come together in one."""
    return math.prod(spec.shape[a] for a in normalize_axes(axis, spec.ndim))


def over_count(x: Tensor, count: Dim, less: float = 0.0) -> Tensor:
    """x / (count - less), also where only the run knows the count; a count below 0 counts as 0."""
    if isinstance(count, int):
        return x / builtins.max(count - less, 0.0)
    return x / (fill((), count, x.dtype) - less)


@primitive(
    name="mean",
    infer=reduced,
    shard=lambda x, specs, axis, keepdim: [((a,), ("avg",)) for a in normalize_axes(axis, x.ndim)],
    desc=reduce_desc("reduce_mean", read=reading(lambda: mean_op), reads=("mean",)),
    samples=reduce_samples,
    total=True,
    amp="high",
)
def mean_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The mean over `axis`: the operator under `mean`."""


@mean_op.kernel
@quiet
def _(x, axis, keepdim):
    if x.dtype.kind in "biu":
        return x.mean(axis=over(axis), keepdims=keepdim).astype(x.dtype)
    return accumulate(_mean, x, axis=over(axis), keepdims=keepdim)


def _mean(x, axis, keepdims):
    total = np.add.reduce(x, axis=axis, keepdims=keepdims)
    return total / np.asarray(count_of(x, axis or ()), total.dtype)


@mean_op.lower
def _(i, x, spec, axis, keepdim):
    sizes, term = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    wide = loop.compute_dtype(spec.dtype) if spec.dtype.is_differentiable else float64
    return loop.sum(sizes, lambda *k: loop.cast(term(*k), wide)) / math.prod(sizes)


@mean_op.grad
def _(g, specs, axis, keepdim):
    return spread(over_count(g, count_of(specs[0], axis)), specs[0], axis, keepdim)


@function(method=True)
def mean(
    x: Tensor,
    axis: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """The mean of the elements over `axis`, of all for None.

    x: [*]; with `dtype`, x is cast to it first. Returns the shape without the axes, or with sizes
    of 1 for `keepdim`, in the dtype of x: means of integers lose their fractions. nan for no
    elements. Raises AxisError.

    >>> twinoar.mean(twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]]), axis=1).tolist()
    [1.5, 3.5]
    """
    if dtype is not None:
        x = astype(x, dtype)
    return mean_op(x, axes_of(x, axis), keepdim, name=name)


@primitive(
    name="prod",
    infer=reduced,
    kernel=lambda x, axis, keepdim: accumulate(
        np.prod, x, axis=over(axis), keepdims=keepdim, **_whole_dtype(x)
    ),
    desc=reduce_desc("reduce_prod", read=reading(lambda: prod_op)),
    total=True,
    amp="high",
    lower=lambda i, x, axis, keepdim: loop.prod(*x.over(i, normalize_axes(axis, x.ndim), keepdim)),
)
def prod_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """The product over `axis`: the operator under `prod`."""


def _whole_dtype(x: np.ndarray) -> dict[str, Any]:
    """Keeps NumPy from widening integers."""
    return {"dtype": x.dtype} if x.dtype.kind in "biu" else {}


@prod_op.grad
def _(g, x, specs, axis, keepdim):
    zero = equal(x, 0.0)
    zeros = spread(sum_op(zero, axis, True), specs[0], axis, True)
    others = select(zero, 1.0, x)
    product = prod_op(others, axis, True)
    # with one zero only its own slope is not 0, with two none is
    slope = select(
        zero, select(equal(zeros, 1), product, 0.0), select(equal(zeros, 0), product / others, 0.0)
    )
    return spread(g, specs[0], axis, keepdim) * slope


@prod_op.samples
def _(s):
    yield s(s.uniform(0.5, 2, 2, 3, 4))
    yield s(s.uniform(0.5, 2, 2, 3, 4), (-1, 0), True)
    yield s(s.uniform(-2, -0.5, 2, 3, dtype="float64"), (0,))
    yield s(s.randn())
    yield s(s.zeros(2, 0), (1,))
    yield s(s.ints(-5, 5, 2, 3), (1,), gradient=False)
    yield s(s.ints(-5, 5, 2, 3, dtype="int32"), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), (2,))
    yield s(np.array([[2.0, 0.0, 3.0], [4.0, 5.0, 6.0], [0.0, 0.0, 1.0]]), (1,), second=False)


@function(method=True)
def prod(x: Tensor, axis: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """The product of the elements over `axis`, of all for None; 1 for no elements.

    x: [*]; with `dtype`, x is cast to it first. Returns the shape without the axes, or with sizes
    of 1 for `keepdim`, in the dtype of x. Raises AxisError.

    >>> twinoar.prod(twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]]), axis=1).tolist()
    [2.0, 12.0]
    """
    if dtype is not None:
        x = astype(x, dtype)
    return prod_op(x, axes_of(x, axis), keepdim)


def _truth(x: Spec, axis: Axes, keepdim: bool) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdim), bool_)


def _truth_samples(s):
    yield s(s.bools(2, 3, 4))
    yield s(s.bools(2, 3, 4), (1,))
    yield s(s.bools(2, 3, 4), (-1, 0), True)
    yield s(s.ints(0, 2, 2, 3), (1,))
    yield s(s.ints(0, 2, 2, 3, dtype="float32"), (1,), gradient=False)
    yield s(s.bools())
    yield s(s.bools(0, 3), (0,))
    yield s.bad(AxisError, "axis must be", s.bools(2, 3), (2,))


@primitive(
    name="all",
    infer=_truth,
    kernel=lambda x, axis, keepdim: np.all(x, axis=over(axis), keepdims=keepdim),
    desc=reduce_desc("reduce_all", "LONGS", read=reading(lambda: all_op)),
    samples=_truth_samples,
    total=True,
)
def all_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """True where all elements over `axis` are: the operator under `all`."""


@all_op.lower
def _(i, x, axis, keepdim):
    sizes, term = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    return loop.all_(sizes, lambda *k: loop.cast(term(*k), bool_))


@function(method=True)
def all(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """True where all elements over `axis` are true; a number other than 0 is. True for no elements.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`, bool. Raises
    AxisError.

    >>> twinoar.all(twinoar.to_tensor([[True, False], [True, True]]), axis=1).tolist()
    [False, True]
    """
    return all_op(x, axes_of(x, axis), keepdim)


@primitive(
    name="any",
    infer=_truth,
    kernel=lambda x, axis, keepdim: np.any(x, axis=over(axis), keepdims=keepdim),
    desc=reduce_desc("reduce_any", "LONGS", read=reading(lambda: any_op)),
    samples=_truth_samples,
    total=True,
)
def any_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """True where any element over `axis` is: the operator under `any`."""


@any_op.lower
def _(i, x, axis, keepdim):
    sizes, term = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    return loop.any_(sizes, lambda *k: loop.cast(term(*k), bool_))


@function(method=True)
def any(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """True where an element over `axis` is true; a number other than 0 is. False for no elements.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`, bool. Raises
    AxisError.

    >>> twinoar.any(twinoar.to_tensor([[True, False], [False, False]]), axis=1).tolist()
    [True, False]
    """
    return any_op(x, axes_of(x, axis), keepdim)


@primitive(
    slow_kernel=True,
    name="logsumexp",
    infer=reduced,
    promote=promote_to_floating,
    desc=Desc(
        "logsumexp",
        {"X": "x"},
        attrs={"axis": "axis", "keepdim": "keepdim"},
        write=lambda attrs, specs: {"reduce_all": not attrs["axis"]},
        read=lambda slots, attrs: logsumexp_op(
            slots["X"][0], read_axes(attrs, "axis"), attrs.get("keepdim", False)
        ),
    ),
    samples=reduce_samples,
)
def logsumexp_op(x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis`: the operator under `logsumexp`."""


@logsumexp_op.kernel
@quiet
def _(x, axis, keepdim):
    largest = np.max(x, axis=over(axis), keepdims=True, initial=-np.inf).astype(x.dtype)
    shift = np.where(np.isfinite(largest), largest, x.dtype.type(0))
    out = np.log(accumulate(np.sum, np.exp(x - shift), axis=over(axis), keepdims=True)) + shift
    return out.reshape(reduced_shape(x.shape, axis, keepdim)).astype(x.dtype, copy=False)


@logsumexp_op.lower
def _(i, x, axis, keepdim):
    sizes, term = x.over(i, normalize_axes(axis, x.ndim), keepdim)
    if 0 in sizes:
        return -math.inf
    largest = loop.reduce("max", sizes, term)
    shift = loop.select(loop.isfinite(largest), largest, 0.0)
    return loop.log(loop.sum(sizes, lambda *k: loop.exp(term(*k) - shift))) + shift


@logsumexp_op.grad
def _(g, x, out, specs, axis, keepdim):
    share = exp(x - spread(out, specs[0], axis, keepdim))
    return spread(g, specs[0], axis, keepdim) * share


@function(method=True)
def logsumexp(x: Tensor, axis: Any = None, keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis`, of all for None, without overflow; -inf for no elements.

    x: [*]; integers count as floats. Returns the shape without the axes, or with sizes of 1 for
    `keepdim`. Raises AxisError.

    >>> twinoar.logsumexp(twinoar.to_tensor([1000.0])).item()
    1000.0
    """
    return logsumexp_op(x, axes_of(x, axis), keepdim)


@function(method=True)
def reduce_as(x: Tensor, target: Tensor) -> Tensor:
    """x summed down to the shape of `target`, which broadcasts to that of x.

    bool and int32 sum up to int64.

    >>> twinoar.reduce_as(twinoar.ones([2, 3]), twinoar.ones([3])).tolist()
    [2.0, 2.0, 2.0]
    """
    shape = target.spec.shape
    if x.spec.shape != shape and x.dtype in (bool_, int32):
        x = astype(x, int64)
    return sum_to_shape(x, shape)

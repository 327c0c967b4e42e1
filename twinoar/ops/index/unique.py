"""Values found and counted: unique, bincount, searchsorted, bucketize, isin."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import DType, float64, int32, int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, normalize_axis, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.index._runs import runs
from twinoar.ops.index._search import search_lines
from twinoar.ops.index.extent import extent, extent_of
from twinoar.ops.index.gather import gather_op, scatter_op
from twinoar.ops.index.sort import sort_op
from twinoar.ops.math.cast import astype, promote_operands
from twinoar.ops.math.compare import equal, isnan, less_than
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.math.logical import logical_and, logical_not
from twinoar.ops.math.select import maximum, minimum
from twinoar.ops.reduce._counting import counts_of
from twinoar.ops.reduce.reduction import any_op
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op


def _unique_specs(x: Spec, axis: int | None, dtype: DType) -> tuple[Spec, ...]:
    if axis is None:
        shape: tuple[Any, ...] = (None,)
        count = x.size
    else:
        at = normalize_axis(axis, x.ndim)
        shape = (*x.shape[:at], None, *x.shape[at + 1 :])
        count = x.shape[at]
    some = Spec((None,), dtype)  # type: ignore[arg-type]  # the data decides
    return Spec(shape, x.dtype), some, Spec((count,), dtype), some


@primitive(
    name="unique",
    infer=_unique_specs,
    desc=Desc(
        "unique",
        {"X": "x"},
        outputs=("Out", "Indices", "Index", "Counts"),
        attrs={"dtype": "dtype"},
        write=lambda attrs, specs: {
            "axis": [] if attrs["axis"] is None else [attrs["axis"]],
            "return_index": True,
            "return_inverse": True,
            "return_counts": True,
            "is_sorted": True,
        },
        read=lambda slots, attrs: unique_op(
            slots["X"][0], attrs["axis"][0] if attrs["axis"] else None, attrs["dtype"]
        ),
    ),
)
def unique_op(
    x: Tensor, axis: int | None = None, dtype: DType = int64
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Different values of x in order, where each first occurs, which of them each element is, and
    counts.
    """


@unique_op.kernel
def _(x, axis, dtype):
    wide = x.astype(np.float32) if x.dtype.kind == "V" else x  # bfloat16: so that nan equals nan
    out, first, inverse, counts = np.unique(
        wide, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    return out.astype(x.dtype), *(
        a.reshape(-1).astype(dtype.numpy) for a in (first, inverse, counts)
    )


@unique_op.counted
def _(x, axis, dtype):
    if axis is not None or x.dtype.is_complex:
        return None
    line, places = sort_op(reshape_op(x, (-1,)))
    starts, counts, inverse = yield from runs(line, joins_nan=True)
    inverse = scatter_op(zeros_of(places.spec), places, inverse)
    first = gather_op(places, starts, 0)
    return gather_op(line, starts, 0), *(astype(a, dtype) for a in (first, inverse, counts))


@unique_op.samples
def _(s):
    yield s(np.array([2.0, np.nan, 0.0, -0.0, np.nan, 2.0]), gradient=False)
    yield s(np.array([3, 1, 1, 2]))
    yield s(np.array([[3, 1], [3, 1], [2, 2]]), 0, "int32")
    yield s(s.ints(0, 3, 2, 3).astype(np.float32), gradient=False)
    yield s(s.zeros(0), gradient=False)


@function(method=True)
def unique(
    x: Tensor,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    sorted: bool = True,
) -> Tensor | tuple[Tensor, ...]:
    """The different elements of x, or its different slices along an axis, in ascending order.

    return_index: also where each first occurs. return_inverse: also which of them each element is.
    return_counts: also how often each occurs; these are of `dtype`. Returns one tensor or a tuple.

    >>> out, counts = twinoar.unique(twinoar.to_tensor([3, 1, 1]), return_counts=True)
    >>> out.tolist(), counts.tolist()
    ([1, 3], [2, 1])
    """
    out, first, inverse, counts = unique_op(x, axis, dtype)
    wanted = ((first, return_index), (inverse, return_inverse), (counts, return_counts))
    chosen = tuple(v for v, asked in wanted if asked)
    return (out, *chosen) if chosen else out


def _bins_spec(x: Spec, weights: Spec | None, minlength: int) -> Spec:
    if not x.dtype.is_integer:
        raise DTypeError(
            f"x must hold integers, received {x}", cure="convert it: x.astype('int64')"
        )
    if x.ndim != 1 or (weights is not None and weights.ndim != 1):
        raise ShapeError(f"x and weights must be vectors, received {x} and {weights}")
    return Spec((None,), _bins_dtype(weights))  # type: ignore[arg-type]  # the data decides


def _bins_dtype(weights: Spec | None) -> DType:
    if weights is None:
        return int64
    return weights.dtype if weights.dtype.is_floating else float64


@primitive(
    name="bincount",
    infer=_bins_spec,
    desc=Desc("bincount", {"X": "x", "Weights": "weights"}, attrs={"minlength": "minlength"}),
)
def bincount_op(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number occurs in a vector. See `bincount`."""


@bincount_op.kernel
def _(x, weights, minlength):
    if x.dtype.kind in "iu":
        extent_of(x, "x")
    counts = np.bincount(x, weights, minlength)
    if weights is None or weights.dtype.kind in "biu":
        return counts
    return counts.astype(weights.dtype)


@bincount_op.counted
def _(x, weights, minlength):
    if weights is not None and (weights.dtype.is_complex or weights.spec.shape != x.spec.shape):
        return None
    least = minlength if isinstance(minlength, int) else fill.function((), minlength, int64)
    size = yield maximum(extent(x), least)
    return bins(x, weights, size)


@bincount_op.samples
def _(s):
    yield s(np.array([1, 1, 3]))
    yield s(s.ints(0, 1, 0), None, 2)
    yield s(np.array([1, 1, 3]), s.randn(3), 6, gradient=False)
    yield s(np.array([1, 1, 3]), s.ints(0, 9, 3, dtype="int32"))
    yield s.bad(ArgumentError, "negative", np.array([-1]), static_error=False)
    yield s.bad(DTypeError, "must hold integers", s.randn(3))


def _bins_of_size(x: Spec, weights: Spec | None, size: Any) -> Spec:
    return Spec((size,), _bins_spec(x, weights, 0).dtype)


@primitive(infer=_bins_of_size)
def bins(x: Tensor, weights: Tensor | None, size: int) -> Tensor:
    """How often each number below `size` occurs in a vector, or the sum of its weights."""


@bins.kernel
def _(x, weights, size):
    found = bincount_op.kernel_rule(x, weights, size)
    if len(found) != size:
        raise ValueError(f"x holds {len(found) - 1}, which is not below {size}")
    return found


@bins.procedure
def _(p, x, weights):
    counts_of(p, x, p.results[0].size, weights, p.results[0])


@bins.samples
def _(s):
    yield s(np.array([1, 1, 3]), None, 5)
    yield s(np.array([1, 1, 3], np.uint8), s.randn(3), 4, gradient=False)
    yield s(s.ints(0, 9, 70_000), s.ints(0, 9, 70_000), 9)
    yield s(s.ints(0, 1, 0), None, 2)


@function(method=True)
def bincount(x: Tensor, weights: Tensor | None = None, minlength: Any = 0) -> Tensor:
    """How often each number from 0 on occurs in x, or the sum of its weights.

    x: [n], integers, not negative. weights: [n]. Returns [max(x) + 1] or longer, up to minlength;
    int64, the dtype of floating weights, or float64 for others. Raises ArgumentError, DTypeError,
    ShapeError.

    >>> twinoar.bincount(twinoar.to_tensor([1, 1, 3])).tolist()
    [0, 2, 0, 1]
    """
    return bincount_op.function(x, weights, size(minlength, "minlength"))


def _searched_spec(sorted_sequence: Spec, values: Any, out_int32: bool, right: bool) -> Spec:
    shape = values.shape if isinstance(values, Spec) else ()
    if sorted_sequence.ndim != 1 and not may_equal(sorted_sequence.shape[:-1], shape[:-1]):
        raise ShapeError(
            f"sorted_sequence {sorted_sequence} must be a vector, or have the leading sizes of "
            f"values {values}"
        )
    return Spec(shape, int32 if out_int32 else int64)


@primitive(
    apart=1,
    infer=_searched_spec,
    promote=promote_operands,
    desc=Desc(
        "searchsorted",
        {"SortedSequence": "sorted_sequence", "Values": "values"},
        attrs={"out_int32": "out_int32", "right": "right"},
    ),
)
def searchsorted(
    sorted_sequence: Tensor, values: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Where values would be inserted into ascending sequences to keep them in order.

    sorted_sequence: [n], or [..., n] with the leading sizes of values. values: [*]. right: after
    equal elements instead of before. Returns the shape of values, int64 or int32. Raises
    ShapeError.

    >>> x = twinoar.to_tensor([1.0, 3.0, 5.0])
    >>> twinoar.searchsorted(x, twinoar.to_tensor([3.0, 6.0])).tolist()
    [1, 3]
    """


@searchsorted.kernel
def _(sorted_sequence, values, out_int32, right):
    values = np.asarray(values)
    if sorted_sequence.dtype.kind == "V":  # NumPy does not know where nan stands among bfloat16
        sorted_sequence, values = sorted_sequence.astype(np.float32), values.astype(np.float32)
    dtype = np.int32 if out_int32 else np.int64
    side: Literal["left", "right"] = "right" if right else "left"
    if sorted_sequence.ndim == 1:
        return np.searchsorted(sorted_sequence, values, side).astype(dtype)
    if sorted_sequence.shape[:-1] != values.shape[:-1]:
        raise ValueError
    count = math.prod(values.shape[:-1])
    rows = sorted_sequence.reshape(count, sorted_sequence.shape[-1])
    wanted = values.reshape(count, values.shape[-1])
    out = np.empty(wanted.shape, dtype)
    for i, (row, w) in enumerate(zip(rows, wanted, strict=True)):
        out[i] = np.searchsorted(row, w, side)
    return out.reshape(values.shape)


@searchsorted.procedure
def _(p, sorted_sequence, values, right):
    if sorted_sequence.dtype.is_complex:
        return False
    search_lines(p, sorted_sequence, values, right=right)
    return True


@searchsorted.samples
def _(s):
    ascending = np.array([[1, 3, 5], [2, 4, 6]], np.float32)
    yield s(ascending[0], s.randn(2, 2), gradient=False)
    yield s(ascending[0], np.array([3.0], np.float32), True, True, gradient=False)
    yield s(ascending, np.array([[3, 6], [4, 5]], np.float32), gradient=False)
    yield s.bad(ShapeError, "must be a vector", ascending, s.randn(3, 1))


@function(method=True)
def bucketize(
    x: Tensor, sorted_sequence: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Which of the intervals between the elements of a sorted vector each element of x is in.

    See `searchsorted`. Raises ArgumentError where sorted_sequence is no vector.

    >>> x, bounds = twinoar.to_tensor([0.5, 2.5]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.bucketize(x, bounds).tolist()
    [0, 2]
    """
    if sorted_sequence.ndim != 1:
        raise ArgumentError(f"sorted_sequence must be a vector, received {sorted_sequence.spec}")
    return searchsorted(sorted_sequence, x, out_int32, right)


@function(method=True)
def isin(x: Tensor, test_x: Tensor, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Where the elements of x are among those of `test_x`, or are not for `invert`.

    assume_unique: makes no difference. Returns the shape of x, bool.

    >>> twinoar.isin(twinoar.to_tensor([1, 2, 3]), twinoar.to_tensor([2])).tolist()
    [False, True, False]
    """
    x, values = promote_operands((x, reshape_op(test_x, (-1,))))
    if x.dtype.is_complex:  # which have no order
        found = any_op(equal(unsqueeze_op(x, (-1,)), values), (-1,))
    else:
        found = _is_among(x, sort_op(values, 0)[0])
    return logical_not(found) if invert else found


def _is_among(x: Tensor, ascending: Tensor) -> Tensor:
    """Where an element of x stands in a sorted vector; nan equals nothing."""
    at, count = searchsorted(ascending, x), ascending.spec.shape[0]
    if is_known(count) and count:
        nearest = gather_op(ascending, reshape_op(minimum(at, count - 1), (-1,)))
        return equal(reshape_op(nearest, x.spec.shape), x)
    after = searchsorted(ascending, x, right=True)
    return logical_and(less_than(at, after), logical_not(isnan(x)))


def _run_specs(x: Spec, axis: int | None, dtype: DType) -> tuple[Spec, Spec, Spec]:
    unknown: Any = None
    at = 0 if axis is None else normalize_axis(axis, x.ndim)
    shape = (unknown,) if axis is None else (*x.shape[:at], unknown, *x.shape[at + 1 :])
    count = x.size if axis is None else x.shape[at]
    return Spec(shape, x.dtype), Spec((count,), dtype), Spec((unknown,), dtype)


@primitive(name="unique_consecutive", infer=_run_specs)
def unique_consecutive_op(
    x: Tensor, axis: int | None = None, dtype: DType = int64
) -> tuple[Tensor, Tensor, Tensor]:
    """Runs of equal elements: the operator under `unique_consecutive`."""


@unique_consecutive_op.kernel
def _(x, axis, dtype):
    x, at = (x.reshape(-1), 0) if axis is None else (x, axis)
    slices = np.moveaxis(x, at, 0)
    n = len(slices)
    differs = (slices[1:] != slices[:-1]).any(tuple(range(1, x.ndim)))
    is_first = np.concatenate([np.ones(min(n, 1), bool), differs])
    counts = np.diff(np.append(np.flatnonzero(is_first), n))
    inverse = np.cumsum(is_first) - 1
    out = np.compress(is_first, x, at)
    return out, inverse.astype(dtype.numpy), counts.astype(dtype.numpy)


@unique_consecutive_op.counted
def _(x, axis, dtype):
    if axis is not None and (normalize_axis(axis, x.ndim) or x.ndim > 1):
        return None
    line = reshape_op(x, (-1,))
    starts, counts, inverse = yield from runs(line, joins_nan=False)
    return gather_op(line, starts, 0), *(astype(a, dtype) for a in (inverse, counts))


@unique_consecutive_op.samples
def _(s):
    yield s(np.array([1.0, np.nan, np.nan, 0.0, -0.0]), gradient=False)
    yield s(np.array([1, 1, 2, 1]))
    yield s(np.array([[1, 1], [1, 1], [2, 1]]), 0, "int32")
    yield s(s.zeros(0), gradient=False)
    yield s.bad(AxisError, "axis must be", s.ints(0, 3, 2), 2)


@function(method=True)
def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
) -> Tensor | tuple[Tensor, ...]:
    """One of each run of equal elements, or of equal slices along an axis.

    return_inverse: also in which run each element is. return_counts: also how long the runs are;
    these are of `dtype`. Returns one tensor or a tuple.

    >>> x = twinoar.to_tensor([1, 1, 2, 1])
    >>> [part.tolist() for part in twinoar.unique_consecutive(x, return_counts=True)]
    [[1, 2, 1], [2, 1, 1]]
    """
    out, inverse, counts = unique_consecutive_op(x, axis, dtype)
    wanted = ((inverse, return_inverse), (counts, return_counts))
    chosen = tuple(part for part, asked in wanted if asked)
    return (out, *chosen) if chosen else out

"""Elements picked and put at positions along an axis: take_along_axis, put_along_axis,
index_sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    function,
    normalize_axis,
    op,
    op_named,
    primitive,
)
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.create.fill import fill_like
from twinoar.ops.index._position import check_index, position, refuse_range
from twinoar.ops.index._scatter import (
    begin,
    divide_by_counts,
    greatest,
    least,
    number,
    place_slices,
    plus,
    positions_along,
    put,
    times,
)
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.math.compare import equal, greater_than, isnan
from twinoar.ops.math.fill import ones_of, zeros_of
from twinoar.ops.math.logical import logical_and, logical_or
from twinoar.ops.math.select import maximum, select
from twinoar.ops.reduce.cumulative_sum import numbered
from twinoar.ops.reduce.extreme import argmax_op, max_op
from twinoar.ops.shape.reshape import squeeze_op

Reduce = Literal["assign", "add", "multiply", "amin", "amax", "mean"]


def along_axis(shape: tuple[int, ...], index: np.ndarray, axis: int) -> tuple[Any, ...]:
    """The NumPy index under which `index` counts along `axis` and each other axis counts itself."""
    grid = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    refuse_range(index, shape[axis], axis)
    grid[axis] = index
    return tuple(grid)


def _taken(arr: Spec, indices: Spec, axis: int) -> Spec:
    check_index(indices, "indices")
    at = normalize_axis(axis, arr.ndim)
    known = indices.ndim == arr.ndim and all(
        i == at or not isinstance(m, int) or not isinstance(n, int) or m <= n
        for i, (m, n) in enumerate(zip(indices.shape, arr.shape, strict=True))
    )
    if not known:
        raise ShapeError(
            f"indices {indices} must have the dimensions of arr {arr}, and no larger sizes but "
            f"along axis {at}"
        )
    return Spec(indices.shape, arr.dtype)


def _cropped(operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> tuple[Any, ...]:
    """Paddle's kernel takes an arr that is no larger than the indices but along the axis."""
    arr, indices = operands
    at = normalize_axis(attrs["axis"], arr.ndim)
    sizes = zip(arr.spec.shape, indices.spec.shape, strict=True)
    cut = tuple(i for i, (m, n) in enumerate(sizes) if i != at and m != n)
    if not cut:
        return operands
    ends = tuple(indices.spec.shape[i] for i in cut)
    return op_named("slice")(arr, cut, (0,) * len(cut), ends), indices


@primitive(
    slow_kernel=True,
    name="take_along_axis",
    infer=_taken,
    grad=lambda g, indices, specs, axis: (
        put_along_axis_op(zeros_of(specs[0]), indices, g, axis, "add"),
        None,
    ),
    desc=Desc(
        "take_along_axis",
        {"Input": "arr", "Index": "indices"},
        outputs=("Result",),
        attrs={"Axis": "axis"},
        prepare=_cropped,
    ),
    moves=True,
)
def take_along_axis_op(arr: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Elements of arr at positions along an axis, one for each element of `indices`.

    See `take_along_axis`.
    """


@take_along_axis_op.kernel
def _(arr, indices, axis):
    if indices.ndim != arr.ndim:
        raise IndexError
    at = normalize_axis(axis, arr.ndim)
    return np.asarray(arr[along_axis(arr.shape, indices, at)])


@take_along_axis_op.lower
def _(i, arr, indices, axis):
    at = normalize_axis(axis, arr.ndim)
    return arr[(*i[:at], position(indices[i], arr.shape[at]), *i[at + 1 :])]


@take_along_axis_op.samples
def _(s):
    yield s(s.randn(3, 4), s.ints(0, 4, 3, 2), 1)
    yield s(s.randn(3, 4), s.ints(-3, 3, 5, 2), 0)
    yield s(s.randn(3), np.array([2, 2]), -1)
    yield s(s.randn(2, 0), s.ints(0, 1, 2, 0), 1)
    yield s.bad(
        AxisError,
        "index 4 is out of range for dimension 1",
        s.randn(1, 4),
        np.array([[4]]),
        1,
        static_error=False,
    )
    yield s.bad(ShapeError, "no larger sizes", s.randn(3, 4), s.ints(0, 4, 4, 1), 1)
    yield s.bad(ShapeError, "must have the dimensions", s.randn(3, 4), s.ints(0, 3, 2), 1)


def first_maximum(x: Tensor, axis: int) -> Tensor:
    """The maximum along an axis, which is dropped; the first of equal ones gets the gradient.

    nan where there is nan, which `argmax` passes over.
    """
    found = equal(x, max_op(x, (axis,), True))
    found = logical_or(found, isnan(x)) if x.dtype.is_floating else found
    places = argmax_op(astype(found, "int32"), axis, True)
    return squeeze_op(take_along_axis_op(x, places, axis), (axis,))


def broadcast_pair(arr: Tensor, indices: Tensor, axis: int) -> tuple[Tensor, Tensor, int]:
    """arr and indices with equal sizes but along `axis`, and the axis counted from 0."""
    if arr.ndim != indices.ndim:
        raise ShapeError(f"indices {indices.spec} must have as many dimensions as arr {arr.spec}")
    at = normalize_axis(axis, arr.ndim)

    def without(shape: Shape) -> Shape:
        return (*shape[:at], 1, *shape[at + 1 :])

    common = broadcast(without(arr.spec.shape), without(indices.spec.shape))

    def expanded(x: Tensor) -> Tensor:
        wanted = (*common[:at], x.spec.shape[at], *common[at + 1 :])
        return x if wanted == x.spec.shape else broadcast_to(x, wanted)

    return expanded(arr), expanded(indices), at


@function(method=True, named=False)
def take_along_axis(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """Elements of arr at the positions `indices` along an axis.

    arr, indices: as many dimensions; sizes other than along `axis` broadcast, or with
    broadcast=False those of indices are at most those of arr. Returns the shape of indices. Raises
    AxisError, ShapeError, DTypeError.

    >>> x = twinoar.to_tensor([[1, 2], [3, 4]])
    >>> twinoar.take_along_axis(x, twinoar.to_tensor([[1], [0]]), 1).tolist()
    [[2], [3]]
    """
    if not broadcast:
        return take_along_axis_op(arr, indices, axis)
    return take_along_axis_op(*broadcast_pair(arr, indices, axis))


@op(method=True, desc=Desc("index_sample", {"X": "x", "Index": "index"}))
def index_sample(x: Tensor, index: Tensor) -> Tensor:
    """For each row of x, [n,m], the elements at the positions in that row of index, [n,k].

    Raises AxisError, ShapeError.

    >>> x = twinoar.to_tensor([[1, 2], [3, 4]])
    >>> twinoar.index_sample(x, twinoar.to_tensor([[0, 0], [1, 0]])).tolist()
    [[1, 1], [4, 3]]
    """
    if x.ndim != 2:
        raise ArgumentError(f"index_sample takes matrices, received {x.spec}")
    return take_along_axis_op(x, index, 1)


@index_sample.samples
def _(s):
    yield s(s.randn(2, 3), s.ints(0, 3, 2, 4))
    yield s.bad(ArgumentError, "takes matrices", s.randn(2), s.ints(0, 2, 2))


@primitive(
    slow_kernel=True,
    apart="axis",
    name="put_along_axis",
    infer=lambda arr, indices, values, axis, reduce, include_self: _put_spec(
        arr, indices, values, axis
    ),
    desc=Desc(
        "put_along_axis",
        {"Input": "arr", "Index": "indices", "Value": "values"},
        outputs=("Result",),
        attrs={
            "Axis": "axis",
            "Reduce": (
                "reduce",
                lambda r: "mul" if r == "multiply" else r,
                lambda r: SPELLINGS.get(r, r),
            ),
            "Include_self": "include_self",
        },
    ),
)
def put_along_axis_op(
    arr: Tensor,
    indices: Tensor,
    values: Tensor,
    axis: int,
    reduce: Reduce = "assign",
    include_self: bool = True,
) -> Tensor:
    """arr with elements at positions along an axis set to, or combined with, `values`.

    See `put_along_axis`.
    """


SPELLINGS: dict[str, str] = {"mul": "multiply"}


def _put_spec(arr: Spec, indices: Spec, values: Spec, axis: int) -> Spec:
    _taken(arr, indices, axis)
    if values.is_static and indices.is_static and values.shape != indices.shape:
        raise ShapeError(f"values {values} must have the shape of indices {indices}")
    return arr


@put_along_axis_op.kernel
def _(arr, indices, values, axis, reduce, include_self):
    if values.shape != indices.shape:
        raise IndexError
    at = along_axis(arr.shape, indices, normalize_axis(axis, arr.ndim))
    out = arr.copy()
    if reduce == "assign":
        out[at] = values
        return out
    if (
        not include_self
    ):  # what is combined starts from a neutral element, or from one of the values
        out[at] = {"add": 0, "mean": 0, "multiply": 1}.get(reduce, values)
    function = {"multiply": np.multiply, "amin": np.minimum, "amax": np.maximum}.get(reduce, np.add)
    function.at(out, at, values)
    if reduce == "mean":
        count = np.zeros(arr.shape, np.int64)
        np.add.at(count, at, 1)
        count = np.maximum(count + (include_self & (count > 0)), 1)
        out = (out // count if out.dtype.kind in "iu" else out / count).astype(arr.dtype)
    return out


COMBINED = {"add": plus, "mean": plus, "multiply": times, "amin": least, "amax": greatest}


@put_along_axis_op.procedure
def _(p, arr, indices, values, axis, reduce, include_self):
    at = normalize_axis(axis, arr.ndim)
    sizes = zip(arr.shape, indices.shape, strict=True)
    if all(m == n for d, (m, n) in enumerate(sizes) if d != at):
        out, index, given = (a.along(at) for a in (p.results[0], indices, values))
    else:
        out, given = p.results[0].reshape(1, -1, 1), values.reshape(1, -1, 1)
        index = positions_along(p, arr, indices, at)
    begin(p, out, arr)
    if reduce == "assign":
        place_slices(p, out, index, given, put)
        return
    if not include_self:
        neutral = {"add": 0, "mean": 0, "multiply": 1}.get(reduce)
        first = given if neutral is None else number(p, neutral, out)
        place_slices(p, out, index, first, put)
    place_slices(p, out, index, given, COMBINED[reduce])
    if reduce == "mean":
        divide_by_counts(p, out, index, int(include_self), floors=True)


@put_along_axis_op.grad
def _(g, arr, indices, values, out, wanted, axis, reduce, include_self):
    def added(x: Tensor, values: Tensor) -> Tensor:
        return put_along_axis_op(x, indices, values, axis, "add")

    own = ones_of(arr.spec) if include_self else zeros_of(arr.spec)
    if reduce in ("amin", "amax"):  # equal elements have equal parts
        own = own * astype(_are_same(arr, out), g.dtype)
        put = astype(_are_same(values, take_along_axis_op(out, indices, axis)), g.dtype)
        share = g / maximum(added(own, put), 1.0)
        ga, gv = share * own, take_along_axis_op(share, indices, axis) * put
    elif reduce == "multiply":
        others = _product_of_others(arr, indices, values, axis, include_self)
        ga, gv = g * others[0], take_along_axis_op(g, indices, axis) * others[1]
    else:
        ga = g / maximum(added(own, ones_of(values.spec)), 1.0) if reduce == "mean" else g
        gv = take_along_axis_op(ga, indices, axis)
    if reduce == "assign" and wanted[2]:
        gv = select(_stays(arr.spec, indices, axis), gv, 0.0)
    if reduce == "assign" or not include_self:
        ga = put_along_axis_op(g, indices, zeros_of(values.spec), axis)
    return ga if wanted[0] else None, None, gv if wanted[2] else None


def _stays(arr: Spec, indices: Tensor, axis: int) -> Tensor:
    """Where an index is the last one that names its place: of values put in one, that stays."""
    own = numbered(indices)
    holes = zeros_of(Spec(arr.shape, own.dtype))
    last = take_along_axis_op(put_along_axis_op(holes, indices, own, axis), indices, axis)
    return equal(last, own)


def _are_same(x: Tensor, y: Tensor) -> Tensor:
    """Where elements are equal, or both are nan."""
    return logical_or(equal(x, y), logical_and(isnan(x), isnan(y)))


def _product_of_others(
    arr: Tensor, indices: Tensor, values: Tensor, axis: int, include_self: bool
) -> tuple[Tensor, Tensor]:
    """For each element of arr and of values, the product of what it is multiplied with.

    Zeros are counted, so that a single one has the product of the others, and those others have 0.
    """

    def reduced(of_arr: Tensor, of_values: Tensor, reduce: Reduce) -> Tensor:
        return put_along_axis_op(of_arr, indices, of_values, axis, reduce, include_self)

    is_zero = equal(arr, 0.0), equal(values, 0.0)
    a, v = select(is_zero[0], 1.0, arr), select(is_zero[1], 1.0, values)
    product = reduced(a, v, "multiply")
    own, put = (astype(z, arr.dtype) for z in is_zero)
    zeros = reduced(own, put, "add")
    of_arr = select(greater_than(zeros, own), 0.0, product / a)
    product, zeros = (take_along_axis_op(x, indices, axis) for x in (product, zeros))
    return of_arr, select(greater_than(zeros, put), 0.0, product / v)


@put_along_axis_op.samples
def _(s):
    at = np.array([[0, 2], [3, 1], [1, 0]])
    yield s(s.randn(3, 4), at, s.randn(3, 2), 1)
    yield s(s.randn(3, 4), np.array([[0, 2, 0], [3, 3, 3]]), s.randn(2, 3), 1)
    yield s(s.randn(3, 4), s.ints(0, 4, 3, 3), s.randn(3, 3), -1, "add")
    yield s(s.randn(3, 4), s.ints(0, 4, 3, 3), s.randn(3, 3), 1, "add", False)
    for reduce in ("multiply", "amin", "amax", "mean"):
        yield s(s.randn(3, 4), s.ints(0, 4, 3, 3), s.randn(3, 3), 1, reduce)
        yield s(s.randn(3, 4), s.ints(0, 4, 3, 3), s.randn(3, 3), 1, reduce, False)
    yield s(s.ints(0, 9, 2, 2), s.ints(0, 2, 2, 3), s.ints(0, 9, 2, 3), 1, "mean")
    yield s.bad(
        AxisError,
        "index 9 is out of range",
        s.randn(2),
        np.array([9]),
        s.randn(1),
        0,
        static_error=False,
    )
    yield s.bad(
        ShapeError, "must have the shape of indices", s.randn(2), s.ints(0, 2, 2), s.randn(1), 0
    )


def _cut_to(values: Tensor, indices: Tensor) -> Tensor:
    """The values that have an index at their place."""
    pairs = zip(values.spec.shape, indices.spec.shape, strict=False)
    cut = tuple(
        i for i, (m, n) in enumerate(pairs) if isinstance(m, int) and isinstance(n, int) and m > n
    )
    if not cut or values.ndim != indices.ndim:
        return values
    ends = tuple(indices.spec.shape[i] for i in cut)
    return op_named("slice")(values, cut, (0,) * len(cut), ends)


@function(method=True, inplace=True, named=False)
def put_along_axis(
    arr: Tensor,
    indices: Tensor,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Tensor:
    """arr with elements at the positions `indices` along an axis set to `values`.

    values: a number, or a tensor that broadcasts to indices, or may be larger with broadcast=False,
    where what has no index is left out. reduce: "assign", or how values are
    combined with what stands there: "add", "multiply" ("mul"), "amin", "amax", "mean";
    include_self=False leaves what stands there out. Raises AxisError, ShapeError, DTypeError,
    ArgumentError.

    >>> x = twinoar.zeros([2, 2])
    >>> twinoar.put_along_axis(x, twinoar.to_tensor([[1], [0]]), 5.0, 1).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    if broadcast:
        arr, indices, axis = broadcast_pair(arr, indices, axis)
    if not isinstance(values, Value):
        values = fill_like(indices, values, arr.dtype)
    values = astype(values, arr.dtype)
    if not broadcast:
        values = _cut_to(values, indices)
    if values.spec.shape != indices.spec.shape:
        values = broadcast_to(values, indices.spec.shape)
    return put_along_axis_op(
        arr, indices, values, axis, SPELLINGS.get(reduce, reduce), include_self
    )

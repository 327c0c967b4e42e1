"""Numbers at equal distances: arange and linspace, and the positions of a slice."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.core.dtype import DType, default_dtype, dtype_of, float64, int64
from twinoar.core.keyword import spelled_freely
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, loop, op, primitive
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError
from twinoar.ops._sizes import is_dynamic
from twinoar.ops.create.fill import ones
from twinoar.ops.math.arithmetic import add, multiply, pow
from twinoar.ops.math.cast import as_element, astype
from twinoar.ops.math.fill import fill, number_of
from twinoar.ops.math.select import maximum, minimum, select


def _scalar(x: Any) -> Any:
    return x.reshape(()).item() if isinstance(x, np.ndarray) else x


def _range(start: Any, end: Any, step: Any, dtype: DType) -> Spec:
    if any(isinstance(x, Spec) for x in (start, end, step)):
        return Spec((None,), dtype)  # type: ignore[arg-type]  # the data decides
    if step == 0:
        raise ArgumentError("step must not be 0", cure="give a step such as 1 or -1")
    return Spec((max(0, math.ceil((end - start) / step)),), dtype)


def _in_dtype(operands: tuple[Any, ...], attrs: Any) -> tuple[Any, ...]:
    """The bounds as tensors of the result's dtype, which Paddle's kernel gives."""
    dtype = attrs["dtype"]
    return tuple(
        astype(x, dtype) if isinstance(x, Value) else fill.function((), x, dtype) for x in operands
    )


@primitive(
    name="arange",
    infer=_range,
    grad=lambda: (None, None, None),
    desc=Desc(
        "range",
        {"Start": "start", "End": "end", "Step": "step"},
        read=lambda slots, attrs: arange(
            slots["Start"][0], slots["End"][0], slots["Step"][0], slots["Start"][0].dtype
        ),
        prepare=_in_dtype,
    ),
)
def arange_op(start: Tensor, end: Tensor, step: Tensor, dtype: DType) -> Tensor:
    """start, start + step, ... before `end`: numbers or tensors of one element. See `arange`."""


@arange_op.kernel
def _(start, end, step, dtype):
    first, last, by = _scalar(start), _scalar(end), _scalar(step)
    if by == 0:
        raise ArgumentError("step must not be 0", cure="give a step such as 1 or -1")
    return np.arange(first, last, by).astype(dtype.numpy)


@arange_op.lower
def _(start, end, step):
    if any(isinstance(x, loop.Reader) for x in (start, end, step)):
        return None
    if all(isinstance(x, int) for x in (start, end, step)):
        return lambda i: i[0] * step + start
    distance = float(start + step) - float(start)  # as NumPy rounds it
    return lambda i: loop.cast(i[0], float64) * distance + float(start)


@arange_op.samples
def _(s):
    yield s(0, 5, 1, "int64")
    yield s(1.0, 2.0, 0.25, "float32")
    yield s(5, 0, -2, "int32")
    yield s(3, 3, 1, "int64")
    yield s(s.ints(0, 3), s.ints(4, 9), 2, "int64")
    yield s.bad(ArgumentError, "step must not be 0", 0, 3, 0, "int64")


@op(
    infer=lambda size, dtype: Spec((size,), dtype),
    kernel=lambda size, dtype: np.arange(size, dtype=dtype.numpy),
    lower=lambda i: i[0],
)
def iota(size: int, dtype: DType = int64) -> Tensor:
    """0, 1, ... before `size`, which may be a symbol."""
    end = fill.function((), size, dtype) if isinstance(size, SymbolicDim) else size
    return arange_op(0, end, 1, dtype)


@iota.samples
def _(s):
    yield s(4)
    yield s(0, "float32")


@spelled_freely
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Tensor:
    """start, start + step, ... before `end`; with one number, from 0 to that.

    start, end, step: numbers, sizes or tensors of one element. dtype where it is None: int64 for
    integers, else the default floating type; for an integer one start, end and step lose their
    fractions. Returns [(end - start) / step, rounded up]. Raises ArgumentError for a step of 0.

    >>> twinoar.arange(1, 7, 2).tolist()
    [1, 3, 5]
    """
    first, last = (0, start) if end is None else (start, end)
    given = tuple(
        x if is_dynamic(x) or isinstance(x, SymbolicDim) else number_of(x)
        for x in (first, last, step)
    )
    if dtype is not None:
        kind = dtype_of(dtype)
    else:
        kind = default_dtype() if any(map(_is_floating, given)) else int64
    given = in_kind(given, kind)
    if any(isinstance(x, SymbolicDim) for x in given):
        return _symbolic_range(given[0], given[1], given[2], kind)
    return arange_op.function(*given, kind, name)


def in_kind(given: tuple[Any, ...], dtype: DType) -> tuple[Any, ...]:
    """Bounds of a sequence as numbers, or tensors where only a run knows them.

    Those of one of integers lose their fractions, as in Paddle.
    """
    known = tuple(x if is_dynamic(x) or isinstance(x, SymbolicDim) else number_of(x) for x in given)
    if not dtype.is_integer:
        return known
    return tuple(x if isinstance(x, SymbolicDim) else as_element(x, dtype) for x in known)


def _is_floating(x: Any) -> bool:
    return x.dtype.is_floating if isinstance(x, Value) else isinstance(x, float)


def _symbolic_range(first: Dim, last: Dim, step: int, kind: DType) -> Tensor:
    if not isinstance(step, int) or step < 1 or not isinstance(last - first, (int, SymbolicDim)):
        raise ArgumentError(
            f"a range up to the unknown size {last} needs integers and a step of at least 1"
        )
    positions = iota((last - first + (step - 1)) // step, kind)
    scaled = positions if step == 1 else multiply(positions, step)
    return scaled if first == 0 else add(scaled, first)


@op(
    infer=lambda x, start, stop, axis, stride: Spec((None,), int64),  # type: ignore[arg-type]  # the data decides
)
def slice_positions(
    x: Tensor, start: Tensor | None, stop: Tensor | None, axis: int, stride: int
) -> Tensor:
    """The positions that start:stop:stride selects along an axis of x, [k], int64."""
    size = x.spec.shape[axis]
    n = fill.function((), size, int64) if isinstance(size, SymbolicDim) else size
    low, high = (0, n) if stride > 0 else (-1, n - 1)
    first, last = (low, high) if stride > 0 else (high, low)
    return arange_op(
        first if start is None else _inside(start, n, low, high),
        last if stop is None else _inside(stop, n, low, high),
        stride,
        int64,
    )


def _inside(bound: Tensor, n: Any, low: Any, high: Any) -> Tensor:
    """A bound as a position in [low, high]; negative ones count from the end of n."""
    at = astype(bound.reshape([]), int64)
    return minimum(maximum(select(at < 0, at + n, at), low), high)


@slice_positions.kernel
def _(x, start, stop, axis, stride):
    first, last = (b if b is None else int(np.asarray(b).reshape(())) for b in (start, stop))
    return np.arange(*slice(first, last, stride).indices(x.shape[axis]))


@slice_positions.samples
def _(s):
    yield s(s.randn(5), np.array(1), np.array(4), 0, 1, gradient=False)
    yield s(s.randn(2, 5), None, np.array(-1), 1, 2, gradient=False)


def _spaced(start: Any, stop: Any, num: Any, dtype: DType) -> Spec:
    if isinstance(num, int) and num < 1:
        raise ArgumentError(
            f"num must be at least 1, received {num}", cure="give the number of points"
        )
    return Spec((None if isinstance(num, Spec) else num,), dtype)  # type: ignore[arg-type]  # the data decides


@primitive(
    name="linspace",
    infer=_spaced,
    grad=lambda: (None, None, None),
    desc=Desc(
        "linspace", {"Start": "start", "Stop": "stop", "Num": "num"}, attrs={"dtype": "dtype"}
    ),
)
def linspace_op(start: Tensor, stop: Tensor, num: Tensor, dtype: DType) -> Tensor:
    """`num` numbers at equal distances from start to stop, both included. See `linspace`."""


@linspace_op.kernel
def _(start, stop, num, dtype):
    count = _scalar(num)
    if count < 1:
        raise ArgumentError(
            f"num must be at least 1, received {count}", cure="give the number of points"
        )
    first, last = float(_scalar(start)), float(_scalar(stop))
    step, i = (last - first) / max(count - 1, 1), np.arange(count)
    up, down = i * step + first, last - (count - 1 - i) * step
    return np.where(i < (count + 1) // 2, up, down).astype(dtype.numpy)  # exact at both ends


@linspace_op.lower
def _(start, stop, num):
    if isinstance(num, loop.Reader):
        return None
    first, last = (_only_element(x) for x in (start, stop))
    if num == 1:
        return lambda i: first
    step = (last - first) / (num - 1)
    return lambda i: loop.select(
        loop.lt(i[0], (num + 1) // 2),
        loop.cast(i[0], float64) * step + first,
        last - loop.cast(num - 1 - i[0], float64) * step,
    )


def _only_element(x: Any) -> Any:
    """A number, or the one element of a reader, in float64."""
    return loop.cast(x[(0,) * x.ndim] if isinstance(x, loop.Reader) else float(x), float64)


@linspace_op.samples
def _(s):
    yield s(0.0, 1.0, 5, "float32")
    yield s(0, 10, 4, "int32")
    yield s(2.0, 9.0, 1, "float64")
    yield s(s.randn(), 3.0, 4, "float32", gradient=False)
    yield s.bad(ArgumentError, "at least 1", 0.0, 1.0, 0, "float32")


@function
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None) -> Tensor:
    """`num` numbers at equal distances from start to stop, both included.

    Returns [num]; dtype: the default floating type if it is None; for an integer one start and
    stop lose their fractions. Raises ArgumentError for num < 1.

    >>> twinoar.linspace(0, 1, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    given = tuple(x if is_dynamic(x) else number_of(x) for x in (start, stop, num))
    if isinstance(given[2], int) and given[2] < 1:
        raise ArgumentError(
            f"num must be at least 1, received {given[2]}", cure="give the number of points"
        )
    kind = dtype_of(dtype) if dtype is not None else default_dtype()
    return linspace_op.function(*in_kind(given[:2], kind), given[2], kind)


@told
def logspace(
    start: Any,
    stop: Any,
    num: Any,
    base: Any = 10.0,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """`num` powers of `base` whose exponents go evenly from `start` to `stop`.

    For an integer dtype start, stop and base lose their fractions.

    >>> twinoar.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    kind = dtype_of(dtype or "float32")
    start, stop, base = in_kind((start, stop, base), kind)
    exponents = linspace(start, stop, num, "float64")
    powers = pow(ones(exponents.shape, "float64") * base, exponents)
    return astype(powers, kind)

"""Elements chosen by truth values: where, nonzero, masked_select, masked_fill."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from twinoar.core.dtype import bfloat16, bool_, default_dtype, float16, int64, literal_dtype
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, op, primitive
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.index.chosen import chosen_counts, chosen_elements, chosen_positions
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import as_element, broadcast_to
from twinoar.ops.math.compare import not_equal
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import select
from twinoar.ops.shape.concat import unbind
from twinoar.ops.shape.reshape import reshape_op


def _check_mask(condition: Spec, name: str) -> None:
    if condition.dtype is not bool_:
        raise DTypeError(
            f"{name} must be of truth values, received {condition}",
            cure="compare first, such as x != 0",
        )


def _beside(x: Any, other: Any) -> Any:
    """A Python float as a tensor where it is wider than the 16-bit floats it is chosen beside."""
    half = isinstance(other, Value) and other.dtype in (float16, bfloat16)
    return fill((), x, default_dtype()) if half and isinstance(x, float) else x


@overload
def where(condition: Tensor, x: None = None, y: None = None) -> tuple[Tensor, ...]: ...


@overload
def where(condition: Tensor, x: Any, y: Any, name: str | None = None) -> Tensor: ...


@function(method=True)
def where(condition: Tensor, x: Any = None, y: Any = None) -> Tensor | tuple[Tensor, ...]:
    """x where `condition` is true, y elsewhere; without x and y, the positions where it is true.

    condition: bool. x, y: tensors or numbers; all three broadcast, x and y are promoted to one
    dtype. Returns the broadcast shape, or for condition alone a tuple of one position tensor for
    each axis, [k] each. Raises DTypeError, ShapeError, ArgumentError where only one of x and y is
    given.

    >>> x = twinoar.to_tensor([1.0, -1.0])
    >>> twinoar.where(x > 0, x, 0.0).tolist()
    [1.0, 0.0]
    """
    if x is None and y is None:
        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ArgumentError("where takes both x and y, or neither")
    if not isinstance(x, (Value, np.ndarray)) and not isinstance(y, (Value, np.ndarray)):
        kinds = [literal_dtype(v) for v in (x, y)]
        kind = default_dtype() if any(k.is_floating for k in kinds) else kinds[0]
        x = fill((), x, kind)
    x, y = _beside(x, y), _beside(y, x)
    _check_mask(condition.spec, "condition")
    return select.function(condition, x, y)


@primitive(
    name="nonzero",
    infer=lambda x: Spec((None, x.ndim), int64),  # type: ignore[arg-type]  # the data decides
    kernel=lambda x: np.argwhere(x),
    desc=Desc("where_index", {"Condition": "x"}),
)
def nonzero_op(x: Tensor) -> Tensor:
    """The coordinates of the elements that are not 0, [k, ndim], int64. See `nonzero`."""


@nonzero_op.counted
def _(x):
    mask = x if x.dtype is bool_ else not_equal(x, 0)
    before, count = chosen_counts(mask)
    size = yield count
    return chosen_positions(mask, before, size)


@nonzero_op.samples
def _(s):
    yield s(s.bools(2, 3), gradient=False)
    yield s(s.ints(0, 2, 4), gradient=False)
    yield s(s.zeros(2), gradient=False)


def positions_in(index: Tensor, x: Tensor, axis: int) -> list[Tensor]:
    """A tensor index as positions: one tensor for each axis, from `axis` on, that it takes."""
    if index.dtype is not bool_:
        return [index]
    if index.ndim == 0:
        raise ShapeError(f"a mask must have a dimension, received {index.spec}")
    sizes = x.spec.shape[axis : axis + index.ndim]
    if len(sizes) < index.ndim:
        raise AxisError(f"a mask of shape {index.shape} has too many dimensions for {x.spec}")
    for i, (m, n) in enumerate(zip(index.spec.shape, sizes, strict=True)):
        if m != n and isinstance(m, int) and isinstance(n, int):
            raise AxisError(
                f"a mask of shape {index.shape} does not fit dimension {axis + i} of size {n}",
                cure="make the mask from the tensor itself, such as x[x > 0]",
            )
    return unbind(nonzero_op(index), 1)


@function(method=True, named=False)
def nonzero(x: Tensor, as_tuple: bool = False) -> Tensor | tuple[Tensor, ...]:
    """The coordinates of the elements of x that are not 0, in order.

    Returns [k, ndim], int64, or with as_tuple one tensor [k] for each axis. Raises ShapeError for a
    number.

    >>> twinoar.nonzero(twinoar.to_tensor([[0, 1], [2, 0]])).tolist()
    [[0, 1], [1, 0]]
    """
    if x.ndim == 0:
        raise ShapeError(f"nonzero needs at least one dimension, received {x.spec}")
    found = nonzero_op(x)
    return tuple(unbind(found, 1)) if as_tuple else found


@op(
    method=True,
    infer=lambda x, mask: _masked_spec(x, mask),
    desc=Desc("masked_select", {"X": "x", "Mask": "mask"}, outputs=("Y",)),
    moves=True,
)
def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    """The elements of x where `mask` is true, in order; both broadcast.

    mask: bool. Returns [k]. Raises DTypeError, ShapeError.

    >>> x = twinoar.to_tensor([1, 2, 3])
    >>> twinoar.masked_select(x, x > 1).tolist()
    [2, 3]
    """
    shape = broadcast(x.spec.shape, mask.spec.shape)
    positions = nonzero_op(reshape_op(broadcast_to(mask, shape), (-1,)))
    flat = reshape_op(broadcast_to(x, shape), (-1,))
    return gather_op(flat, reshape_op(positions, (-1,)))


def _masked_spec(x: Spec, mask: Spec) -> Spec:
    _check_mask(mask, "mask")
    broadcast(x.shape, mask.shape)
    return Spec((None,), x.dtype)  # type: ignore[arg-type]  # the data decides


@masked_select.kernel
def _(x, mask):
    if mask.dtype != np.bool_:
        raise TypeError
    x, mask = np.broadcast_arrays(x, mask)
    return x[mask]


@masked_select.counted
def _(x, mask):
    _check_mask(mask.spec, "mask")
    shape = broadcast(x.spec.shape, mask.spec.shape)
    mask = broadcast_to(mask, shape)
    before, count = chosen_counts(mask)
    size = yield count
    return chosen_elements(broadcast_to(x, shape), mask, before, size)


@masked_select.samples
def _(s):
    yield s(s.randn(2, 3), s.bools(2, 3))
    yield s(s.randn(2, 3), np.array([True, False, True]))
    yield s(s.randn(3), s.bools(2, 3))
    yield s(s.ints(0, 9, 3), s.bools(3))
    yield s.bad(DTypeError, "must be of truth values", s.randn(3), s.randn(3))


@function(method=True, inplace=True)
def masked_fill(x: Tensor, mask: Tensor, value: Any) -> Tensor:
    """x with `value`, a number or a 0-d tensor, where `mask` is true; mask broadcasts.

    Raises DTypeError, ShapeError.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.masked_fill(x, x > 1, 0.0).tolist()
    [1.0, 0.0]
    """
    value = as_element(value, x.dtype)
    _check_mask(mask.spec, "mask")
    return select.function(mask, value, x)

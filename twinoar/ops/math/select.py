"""Choosing between elements: by a condition, by size, within bounds."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, loop, primitive
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.ops.math.cast import (
    as_element,
    brought_to,
    common_dtype,
    elementwise,
    in_one_shape,
    promote_operands,
    sum_to,
)
from twinoar.ops.math.compare import equal

BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
BRANCH_FREE_FROM = 2048  # elements


def _selected(condition: Spec, x: Any, y: Any) -> Spec:
    shapes = [s.shape for s in (condition, x, y) if isinstance(s, Spec)]
    return Spec(broadcast(*shapes), x.dtype if isinstance(x, Spec) else y.dtype)


@primitive(
    infer=_selected,
    promote=lambda operands: (operands[0], *promote_operands(operands[1:])),
    scalar=lambda s, condition, x, y: s.select(condition, x, y),
    desc=Desc("where", {"Condition": "condition", "X": "x", "Y": "y"}, prepare=in_one_shape),
    moves=True,
)
def select(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """x where the condition is true, y elsewhere: the operator that gradient rules choose with.

    condition: bool. x, y: at most one a number. All broadcast. Returns the broadcast shape in the
    dtype that x and y promote to. The gradient of the one not chosen is 0, whatever its value.
    """


@select.kernel
def _(condition, x, y):
    dtype = x.dtype if hasattr(x, "dtype") else y.dtype
    return chosen(condition, np.asarray(x, dtype), np.asarray(y, dtype))


def chosen(condition: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x where the condition is true, y elsewhere; x and y of one dtype.

    Large arrays are chosen bit by bit, without branches: ten times faster than np.where, which
    waits for the processor's guesses where truth values are random.
    """
    bits = BITS.get(x.dtype.itemsize)
    if condition.size < BRANCH_FREE_FROM or bits is None or condition.dtype != np.bool_:
        return np.where(condition, x, y)
    mask = np.negative(condition.view(np.int8))  # -1 has all bits set
    a, b = x.view(bits), y.view(bits)
    if b.ndim == 0 and b == 0:
        return np.bitwise_and(a, mask).view(x.dtype)
    if a.ndim == 0 and a == 0:
        return np.bitwise_and(b, ~mask).view(x.dtype)
    return (b ^ ((a ^ b) & mask)).view(x.dtype)


@select.grad
def _(g, condition, specs, wanted):
    return (
        None,
        sum_to(select(condition, g, 0.0), specs[1]) if wanted[1] else None,
        sum_to(select(condition, 0.0, g), specs[2]) if wanted[2] else None,
    )


@select.samples
def _(s):
    yield s(s.bools(2, 3), s.randn(2, 3), s.randn(2, 3))
    yield s(s.bools(2, 1, 3), s.randn(4, 1), s.randn(3))
    yield s(s.bools(50, 50), s.randn(50, 50), s.randn(50))
    yield s(s.bools(3000), s.randn(3000, dtype="float64"), 0.0)
    yield s(s.bools(3000), 0.0, s.randn(3000))
    yield s(s.bools(5), s.randn(5), 0.0)
    yield s(s.bools(5), -1.0, s.randn(1))
    yield s(s.bools(), s.randn(), s.randn())
    yield s(s.bools(0), s.randn(1), s.randn(0))
    yield s(s.bools(4), s.ints(0, 9, 4), s.randn(4))
    yield s(s.bools(4), s.ints(0, 9, 4), 2, gradient=False)
    yield s.bad(ShapeError, "do not broadcast", s.bools(2), s.randn(3), s.randn(3))


def _binary_desc(kind: str) -> Desc:
    return Desc(kind, {"X": "x", "Y": "y"}, fixed={"axis": -1})


def _distinct_samples(s):
    """Calls with no ties, where extrema have gradients."""
    numbers = s.distinct(2, 2, 3)
    yield s(numbers[0], numbers[1])
    yield s(s.distinct(2, 1, 3), s.distinct(4, 1) + np.float32(0.05))
    yield s(s.distinct(4) + np.float32(0.05), 0.0)
    yield s(s.randn(), s.randn(1))
    yield s(s.zeros(0, 3), s.randn(3))
    yield s(s.ints(1, 9, 4), s.ints(1, 9, 4), gradient=False)
    yield s(s.ints(1, 9, 4, dtype="int32"), s.randn(4), gradient=False)
    yield s(
        np.array([np.nan, 1.0, 2.0, np.nan]), np.array([1.0, np.nan, 2.0, np.nan]), gradient=False
    )
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


def _of_extremum(g: Tensor, wins: Any, loses: Any, tie: Tensor, specs: Any) -> tuple[Any, ...]:
    """Gradients: all to the operand that wins, half to each at a tie, none where there is nan."""
    shared = select(tie, g * 0.5, 0.0)
    return sum_to(select(wins, g, shared), specs[0]), sum_to(select(loses, g, shared), specs[1])


# What all share that take one of two elements.
choice = partial(
    primitive,
    one_function=True,
    method=True,
    infer=elementwise,
    promote=promote_operands,
    samples=_distinct_samples,
)


@choice(
    kernel=np.maximum,
    grad=lambda g, x, y, specs: _of_extremum(g, x > y, x < y, equal(x, y), specs),
    scalar=lambda s, x, y: s.max(x, y),
    desc=_binary_desc("elementwise_max"),
    commutative=True,
)
def maximum(x: Tensor, y: Tensor) -> Tensor:
    """The larger of x and y, element by element; nan where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype; at a tie each operand takes half of the gradient. Raises ShapeError where the shapes do
    not broadcast.

    >>> twinoar.maximum(twinoar.to_tensor([1, 5]), twinoar.to_tensor([3, 4])).tolist()
    [3, 5]
    """


@choice(
    kernel=np.minimum,
    grad=lambda g, x, y, specs: _of_extremum(g, x < y, x > y, equal(x, y), specs),
    scalar=lambda s, x, y: s.min(x, y),
    desc=_binary_desc("elementwise_min"),
    commutative=True,
)
def minimum(x: Tensor, y: Tensor) -> Tensor:
    """The smaller of x and y, element by element; nan where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape in the promoted
    dtype; at a tie each operand takes half of the gradient. Raises ShapeError where the shapes do
    not broadcast.

    >>> twinoar.minimum(twinoar.to_tensor([1, 5]), twinoar.to_tensor([3, 4])).tolist()
    [1, 4]
    """


def _of_chosen(g: Tensor, takes_x: Tensor, specs: Any) -> tuple[Any, ...]:
    """Gradients: x takes it where `takes_x` (y != y where y is nan), y elsewhere."""
    return sum_to(select(takes_x, g, 0.0), specs[0]), sum_to(select(takes_x, 0.0, g), specs[1])


def _unless_nan(s: Any, wins: Any, x: Any, y: Any) -> Any:
    """x where it wins against y, or y is nan; y elsewhere."""
    x, y = s.pair(x, y)
    return s.select(wins(x, y) | s.isnan(y), x, y)


@choice(
    kernel=np.fmax,
    grad=lambda g, x, y, specs: _of_chosen(g, (x >= y) | (y != y), specs),
    scalar=lambda s, x, y: _unless_nan(s, s.ge, x, y),
    desc=Desc("elementwise_fmax", {"X": "x", "Y": "y"}),
)
def fmax(x: Tensor, y: Tensor) -> Tensor:
    """The larger of x and y, element by element; the other one where one is nan.

    x, y: any shapes that broadcast. Returns the broadcast shape in the promoted dtype; at a tie x
    takes the gradient. Raises ShapeError where the shapes do not broadcast.

    >>> x = twinoar.to_tensor([1.0, float("nan")])
    >>> x.fmax(twinoar.to_tensor([3.0, 4.0])).tolist()
    [3.0, 4.0]
    """


@choice(
    kernel=np.fmin,
    grad=lambda g, x, y, specs: _of_chosen(g, (x <= y) | (y != y), specs),
    scalar=lambda s, x, y: _unless_nan(s, s.le, x, y),
    desc=Desc("elementwise_fmin", {"X": "x", "Y": "y"}),
)
def fmin(x: Tensor, y: Tensor) -> Tensor:
    """The smaller of x and y, element by element; the other one where one is nan.

    x, y: any shapes that broadcast. Returns the broadcast shape in the promoted dtype; at a tie x
    takes the gradient. Raises ShapeError where the shapes do not broadcast.

    >>> x = twinoar.to_tensor([1.0, float("nan")])
    >>> x.fmin(twinoar.to_tensor([3.0, 4.0])).tolist()
    [1.0, 4.0]
    """


def _write_clip(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    """Paddle has both bounds as attributes too, which tensors in the slots override."""
    x, low, high = specs
    if x.dtype.is_integer and (low is None) != (high is None):
        raise UnsupportedError(
            "clip of integers on one side has no form in Paddle's files", cure="give both bounds"
        )
    return {"min": -np.inf, "max": np.inf}


def _read_clip(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    bounds = [(slots.get(k) or [attrs.get(k.lower())])[0] for k in ("Min", "Max")]
    return clip_op(slots["X"][0], *bounds)


def _promote_bounds(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: bounds in tensors, as numbers, change the kind of x but not its width."""
    x, *bounds = operands
    kind = common_dtype((x,)).category
    wider = (
        b
        for b in bounds
        if not isinstance(b, (Value, np.ndarray)) or common_dtype((b,)).category > kind
    )
    return brought_to(common_dtype((x, *wider)), operands)


@primitive(
    name="clip",
    promote=_promote_bounds,
    desc=Desc(
        "clip",
        {"X": "x", "Min": "min", "Max": "max"},
        write=_write_clip,
        read=_read_clip,
    ),
)
def clip_op(x: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """x brought into [min, max]: the operator under `clip`.

    x: [*]. min, max: numbers, or tensors of one element. Returns [*]; x takes the gradient where it
    lies within the bounds, the bounds included.
    """


def _one(bound: Any, name: str) -> Any:
    if getattr(bound, "size", 1) != 1:
        raise ShapeError(
            f"{name} must be a number or hold one element, received shape {list(bound.shape)}",
            cure="use maximum and minimum, which broadcast",
        )
    return bound.reshape(()) if hasattr(bound, "reshape") else bound


@clip_op.infer
def _(x, min, max):
    for name, bound in (("min", min), ("max", max)):
        if not isinstance(bound, Spec) or bound.is_static:
            _one(bound, name)
    return elementwise(x)


@clip_op.kernel
def _(x, min, max):
    min, max = _one(min, "min"), _one(max, "max")
    if min is not None:
        x = np.maximum(x, min, dtype=x.dtype)
    return x if max is None else np.minimum(x, max, dtype=x.dtype)


@clip_op.lower
def _(i, x, min, max):
    out = x[i]
    if min is not None:
        out = _bounded(out, min, loop.max, loop.lt)
    return out if max is None else _bounded(out, max, loop.min, loop.gt)


def _bounded(x: Any, bound: Any, extreme: Any, is_beyond: Any) -> Any:
    """The element x on one side of a bound; that of a number, never nan, costs less."""
    if isinstance(bound, loop.Reader):
        return extreme(x, bound[(0,) * bound.ndim])
    return loop.select(is_beyond(x, bound), bound, x)


@clip_op.grad
def _(g, x, min, max):
    inside = None if min is None else x >= min
    if max is not None:
        inside = x <= max if inside is None else inside & (x <= max)
    return (g if inside is None else select(inside, g, 0.0), None, None)


@clip_op.samples
def _(s):
    yield s(s.distinct(2, 5) + np.float32(0.03), -0.2, 0.2)
    yield s(s.distinct(6) + np.float32(0.03), None, 0.1)
    yield s(s.distinct(6) + np.float32(0.03), 0.1)
    yield s(s.randn(3))
    yield s(
        s.distinct(6) + np.float32(0.03),
        np.array(-0.1, np.float32),
        np.array([0.2]),
        gradient=False,
    )
    yield s(s.ints(-9, 9, 5), -2, 2, gradient=False)
    yield s(s.ints(-9, 9, 5), -2, 2.5, gradient=False)
    yield s(s.ints(-9, 9, 5, dtype="int32"), np.array(-2), np.array([2]), gradient=False)
    yield s(s.randn(), 0.0, 0.0)
    yield s(s.zeros(0, 2), 0.0, 1.0)
    yield s.bad(ShapeError, "must be a number", s.randn(2), s.randn(2), None)


def _clip_in_place(x: Tensor, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
    low, high = (b if b is None else as_element(b, x.dtype) for b in (min, max))
    return clip(x, low, high, name=name)


@function(method=True, inplace=_clip_in_place)
def clip(x: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """x brought into [min, max]; a bound of None does not bind. nan stays.

    x: [*]. min, max: numbers, or tensors of one element. Returns [*], in the dtype of x, floating
    where a bound is. Raises ArgumentError where min > max.

    >>> twinoar.clip(twinoar.to_tensor([-2.0, 0.5, 3.0]), -1.0, 1.0).tolist()
    [-1.0, 0.5, 1.0]
    """
    if isinstance(min, (int, float)) and isinstance(max, (int, float)) and min > max:
        raise ArgumentError(
            f"expected min <= max, received min={min} and max={max}", cure="exchange the two"
        )
    return clip_op(x, min, max)


@function(method=True, inplace=True)
def clamp(x: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Another name of `clip`.

    >>> twinoar.clamp(twinoar.to_tensor([-2.0, 3.0]), min=0.0).tolist()
    [0.0, 3.0]
    """
    return clip(x, min, max)

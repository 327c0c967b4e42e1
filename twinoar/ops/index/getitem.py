"""`x[...]` and `x[...] = value`, by NumPy's rules, from the operators that pick, place and put.

Integers, slices, Ellipsis and None are a slice (and an unsqueeze); integer arrays and truth values
are a gather over the axes they stand at. Integers count as slices even beside arrays, as in Paddle:
x[0, :, [1, 2]] has shape [n, 2].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from twinoar.core.device import Buffer
from twinoar.core.dim import Dim, SymbolicDim, differ, number_of
from twinoar.core.dtype import bool_, int64
from twinoar.core.interpreter import beside, current, using
from twinoar.core.ir.program import Variable
from twinoar.core.op.declare import Shape, Tensor, Value, method
from twinoar.core.op.view import Step
from twinoar.core.spec import broadcast, may_expand
from twinoar.errors import AxisError, DTypeError, ShapeError, TypeMismatchError
from twinoar.late import dataclass
from twinoar.ops._sizes import is_dynamic
from twinoar.ops.control.assertion import check
from twinoar.ops.create.fill import assign, identity
from twinoar.ops.create.range import slice_positions
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.gather_nd import gather_nd, index_put_op, stacked
from twinoar.ops.index.mask import masked_select, nonzero_op, positions_in
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import as_element, astype, broadcast_to
from twinoar.ops.math.compare import greater_equal, less_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select
from twinoar.ops.shape.reshape import reshape_op, transpose_op, unsqueeze_op
from twinoar.ops.shape.slice import BEGIN, END, set_slice, slice_op, strided_slice_op


@dataclass
class Plan:
    """An index taken apart.

    axes, starts, ends, strides, squeezed: the slice. new: places of None in what remains after it.
    arrays: integer tensors by the axis, in what remains, that they stand at. apart: True where
    arrays are separated by anything but integers, so that their axes come first in the result.
    truth: whether all truth values without dimensions among the parts are true, None where there is
    none. truth_at: the place, one of `new`, of the axis that has one slice then, else none.
    """

    axes: list[int] = field(default_factory=list)
    starts: list[Dim] = field(default_factory=list)
    ends: list[Dim] = field(default_factory=list)
    strides: list[int] = field(default_factory=list)
    squeezed: list[int] = field(default_factory=list)
    new: list[int] = field(default_factory=list)
    arrays: dict[int, Tensor] = field(default_factory=dict)
    apart: bool = False
    truth: Any = None
    truth_at: int = 0

    def ask(self, truth: Any, place: int) -> bool:
        """Add a truth value; returns whether it is the first, which is an axis of the result."""
        if self.truth is None:
            self.truth, self.truth_at = truth, place
            return True
        if self.truth is True or truth is False:
            self.truth = truth
        elif self.truth is not False and truth is not True:
            self.truth = logical_and(self.truth, truth)
        return False

    def slice(self, axis: int, start: Dim, end: Dim, stride: int, squeezed: bool = False) -> None:
        """Add the slice of one axis."""
        self.axes.append(axis)
        self.starts.append(start)
        self.ends.append(end)
        self.strides.append(stride)
        if squeezed:
            self.squeezed.append(axis)

    @property
    def bounds(self) -> tuple[Any, ...]:
        """The slice as `strided_slice` and `set_slice` take it."""
        lists = (self.axes, self.starts, self.ends, self.strides, self.squeezed)
        return tuple([tuple(x) for x in lists])

    def picked(self, x: Tensor) -> Tensor:
        """The slice of x."""
        if not self.axes:
            return x
        axes, starts, ends, strides, squeezed = self.bounds
        if strides.count(1) != len(strides):
            return strided_slice_op.function(x, axes, starts, ends, strides, squeezed)
        return slice_op.function(x, axes, starts, ends, squeezed)


@method("__getitem__")
def _getitem(x: Tensor, item: Any) -> Tensor:
    """The part of the tensor that the index names: a view, unless lists or arrays name it."""
    if item.__class__ is int:
        return slice_op.function(x, (0,), (item,), (_after(item),), (0,))
    if item.__class__ is tuple and 0 < len(item) <= x.ndim and set(map(type, item)) == {int}:
        axes = tuple(range(len(item)))
        return slice_op.function(x, axes, item, tuple(map(_after, item)), axes)
    parts = item if item.__class__ is tuple else (item,)
    bounds = _plain_bounds(parts)
    if bounds is not None and bounds[0] and len(parts) <= x.ndim:
        return slice_op.function(x, *bounds, ())
    if isinstance(getattr(x, "_data", None), Buffer):  # where what the index holds goes too
        with using(beside(x)):
            return _picked(x, item)
    return _picked(x, item)


def _plain_bounds(parts: tuple[Any, ...]) -> tuple[tuple[int, ...], ...] | None:
    """Axes, starts and ends of an index of slices between numbers, as most are; None of others."""
    axes, starts, ends = [], [], []
    for axis, part in enumerate(parts):
        if part.__class__ is not slice or part.step is not None:
            return None
        start = 0 if part.start is None else part.start
        end = END if part.stop is None else part.stop
        if start.__class__ is not int or end.__class__ is not int:
            return None
        if part.start is not None or part.stop is not None:
            axes.append(axis)
            starts.append(max(BEGIN, min(END, start)))
            ends.append(max(BEGIN, min(END, end)))
    return tuple(axes), tuple(starts), tuple(ends)


def _picked(x: Tensor, item: Any) -> Tensor:
    """The part of x that any index names."""
    mask = _only_mask(item)
    if mask is not None and mask.ndim and _matches(mask, x):
        return masked_select(x, mask) if mask.ndim == x.ndim else gather_nd(x, nonzero_op(mask))
    plan = plan_of(x, item)
    part = plan.picked(x)
    if plan.new:
        part = unsqueeze_op.function(part, tuple(plan.new))
    if plan.truth is not None:
        part = _if_true(part, plan)
    if plan.arrays:
        found = _gathered(part, plan)
        return found if any(a.ndim for a in plan.arrays.values()) else _shown(x, item, found)
    return part if part is not x else _shown(x, item, identity.function(x))


def _shown(x: Tensor, item: Any, part: Tensor) -> Any:
    """`part`, which is x[item], as a view of x: numbers and slices select it, given or computed."""
    step = Step(lambda base: _getitem(base, item), lambda base, new: replaced(base, item, new))
    return current().share(x, part, step)


def _if_true(x: Tensor, plan: Plan) -> Tensor:
    """x, or without slices where the plan's truth values are not all true."""
    if plan.truth is True:
        return x
    at = plan.truth_at
    if plan.truth is False:
        return slice_op.function(x, (at,), (0,), (0,))
    rows = nonzero_op(reshape_op(plan.truth, (1,)))
    return gather_op.function(x, reshape_op(rows, (-1,)), at)


@method("__setitem__")
def _setitem(x: Tensor, item: Any, value: Any) -> None:
    """Replace the part of the tensor that the index names, in place; `value` broadcasts to it."""
    with using(beside(x)):
        value = astype(value, x.dtype) if isinstance(value, Value) else _literal(value, x)
        new = replaced(x, item, value)
    current().rebind(x, new)


@method("__iter__")
def _iter(x: Tensor) -> Iterator[Tensor]:
    """The slices along the first axis, whose size must be known."""
    if not x.ndim:
        raise TypeMismatchError(
            f"iteration over a tensor without dimensions, {x.spec}", cure="use item()"
        )
    count = x.spec.shape[0]
    if not isinstance(count, int):
        raise ShapeError(
            f"iteration over an axis of the unknown size {count}",
            cure="give the size, or loop over indices",
        )
    return (_getitem(x, i) for i in range(count))


def _literal(value: Any, x: Tensor) -> Any:
    """A number, or an array of the dtype of x."""
    if isinstance(value, (bool, int, float, complex)):
        return as_element(value, x.dtype)
    return np.asarray(value, x.dtype.numpy)


def replaced(x: Tensor, item: Any, value: Any) -> Tensor:
    """x with x[item] replaced by `value`, a number, an ndarray or a tensor of the dtype of x."""
    mask = _only_mask(item)
    if mask is not None and np.ndim(value) == 0 and _matches(mask, x):
        wide = mask
        if mask.ndim < x.ndim:
            wide = reshape_op(mask, (*mask.spec.shape, *(1,) * (x.ndim - mask.ndim)))
        return select.function(wide, value, x)
    plan = plan_of(x, item)
    if plan.truth is None or plan.truth is True:
        return _replaced(x, plan, value)
    if plan.truth is not False:
        return select(plan.truth, _replaced(x, plan, value), x)
    shape = list(_part_shape(x, plan))
    shape[plan.truth_at] = 0  # nothing, which the value must broadcast to
    broadcast_to(value if isinstance(value, Value) else assign(np.asarray(value)), tuple(shape))
    return x


def _replaced(x: Tensor, plan: Plan, value: Any) -> Tensor:
    """x with the part that a plan names replaced, whatever its truth values."""
    if plan.arrays:
        part = plan.picked(x)
        if plan.new:
            part = unsqueeze_op(part, tuple(plan.new))
        put = _put(part, plan, value)
        if part is x:
            return put
        return set_slice(x, _without(put, plan.new), *plan.bounds)
    target = _part_shape(x, plan)
    return set_slice.function(x, _fitted(value, target, plan.new), *plan.bounds)


def _only_mask(item: Any) -> Tensor | None:
    """The index where it is nothing but one tensor of truth values."""
    if isinstance(item, tuple) and len(item) == 1:
        item = item[0]
    if isinstance(item, (np.ndarray, list)):
        array = np.asarray(item)
        return assign(array) if array.dtype == np.bool_ and array.ndim else None
    return item if isinstance(item, Value) and item.dtype is bool_ else None


def _matches(mask: Tensor, x: Tensor) -> bool:
    return mask.ndim <= x.ndim and mask.spec.shape == x.spec.shape[: mask.ndim]


def _part_shape(x: Tensor, plan: Plan) -> Shape:
    """The shape of the part that a plan without arrays names, axes of None included."""
    if not plan.axes:
        shape = list(x.spec.shape)
    else:
        rule = strided_slice_op.rules["infer"]
        names = ("axes", "starts", "ends", "strides", "squeezed")
        shape = list(rule(x.spec, **dict(zip(names, plan.bounds, strict=True))).shape)
    for place in plan.new:
        shape.insert(place, 1)
    return tuple(shape)


def _fitted(value: Any, target: Shape, new: list[int]) -> Any:
    """`value` brought to the dimensions of the part, without leading ones it has too many and
    without axes of None.
    """
    if np.ndim(value) == 0 or None in target:
        return value
    value = value if isinstance(value, Value) else assign(np.asarray(value))
    extra = value.ndim - len(target)
    if extra > 0:
        if any(differ(d, 1) for d in value.spec.shape[:extra]):
            raise ShapeError(
                f"a value of shape {value.shape} does not fit the part of shape {list(target)}"
            )
        value = reshape_op(value, value.spec.shape[extra:])
    if not new:
        return value
    if not may_expand(value.spec.shape, target):
        raise ShapeError(
            f"a value of shape {value.shape} does not fit the part of shape {list(target)}"
        )
    return _without(broadcast_to(value, target), new)


def _without(x: Tensor, new: list[int]) -> Tensor:
    """x without axes of size 1."""
    if not new:
        return x
    return reshape_op(x, tuple(d for i, d in enumerate(x.spec.shape) if i not in new))


def _after(i: int) -> int:
    """The end of a slice that holds position i alone."""
    return END if i == -1 else i + 1


def _fronted(x: Tensor, plan: Plan) -> tuple[Tensor, tuple[int, ...]]:
    """x with the axes of arrays first, and the order of axes that this is."""
    first = tuple(plan.arrays)
    perm = (*first, *(i for i in range(x.ndim) if i not in plan.arrays))
    return (x if perm == tuple(range(x.ndim)) else transpose_op.function(x, perm)), perm


def _place(plan: Plan) -> int:
    """Where the axes of the arrays' common shape stand in the result."""
    return 0 if plan.apart else min(plan.arrays)


def _gathered(x: Tensor, plan: Plan) -> Tensor:
    """x indexed by the plan's arrays."""
    if len(plan.arrays) == 1:
        ((axis, index),) = plan.arrays.items()
        if index.ndim <= 1:
            return gather_op.function(x, index, axis)
    fronted, _ = _fronted(x, plan)
    found = gather_nd.function(fronted, stacked(list(plan.arrays.values())))
    place = _place(plan)
    if place == 0:
        return found
    width = found.ndim - (x.ndim - len(plan.arrays))
    order = list(range(width, found.ndim))
    order[place:place] = range(width)
    return transpose_op(found, tuple(order))


def _put(x: Tensor, plan: Plan, value: Any) -> Tensor:
    """x with its elements at the plan's arrays replaced."""
    fronted, perm = _fronted(x, plan)
    place = _place(plan)
    if place and np.ndim(value):
        value = _value_fronted(value, x, plan, place)
    put = index_put_op.function(fronted, value, list(plan.arrays.values()))
    if fronted is x:
        return put
    return transpose_op(put, tuple(sorted(range(x.ndim), key=perm.__getitem__)))


def _value_fronted(value: Any, x: Tensor, plan: Plan, place: int) -> Tensor:
    """A value for x[plan] with the axes of the arrays' common shape first."""
    common = broadcast(*(i.spec.shape for i in plan.arrays.values()))
    rest = tuple(d for i, d in enumerate(x.spec.shape) if i not in plan.arrays)
    target = (*rest[:place], *common, *rest[place:])
    value = value if isinstance(value, Value) else assign(np.asarray(value))
    wide = broadcast_to(value, target)
    width = len(common)
    moved = range(place, place + width)
    return transpose_op(wide, (*moved, *(i for i in range(len(target)) if i not in moved)))


def plan_of(x: Tensor, item: Any) -> Plan:
    """An index of x taken apart.

    Raises AxisError for too many parts, TypeMismatchError, DTypeError.
    """
    parts = [_part(p) for p in (item if isinstance(item, tuple) else (item,))]
    consumed = sum(map(_width, parts))
    if consumed > x.ndim:
        raise AxisError(
            f"{consumed} indices are too many for a tensor of shape {x.shape}",
            cure=f"give at most {x.ndim}",
        )
    count = sum([p is Ellipsis for p in parts])
    if count > 1:
        raise AxisError(
            f"an index may hold one Ellipsis (...), received {count}", cure="use : for the others"
        )
    if not count:
        parts.append(Ellipsis)
    plan = Plan()
    groups: list[
        int | None
    ] = []  # the places, among the parts, of arrays; None for a dynamic slice
    axis = place = 0  # in x, in what remains of it
    for at, part in enumerate(parts):
        if part is Ellipsis:
            axis, place = axis + x.ndim - consumed, place + x.ndim - consumed
        elif part is None:
            plan.new.append(place)
            place += 1
        elif part.__class__ is int:
            _check_range(part, x.spec.shape[axis], axis)
            plan.slice(axis, part, _after(part), 1, squeezed=True)
            axis += 1
        elif isinstance(part, slice):
            taken = _take_slice(plan, x, axis, part)
            if taken is not None:
                plan.arrays[place] = taken
                groups.append(None)
            axis, place = axis + 1, place + 1
        elif _is_truth(part):
            if plan.ask(part, place):
                plan.new.append(place)
                place += 1
        else:
            found = positions_in(part, x, axis)
            plan.arrays.update((place + i, index) for i, index in enumerate(found))
            groups.append(at)
            axis, place = axis + len(found), place + len(found)
    if plan.truth is not None and plan.arrays:
        raise TypeMismatchError(
            "a truth value in an index cannot stand beside arrays or slices bounded by tensors",
            cure="index in two steps: x[mask][[0, 1]]",
        )
    plan.apart = _are_apart(parts, [g for g in groups if g is not None])
    return plan if None not in groups else _mixed(plan)


def _mixed(plan: Plan) -> Plan:
    """A plan with slices of dynamic bounds: their positions are made orthogonal to the other
    arrays.
    """
    if len(plan.arrays) > 1:
        raise TypeMismatchError(
            "a slice with bounds that are tensors cannot stand beside arrays or another such slice",
            cure="index in two steps: x[a:b][:, i]",
        )
    return plan


def _are_apart(parts: list[Any], places: list[int]) -> bool:
    """True where something that is neither array nor integer stands between arrays."""
    if len(places) < 2:
        return False
    between = [parts[i] for i in range(places[0], places[-1] + 1) if i not in places]
    return any(p.__class__ is not int for p in between)


def _part(p: Any) -> Any:
    """One part of an index in its normal form: int, slice, None, Ellipsis, or a tensor."""
    if p is None or p is Ellipsis or p.__class__ is int or isinstance(p, slice):
        return p
    if isinstance(p, (bool, np.bool_)):
        return bool(p)
    if isinstance(p, np.integer):
        return int(p)
    if isinstance(p, SymbolicDim):
        return number_of(p)
    if isinstance(p, (list, tuple, range)):
        p = np.asarray(p) if len(p) else np.zeros(0, np.int64)
    if isinstance(p, np.ndarray):
        if p.dtype.kind not in "biu":
            raise DTypeError(
                f"an index must hold integers or truth values, received {p.dtype}",
                cure="convert it: x.astype('int64')",
            )
        return assign(p) if p.ndim else p.item()
    if isinstance(p, Value):
        if not (p.dtype.is_integer or p.dtype is bool_):
            raise DTypeError(
                f"an index must hold integers or truth values, received {p.spec}",
                cure="convert it: x.astype('int64')",
            )
        return p if p.ndim or is_dynamic(p) else p.item()
    raise TypeMismatchError(
        f"an index must be an integer, slice, None, Ellipsis, list or tensor, received {p!r} "
        f"({type(p).__name__})",
        cure="use int(i) for a position, slice(a, b) for a part",
    )


def _is_truth(p: Any) -> bool:
    """Whether a part is a truth value without dimensions."""
    return p.__class__ is bool or (isinstance(p, Value) and p.dtype is bool_ and not p.ndim)


def _width(p: Any) -> int:
    """How many axes a part of an index takes."""
    if p is None or p is Ellipsis or p.__class__ is bool:
        return 0
    return p.ndim if isinstance(p, Value) and p.dtype is bool_ else 1


def _check_range(i: int, n: Dim, axis: int) -> None:
    if isinstance(n, int) and not -n <= i < n:
        raise AxisError(f"index {i} is out of range for dimension {axis} of size {n}")


def _take_slice(plan: Plan, x: Tensor, axis: int, part: slice) -> Tensor | None:
    """Add a slice to the plan; one with dynamic bounds gives positions instead."""
    stride = 1 if part.step is None else _bound(part.step)
    start, stop = _bound(part.start), _bound(part.stop)
    if isinstance(stride, Value):
        raise TypeMismatchError(
            "the step of a slice must be a number, received a tensor", cure="pass an int or a float"
        )
    if stride == 0:
        raise AxisError(
            "a slice cannot have a step of 0", cure="use a step of at least 1, or below 0"
        )
    if isinstance(start, Value) or isinstance(stop, Value):
        return _dynamic_slice(x, axis, start, stop, stride)
    if start is None and stop is None and stride == 1:
        return None
    forward = stride > 0
    first = (0 if forward else END) if start is None else start
    last = (END if forward else BEGIN) if stop is None else stop
    plan.slice(axis, _clipped(first), _clipped(last), stride)
    return None


def _clipped(bound: Dim) -> Dim:
    return bound if isinstance(bound, SymbolicDim) else max(BEGIN, min(END, bound))


def _bound(b: Any) -> Any:
    """A bound of a slice: None, a number, a symbol, or a tensor whose value is not known now."""
    if b is None or isinstance(b, (int, SymbolicDim)):
        return b
    if isinstance(b, Value):
        if not b.dtype.is_integer:
            raise DTypeError(f"bounds of a slice must be integers, received {b.spec}")
        return b if is_dynamic(b) else int(b)
    try:
        return b.__index__()
    except AttributeError:
        raise TypeMismatchError(f"bounds of a slice must be integers, received {b!r}") from None


def _dynamic_slice(x: Tensor, axis: int, start: Any, stop: Any, stride: int) -> Tensor:
    """The positions x[start:stop:stride] along an axis, where bounds are tensors."""
    width = _constant_width(start, stop) if stride == 1 else None
    if width is not None:
        room = x.spec.shape[axis] - width
        last = room if isinstance(room, int) else number_of(room)
        inside = logical_and(greater_equal(start, 0), less_equal(start, last))
        check(inside, "IndexError", f"a slice start:start+{width} reaches beyond axis {axis}")
        offsets = assign(np.arange(width))
        return add(reshape_op(astype(start, int64), (1,)), offsets)
    return slice_positions(x, start, stop, axis, stride)


def _constant_width(start: Any, stop: Any) -> int | None:
    """k where stop is start + k, so that the size of the slice is known."""
    if not isinstance(start, Variable) or not isinstance(stop, Variable):
        return None
    made = stop.latest().producer
    if made is None or made.op.name != "add" or made.operands[0] is not start.latest():
        return None
    k = made.operands[1]
    return k if k.__class__ is int and k >= 0 else None

"""Regular parts of a tensor: slices with steps, their replacement, and their transposes.

Bounds follow Python's slices: negative ones count from the end, those beyond the end are cut. An
axis in `squeezed` has one element selected, by `starts`, and is dropped.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim, is_known, max_dim
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axis,
    primitive,
)
from twinoar.core.spec import may_expand
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops._sizes import shape_from, sizes
from twinoar.ops.math.cast import sum_to
from twinoar.ops.shape.roll import flip

Ints = tuple[int, ...]
END = 2**31 - 1  # an `ends` that means "to the end"; Paddle's files spell it so
BEGIN = -(2**31)  # the same for negative steps
ALL = builtins.slice(None)


def _selection(
    ndim: int, axes: Ints, starts: Ints, ends: Ints, strides: Ints, squeezed: Ints
) -> tuple[Any, ...]:
    """The NumPy index; the Ellipsis keeps results arrays where all axes are dropped."""
    index: list[Any] = [ALL] * ndim
    for axis, start, end, stride in zip(axes, starts, ends, strides, strict=True):
        index[axis] = start if axis in squeezed else builtins.slice(start, end, stride)
    return (*index, ...)


class _Range(NamedTuple):
    """Positions along a dimension: as `range`, which wants numbers."""

    start: int
    step: int
    size: int


def _ranges(
    shape: Ints, axes: Ints, starts: Ints, ends: Ints, strides: Ints, squeezed: Ints
) -> list[_Range | int]:
    """What is selected of each axis: positions, or the one of an axis that is dropped."""
    found: list[_Range | int] = [_Range(0, 1, n) for n in shape]
    for axis, start, end, stride in zip(axes, starts, ends, strides, strict=True):
        if axis in squeezed:
            found[axis] = start + shape[axis] if start < 0 else start
        else:
            found[axis] = _selected(shape[axis], start, end, stride)
    return found


def _selected(size: int, start: int, end: int, stride: int) -> _Range:
    """The positions that a slice selects of `size`, by Python's rule."""
    low, high = (0, size) if stride > 0 else (-1, size - 1)
    start, end = (_clamped(at + size if at < 0 else at, low, high) for at in (start, end))
    distance, step = (end - start, stride) if stride > 0 else (start - end, -stride)
    return _Range(start, stride, 0 if distance <= 0 else (distance + step - 1) // step)


def _clamped(at: int, low: int, high: int) -> int:
    if at < low:
        return low
    return high if at > high else at


def _picked(i: Any, x: Any, ranges: list[_Range | int]) -> Any:
    """The element of a slice of x."""
    rest = iter(i)
    return x[tuple(r if isinstance(r, int) else next(rest) * r.step + r.start for r in ranges)]


def _replaced(i: Any, part: Any, ranges: list[_Range | int], other: Any) -> Any:
    """The element of an array in which a slice is replaced by `part`, the rest being `other`."""
    if any(isinstance(r, _Range) and r.size == 0 for r in ranges):
        return other
    inside, index = loop.const(True), []
    for k, r in zip(i, ranges, strict=True):
        if isinstance(r, int):
            inside = inside & loop.eq(k, r)
            continue
        distance = k - r.start if r.step > 0 else r.start - k
        nth = loop.floordiv(distance, abs(r.step))
        inside = inside & (nth >= 0) & (nth < r.size)
        inside = inside & loop.eq(loop.mod(distance, abs(r.step)), 0)
        index.append(loop.clamped(nth, r.size))
    return loop.select(inside, loop.at(part, index), other)


def selected_size(size: Dim, start: Dim, end: Dim, stride: Dim) -> Dim | None:
    """How many of `size` elements a slice selects; None where only the data tells."""
    if is_known(size, start, end, stride):
        return _selected(size, start, end, stride).size  # type: ignore[arg-type]
    if not is_known(stride):
        return None
    if is_known(start, end):
        forward = start == 0 and end >= END and stride > 0
        backward = start in (-1, END) and end <= BEGIN and stride < 0
        if forward or backward:
            return (size + (abs(stride) - 1)) // abs(stride)
        if stride == 1 and start >= 0 and (end >= END or end < 0):
            return max_dim(size - start + (0 if end >= END else end), 0)
        if stride == 1 and start >= 0 and end >= 0:
            within = -max_dim(-size, -end)  # the smaller of size and end
            return max_dim(within - start, 0) if start else within
        if stride == 1 and start < 0 and end >= END:
            return size - max_dim(size + start, 0)
        return None
    if stride == 1 and isinstance(end, SymbolicDim):  # bounds made of sizes are taken to lie inside
        return end - start
    return None


def _sliced_shape(
    shape: Shape, axes: Ints, starts: Ints, ends: Ints, strides: Ints, squeezed: Ints
) -> Shape:
    sliced = list(shape)
    if not len(axes) == len(starts) == len(ends) == len(strides):
        raise ArgumentError(
            f"axes, starts, ends and strides must be equally long, received {axes}, {starts}, "
            f"{ends}, {strides}"
        )
    for axis, start, end, stride in zip(axes, starts, ends, strides, strict=True):
        at = normalize_axis(axis, len(shape), "axes")
        n = shape[at]
        if axis in squeezed:
            if is_known(n, start) and not -n <= start < n:
                raise AxisError(f"index {start} is out of range for dimension {at} of size {n}")
            continue
        if is_known(stride) and stride == 0:
            raise ArgumentError("a slice cannot have a stride of 0")
        sliced[at] = selected_size(n, start, end, stride)  # type: ignore[assignment]
    dropped = {normalize_axis(a, len(shape), "squeezed") for a in squeezed}
    return tuple(d for i, d in enumerate(sliced) if i not in dropped)


def _ones(axes: Ints) -> Ints:
    return (1,) * len(axes)


def _infer_slice(x: Spec, axes: Ints, starts: Ints, ends: Ints, squeezed: Ints) -> Spec:
    return Spec(_sliced_shape(x.shape, axes, starts, ends, _ones(axes), squeezed), x.dtype)


def _read_slice(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    """Bounds as attributes or tensors, axes to drop in decrease_axis."""
    starts = shape_from(slots, attrs, "starts", "StartsTensor", "StartsTensorList")
    ends = shape_from(slots, attrs, "ends", "EndsTensor", "EndsTensorList")
    return sliced(
        slots["Input"][0], attrs["axes"], starts, ends, None, attrs.get("decrease_axis") or ()
    )


def _read_strided(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    starts = shape_from(slots, attrs, "starts", "StartsTensor", "StartsTensorList")
    ends = shape_from(slots, attrs, "ends", "EndsTensor", "EndsTensorList")
    strides = sizes(shape_from(slots, attrs, "strides", "StridesTensor", "StridesTensorList"))
    ends = [  # Paddle 2 spells "to the beginning" -1; nothing else could be meant, as that is empty
        BEGIN if _is_backward(k) and is_known(b) and b == -1 else b
        for b, k in zip(sizes(ends), strides, strict=True)
    ]
    return sliced(
        slots["Input"][0], attrs["axes"], starts, ends, strides, attrs.get("decrease_axis") or ()
    )


def _write_slice(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    """Paddle counts axes from 0."""
    axes = [normalize_axis(a, specs[0].ndim) for a in attrs["axes"]]
    dropped = [normalize_axis(a, specs[0].ndim) for a in attrs["squeezed"]]
    return {"axes": axes, "decrease_axis": dropped, "infer_flags": [1] * len(axes)}


def _is_backward(stride: Dim) -> bool:
    return isinstance(stride, int) and stride < 0


def _turned(operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> tuple[Any, ...]:
    """x, flipped along the axes that are walked backwards.

    The versions of Paddle read the bounds of a negative stride in different ways.
    """
    turned = [a for a, k in zip(attrs["axes"], attrs["strides"], strict=True) if _is_backward(k)]
    return (flip(operands[0], turned),) if turned else operands


def _write_strided(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    """The attributes of a slice of x as `_turned` has it: the element -1 - i stands where i did."""
    backward = [_is_backward(k) for k in attrs["strides"]]
    bounds = {
        name: [-1 - b if back else b for b, back in zip(attrs[name], backward, strict=True)]
        for name in ("starts", "ends")
    }
    strides = [-k if back else k for k, back in zip(attrs["strides"], backward, strict=True)]
    return {**_write_slice(attrs, specs), **bounds, "strides": strides}


@primitive(
    name="slice",
    infer=_infer_slice,
    kernel=lambda x, axes, starts, ends, squeezed: x[
        _selection(x.ndim, axes, starts, ends, _ones(axes), squeezed)
    ],
    lower=lambda i, x, axes, starts, ends, squeezed: _picked(
        i, x, _ranges(x.shape, axes, starts, ends, _ones(axes), squeezed)
    ),
    grad=lambda g, specs, axes, starts, ends, squeezed: unslice(
        g, specs[0].shape, axes, starts, ends, _ones(axes), squeezed
    ),
    view=lambda base, part, axes, starts, ends, squeezed: set_slice(
        base, part, axes, starts, ends, _ones(axes), squeezed
    ),
    desc=Desc(
        "slice",
        {"Input": "x"},
        attrs={"axes": "axes", "starts": "starts", "ends": "ends", "decrease_axis": "squeezed"},
        write=_write_slice,
        read=_read_slice,
        size_slots={"starts": "StartsTensorList", "ends": "EndsTensorList"},
    ),
    moves=True,
)
def slice_op(
    x: Tensor,
    axes: tuple[int, ...],
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    squeezed: tuple[int, ...] = (),
) -> Tensor:
    """x[starts:ends] along `axes`. See `slice`."""


@slice_op.samples
def _(s):
    yield s(s.randn(4, 5), (0,), (1,), (3,))
    yield s(s.randn(4, 5), (0, -1), (-2, 1), (END, -1))
    yield s(s.randn(4, 5), (0, 1), (-1, 2), (END, 3), (0, 1))
    yield s(s.randn(4, 5), (1,), (3,), (2,))
    yield s(s.zeros(0, 2), (0,), (0,), (4,))
    yield s(s.ints(0, 9, 4), (0,), (1,), (9,))
    yield s.bad(
        AxisError,
        "index 4 is out of range for dimension 0 of size 4",
        s.randn(4),
        (0,),
        (4,),
        (5,),
        (0,),
    )
    yield s.bad(AxisError, "axes must be", s.randn(4), (1,), (0,), (1,))


@primitive(
    name="strided_slice",
    infer=lambda x, axes, starts, ends, strides, squeezed: Spec(
        _sliced_shape(x.shape, axes, starts, ends, strides, squeezed), x.dtype
    ),
    kernel=lambda x, axes, starts, ends, strides, squeezed: x[
        _selection(x.ndim, axes, starts, ends, strides, squeezed)
    ],
    lower=lambda i, x, axes, starts, ends, strides, squeezed: _picked(
        i, x, _ranges(x.shape, axes, starts, ends, strides, squeezed)
    ),
    grad=lambda g, specs, axes, starts, ends, strides, squeezed: unslice(
        g, specs[0].shape, axes, starts, ends, strides, squeezed
    ),
    view=lambda base, part, axes, starts, ends, strides, squeezed: set_slice(
        base, part, axes, starts, ends, strides, squeezed
    ),
    desc=Desc(
        "strided_slice",
        {"Input": "x"},
        attrs={"axes": "axes", "decrease_axis": "squeezed"},
        write=_write_strided,
        read=_read_strided,
        prepare=_turned,
        size_slots={
            "starts": "StartsTensorList",
            "ends": "EndsTensorList",
            "strides": "StridesTensorList",
        },
    ),
    moves=True,
)
def strided_slice_op(
    x: Tensor,
    axes: tuple[int, ...],
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    strides: tuple[int, ...],
    squeezed: tuple[int, ...] = (),
) -> Tensor:
    """x[starts:ends:strides] along `axes`. See `strided_slice`."""


@strided_slice_op.samples
def _(s):
    yield s(s.randn(5, 6), (0, 1), (0, 1), (END, 5), (2, 3))
    yield s(s.randn(5, 6), (0,), (-1,), (BEGIN,), (-1,))
    yield s(s.randn(5, 6), (0, 1), (3, 5), (0, 1), (-2, -1))
    yield s(s.randn(5, 6), (0, 1), (3, 5), (4, 1), (1, -1), (0,))
    yield s(s.zeros(0), (0,), (0,), (END,), (2,))
    yield s.bad(ArgumentError, "stride of 0", s.randn(4), (0,), (0,), (1,), (0,))
    yield s.bad(ArgumentError, "equally long", s.randn(4), (0,), (0, 1), (1,), (1,))


def _placed(part, shape, axes, starts, ends, strides, squeezed):
    out = np.zeros(shape, part.dtype)
    out[_selection(len(shape), axes, starts, ends, strides, squeezed)] = part
    return out


@primitive(
    infer=lambda part, shape, axes, starts, ends, strides, squeezed: Spec(shape, part.dtype),
    kernel=_placed,
    lower=lambda i, part, shape, axes, starts, ends, strides, squeezed: _replaced(
        i, part, _ranges(shape, axes, starts, ends, strides, squeezed), 0
    ),
    grad=lambda g, axes, starts, ends, strides, squeezed: strided_slice_op(
        g, axes, starts, ends, strides, squeezed
    ),
    moves=True,
)
def unslice(
    part: Tensor,
    shape: tuple[int, ...],
    axes: tuple[int, ...],
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    strides: tuple[int, ...],
    squeezed: tuple[int, ...] = (),
) -> Tensor:
    """Zeros of `shape` with a tensor in place of a slice: the transpose of `strided_slice`."""


@unslice.samples
def _(s):
    yield s(s.randn(2, 3), (4, 6), (0, 1), (1, 0), (3, END), (1, 2))
    yield s(s.randn(3), (4, 3), (0,), (-1,), (END,), (1,), (0,))
    yield s(s.randn(4), (4,), (0,), (-1,), (BEGIN,), (-1,))


def _infer_set_slice(
    x: Spec, value: Any, axes: Ints, starts: Ints, ends: Ints, strides: Ints, squeezed: Ints
) -> Spec:
    part = _sliced_shape(x.shape, axes, starts, ends, strides, squeezed)
    if isinstance(value, Spec) and None not in part and not may_expand(value.shape, part):
        raise ShapeError(
            f"a value of shape {list(value.shape)} does not fit the part of shape {list(part)}",
            cure="sizes of the value must be equal or 1",
        )
    return x


def _write_set_value(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    return {
        "axes": ("LONGS", list(attrs["axes"])),
        "starts": ("LONGS", list(attrs["starts"])),
        "ends": ("LONGS", list(attrs["ends"])),
        "steps": ("LONGS", list(attrs["strides"])),
        "decrease_axes": ("LONGS", list(attrs["squeezed"])),
        "none_axes": ("LONGS", []),
        "dtype": specs[0].dtype,
    }


def _read_set_value(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    x = slots["Input"][0]
    starts = tuple(sizes(slots.get("StartsTensorList") or attrs["starts"]))
    ends = tuple(sizes(slots.get("EndsTensorList") or attrs["ends"]))
    strides = tuple(sizes(slots.get("StepsTensorList") or attrs["steps"]))
    value = slots["ValueTensor"][0] if slots.get("ValueTensor") else _value_of(attrs, x)
    return set_slice(
        x, value, attrs["axes"], starts, ends, strides, tuple(attrs.get("decrease_axes") or ())
    )


def _value_of(attrs: dict[str, Any], x: Tensor) -> Any:
    values = list(
        attrs.get("values") or attrs.get("fp32_values") or attrs.get("int64_values") or ()
    )
    if len(values) != 1:
        raise ArgumentError(f"set_value with {len(values)} values and no ValueTensor is not served")
    return values[0]


@primitive(
    infer=_infer_set_slice,
    grad=lambda g, specs, wanted, axes, starts, ends, strides, squeezed: (
        set_slice(g, 0.0, axes, starts, ends, strides, squeezed) if wanted[0] else None,
        sum_to(strided_slice_op(g, axes, starts, ends, strides, squeezed), specs[1])
        if wanted[1]
        else None,
    ),
    desc=Desc(
        "set_value",
        {"Input": "x", "ValueTensor": "value"},
        write=_write_set_value,
        read=_read_set_value,
    ),
    moves=True,
)
def set_slice(
    x: Tensor,
    value: Tensor,
    axes: tuple[int, ...],
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    strides: tuple[int, ...],
    squeezed: tuple[int, ...] = (),
) -> Tensor:
    """x with x[starts:ends:strides] along `axes` replaced by `value`, which broadcasts to that
    part.

    x: [*]. value: a number, or a tensor of the dtype of x. Returns the shape of x. Raises
    ShapeError, AxisError.
    """


@set_slice.kernel
def _(x, value, axes, starts, ends, strides, squeezed):
    out = x.copy()
    out[_selection(x.ndim, axes, starts, ends, strides, squeezed)] = value
    return out


@set_slice.lower
def _(i, x, value, axes, starts, ends, strides, squeezed):
    return _replaced(i, value, _ranges(x.shape, axes, starts, ends, strides, squeezed), x[i])


@set_slice.samples
def _(s):
    yield s(s.randn(4, 5), s.randn(2, 5), (0,), (1,), (3,), (1,))
    yield s(s.randn(4, 5), s.randn(2, 1), (0, 1), (0, 1), (END, END), (2, 2))
    yield s(s.randn(4, 5), s.randn(), (0, 1), (0, 1), (1, 2), (1, 1), (0, 1))
    yield s(s.randn(4, 5), 2.5, (0,), (-1,), (BEGIN,), (-2,))
    yield s(s.ints(0, 9, 4), 3, (0,), (1,), (3,), (1,))
    yield s(s.zeros(0, 2), s.randn(2), (0,), (0,), (4,), (1,))
    yield s.bad(
        ShapeError, "does not fit the part", s.randn(4, 5), s.randn(3), (0,), (1,), (3,), (1,)
    )


def sliced(
    x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any = None, squeezed: Any = ()
) -> Any:
    """x[starts:ends:strides] along `axes`, bounds given in any of the ways that `sizes` knows."""
    along = tuple(normalize_axis(int(a), x.ndim, "axes") for a in axes)
    dropped = tuple(int(a) % x.ndim for a in squeezed)
    first, last = _clipped(sizes(starts, "starts")), _clipped(sizes(ends, "ends"))
    if strides is None:
        return slice_op.function(x, along, first, last, dropped)
    return strided_slice_op.function(x, along, first, last, sizes(strides, "strides"), dropped)


def _clipped(bounds: Iterable[Dim]) -> tuple[Any, ...]:
    """Bounds within 32 bits, as files hold them: larger ones mean the ends all the same."""
    return tuple(d if isinstance(d, SymbolicDim) else max(BEGIN, min(END, d)) for d in bounds)


@function(method=True)
def slice(input: Tensor, axes: Any, starts: Any, ends: Any) -> Tensor:
    """input[starts:ends] along `axes`.

    axes, starts, ends: lists of equal length; bounds as in Python's slices, numbers or 0-d tensors,
    or one 1-d tensor. Raises AxisError, ArgumentError.

    >>> twinoar.slice(twinoar.to_tensor([[1, 2, 3], [4, 5, 6]]), [0, 1], [0, -2], [1, 3]).tolist()
    [[2, 3]]
    """
    return sliced(input, axes, starts, ends)


@function(method=True)
def strided_slice(x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any) -> Tensor:
    """x[starts:ends:strides] along `axes`. Raises AxisError, ArgumentError.

    >>> twinoar.strided_slice(twinoar.to_tensor([1, 2, 3, 4]), [0], [-1], [-5], [-2]).tolist()
    [4, 2]
    """
    return sliced(x, axes, starts, ends, strides)

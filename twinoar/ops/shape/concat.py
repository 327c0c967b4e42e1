"""Tensors put together and taken apart: concat, stack, split, unbind and their kin."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import Dim, is_known
from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import size, sizes
from twinoar.ops.create.fill import identity
from twinoar.ops.math.cast import broadcast_to, promote_operands
from twinoar.ops.shape._join import MOST_PARTS, join
from twinoar.ops.shape.reshape import is_free, reshape_op, squeeze_op
from twinoar.ops.shape.slice import set_slice

MAX_PARTS = 2**16
COPIED = 1 << 18  # elements up to which NumPy, which copies whole rows, joins tensors no slower
VECTOR = 16  # elements side by side that one part has: then a vector is of one part


def _concatenated(*x: Spec, axis: int) -> Spec:
    first = x[0]
    at = normalize_axis(axis, first.ndim)
    total: Dim = 0
    for i, s in enumerate(x):
        same = s.ndim == first.ndim and all(
            m == n or not is_known(m, n)
            for k, (m, n) in enumerate(zip(s.shape, first.shape, strict=True))
            if k != at
        )
        if not same:
            raise ShapeError(
                f"x[{i}] of shape {list(s.shape)} does not join x[0] of shape "
                f"{list(first.shape)} along axis {at}",
                cure="all other sizes must be equal",
            )
        total = total + s.shape[at]
    return Spec((*first.shape[:at], total, *first.shape[at + 1 :]), first.dtype)


def _parted(g: Tensor, specs: Sequence[Spec], axis: int) -> tuple[Any, ...]:
    return split_sections(g, tuple(s.shape[axis] for s in specs), axis) if len(specs) > 1 else (g,)


@primitive(
    name="concat",
    infer=_concatenated,
    kernel=lambda *x, axis: np.concatenate(x, axis),
    grad=lambda g, specs, axis: _parted(g, specs, axis),
    promote=promote_operands,
    compiled_from=COPIED,
    desc=Desc(
        "concat",
        {"X": "x"},
        attrs={"axis": "axis"},
        read=lambda slots, attrs: concat(slots["X"], _axis_from(slots, attrs)),
    ),
    moves=True,
)
def concat_op(x: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors joined along an axis they have. See `concat`."""


@concat_op.lower
def _(x, axis):
    at = normalize_axis(axis, x[0].ndim)
    if _are_copied([part.shape for part in x], at):
        return None
    ends = itertools.accumulate(part.shape[at] for part in x)
    parts = [(part, end) for part, end in zip(x, ends, strict=True) if part.shape[at]]

    def element(i: Any) -> Any:
        out = None
        for part, end in reversed(parts):
            n = part.shape[at]
            own = part[(*i[:at], loop.clamped(i[at] - (end - n), n), *i[at + 1 :])]
            out = own if out is None else loop.select(i[at] < end, own, out)
        return out

    return element


def _are_copied(shapes: Sequence[Any], at: int) -> bool:
    """True where an element would ask for each part, or vectors of elements are of several."""
    before, after = (math.prod(dims) for dims in (shapes[0][:at], shapes[0][at + 1 :]))
    is_across = is_known(before, after) and before > 1 and after < VECTOR
    return len(shapes) > MOST_PARTS or (len(shapes) > 1 and is_across)


@concat_op.procedure
def _(p, x, axis):
    (out,) = p.results
    at = normalize_axis(axis, out.ndim)
    if not _are_copied([part.shape for part in x], at):
        return False
    join(p, out.along(at), [part.along(at) for part in x])
    return True


@concat_op.samples
def _(s):
    yield s([s.randn(2, n % 3) for n in range(10)], 1)
    yield s([s.randn(2, 3), s.randn(1, 3)])
    yield s([s.randn(2, 3), s.randn(2, 1), s.zeros(2, 0)], -1)
    yield s([s.randn(2)])
    yield s([s.ints(0, 9, 2), s.randn(2)], gradient=False)
    yield s.bad(ShapeError, "does not join", [s.randn(2, 3), s.randn(2, 4)])
    yield s.bad(ShapeError, "does not join", [s.randn(2, 3), s.randn(2)])


def _axis_from(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> int:
    given = slots.get("AxisTensor")
    return size(given[0], "axis") if given else attrs["axis"]  # type: ignore[return-value]


def _tensors(x: Any) -> tuple[Any, ...]:
    return (x,) if isinstance(x, Value) else tuple(x)


@function
def concat(x: Sequence[Tensor], axis: Any = 0) -> Tensor:
    """The tensors of x joined along an axis they have.

    x: equal shapes but for `axis`, promoted to one dtype. Returns the sizes along `axis` added.
    Raises ShapeError, AxisError.

    >>> twinoar.concat([twinoar.zeros([2, 3]), twinoar.ones([2, 1])], axis=1).shape
    [2, 4]
    """
    return concat_op.function(_tensors(x), size(axis, "axis"))


cat = concat


def _stacked(*x: Spec, axis: int) -> Spec:
    at = normalize_axis(axis, x[0].ndim + 1)
    for i, s in enumerate(x):
        if s.shape != x[0].shape and is_known(*s.shape, *x[0].shape):
            raise ShapeError(
                f"x[{i}] has shape {list(s.shape)}, x[0] has {list(x[0].shape)}; "
                "they must be equal",
                cure="pad or cut them to one shape; concat joins unequal sizes",
            )
    return Spec((*x[0].shape[:at], len(x), *x[0].shape[at:]), x[0].dtype)


@primitive(
    name="stack",
    infer=_stacked,
    kernel=lambda *x, axis: np.stack(x, axis),
    grad=lambda g, specs, axis: _unbound(g, axis, len(specs)),
    promote=promote_operands,
    desc=Desc("stack", {"X": "x"}, outputs=("Y",), attrs={"axis": "axis"}),
    moves=True,
)
def stack_op(x: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors of one shape joined along a new axis. See `stack`."""


@stack_op.lower
def _(x, axis):
    if len(x) > MOST_PARTS:
        return None
    at = normalize_axis(axis, x[0].ndim + 1)

    def element(i: Any) -> Any:
        own = [part[(*i[:at], *i[at + 1 :])] for part in x]
        return functools.reduce(
            lambda out, k: loop.select(loop.eq(i[at], k), own[k], out), range(1, len(x)), own[0]
        )

    return element


@stack_op.procedure
def _(p, x, axis):
    if len(x) <= MOST_PARTS:
        return False
    (out,) = p.results
    before, _, after = out.along(normalize_axis(axis, out.ndim)).shape
    join(p, out.reshape(before, len(x), after), [part.reshape(before, 1, after) for part in x])
    return True


@stack_op.samples
def _(s):
    yield s([s.randn(2, 3) for _ in range(10)], 1)
    yield s([s.randn(2, 3), s.randn(2, 3)])
    yield s([s.randn(2, 3), s.randn(2, 3)], -1)
    yield s([s.randn()])
    yield s([s.zeros(0, 2), s.zeros(0, 2)], 1)
    yield s.bad(ShapeError, "must be equal", [s.randn(2), s.randn(3)])


@function
def stack(x: Sequence[Tensor], axis: int = 0) -> Tensor:
    """The tensors of x, all of one shape, joined along a new axis. Raises ShapeError, AxisError.

    >>> twinoar.stack([twinoar.zeros([2]), twinoar.ones([2])], axis=1).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    return stack_op.function(_tensors(x), size(axis, "axis"))


def _cuts(sections: Sequence[int]) -> list[int]:
    return [int(c) for c in np.cumsum(sections)[:-1]]


def _split_specs(x: Spec, sections: tuple[int, ...], axis: int) -> tuple[Spec, ...]:
    at = normalize_axis(axis, x.ndim)
    total: Dim = sum(sections)
    if total != x.shape[at] and is_known(total, x.shape[at]):
        raise ShapeError(
            f"sections {list(sections)} add up to {total}, axis {at} of x has size {x.shape[at]}",
            cure="give sizes with that sum, or -1 for one of them",
        )
    return tuple(Spec((*x.shape[:at], n, *x.shape[at + 1 :]), x.dtype) for n in sections)


def _write_split(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    given = attrs["sections"]
    if all(is_known(n) for n in given):
        return {"sections": list(given), "num": 0}
    if all(n == given[0] for n in given):
        return {"sections": [], "num": len(given)}
    return {"sections": [n if is_known(n) else -1 for n in given], "num": 0}


@primitive(
    name="split",
    infer=_split_specs,
    grad=lambda gs, axis: concat_op(gs, axis),
    desc=Desc(
        "split",
        {"X": "x"},
        attrs={"axis": "axis"},
        write=_write_split,
        read=lambda slots, attrs: split(
            slots["X"][0],
            slots.get("SectionsTensorList") or attrs.get("sections") or attrs["num"],
            _axis_from(slots, attrs),
        ),
    ),
    moves=True,
)
def split_sections(x: Tensor, sections: tuple[int, ...], axis: int = 0) -> tuple[Tensor, ...]:
    """Parts of x along an axis, of the sizes in `sections`, at least two. See `split`."""


@split_sections.kernel
def _(x, sections, axis):
    if sum(sections) != x.shape[axis]:
        raise ShapeError(
            f"sections {list(sections)} add up to {sum(sections)}, axis {axis} has size "
            f"{x.shape[axis]}"
        )
    return tuple(np.split(x, _cuts(sections), axis))


@split_sections.lower
def _(i, x, sections, axis, nth):
    at = normalize_axis(axis, x.ndim)
    return x[(*i[:at], i[at] + sum(sections[:nth]), *i[at + 1 :])]


@split_sections.samples
def _(s):
    yield s(s.randn(5, 2), (2, 3))
    yield s(s.randn(2, 5), (1, 0, 4), -1)
    yield s(s.ints(0, 9, 4), (2, 2))
    yield s.bad(ShapeError, "add up to 4", s.randn(5), (2, 2))


@function(method=True)
def split(x: Tensor, num_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """Parts of x along an axis: as many equal ones as the number says, or of the sizes listed, one
    of which may be -1.

    Raises ShapeError where the parts do not add up, AxisError.

    >>> [part.shape for part in twinoar.split(twinoar.zeros([5, 2]), [1, -1])]
    [[1, 2], [4, 2]]
    """
    at = normalize_axis(size(axis, "axis"), x.ndim)  # type: ignore[arg-type]
    sections = _sections(x.spec.shape[at], num_or_sections, at)
    if len(sections) == 1:
        return [reshape_op(x, (*x.spec.shape[:at], sections[0], *x.spec.shape[at + 1 :]))]
    return list(split_sections.function(x, sections, at))


def _sections(total: Dim, wanted: Any, axis: int) -> tuple[Any, ...]:
    if isinstance(wanted, int):
        if wanted < 1 or (is_known(total) and total % wanted):
            raise ShapeError(
                f"axis {axis} of size {total} does not split into {wanted} equal parts",
                cure="list the sizes of the parts",
            )
        return (total // wanted,) * wanted
    found = sizes(wanted, "num_or_sections")
    free = [i for i, n in enumerate(found) if is_free(n)]
    if len(free) > 1 or not found:
        raise ShapeError(
            f"num_or_sections must have sizes and -1 at most once, received {list(found)}"
        )
    if not free:
        return found
    rest = total - sum(n for i, n in enumerate(found) if i != free[0])
    return (*found[: free[0]], rest, *found[free[0] + 1 :])


@function(method=True)
def chunk(x: Tensor, chunks: int, axis: Any = 0) -> list[Tensor]:
    """x in `chunks` equal parts along an axis. Raises ShapeError where it does not divide.

    >>> [part.shape for part in twinoar.chunk(twinoar.zeros([4, 2]), 2)]
    [[2, 2], [2, 2]]
    """
    return split(x, int(chunks), axis)


def _unbound_specs(x: Spec, axis: int) -> tuple[Spec, ...]:
    at = normalize_axis(axis, x.ndim)
    if not is_known(x.shape[at]):
        raise ShapeError(
            f"axis {at} has the unknown size {x.shape[at]}: the number of results must be known"
        )
    if x.shape[at] > MAX_PARTS:
        raise ShapeError(
            f"axis {at} has size {x.shape[at]}, and at most {MAX_PARTS} results are made",
            cure="index the tensor instead",
        )
    return tuple(Spec((*x.shape[:at], *x.shape[at + 1 :]), x.dtype) for _ in range(x.shape[at]))


def _slices(x: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple([x[i, ...] for i in range(len(x))])


@primitive(
    name="unbind",
    infer=_unbound_specs,
    kernel=lambda x, axis: _slices(np.moveaxis(x, axis, 0) if axis else x),
    grad=lambda gs, axis: stack_op(gs, axis),
    view=lambda base, part, nth, axis: set_slice(
        base, part, (axis,), (nth,), (nth + 1,), (1,), (axis,)
    ),
    desc=Desc(
        "unbind",
        {"X": "input"},
        attrs={"axis": "axis"},
        reads=("unstack",),
        read=lambda slots, attrs: tuple(unbind(slots["X"][0], attrs["axis"])),
    ),
    moves=True,
)
def unbind_op(input: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices of a tensor along an axis of size two or more, which is dropped. See `unbind`."""


@unbind_op.lower
def _(i, input, axis, nth):
    at = normalize_axis(axis, input.ndim)
    return input[(*i[:at], nth, *i[at:])]


@unbind_op.samples
def _(s):
    yield s(s.randn(3, 2))
    yield s(s.randn(2, 3), -1)
    yield s(s.randn(2))
    yield s(s.zeros(2, 0))


def _unbound(x: Tensor, axis: int, count: int) -> tuple[Any, ...]:
    if count > 1:
        return unbind_op.function(x, axis)
    return (squeeze_op(x, (axis,)),) if count else ()


@function(method=True, named=False)
def unbind(input: Tensor, axis: int = 0) -> list[Tensor]:
    """The slices of a tensor along an axis, which is dropped.

    Raises AxisError, ShapeError for an unknown size.

    >>> [row.tolist() for row in twinoar.unbind(twinoar.to_tensor([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    at = normalize_axis(axis, input.ndim)
    count = input.spec.shape[at]
    return list(_unbound(input, at, count if isinstance(count, int) else 2))


@function(method=True, named=False)
def unstack(x: Tensor, axis: int = 0, num: int | None = None) -> list[Tensor]:
    """As `unbind`, but copies. num: the size of the axis; ShapeError where it is another."""
    at = normalize_axis(axis, x.ndim)
    if num is not None and is_known(x.spec.shape[at]) and num != x.spec.shape[at]:
        raise ShapeError(f"num is {num}, axis {at} of x has size {x.spec.shape[at]}")
    parts = _unbound(x, at, num or x.spec.shape[at])  # type: ignore[arg-type]
    return [identity(part) for part in parts]


@op(desc=Desc("broadcast_tensors", {"X": "input"}))
def broadcast_all(input: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Two or more tensors, each expanded to the shape that all broadcast to.

    See `broadcast_tensors`.
    """
    shape = broadcast(*(x.spec.shape for x in input))
    return tuple(broadcast_to(x, shape) for x in input)


@broadcast_all.samples
def _(s):
    yield s([s.randn(2, 1), s.randn(3)])
    yield s([s.randn(2), s.randn(2, 2), s.randn()])
    yield s.bad(ShapeError, "do not broadcast", [s.randn(2), s.randn(3)])


@function
def broadcast_tensors(input: Sequence[Tensor]) -> list[Tensor]:
    """The tensors, each expanded to the shape that all broadcast to. Raises ShapeError.

    >>> [x.shape for x in twinoar.broadcast_tensors([twinoar.zeros([2, 1]), twinoar.zeros([3])])]
    [[2, 3], [2, 3]]
    """
    given = _tensors(input)
    return (
        list(broadcast_all(given))
        if len(given) > 1
        else [reshape_op(x, x.spec.shape) for x in given]
    )


@op(desc=Desc("meshgrid", {"X": "args"}))
def grid(args: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The coordinates of a grid, from two or more vectors. See `meshgrid`."""
    shape = tuple(x.spec.size for x in args)
    lines = [
        reshape_op(x, (1,) * i + shape[i : i + 1] + (1,) * (len(shape) - i - 1))
        for i, x in enumerate(args)
    ]
    return tuple(broadcast_to(line, shape) for line in lines)


@grid.samples
def _(s):
    yield s([s.randn(2), s.randn(3)])
    yield s([s.randn(2), s.randn(1), s.randn(3)])


@function
def meshgrid(
    *args: Tensor | Sequence[Tensor],
    name: str | None = None,
    indexing: Literal["ij", "xy"] | None = None,
) -> list[Tensor]:
    """The coordinates of a grid: result i holds the numbers of vector i along axis i.

    indexing: "xy" exchanges the first two axes of the grid. Raises ShapeError, ArgumentError.

    >>> [x.tolist() for x in twinoar.meshgrid(twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4]))]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    if indexing not in (None, "ij", "xy"):
        raise ArgumentError(f"indexing must be 'ij' or 'xy', received {indexing!r}")
    given: tuple[Any, ...] = args
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        given = tuple(args[0])
    lines = [reshape_op(x, (1,)) if x.ndim == 0 else x for x in given]
    if wrong := [x.spec for x in lines if x.ndim != 1]:
        raise ShapeError(f"meshgrid takes vectors, received {wrong[0]}")
    if len(lines) < 2:
        return lines
    if indexing == "xy":
        return _exchanged(grid(_exchanged(lines)))
    return list(grid(lines))


def _exchanged(parts: Sequence[Tensor]) -> list[Tensor]:
    """The parts with the first two in the other order."""
    first, second, *rest = parts
    return [second, first, *rest]

"""The same elements under another shape or order of axes: reshape, transpose, squeeze, flatten and
their kin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from twinoar.core.dim import Dim, is_known
from twinoar.core.dtype import DType
from twinoar.core.keyword import widens
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    function,
    loop,
    method,
    normalize_axis,
    op_named,
    primitive,
)
from twinoar.errors import AxisError, ShapeError, UnsupportedError
from twinoar.ops._sizes import Sizes, shape_from, sizes, written_shape


def is_free(d: Dim) -> bool:
    """True for the number -1, and not for a symbol, which equals -1 too."""
    return d.__class__ is int and d == -1


def _reshaped(x: Spec, shape: Shape) -> Spec:
    free = [i for i, d in enumerate(shape) if is_free(d)]
    if len(free) > 1:
        raise ShapeError(
            f"shape may hold -1 once, received {list(shape)}", cure="give all sizes but one"
        )
    if any(isinstance(d, int) and d < -1 for d in shape):
        raise ShapeError(f"sizes must be at least -1, received {list(shape)}")
    total = math.prod(x.shape)
    rest = math.prod(d for i, d in enumerate(shape) if i not in free)
    known = is_known(total, rest)
    if known and (rest != total if not free else (total % rest if rest else total)):
        raise ShapeError(
            f"x of shape {list(x.shape)} with {total} elements does not take the shape "
            f"{list(shape)}",
            cure="the products of both shapes must be equal; -1 stands for what remains",
        )
    if not free:
        return Spec(shape, x.dtype)
    if is_known(rest) and rest == 0:
        return Spec(_without_elements(x.shape, shape), x.dtype)
    return Spec((*shape[: free[0]], total // rest, *shape[free[0] + 1 :]), x.dtype)


def _without_elements(own: Shape, shape: Shape) -> Shape:
    """A shape with sizes of 0, in which -1 is what the others leave of the sizes that are not."""
    rest = math.prod(d for d in own if d) // math.prod(d for d in shape if d and d > 0)
    return tuple([rest if d == -1 else d for d in shape])


def _in_shape(x: Any, shape: Any) -> Any:
    return x.reshape(_without_elements(x.shape, shape) if 0 in shape and not x.size else shape)


def _in_order(i: Any, x: Any, spec: Any) -> Any:
    """The element of x at the position, in order, that index i has in a result of `spec`."""
    return x[loop.unflatten(loop.flatten(i, spec.shape), x.shape)]


def _in_shape_of(base: Tensor, part: Tensor, **attrs: Any) -> Tensor:
    """All elements of a view, as its base has them."""
    return reshape_op(part, base.spec.shape)


def _cut_in_order(x: Spec, specs: Any, **attrs: Any) -> list[tuple[tuple[int], tuple[int]]]:
    """Dimensions that are cut together: the first of those that hold the same elements."""
    if not x.size or not is_known(x.size):
        return []
    own, new = ([d for d, n in enumerate(shape) if n > 1] for shape in (x.shape, specs[0].shape))
    found = []
    while own:
        first, taken, made = (own[0], new[0]), x.shape[own.pop(0)], specs[0].shape[new.pop(0)]
        while taken != made:
            if taken < made:
                taken *= x.shape[own.pop(0)]
            else:
                made *= specs[0].shape[new.pop(0)]
        found.append(((first[0],), (first[1],)))
    return found


# What all share whose elements stay in order.
in_other_shape = partial(
    primitive,
    shard=_cut_in_order,
    lower=lambda i, x, spec: _in_order(i, x, spec),
    grad=lambda g, specs: reshape_op(g, specs[0].shape),
    view=_in_shape_of,
)


@in_other_shape(
    name="reshape",
    infer=_reshaped,
    kernel=_in_shape,
    desc=Desc(
        "reshape2",
        {"X": "x"},
        attrs={"shape": "shape"},
        extra_outputs=("XShape",),
        write=lambda attrs, specs: {"shape": written_shape(attrs["shape"], specs[0])},
        read=lambda slots, attrs: reshape(
            slots["X"][0], shape_from(slots, attrs, "shape", "Shape", "ShapeTensor")
        ),
        reads=("reshape",),
        size_slots={"shape": "ShapeTensor"},
    ),
    total=True,
    moves=True,
)
def reshape_op(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The elements of x, in order, under `shape`; one size may be -1, which is deduced.

    See `reshape`.
    """


@reshape_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), (4, 6))
    yield s(s.randn(2, 3, 4), (-1, 2))
    yield s(s.randn(), (1, 1))
    yield s(s.randn(1), ())
    yield s(s.zeros(0, 3), (3, -1))
    yield s(s.zeros(0, 4), (0, 2, -1))
    yield s(s.ints(0, 9, 4), (2, 2))
    yield s.bad(ShapeError, "does not take the shape", s.randn(2, 3), (4, 2))
    yield s.bad(ShapeError, "does not take the shape", s.randn(2, 3), (4, -1))
    yield s.bad(ShapeError, "-1 once", s.randn(2, 3), (-1, -1))


@function(method=True, inplace=True)
def reshape(x: Tensor, shape: Any, *more: int) -> Tensor:
    """The elements of x, in order, under another shape.

    x: [*]. shape: sizes; -1, once, is deduced, 0 copies the size of x at that place, or is 0 where
    x has no elements and copying does not fit. Returns `shape`. Raises ShapeError where the numbers
    of elements differ.

    >>> twinoar.reshape(twinoar.zeros([2, 6]), [0, 3, -1]).shape
    [2, 3, 2]
    """
    return reshape_op.function(x, _requested(x, (shape, *more) if more else shape))


def _requested(x: Tensor, shape: Any) -> Sizes:
    found = sizes(shape)
    if 0 not in found:
        return found
    own = x.spec.shape
    copied = tuple(own[i] if d == 0 and i < len(own) else d for i, d in enumerate(found))
    if 0 in own and is_known(*own, *found):  # no elements: a size is 0, or deduced to be
        return copied if (0 in copied) != (-1 in copied) else found
    if any(d == 0 for d in found[len(own) :]):
        raise ShapeError(
            f"0 copies a size of x, which has {len(own)} dimensions; received {list(found)}",
            cure="give the size itself, or -1 to have it deduced",
        )
    return copied


@function(method=True)
def view(x: Tensor, shape_or_dtype: Any, *more: int) -> Tensor:
    """The elements of x under another shape, or the bits of x as elements of another dtype.

    A shape is taken as `reshape` does. A dtype makes the last size larger or smaller where its
    elements are of other sizes; no gradient flows but between complex numbers and their parts.
    Raises ShapeError.

    >>> twinoar.view(twinoar.zeros([2, 6]), [3, 4]).shape
    [3, 4]
    >>> twinoar.view(twinoar.ones([1]), "int32").tolist()
    [1065353216]
    """
    if isinstance(shape_or_dtype, (str, DType)):
        return op_named("view_dtype")(x, shape_or_dtype)
    return reshape(x, shape_or_dtype, *more)


@function(method=True)
def view_as(x: Tensor, other: Tensor) -> Tensor:
    """The elements of x under the shape of `other`."""
    return reshape_op(x, other.spec.shape)


def _transposed(x: Spec, perm: tuple[int, ...]) -> Spec:
    if len(perm) != x.ndim or len({normalize_axis(p, x.ndim, "perm") for p in perm}) != x.ndim:
        raise AxisError(
            f"perm must hold each of {x.ndim} axes once, received {list(perm)}",
            cure="list all axes, such as [1, 0] to exchange two",
        )
    return Spec(tuple(x.shape[p] for p in perm), x.dtype)


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(perm)), key=lambda i: perm[i] % len(perm)))


@primitive(
    name="transpose",
    infer=_transposed,
    kernel=lambda x, perm: x.transpose(perm),
    grad=lambda g, perm: transpose_op(g, _inverse(perm)),
    view=lambda base, part, perm: transpose_op(part, _inverse(perm)),
    desc=Desc(
        "transpose2",
        {"X": "x"},
        attrs={"axis": "perm"},
        extra_outputs=("XShape",),
        reads=("transpose",),
    ),
    moves=True,
    lower=lambda i, x, perm: x[tuple(i[k] for k in _inverse(perm))],
)
def transpose_op(x: Tensor, perm: tuple[int, ...]) -> Tensor:
    """x with its axes in the order `perm`. See `transpose`."""


@transpose_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), (2, 0, 1))
    yield s(s.randn(2, 3), (-1, 0))
    yield s(s.randn(), ())
    yield s(s.zeros(0, 3), (1, 0))
    yield s(s.ints(0, 9, 2, 2), (1, 0))
    yield s.bad(AxisError, "each of 2 axes once", s.randn(2, 3), (0, 0))
    yield s.bad(AxisError, "each of 2 axes once", s.randn(2, 3), (0, 1, 2))
    yield s.bad(AxisError, "perm must be", s.randn(2, 3), (0, 2))


@function(method=True, inplace=True)
def transpose(x: Tensor, perm: Any, *more: int) -> Tensor:
    """x with its axes reordered: axis i of the result is axis perm[i] of x.

    x: [*]. perm: each axis once. Two numbers exchange those axes, as `swapaxes` does. Returns the
    shape in that order. Raises AxisError.

    >>> twinoar.transpose(twinoar.zeros([2, 3, 4]), [2, 0, 1]).shape
    [4, 2, 3]
    """
    if not more:
        return transpose_op.function(x, sizes(perm, "perm"))
    if len(more) == 1 and x.ndim != 2:
        return swapaxes(x, perm, more[0])
    if len(more) == 1 and sorted((perm % 2, more[0] % 2)) == [0, 1]:
        return transpose_op.function(x, (1, 0))
    return transpose_op.function(x, (perm, *more))


@widens(transpose)
@function(named=False)
def _transpose(x: Tensor, dim0: int, dim1: int) -> Tensor:
    """x with two axes exchanged."""
    return swapaxes(x, dim0, dim1)


@function(method=True)
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; vectors and numbers stay as they are.

    Raises ShapeError for more axes.

    >>> twinoar.t(twinoar.to_tensor([[1, 2]])).tolist()
    [[1], [2]]
    """
    if input.ndim > 2:
        raise ShapeError(
            f"t takes at most 2 dimensions, received {input.spec}", cure="use transpose(x, perm)"
        )
    return transpose_op(input, tuple(range(input.ndim))[::-1])


@function(method=True)
def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """x with the axes `source` moved to the places `destination`; the others keep their order.

    >>> twinoar.moveaxis(twinoar.zeros([2, 3, 4]), 0, -1).shape
    [3, 4, 2]
    """
    sources = [normalize_axis(a, x.ndim, "source") for a in sizes(source)]  # type: ignore[arg-type]
    places = [normalize_axis(a, x.ndim, "destination") for a in sizes(destination)]  # type: ignore[arg-type]
    if (
        len(sources) != len(places)
        or len({*sources}) != len(sources)
        or len({*places}) != len(places)
    ):
        raise AxisError(
            f"source {source} and destination {destination} must name as many different axes",
            cure="give both lists one length, and each axis once",
        )
    perm = [a for a in range(x.ndim) if a not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        perm.insert(place, axis)
    return transpose_op(x, tuple(perm))


@function(method="swapaxes swapdims")
def swapaxes(x: Tensor, axis0: int, axis1: int) -> Tensor:
    """x with two axes exchanged. Raises AxisError.

    >>> twinoar.zeros([2, 3, 4]).swapaxes(0, -1).shape
    [4, 3, 2]
    """
    perm = list(range(x.ndim))
    a, b = normalize_axis(axis0, x.ndim, "axis0"), normalize_axis(axis1, x.ndim, "axis1")
    perm[a], perm[b] = b, a
    return transpose_op(x, tuple(perm))


def _reversed(x: Tensor) -> Tensor:
    """The tensor with its axes in reverse order."""
    return transpose_op.function(x, tuple(range(x.ndim))[::-1])


def _matrices_transposed(x: Tensor) -> Tensor:
    """The tensor with its last two axes exchanged. Raises ShapeError below two dimensions."""
    if x.ndim < 2:
        raise ShapeError(f"mT needs at least 2 dimensions, received {x.spec}")
    return swapaxes(x, -1, -2)


method("T")(property(_reversed))  # type: ignore[type-var]
method("mT")(property(_matrices_transposed))  # type: ignore[type-var]


def _squeezed(x: Spec, axis: tuple[int, ...]) -> Spec:
    dropped = {normalize_axis(a, x.ndim) for a in axis}
    for a in dropped:
        if isinstance(x.shape[a], int) and x.shape[a] != 1:
            raise ShapeError(f"axis {a} has size {x.shape[a]}; only axes of size 1 can be dropped")
    return Spec(tuple(d for i, d in enumerate(x.shape) if i not in dropped), x.dtype)


def _write_squeeze(attrs: dict[str, Any], specs: tuple[Any, ...]) -> dict[str, Any]:
    """No axes mean all of size 1 in Paddle's files; an axis of another size is left alone there."""
    axes = list(attrs["axis"])
    kept = [i for i, d in enumerate(specs[0].shape) if isinstance(d, int) and d != 1]
    if not axes and not kept and specs[0].ndim:
        raise UnsupportedError("a squeeze that drops nothing has no form in Paddle's files")
    return {"axes": axes or kept[:1]}


@in_other_shape(
    name="squeeze",
    infer=_squeezed,
    kernel=lambda x, axis: x.squeeze(axis),
    desc=Desc(
        "squeeze2",
        {"X": "x"},
        attrs={"axes": "axis"},
        extra_outputs=("XShape",),
        write=_write_squeeze,
        read=lambda slots, attrs: squeeze(slots["X"][0], attrs.get("axes") or None),
        reads=("squeeze",),
    ),
    moves=True,
)
def squeeze_op(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """x without the axes in `axis`, each of size 1. See `squeeze`."""


@squeeze_op.samples
def _(s):
    yield s(s.randn(2, 1, 3, 1), (1, -1))
    yield s(s.randn(1), (0,))
    yield s(s.randn(2, 1), ())
    yield s(s.zeros(0, 1), (1,))
    yield s.bad(ShapeError, "has size 2", s.randn(2, 1), (0,))
    yield s.bad(AxisError, "axis must be", s.randn(2, 1), (2,))


@function(method=True, inplace=True)
def squeeze(x: Tensor, axis: Any = None) -> Tensor:
    """x without axes of size 1: those in `axis`, or all. An axis in `axis` of another size stays.

    An axis of unknown size is dropped where `axis` names it, and must then be 1 at run time. A
    tensor without dimensions has none to drop, and stays, for an axis of 0 or -1. Raises AxisError.

    >>> twinoar.squeeze(twinoar.zeros([1, 3, 1]), 0).shape
    [3, 1]
    """
    shape = x.spec.shape
    if axis is None:
        dropped = [i for i, d in enumerate(shape) if d.__class__ is int and d == 1]
    else:
        named = [normalize_axis(a, max(x.ndim, 1)) for a in sizes(axis, "axis")]  # type: ignore[arg-type]
        dropped = [
            a
            for a in dict.fromkeys(named)
            if x.ndim and (not isinstance(shape[a], int) or shape[a] == 1)
        ]
    return squeeze_op.function(x, tuple(dropped))


def _unsqueezed(shape: Shape, axis: tuple[int, ...]) -> Shape:
    ndim = len(shape) + len(axis)
    places = {normalize_axis(a, ndim) for a in axis}
    if len(places) != len(axis):
        raise AxisError(f"axis names a place twice: {list(axis)}")
    rest = iter(shape)
    return tuple([1 if i in places else next(rest) for i in range(ndim)])


@in_other_shape(
    name="unsqueeze",
    infer=lambda x, axis: Spec(_unsqueezed(x.shape, axis), x.dtype),
    kernel=lambda x, axis: x.reshape(_unsqueezed(x.shape, axis)),
    desc=Desc(
        "unsqueeze2",
        {"X": "x"},
        attrs={"axes": "axis"},
        extra_outputs=("XShape",),
        read=lambda slots, attrs: unsqueeze(
            slots["X"][0], shape_from(slots, attrs, "axes", "AxesTensor", "AxesTensorList")
        ),
        reads=("unsqueeze",),
    ),
    moves=True,
)
def unsqueeze_op(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """x with axes of size 1 at the places `axis` of the result. See `unsqueeze`."""


@unsqueeze_op.samples
def _(s):
    yield s(s.randn(2, 3), (0, 2))
    yield s(s.randn(), (0,))
    yield s(s.randn(2), (-1,))
    yield s(s.zeros(0), (1,))
    yield s.bad(AxisError, "axis must be", s.randn(2), (2,))
    yield s.bad(AxisError, "twice", s.randn(2), (0, -3))


@function(method=True, inplace=True)
def unsqueeze(x: Tensor, axis: Any) -> Tensor:
    """x with new axes of size 1, inserted one after the other at the places `axis`.

    Raises AxisError.

    >>> twinoar.unsqueeze(twinoar.zeros([2, 3]), [0, -1]).shape
    [1, 2, 3, 1]
    """
    order = [False] * x.ndim  # True where an axis is new
    for a in sizes(axis, "axis"):
        order.insert(normalize_axis(a, len(order) + 1), True)  # type: ignore[arg-type]
    return unsqueeze_op.function(x, tuple(i for i, new in enumerate(order) if new))


def _flattened(shape: Shape, start_axis: int, stop_axis: int) -> Shape:
    if not shape:
        return (1,)
    start = normalize_axis(start_axis, len(shape), "start_axis")
    stop = normalize_axis(stop_axis, len(shape), "stop_axis")
    if start > stop:
        raise AxisError(
            f"start_axis {start_axis} comes after stop_axis {stop_axis}", cure="exchange the two"
        )
    return (*shape[:start], math.prod(shape[start : stop + 1]), *shape[stop + 1 :])


def _counted_axes(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    """Axes counted from the front, as Paddle writes them; other readers misread negative ones."""
    ndim = specs[0].ndim
    return {name: axis + ndim if axis < 0 < ndim else axis for name, axis in attrs.items()}


@in_other_shape(
    method=True,
    inplace=True,
    infer=lambda x, start_axis, stop_axis: Spec(
        _flattened(x.shape, start_axis, stop_axis), x.dtype
    ),
    kernel=lambda x, start_axis, stop_axis: x.reshape(_flattened(x.shape, start_axis, stop_axis)),
    desc=Desc(
        "flatten_contiguous_range",
        {"X": "x"},
        attrs={"start_axis": "start_axis", "stop_axis": "stop_axis"},
        write=_counted_axes,
        extra_outputs=("XShape",),
    ),
    moves=True,
)
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1) -> Tensor:
    """x with the axes from start_axis to stop_axis, both included, made one.

    x: [*]; a number becomes [1]. Raises AxisError where an axis is out of range, or start_axis
    comes after stop_axis.

    >>> twinoar.flatten(twinoar.zeros([2, 3, 4]), 1).shape
    [2, 12]
    """


@flatten.samples
def _(s):
    yield s(s.randn(2, 3, 4))
    yield s(s.randn(2, 3, 4), 1)
    yield s(s.randn(2, 3, 4), 0, -2)
    yield s(s.randn())
    yield s(s.zeros(0, 3))
    yield s.bad(AxisError, "comes after", s.randn(2, 3), 1, 0)
    yield s.bad(AxisError, "stop_axis must be", s.randn(2, 3), 0, 2)

"""ATen's operators that read and write parts: by number, range, positions or mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import bool_
from twinoar.core.op.declare import normalize_axis, op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import target, tensor
from twinoar.ops.create.range import arange
from twinoar.ops.index.along_axis import put_along_axis, take_along_axis
from twinoar.ops.index.gather import index_select
from twinoar.ops.index.getitem import replaced
from twinoar.ops.index.mask import nonzero
from twinoar.ops.index.scatter import diagonal_scatter as on_diagonal
from twinoar.ops.index.scatter import index_fill as filled
from twinoar.ops.index.scatter import masked_scatter
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import (
    flatten,
    reshape,
)

FARTHEST = (1 << 63) - 1  # the end of a slice that has none


@target("aten.select", "aten.select_copy")
def select(self: Value, dim: int, index: Any) -> Any:
    """One part along a dimension, without it."""
    return self[(*[slice(None)] * normalize_axis(dim, self.ndim), index)]


@target("aten.slice", "aten.slice_copy")
def sliced(self: Value, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """Every `step`-th part along a dimension."""
    whole = isinstance(end, int) and end >= FARTHEST
    part = slice(start, None if whole else end, None if step == 1 else step)
    return self[(*[slice(None)] * normalize_axis(dim, self.ndim), part)]


@target("aten.narrow", "aten.narrow_copy")
def narrow(self: Value, dim: int, start: Any, length: Any) -> Any:
    """So many parts along a dimension."""
    first = start + self.spec.shape[dim] if isinstance(start, int) and start < 0 else start
    return sliced(self, dim, first, first + length)


@target("aten.index", "aten._unsafe_index")
def index(self: Value, indices: Sequence[Value | None]) -> Any:
    """The elements at positions, which are tensors for some of the dimensions."""
    return self[tuple(slice(None) if i is None else i for i in indices)]


@target("aten.index_put", "aten._unsafe_index_put")
def index_put(
    self: Value, indices: Sequence[Value | None], values: Value, accumulate: bool = False
) -> Any:
    """self with other values at positions, or added there."""
    item = tuple(slice(None) if i is None else i for i in indices)
    if not accumulate:
        return replaced(self, item, astype(values, self.dtype))
    if any(i is not None and i.dtype == bool_ for i in indices):
        raise UnsupportedError("values are added where a mask holds")
    return op_named("index_put")(self, values, _of_all(self, indices), accumulate=True)


def _of_all(x: Value, indices: Sequence[Value | None]) -> list[Value]:
    """Positions for each of the dimensions up to the last that has some, which broadcast.

    As in NumPy, the dimensions of the positions stand where the first of these stood, or first of
    all if there is a dimension without positions between.
    """
    named = [axis for axis, i in enumerate(indices) if i is not None]
    wide = max(i.ndim for i in indices if i is not None)
    is_apart = named[-1] - named[0] >= len(named)
    first = 0 if is_apart else named[0]
    free = [axis for axis in range(len(indices)) if axis not in named]
    rank = wide + len(free)
    found = []
    for axis, i in enumerate(indices):
        if i is not None:
            found.append(reshape(i, [*i.spec.shape, *[1] * (rank - first - wide)]))
            continue
        size, place = x.spec.shape[axis], free.index(axis)
        if not isinstance(size, int):
            raise UnsupportedError("values are added along a dimension of unknown size")
        place += wide if place >= first else 0
        found.append(reshape(arange(size), [size, *[1] * (rank - place - 1)]))
    return found


@target("aten.select_scatter")
def select_scatter(self: Value, src: Value, dim: int, index: Any) -> Any:
    """self with src as one part along a dimension."""
    item = (*[slice(None)] * normalize_axis(dim, self.ndim), index)
    return replaced(self, item, astype(src, self.dtype))


@target("aten.slice_scatter")
def slice_scatter(
    self: Value, src: Value, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Any:
    """self with src as every `step`-th part along a dimension."""
    whole = isinstance(end, int) and end >= FARTHEST
    part = slice(start, None if whole else end, None if step == 1 else step)
    item = (*[slice(None)] * normalize_axis(dim, self.ndim), part)
    return replaced(self, item, astype(src, self.dtype))


@target("aten.index_select")
def selected(self: Value, dim: int, index: Value) -> Any:
    """Parts along a dimension."""
    return index_select(self, index, dim)


@target("aten.gather")
def gather(self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Any:
    """For each position the element that it names along a dimension."""
    return take_along_axis(self, index, dim, broadcast=False)


@target("aten.take_along_dim")
def take_along_dim(self: Value, indices: Value, dim: int | None = None) -> Any:
    """As gather, with shapes that broadcast."""
    if dim is None:
        return take_along_axis(flatten(self), flatten(indices), 0)
    return take_along_axis(self, indices, dim)


@target("aten.take")
def take(self: Value, index: Value) -> Any:
    """Elements by their place among all."""
    return reshape(self, [-1])[index]


REDUCTIONS = {
    "add": "add", "sum": "add", "multiply": "mul", "prod": "mul", "mean": "mean", "amax": "amax",
    "amin": "amin",
}  # fmt: skip


@target("aten.scatter")
def scatter(
    self: Value, dim: int, index: Value, src: Any = None, value: Any = None, reduce: str = ""
) -> Any:
    """self with elements at the positions that the index names along a dimension."""
    given = tensor(value if src is None else src, self.dtype)
    if src is None:
        given = broadcast_to(given, list(index.spec.shape))
    how = REDUCTIONS[reduce] if reduce else "assign"
    return put_along_axis(self, index, given, dim, how, broadcast=False)


@target("aten.scatter_add")
def scatter_add(self: Value, dim: int, index: Value, src: Value) -> Any:
    """self plus elements at such positions."""
    return put_along_axis(self, index, src, dim, "add", broadcast=False)


@target("aten.scatter_reduce")
def scatter_reduce(
    self: Value, dim: int, index: Value, src: Value, reduce: str, include_self: bool = True
) -> Any:
    """self reduced with elements at such positions."""
    return put_along_axis(self, index, src, dim, REDUCTIONS[reduce], include_self, broadcast=False)


@target("aten.index_add")
def index_add(self: Value, dim: int, index: Value, source: Value, alpha: Any = 1) -> Any:
    """self plus parts along a dimension."""
    return op_named("added_at")(self, index, source * alpha if alpha != 1 else source, axis=dim)


@target("aten.index_copy")
def index_copy(self: Value, dim: int, index: Value, source: Value) -> Any:
    """self with other parts along a dimension."""
    axis = normalize_axis(dim, self.ndim)
    item = (*[slice(None)] * axis, index)
    return replaced(self, item, astype(source, self.dtype))


@target("aten.index_fill")
def index_fill(self: Value, dim: int, index: Value, value: Any) -> Any:
    """self with a number in parts along a dimension."""
    return filled(self, index, dim, value)


@target("aten.diagonal_scatter")
def diagonal_scatter(self: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """self with src as a diagonal of two dimensions."""
    return on_diagonal(self, astype(src, self.dtype), offset, dim1, dim2)


@target("aten.masked_scatter")
def scattered(self: Value, mask: Value, source: Value) -> Any:
    """self with the elements of source, in order, where the mask holds."""
    return masked_scatter(self, mask, source)


@target("aten.masked_select")
def masked_select(self: Value, mask: Value) -> Any:
    """The elements where the mask holds."""
    return op_named("masked_select")(self, mask)


@target("aten.nonzero", "aten.argwhere")
def positions(self: Value) -> Any:
    """The positions of what is not zero."""
    return nonzero(self)

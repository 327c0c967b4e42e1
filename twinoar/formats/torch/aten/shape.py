"""ATen's operators that move elements: shapes, orders, parts, positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import DType, int64
from twinoar.core.op.declare import normalize_axis, op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import result_dtype, same, target, tensor
from twinoar.ops.index.repeat import repeat_interleave
from twinoar.ops.index.strided import as_strided, unfold
from twinoar.ops.linalg.product import kron
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.concat import chunk, concat, meshgrid, split, stack, unbind
from twinoar.ops.shape.expand import broadcast_to, expand_as, tile
from twinoar.ops.shape.pad import pad
from twinoar.ops.shape.reorder import rot90
from twinoar.ops.shape.reshape import (
    flatten,
    moveaxis,
    reshape,
    squeeze,
    swapaxes,
    transpose,
    unsqueeze,
)
from twinoar.ops.shape.roll import flip, roll
from twinoar.ops.shape.stack import dstack as depth_stacked
from twinoar.ops.shape.stack import tensor_split

same("alias=identity detach=identity lift_fresh_copy=identity lift=identity lift_fresh=identity")
same("alias_copy=identity detach_copy=identity data=identity")


@target("aten.clone", "aten.contiguous")
def clone(self: Value) -> Any:
    """self: a Program has values, which share nothing."""
    return op_named("identity")(self)


@target("aten.copy")
def copy(self: Value, src: Any, non_blocking: bool = False) -> Any:
    """src in the shape and dtype of self."""
    return broadcast_to(tensor(src, self.dtype), list(self.spec.shape))


@target("aten.fill")
def fill(self: Value, value: Any) -> Any:
    """A number in the shape and dtype of self."""
    return copy(self, value)


@target("aten.zero")
def zero(self: Value) -> Any:
    """Zeros in the shape and dtype of self."""
    return copy(self, 0)


@target("aten.view", "aten._unsafe_view", "aten.view_copy")
def view(self: Value, size: Sequence[Any]) -> Any:
    """self in another shape."""
    return reshape(self, list(size))


@target("aten.view.dtype")
def view_dtype(self: Value, dtype: DType) -> Any:
    """The bytes of self as another dtype."""
    return op_named("view_dtype")(self, dtype)


@target("aten.reshape", "aten._reshape_alias", "aten._reshape_copy")
def reshaped(self: Value, shape: Sequence[Any] = (), size: Any = None, stride: Any = None) -> Any:
    """self in another shape."""
    return reshape(self, list(shape if size is None else size))


@target("aten.view_as", "aten.reshape_as")
def view_as(self: Value, other: Value) -> Any:
    """self in the shape of another tensor."""
    return reshape(self, list(other.spec.shape))


@target("aten.flatten")
def flattened(self: Value, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Some dimensions as one."""
    return flatten(self, start_dim, end_dim) if self.ndim else reshape(self, [1])


@target("aten.ravel")
def ravel(self: Value) -> Any:
    """All dimensions as one."""
    return reshape(self, [-1])


@target("aten.unflatten")
def unflatten(self: Value, dim: int, sizes: Sequence[Any]) -> Any:
    """One dimension as several."""
    axis, shape = normalize_axis(dim, self.ndim), list(self.spec.shape)
    return reshape(self, [*shape[:axis], *sizes, *shape[axis + 1 :]])


@target("aten.permute", "aten.permute_copy")
def permute(self: Value, dims: Sequence[int]) -> Any:
    """The dimensions in another order."""
    return transpose(self, [normalize_axis(d, self.ndim) for d in dims])


@target("aten.transpose", "aten.transpose_copy", "aten.swapdims")
def transposed(self: Value, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged."""
    return swapaxes(self, dim0, dim1) if self.ndim else self


@target("aten.swapaxes")
def axes_swapped(self: Value, axis0: int, axis1: int) -> Any:
    """Two dimensions exchanged."""
    return transposed(self, axis0, axis1)


@target("aten.t", "aten.t_copy")
def t(self: Value) -> Any:
    """A matrix transposed."""
    return transposed(self, 0, 1) if self.ndim == 2 else self


@target("aten.mT", "aten.matrix_H", "aten.adjoint")
def matrices_transposed(self: Value) -> Any:
    """The last two dimensions exchanged."""
    return swapaxes(self, -1, -2)


@target("aten.numpy_T")
def all_transposed(self: Value) -> Any:
    """The dimensions in reverse order."""
    return transpose(self, list(range(self.ndim))[::-1])


@target("aten.movedim", "aten.moveaxis")
def movedim(self: Value, source: Any, destination: Any) -> Any:
    """Dimensions at other places."""
    return moveaxis(self, source, destination)


@target("aten.squeeze", "aten.squeeze_copy")
def squeezed(self: Value, dim: Any = None) -> Any:
    """self without dimensions of size 1."""
    if dim is None:
        return squeeze(self)
    axes = [normalize_axis(d, max(self.ndim, 1)) for d in (dim if isinstance(dim, list) else [dim])]
    unit = [axis for axis in axes if self.ndim and self.spec.shape[axis] == 1]
    return squeeze(self, unit) if unit else op_named("identity")(self)


@target("aten.unsqueeze", "aten.unsqueeze_copy")
def unsqueezed(self: Value, dim: int) -> Any:
    """self with one more dimension, of size 1."""
    return unsqueeze(self, dim)


@target("aten.expand", "aten.expand_copy")
def expanded(self: Value, size: Sequence[Any], implicit: bool = False) -> Any:
    """self repeated along dimensions of size 1; -1 leaves a size as it is."""
    own = [*[1] * (len(size) - self.ndim), *self.spec.shape]
    wanted = [o if isinstance(s, int) and s == -1 else s for s, o in zip(size, own, strict=True)]
    return broadcast_to(self, wanted)


@target("aten.broadcast_to")
def broadcast(self: Value, size: Sequence[Any]) -> Any:
    """self repeated along dimensions of size 1."""
    return expanded(self, size)


@target("aten.expand_as")
def as_other(self: Value, other: Value) -> Any:
    """self repeated to the shape of another tensor."""
    return expand_as(self, other)


@target("aten.broadcast_tensors")
def broadcast_tensors(tensors: Sequence[Value]) -> Any:
    """The tensors in their common shape."""
    return op_named("broadcast_all")(list(tensors))


@target("aten.repeat")
def repeat(self: Value, repeats: Sequence[Any]) -> Any:
    """self put together so often along each dimension."""
    return tile(self, list(repeats))


@target("aten.tile")
def tiled(self: Value, dims: Sequence[Any]) -> Any:
    """self put together so often along the last dimensions."""
    return tile(self, list(dims))


@target("aten.repeat_interleave.self_int", "aten.repeat_interleave.self_Tensor")
def repeated(self: Value, repeats: Any, dim: int | None = None, output_size: Any = None) -> Any:
    """Each element so often, one after the other."""
    return repeat_interleave(self, repeats, dim)


@target("aten.cat", "aten.concat", "aten.concatenate")
def cat(tensors: Sequence[Value], dim: int = 0) -> Any:
    """Tensors one after the other; those of one dimension without elements are left out."""
    dtype = result_dtype(*tensors)
    kept = [x for x in tensors if x.spec.shape != (0,)] or list(tensors[:1])
    return concat([astype(x, dtype) for x in kept], dim)


@target("aten.stack")
def stacked(tensors: Sequence[Value], dim: int = 0) -> Any:
    """Tensors along a new dimension."""
    dtype = result_dtype(*tensors)
    return stack([astype(x, dtype) for x in tensors], dim)


@target("aten.hstack")
def hstack(tensors: Sequence[Value]) -> Any:
    """Tensors beside each other."""
    return cat(tensors, 0 if tensors[0].ndim == 1 else 1)


@target("aten.vstack", "aten.row_stack")
def vstack(tensors: Sequence[Value]) -> Any:
    """Tensors below each other."""
    return cat([unsqueeze(x, 0) if x.ndim == 1 else x for x in tensors], 0)


@target("aten.dstack")
def dstack(tensors: Sequence[Value]) -> Any:
    """Tensors behind each other."""
    return depth_stacked(list(tensors))


@target("aten.column_stack")
def column_stack(tensors: Sequence[Value]) -> Any:
    """Tensors beside each other, vectors as columns."""
    return cat([unsqueeze(x, 1) if x.ndim == 1 else x for x in tensors], 1)


@target("aten.split")
def parts(self: Value, split_size: Any, dim: int = 0) -> Any:
    """Parts of a size, the last of what is left."""
    total = self.spec.shape[dim]
    if not isinstance(total, int):
        raise UnsupportedError("a dimension of unknown size is split into parts of a size")
    if isinstance(split_size, (list, tuple)):
        return split(self, list(split_size), dim)
    full, rest = divmod(total, split_size)
    return split(self, [split_size] * full + ([rest] if rest or not full else []), dim)


@target("aten.split_with_sizes", "aten.split.sizes", "aten.split_with_sizes_copy")
def parts_of_sizes(
    self: Value, split_sizes: Any = None, dim: int = 0, split_size: Any = None
) -> Any:
    """Parts of these sizes."""
    return split(self, list(split_size if split_sizes is None else split_sizes), dim)


@target("aten.chunk")
def chunked(self: Value, chunks: int, dim: int = 0) -> Any:
    """At most so many parts of one size, the last of what is left."""
    total = self.spec.shape[dim]
    if isinstance(total, int):
        return parts(self, max(-(-total // chunks), 1), dim)
    return chunk(self, chunks, dim)


@target("aten.tensor_split")
def evenly(self: Value, sections: Any = None, dim: int = 0, indices: Any = None) -> Any:
    """Parts of nearly one size, or between these positions."""
    return tensor_split(self, sections if indices is None else list(indices), dim)


@target("aten.unbind", "aten.unbind_copy")
def unbound(self: Value, dim: int = 0) -> Any:
    """The parts along a dimension, without it."""
    return unbind(self, dim)


@target("aten.flip")
def flipped(self: Value, dims: Sequence[int]) -> Any:
    """The parts along dimensions in reverse order."""
    return flip(self, list(dims)) if dims else op_named("identity")(self)


@target("aten.roll")
def rolled(self: Value, shifts: Any, dims: Sequence[int] = ()) -> Any:
    """The parts along dimensions moved around; without dims of all elements."""
    return roll(self, list(shifts), list(dims) if dims else None)


@target("aten.fliplr")
def mirrored(self: Value) -> Any:
    """Each row in reverse order."""
    return flip(self, [1])


@target("aten.flipud")
def upside_down(self: Value) -> Any:
    """The rows in reverse order."""
    return flip(self, [0])


@target("aten.rot90")
def turned(self: Value, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    """A plane turned by right angles."""
    return rot90(self, k, list(dims))


@target("aten.constant_pad_nd")
def constant_pad(self: Value, pad: Sequence[int], value: Any = 0) -> Any:
    """self with a number around it; pad: the last dimension first. Less than zero cuts."""
    item, paddings = [slice(None)] * self.ndim, [0] * (2 * self.ndim)
    for n in range(len(pad) // 2):
        axis, (before, after) = self.ndim - 1 - n, pad[2 * n : 2 * n + 2]
        item[axis] = slice(-min(before, 0), min(after, 0) or None)
        paddings[2 * axis : 2 * axis + 2] = [max(before, 0), max(after, 0)]
    cut = self[tuple(item)] if any(p < 0 for p in pad) else self
    return op_named("pad_constant")(cut, paddings, float(value))


@target("aten.pad")
def padded(
    self: Value, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Any:
    """self with something around it."""
    return constant_pad(self, pad, value or 0) if mode == "constant" else bordered(self, pad, mode)


def bordered(x: Value, paddings: Sequence[int], mode: str) -> Any:
    """x with its own elements around the last dimensions."""
    rank = len(paddings) // 2
    lead = x.ndim - rank
    batch = x if lead == 2 else unsqueeze(x, list(range(2 - lead)))
    out = pad(batch, list(paddings), mode, data_format={1: "NCL", 2: "NCHW", 3: "NCDHW"}[rank])
    return out if lead == 2 else squeeze(out, list(range(2 - lead)))


for rank in (1, 2, 3):
    for theirs, mode in (("reflection", "reflect"), ("replication", "replicate")):
        target(f"aten.{theirs}_pad{rank}d")(
            lambda self, padding, mode=mode: bordered(self, padding, mode)
        )


@target("aten.unfold", "aten.unfold_copy")
def windows(self: Value, dimension: int, size: int, step: int) -> Any:
    """Windows along a dimension, as a new last one."""
    return unfold(self, dimension, size, step)


@target("aten.as_strided", "aten.as_strided_copy")
def strided(
    self: Value, size: Sequence[Any], stride: Sequence[Any], storage_offset: int | None = None
) -> Any:
    """Elements of self, taken for contiguous, at steps of one's own."""
    return as_strided(self, list(size), list(stride), storage_offset or 0)


@target("aten.meshgrid")
def grids(tensors: Sequence[Value], indexing: str = "ij") -> Any:
    """The coordinates of a grid."""
    return meshgrid(*tensors, indexing="xy" if indexing == "xy" else "ij")


@target("aten.diagonal", "aten.diagonal_copy", "aten.linalg_diagonal")
def diagonal(self: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The diagonals of two dimensions, as the last one."""
    return op_named("diagonal")(self, offset, dim1, dim2)


@target("aten.diag_embed")
def diag_embed(self: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The last dimension as a diagonal."""
    return op_named("diag_embed")(self, offset, dim1, dim2)


@target("aten.diagflat")
def diagflat(self: Value, offset: int = 0) -> Any:
    """A matrix with all elements on a diagonal."""
    return op_named("diag")(reshape(self, [-1]), offset)


@target("aten.diag")
def diag(self: Value, diagonal: int = 0) -> Any:
    """The diagonal of a matrix, or a matrix with a diagonal."""
    return op_named("diag")(self, diagonal)


@target("aten.tril")
def tril(self: Value, diagonal: int = 0) -> Any:
    """What lies below a diagonal."""
    return op_named("tril")(self, diagonal)


@target("aten.triu")
def triu(self: Value, diagonal: int = 0) -> Any:
    """What lies above a diagonal."""
    return op_named("triu")(self, diagonal)


@target("aten.kron")
def product_of_blocks(self: Value, other: Value) -> Any:
    """Each element of self times all of other."""
    return kron(self, other)


@target("aten.one_hot")
def one_hot(self: Value, num_classes: int = -1) -> Any:
    """1 at the place that a number names, and 0 elsewhere."""
    if num_classes < 0:
        raise UnsupportedError("one_hot without a number of classes, which the data decides")
    return astype(op_named("one_hot")(self, num_classes), int64)

"""A few functions by the place that PyTorch has for them, `torch.functional`."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.core.op.function import function
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index.unique import unique_consecutive
from twinoar.ops.linalg.einsum import einsum
from twinoar.ops.linalg.vector_norm import norm
from twinoar.ops.shape import concat as join
from twinoar.ops.shape.concat import meshgrid
from twinoar.ops.shape.expand import broadcast_shapes
from twinoar.ops.shape.stack import atleast_1d, atleast_2d, atleast_3d


@function(named=False)
def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Parts of a tensor along `dim`: all of one size but the last, or of the sizes given.

    `twinoar.split` takes the number of parts instead. Raises ArgumentError, ShapeError.

    >>> [part.tolist() for part in twinoar.functional.split(twinoar.arange(5), 2)]
    [[0, 1], [2, 3], [4]]
    """
    if not isinstance(split_size_or_sections, int):
        return tuple(join.split(tensor, list(split_size_or_sections), dim))
    size = split_size_or_sections
    if size < 1:
        raise ArgumentError(f"the size of parts must be 1 or more, received {size}")
    whole = tensor.shape[dim]
    if not isinstance(whole, int):
        raise ShapeError(f"the size of dimension {dim} must be known, it is {whole}")
    parts = [size] * (whole // size)
    if whole % size or not parts:
        parts.append(whole % size)
    return tuple(join.split(tensor, parts, dim))


__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_shapes",
    "einsum",
    "meshgrid",
    "norm",
    "split",
    "unique_consecutive",
]

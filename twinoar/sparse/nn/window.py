"""Convolution and pooling of sparse images: which elements each window has, then dense products.

A sparse image has positions [N,H,W] and rows of channels, [nnz,C]; a volume one axis more. Source:
Graham and van der Maaten 2017, arXiv 1706.01307.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.gather import gather, index_add
from twinoar.ops.index.segment import pooled_rows
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import (
    FORMATS,
    all_windows,
    check_weight,
    explicit_padding,
    per_axis,
)
from twinoar.sparse.tensor import SparseCooTensor, checked


class Windows(NamedTuple):
    """Windows that slide over an image; those that hold an element have a result.

    kernel, stride, dilation: for each axis. low: the padding in front. sizes: of the result.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    low: tuple[int, ...]
    sizes: tuple[int, ...]

    def elements(self, x: SparseCooTensor) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each place in a window: the elements of x there, and the windows that they are in."""
        stride, limits = _column(self.stride), _column(self.sizes)
        found = []
        for place in np.ndindex(*self.kernel):
            shift = _column(self.low) - _column(place) * _column(self.dilation)
            at, rest = np.divmod(x.places[1:] + shift, stride)
            held = np.flatnonzero(((rest == 0) & (at >= 0) & (at < limits)).all(0))
            where = (x.places[0, held], *at[:, held])
            found.append((held, np.ravel_multi_index(where, (x.shape[0], *self.sizes))))
        return found

    def result(self, x: SparseCooTensor, positions: np.ndarray, values: Any) -> SparseCooTensor:
        """The image of `values` at those windows, single numbers in order."""
        sizes = (x.shape[0], *self.sizes)
        places = np.stack(np.unravel_index(positions, sizes)).astype(np.int64)
        return SparseCooTensor(places, values, [*sizes, values.shape[-1]])


def image(x: Any, rank: int, data_format: str) -> SparseCooTensor:
    """x, a sparse image of `rank` axes with channels last, each position once.

    Raises TypeMismatchError, ArgumentError for another format, ShapeError.
    """
    wanted = FORMATS[rank][1]
    if data_format != wanted:
        raise ArgumentError(
            f"data_format must be {wanted}, received {data_format!r}",
            cure="channels are the rows that a sparse image holds: transpose it before",
        )
    source = checked(x).to_sparse_coo()
    if x.ndim != rank + 2 or len(source.places) != rank + 1:
        raise ShapeError(
            f"x must be {wanted} with positions that count all but C, received the shape "
            f"{x.shape} with {len(source.places)} dimensions counted",
            cure=f"make it with x.to_sparse_coo({rank + 1})",
        )
    return source if source.is_coalesced() else source.coalesce()


def sliding(
    x: SparseCooTensor, kernel: Sequence[int], stride: Any, padding: Any, dilation: Any, ceil: bool
) -> Windows:
    """The windows over x that Paddle's arguments mean. Raises ShapeError, ArgumentError."""
    rank, sizes = len(kernel), tuple(x.shape[1:-1])
    steps = per_axis(stride, rank, "stride")
    spread = per_axis(dilation, rank, "dilation")
    around: Any = explicit_padding(padding, FORMATS[rank][1], sizes, kernel, steps)
    shape: Any = all_windows(sizes, kernel, steps, around, spread, ceil)
    return Windows(tuple(kernel), steps, spread, around[::2], shape)


def convolved(
    x: SparseCooTensor,
    weight: Any,
    bias: Any,
    windows: Windows,
    positions: np.ndarray | None = None,
) -> SparseCooTensor:
    """The convolution of x with weight [*kernel,C,O] plus bias [O], where windows hold something.

    positions: the only windows wanted, single numbers in order.
    """
    pairs = windows.elements(x)
    if positions is None:
        positions = np.unique(np.concatenate([at for _, at in pairs]))
    else:
        wanted = [np.isin(at, positions) for _, at in pairs]
        pairs = [(e[w], at[w]) for (e, at), w in zip(pairs, wanted, strict=True)]
    used = [n for n, (elements, _) in enumerate(pairs) if len(elements)]
    filters = reshape(weight, [-1, *weight.shape[-2:]])
    values = zeros([len(positions), weight.shape[-1]], x.dtype)
    if used:
        held = x.values()
        parts = [matmul(gather(held, to_tensor(pairs[n][0])), filters[n]) for n in used]
        at = np.searchsorted(positions, np.concatenate([pairs[n][1] for n in used]))
        values = index_add(values, to_tensor(at), 0, concat(parts))
    return windows.result(x, positions, values if bias is None else values + bias)


def check_sizes(x: SparseCooTensor, weight: Any, groups: int) -> None:
    """Raise ShapeError or ArgumentError where weight, [*kernel,C,O], does not fit to x."""
    check_weight(weight.ndim, x.ndim)
    if groups != 1:
        raise ArgumentError(
            f"groups must be 1 in a sparse convolution, received {groups}",
            cure="convolve parts of the channels by themselves, and concat their values()",
        )
    if x.shape[-1] != weight.shape[-2]:
        raise ShapeError(f"x has {x.shape[-1]} channels, weight expects {weight.shape[-2]}")


def highest(x: SparseCooTensor, windows: Windows) -> SparseCooTensor:
    """The largest of the elements that each window holds, channel by channel."""
    pairs = windows.elements(x)
    elements, at = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    positions, rows = np.unique(at, return_inverse=True)
    if not len(positions):
        return windows.result(x, positions, zeros([0, x.shape[-1]], x.dtype))
    held = gather(x.values(), to_tensor(elements))
    found = pooled_rows(held, to_tensor(rows.astype(np.int64)), len(positions), pool="max")
    return windows.result(x, positions, found)


def _column(numbers: Sequence[int]) -> np.ndarray:
    return np.array(numbers, np.int64)[:, None]

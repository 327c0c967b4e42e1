"""Images as columns of their windows, and back: unfold and fold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import sizes
from twinoar.ops.shape.reshape import reshape, transpose
from twinoar.ops.window._geometry import all_windows, check_images, per_axis
from twinoar.ops.window.patches import patch_sum, patches

WINDOW = ("kernel_size", "stride", "padding", "dilation")


def _in_file(padding: Sequence[int]) -> tuple[int, ...]:
    """(top, bottom, left, right) as (top, left, bottom, right), and the other way round."""
    top, bottom, left, right = padding
    return top, left, bottom, right


ATTRS = {
    "kernel_sizes": "kernel_size",
    "strides": "stride",
    "paddings": ("padding", _in_file, _in_file),
    "dilations": "dilation",
}


@op(name="unfold", desc=Desc("unfold", {"X": "x"}, ("Y",), ATTRS))
def unfold_op(
    x: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
) -> Tensor:
    """The windows of images as columns: the operator under `unfold`."""
    check_images(x.ndim, "NCHW")
    n, c, h, w = x.spec.shape
    count = math.prod(all_windows((h, w), kernel_size, stride, padding, dilation))
    windows = transpose(patches(x, kernel_size, stride, padding, dilation), (0, 3, 4, 5, 1, 2))
    return reshape(windows, (n, c * math.prod(kernel_size), count))


@unfold_op.samples
def _(s):
    yield s(s.randn(2, 3, 4, 5), (3, 2))
    yield s(s.randn(1, 2, 5, 4), (2, 3), (2, 1), (1, 0, 2, 1), (2, 1))
    yield s.bad(ShapeError, "does not fit", s.randn(1, 1, 2, 2), (3, 3))
    yield s.bad(ShapeError, "4 dimensions", s.randn(1, 2, 2), (2, 2))


@op(name="fold", desc=Desc("fold", {"X": "x"}, ("Y",), {"output_sizes": "size", **ATTRS}))
def fold_op(
    x: Tensor,
    size: tuple[int, ...],
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
) -> Tensor:
    """Images as sums of columns: the operator under `fold`."""
    if x.ndim != 3:
        raise ShapeError(f"x must have 3 dimensions, [N,C KH KW,L], received {x.spec}")
    n, rows, count = x.spec.shape
    out = all_windows(size, kernel_size, stride, padding, dilation)
    if is_known(rows) and rows % math.prod(kernel_size):
        raise ShapeError(
            f"x has columns of {rows} elements, windows have {math.prod(kernel_size)} a channel"
        )
    if is_known(count, *out) and count != math.prod(out):
        raise ShapeError(
            f"x has {count} columns, and {math.prod(out)} windows fit into {list(size)}",
            cure="give the sizes, strides, paddings and dilations that the columns were made with",
        )
    channels = rows // math.prod(kernel_size)
    windows = transpose(reshape(x, (n, channels, *kernel_size, *out)), (0, 4, 5, 1, 2, 3))
    return patch_sum(windows, size, stride, padding, dilation)


@fold_op.samples
def _(s):
    yield s(s.randn(2, 12, 12), (4, 5), (2, 2))
    yield s(s.randn(1, 12, 12), (5, 4), (2, 3), (2, 1), (1, 1, 1, 1), (2, 1))
    yield s.bad(ShapeError, "12 windows fit", s.randn(2, 12, 11), (4, 5), (2, 2))
    yield s.bad(ShapeError, "columns of 11", s.randn(2, 11, 12), (4, 5), (2, 2))
    yield s.bad(ShapeError, "3 dimensions", s.randn(12, 12), (4, 5), (2, 2))


def _window(kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any) -> dict[str, Any]:
    """The arguments of both in normal form; paddings are one, two or four numbers."""
    given = list(paddings) if isinstance(paddings, (list, tuple)) else [paddings]
    if len(given) not in (1, 2, 4):
        raise ArgumentError(
            f"paddings must be 1, 2 or 4 integers, received {paddings!r}",
            cure="give (top, left, bottom, right)",
        )
    values = (
        per_axis(kernel_sizes, 2, "kernel_sizes"),
        per_axis(strides, 2, "strides"),
        _in_file([int(p) for p in given * (4 // len(given))]),
        per_axis(dilations, 2, "dilations"),
    )
    return dict(zip(WINDOW, values, strict=True))


@function
def unfold(
    x: Tensor, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1
) -> Tensor:
    """The windows of images as columns.

    x: [N,C,H,W]. kernel_sizes, strides, dilations: pixels, one number or (h, w). paddings: zeros
    around, one number, (h, w) or (top, left, bottom, right). Returns [N,C KH KW,L] with a column
    for each window. Raises ShapeError, ArgumentError.

    >>> x = twinoar.arange(4).astype("float32").reshape([1, 1, 2, 2])
    >>> twinoar.nn.functional.unfold(x, [1, 2]).tolist()
    [[[0.0, 2.0], [1.0, 3.0]]]
    """
    return unfold_op(x, **_window(kernel_sizes, strides, paddings, dilations))


@function
def fold(
    x: Tensor,
    output_sizes: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
) -> Tensor:
    """Images whose pixels are sums of the columns of windows that cover them.

    x: [N,C KH KW,L]. output_sizes: (H, W). The rest is as for `unfold`. Returns [N,C,H,W]. Raises
    ShapeError, ArgumentError.

    >>> x = twinoar.ones([1, 2, 2])
    >>> twinoar.nn.functional.fold(x, [1, 3], [1, 2]).flatten().tolist()
    [1.0, 2.0, 1.0]
    """
    size = sizes(output_sizes, "output_sizes")
    size = size * 2 if len(size) == 1 else size
    return fold_op(x, size, **_window(kernel_sizes, strides, paddings, dilations))

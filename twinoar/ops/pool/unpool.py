"""Maxima put back where they came from, zeros elsewhere: what undoes max pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import Dim, is_known
from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops._sizes import sizes
from twinoar.ops.index.along_axis import put_along_axis, take_along_axis
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze
from twinoar.ops.window._geometry import FORMATS, per_axis


def _columns(x: Tensor) -> Tensor:
    """[N,C,*] as [N,C,L]."""
    return reshape(x, (*x.spec.shape[:2], -1))


@op(
    name="max_unpool",
    grad=lambda g, indices: (
        reshape(
            take_along_axis(_columns(g), astype(_columns(indices), int64), 2), indices.spec.shape
        ),
        None,
    ),
    desc=Desc(
        "unpool",
        {"X": "x", "Indices": "indices"},
        attrs={
            "ksize": "kernel_size",
            "strides": "stride",
            "paddings": "padding",
            "output_size": "output_size",
        },
        fixed={"unpooling_type": "max"},
        write=lambda attrs, specs: {"data_format": "NCHW"},
    ),
)
def max_unpool_op(
    x: Tensor,
    indices: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: tuple[int, ...],
    output_size: tuple[int, ...],
) -> Tensor:
    """Maxima at their positions: the operator under `max_unpool2d` and its kin."""
    if x.ndim != len(output_size) + 2 or not may_equal(x.spec.shape, indices.spec.shape):
        raise ShapeError(
            f"expected x and indices of one shape and {len(output_size) + 2} dimensions, "
            f"received {x.spec} and {indices.spec}"
        )
    whole = (*x.spec.shape[:2], *output_size)
    zeros = _columns(zeros_of(Spec(whole, x.dtype)))
    return reshape(put_along_axis(zeros, _columns(indices), _columns(x), 2), whole)


@max_unpool_op.samples
def _(s):
    at = s.ints(0, 4, 1, 2, 1, 2, dtype="int32") * 2 + [0, 1]
    yield s(s.randn(1, 2, 1, 2), at.astype("int32"), (2, 2), (2, 2), (0, 0), (2, 4))
    far = s.ints(9, 10, 1, 1, 1, 1, dtype="int32")
    window = (2, 2), (2, 2), (0, 0), (2, 2)
    yield s.bad(AxisError, "out of", s.randn(1, 1, 1, 1), far, *window, static_error=False)
    yield s.bad(ShapeError, "one shape", s.randn(1, 1, 1, 2), far, *window)


def _unpooled(
    x: Tensor, indices: Tensor, window: tuple[Any, Any, Any], data_format: str, output_size: Any
) -> Tensor:
    rank = x.ndim - 2
    if rank not in FORMATS or data_format != FORMATS[rank][0]:
        raise ArgumentError(
            f"data_format must be channels first, as NCHW, received {data_format!r} for {x.spec}"
        )
    kernel_size, stride, padding = (
        per_axis(value, rank, word)
        for value, word in zip(window, ("kernel_size", "stride", "padding"), strict=True)
    )
    usual = tuple(
        (n - 1) * s + k - 2 * p
        for n, k, s, p in zip(x.spec.shape[2:], kernel_size, stride, padding, strict=True)
    )
    size = usual if output_size is None else sizes(output_size, "output_size")[-rank:]
    _check_size(size, usual, stride)
    return max_unpool_op(x, indices, kernel_size, stride, padding, size)


def _check_size(size: Sequence[Dim], usual: Sequence[Dim], stride: Sequence[int]) -> None:
    for d, n, s in zip(size, usual, stride, strict=True):
        if is_known(d, n) and abs(d - n) >= s:
            raise ArgumentError(
                f"output_size {list(size)} cannot have been pooled to this size: {list(usual)} can",
                cure="give the size that x had before it was pooled",
            )


@function
def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCHW",
    output_size: Any = None,
) -> Tensor:
    """The maxima that `max_pool2d` found, back in their places; zeros elsewhere.

    x: [N,C,H,W]. indices: its shape, integers, the positions that `max_pool2d` gives for
    return_mask. output_size: (h, w) or the whole shape; by default the smallest that is pooled to
    x. Returns [N,C,h,w]. Raises ShapeError, ArgumentError, AxisError for a position outside.

    >>> F = twinoar.nn.functional
    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> F.max_unpool2d(*F.max_pool2d(x, 2, return_mask=True), 2).tolist()
    [[[[0.0, 0.0], [4.0, 0.0]]]]
    """
    window = kernel_size, kernel_size if stride is None else stride, padding
    return _unpooled(x, indices, window, data_format, output_size)


@function
def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCL",
    output_size: Any = None,
) -> Tensor:
    """`max_unpool2d` of sequences [N,C,L].

    >>> F = twinoar.nn.functional
    >>> x = twinoar.to_tensor([[[1.0, 2.0, 4.0, 3.0]]])
    >>> F.max_unpool1d(*F.max_pool1d(x, 2, return_mask=True), 2).tolist()
    [[[0.0, 2.0, 4.0, 0.0]]]
    """
    if x.ndim != 3 or data_format != "NCL":
        raise ArgumentError(f"x must be [N,C,L] and data_format NCL, received {x.spec}")
    window = per_axis(kernel_size, 1, "kernel_size")
    steps = window if stride is None else per_axis(stride, 1, "stride")
    form = (1, *window), (1, *steps), (0, *per_axis(padding, 1, "padding"))
    size = None if output_size is None else [1, sizes(output_size, "output_size")[-1]]
    out = _unpooled(unsqueeze(x, 2), unsqueeze(indices, 2), form, "NCHW", size)
    return squeeze(out, 2)


@function
def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCDHW",
    output_size: Any = None,
) -> Tensor:
    """`max_unpool2d` of volumes [N,C,D,H,W].

    >>> F = twinoar.nn.functional
    >>> x = twinoar.arange(8).astype("float32").reshape([1, 1, 2, 2, 2])
    >>> F.max_unpool3d(*F.max_pool3d(x, 2, return_mask=True), 2).flatten().tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0]
    """
    window = kernel_size, kernel_size if stride is None else stride, padding
    return _unpooled(x, indices, window, data_format, output_size)

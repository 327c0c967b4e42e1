"""Convolutions of sparse images and volumes, those that keep the positions, and pooling."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.ops.window._geometry import per_axis
from twinoar.sparse.nn.window import Windows, check_sizes, convolved, highest, image, sliding
from twinoar.sparse.tensor import SparseCooTensor, SparseTensor


def conv2d(
    x: SparseTensor,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NHWC",
    name: str | None = None,
) -> SparseCooTensor:
    """Convolution of a sparse image: an element wherever the window holds one.

    x: [N,H,W,C], positions count N, H and W. weight: [KH,KW,C,O]. bias: [O], added where there are
    elements. stride, padding, dilation: as of `nn.functional.conv2d`. groups: 1. Returns
    [N,OH,OW,O]. Raises ShapeError, ArgumentError, TypeMismatchError.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0], [1], [1]], [[2.0]], [1, 3, 3, 1])
    >>> weight = twinoar.to_tensor([1.0, 2.0, 3.0, 4.0]).reshape([2, 2, 1, 1])
    >>> y = twinoar.sparse.nn.functional.conv2d(x, weight)
    >>> y.to_dense().flatten().tolist()
    [8.0, 6.0, 4.0, 2.0]
    """
    return _everywhere(2, x, weight, bias, (stride, padding, dilation), groups, data_format)


def conv3d(
    x: SparseTensor,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> SparseCooTensor:
    """Convolution of a sparse volume [N,D,H,W,C] with weight [KD,KH,KW,C,O]: see `conv2d`."""
    return _everywhere(3, x, weight, bias, (stride, padding, dilation), groups, data_format)


def subm_conv2d(
    x: SparseTensor,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NHWC",
    key: str | None = None,
    name: str | None = None,
) -> SparseCooTensor:
    """Convolution of a sparse image that keeps its positions: windows lie around its elements.

    x: [N,H,W,C], positions count N, H and W. weight: [KH,KW,C,O], KH and KW odd. bias: [O]. stride,
    padding: without effect, as in Paddle. key: for Paddle's code, which keeps positions by it.
    Returns [N,H,W,O]. Raises ShapeError, ArgumentError, TypeMismatchError.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0, 0], [1, 1], [1, 2]], [[2.0], [1.0]], [1, 3, 3, 1])
    >>> y = twinoar.sparse.nn.functional.subm_conv2d(x, twinoar.ones([3, 3, 1, 1]))
    >>> y.indices().tolist(), y.values().tolist()
    ([[0, 0], [1, 1], [1, 2]], [[3.0], [3.0]])
    """
    return _in_place(2, x, weight, bias, dilation, groups, data_format)


def subm_conv3d(
    x: SparseTensor,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NDHWC",
    key: str | None = None,
    name: str | None = None,
) -> SparseCooTensor:
    """Convolution of a sparse volume that keeps its positions: see `subm_conv2d`."""
    return _in_place(3, x, weight, bias, dilation, groups, data_format)


subm_conv2d_igemm = subm_conv2d  # in Paddle another way to compute it
subm_conv3d_igemm = subm_conv3d


def max_pool3d(
    x: SparseTensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> SparseCooTensor:
    """The largest of the elements that each window of a sparse volume holds; what is absent is not
    compared.

    x: [N,D,H,W,C], positions count all but C. stride: None means kernel_size. ceil_mode: windows
    may hang over the edge. Returns [N,OD,OH,OW,C]. Elements of one size share no gradient: each
    gets all of it. Raises ShapeError, ArgumentError, TypeMismatchError.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0], [1], [0], [1]], [[-2.0]], [1, 2, 2, 2, 1])
    >>> twinoar.sparse.nn.functional.max_pool3d(x, 2).values().tolist()
    [[-2.0]]
    """
    source = image(x, 3, data_format)
    kernel = per_axis(kernel_size, 3, "kernel_size")
    steps = kernel if stride is None else stride
    return highest(source, sliding(source, kernel, steps, padding, 1, ceil_mode))


def _everywhere(
    rank: int, x: Any, weight: Any, bias: Any, window: tuple, groups: int, data_format: str
) -> SparseCooTensor:
    source = image(x, rank, data_format)
    check_sizes(source, weight, groups)
    steps, padding, dilation = window
    windows = sliding(source, tuple(weight.shape[:-2]), steps, padding, dilation, ceil=False)
    return convolved(source, weight, bias, windows)


def _in_place(
    rank: int, x: Any, weight: Any, bias: Any, dilation: Any, groups: int, data_format: str
) -> SparseCooTensor:
    source = image(x, rank, data_format)
    check_sizes(source, weight, groups)
    kernel = tuple(weight.shape[:-2])
    if any(size % 2 == 0 for size in kernel):
        raise ArgumentError(
            f"a filter that lies around its element has odd sizes, received {list(kernel)}",
            cure="use 3 or 5, or a convolution that moves positions: conv2d, conv3d",
        )
    spread = per_axis(dilation, rank, "dilation")
    low = tuple(d * (k // 2) for d, k in zip(spread, kernel, strict=True))
    windows = Windows(kernel, (1,) * rank, spread, low, tuple(source.shape[1:-1]))
    return convolved(source, weight, bias, windows, source.flat())


__all__ = [
    "conv2d",
    "conv3d",
    "max_pool3d",
    "subm_conv2d",
    "subm_conv2d_igemm",
    "subm_conv3d",
    "subm_conv3d_igemm",
]

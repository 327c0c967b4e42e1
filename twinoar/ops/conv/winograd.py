"""The transforms of Winograd's convolution, F(2x2, 3x3): four pixels from sixteen products, not 36.

Images are cut into tiles of 4 by 4 that overlap by two. With the matrices below, the four pixels of
the result that a tile d gives with a filter g are A [(G g G') * (B d B')] A'; summed over channels,
the elementwise product is sixteen products of matrices. Source: Lavin and Gray, Fast algorithms for
convolutional neural networks, arXiv 1509.09308.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.op.declare import Shape, Spec, Tensor, loop, op
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.shape.concat import stack_op
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import slice_op, strided_slice_op
from twinoar.ops.window._geometry import all_windows, check_floating, check_images

B = ((1.0, 0.0, -1.0, 0.0), (0.0, 1.0, 1.0, 0.0), (0.0, -1.0, 1.0, 0.0), (0.0, 1.0, 0.0, -1.0))
G = ((1.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0.0, 0.0, 1.0))
A = ((1.0, 1.0, 1.0, 0.0), (0.0, 1.0, -1.0, -1.0))
PLACES = 16  # of a tile
TURNED = tuple(4 * i + j for i in (3, 1, 2, 0) for j in (3, 1, 2, 0))  # of filters turned by half


def _combined(rows: Sequence[float], columns: Sequence[float], element: Callable[..., Any]) -> Any:
    """The sum of the elements (i, j), each times rows[i] and columns[j]."""

    def summed(numbers: Sequence[float], part: Callable[[int], Any]) -> Any:
        total = None
        for k, number in enumerate(numbers):
            if number == 0.0:
                continue
            term = part(k)
            if total is None:
                total = term if number == 1.0 else term * number
            elif abs(number) == 1.0:
                total = total + term if number > 0 else total - term
            else:
                total = total + term * number
        return total

    return summed(rows, lambda i: summed(columns, lambda j: element(i, j)))


def tiles(pixels: Any) -> Any:
    """How many tiles cover so many pixels of a result."""
    return (pixels + 1) // 2


def _size(x: Any, padding: Sequence[int]) -> Shape:
    """(OH, OW) of the result for images [N,H,W,C]. Raises DTypeError, ShapeError."""
    check_images(x.ndim, "NHWC")
    check_floating(x)
    size: Shape = all_windows(x.shape[1:3], (3, 3), (1, 1), padding, (1, 1))
    return size


def _tiled(x: Spec, padding: tuple[int, ...]) -> Spec:
    return Spec((PLACES, x.shape[0], *map(tiles, _size(x, padding)), x.shape[3]), x.dtype)


@op(infer=_tiled)
def winograd_input(x: Tensor, padding: tuple[int, ...]) -> Tensor:
    """B d B' of all tiles d of images: an operand of a product for each place of a tile.

    x: [N,H,W,C]. padding: (top, bottom, left, right). Returns [16,N,TH,TW,C], where TH and TW are
    halves of the result's sizes, rounded up. Raises DTypeError, ShapeError.
    """
    (top, _, left, _), across = padding, [2 * tiles(n) + 2 for n in _size(x, padding)]
    below, right = (
        m - n - low for m, n, low in zip(across, x.shape[1:3], (top, left), strict=True)
    )
    whole = pad_constant(x, (0, 0, top, below, left, right, 0, 0))

    def element(i: int, j: int) -> Tensor:
        ends = tuple(k + m - 3 for k, m in zip((i, j), across, strict=True))
        return strided_slice_op(whole, (1, 2), (i, j), ends, (2, 2))

    return stack_op([_combined(rows, columns, element) for rows in B for columns in B])


@winograd_input.lower
def _(i, x, padding):
    place, n, p, q, c = i
    top, _, left, _ = padding

    def along(k: Any, part: Callable[[Any], Any]) -> Any:
        """Rows of B: parts 0 - 2, 1 + 2, 2 - 1 and 1 - 3."""
        first = loop.select(k < 3, k, 1)
        second = loop.select(k < 2, 2, loop.select(k < 3, 1, 3))
        return part(first) + loop.select((k > 0) & (k < 2), 1.0, -1.0) * part(second)

    return along(
        place // 4,
        lambda k: along(place % 4, lambda m: x.padded((n, 2 * p + k - top, 2 * q + m - left, c))),
    )


@winograd_input.samples
def _(s):
    yield s(s.randn(1, 4, 5, 3), (1, 1, 1, 1))
    yield s(s.randn(2, 3, 6, 1), (0, 0, 0, 0))
    yield s.bad(ShapeError, "does not fit", s.randn(2, 2, 6, 1), (0, 0, 0, 0))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 1, 4, 4, 1), (0, 0, 0, 0))


def _filter_shape(weight: Any) -> Shape:
    check_floating(weight)
    if tuple(weight.shape[2:]) != (3, 3):
        raise ShapeError(f"expected filters [O,C,3,3], received {list(weight.shape)}")
    return tuple(weight.shape[:2])


@op(infer=lambda weight: (Spec(_filter_shape(weight), weight.dtype),) * PLACES)
def winograd_filter(weight: Tensor) -> tuple[Tensor, ...]:
    """G g G' of all filters g: an operand of a product for each place of a tile.

    weight: [O,C,3,3]. Returns 16 of [O,C]. Raises DTypeError, ShapeError.
    """
    shape = _filter_shape(weight)

    def element(i: int, j: int) -> Tensor:
        return reshape_op(slice_op(weight, (2, 3), (i, j), (i + 1, j + 1)), shape)

    return tuple(_combined(rows, columns, element) for rows in G for columns in G)


@winograd_filter.lower
def _(i, weight, nth):
    return _combined(G[nth // 4], G[nth % 4], lambda m, n: weight[(*i, m, n)])


@winograd_filter.samples
def _(s):
    yield s(s.randn(2, 3, 3, 3))
    yield s(s.randn(1, 1, 3, 3))
    yield s.bad(ShapeError, "filters", s.randn(2, 3, 3, 5))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 1, 1, 3, 3))


def _images(x: Any, size: Sequence[int]) -> Shape:
    check_floating(x)
    shape = tuple(x.shape)
    if len(shape) != 5 or shape[0] != PLACES or shape[2:4] != tuple(map(tiles, size)):
        raise ShapeError(f"x is {list(shape)}, expected 16 numbers of each tile of {list(size)}")
    return shape[1], *size, shape[4]


@op(infer=lambda x, size: Spec(_images(x, size), x.dtype))
def winograd_output(x: Tensor, size: tuple[int, ...]) -> Tensor:
    """A m A' of the sums m of products, put together as images.

    x: [16,N,TH,TW,O]. size: (OH, OW). Returns [N,OH,OW,O]. Raises DTypeError, ShapeError.
    """
    n, _, _, filters = _images(x, size)
    count = x.shape[2:4]
    parts = [_combined(rows, columns, lambda i, j: x[4 * i + j]) for rows in A for columns in A]
    pairs = [stack_op(parts[k : k + 2], 3) for k in (0, 2)]  # [N,TH,TW,2,O]
    whole = reshape_op(stack_op(pairs, 2), (n, 2 * count[0], 2 * count[1], filters))
    return slice_op(whole, (1, 2), (0, 0), size)


@winograd_output.lower
def _(i, x):
    n, h, w, o = i
    (tile, row), (beside, column) = ((k // 2, k % 2) for k in (h, w))

    def along(odd: Any, part: Callable[[Any], Any]) -> Any:
        """Rows of A: parts 0 + (1 + 2), and 1 - (2 + 3)."""
        sign = loop.select(odd < 1, 1.0, -1.0)
        return part(odd) + sign * (part(odd + 1) + part(odd + 2))

    return along(row, lambda k: along(column, lambda m: x[(4 * k + m, n, tile, beside, o)]))


@winograd_output.samples
def _(s):
    yield s(s.randn(16, 1, 2, 3, 3), (4, 5))
    yield s(s.randn(16, 2, 1, 1, 1), (1, 2))
    yield s.bad(ShapeError, "16 numbers", s.randn(16, 2, 1, 1, 1), (1, 3))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 16, 1, 1, 1, 1), (1, 2))

"""The transforms of Winograd's convolution, F(2x2, 3x3): four pixels from sixteen products, not 36.

Images are cut into tiles of 4 by 4 that overlap by two. With the matrices below, the four pixels of
the result that a tile d gives with a filter g are A [(G g G') * (B d B')] A'; summed over channels,
the elementwise product is sixteen products of matrices. For the gradient e of these pixels the
gradient of the filter is G' [sum of (B d B') * (A' e A)] G, over all tiles. Source: Lavin and Gray,
Fast algorithms for convolutional neural networks, arXiv 1509.09308.
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
TURNED = (3, 1, 2, 0)  # where what filters turned by half give stands in what they give as they are


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


def convolved_size(x: Any, padding: Sequence[int]) -> Shape:
    """(OH, OW) of the result for images [N,H,W,C]. Raises DTypeError, ShapeError."""
    check_images(x.ndim, "NHWC")
    check_floating(x)
    size: Shape = all_windows(x.shape[1:3], (3, 3), (1, 1), padding, (1, 1))
    return size


def _placed(parts: Callable[[int, int], Any], turned: bool) -> list[Any]:
    """Parts by place."""
    order = TURNED if turned else range(4)
    return [parts(i, j) for i in order for j in order]


def _row(k: Any, turned: bool) -> Any:
    """The row of a matrix for a row of places."""
    ends = loop.select(k < 1, 3, loop.select(k < 3, k, 0))
    return ends if turned else k


def _tiled(x: Spec, padding: tuple[int, ...], turned: bool = False) -> Spec:
    return Spec((PLACES, x.shape[0], *map(tiles, convolved_size(x, padding)), x.shape[3]), x.dtype)


@op(infer=_tiled)
def winograd_input(x: Tensor, padding: tuple[int, ...], turned: bool = False) -> Tensor:
    """B d B' of all tiles d of images: an operand of a product for each place of a tile.

    x: [N,H,W,C]. padding: (top, bottom, left, right). turned: places stand as for filters that are
    turned by half. Returns [16,N,TH,TW,C]; TH and TW are halves of the result's sizes, rounded up.
    Raises DTypeError, ShapeError.
    """
    (top, _, left, _), across = padding, [2 * tiles(n) + 2 for n in convolved_size(x, padding)]
    below, right = (
        m - n - low for m, n, low in zip(across, x.shape[1:3], (top, left), strict=True)
    )
    whole = pad_constant(x, (0, 0, top, below, left, right, 0, 0))

    def element(i: int, j: int) -> Tensor:
        ends = tuple(k + m - 3 for k, m in zip((i, j), across, strict=True))
        return strided_slice_op(whole, (1, 2), (i, j), ends, (2, 2))

    return stack_op(_placed(lambda i, j: _combined(B[i], B[j], element), turned))


@winograd_input.lower
def _(i, x, padding, turned):
    place, n, p, q, c = i
    top, _, left, _ = padding

    def along(k: Any, part: Callable[[Any], Any]) -> Any:
        """Rows of B: parts 0 - 2, 1 + 2, 2 - 1 and 1 - 3."""
        first = loop.select(k < 3, k, 1)
        second = loop.select(k < 2, 2, loop.select(k < 3, 1, 3))
        return part(first) + loop.select((k > 0) & (k < 2), 1.0, -1.0) * part(second)

    return along(
        _row(place // 4, turned),
        lambda k: along(
            _row(place % 4, turned),
            lambda m: x.padded((n, 2 * p + k - top, 2 * q + m - left, c)),
        ),
    )


@winograd_input.samples
def _(s):
    yield s(s.randn(1, 4, 5, 3), (1, 1, 1, 1))
    yield s(s.randn(2, 3, 6, 1), (0, 0, 0, 0))
    yield s(s.randn(1, 3, 3, 16), (1, 1, 1, 1), turned=True)
    yield s.bad(ShapeError, "does not fit", s.randn(2, 2, 6, 1), (0, 0, 0, 0))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 1, 4, 4, 1), (0, 0, 0, 0))


def _filter_shape(weight: Any) -> Shape:
    check_floating(weight)
    if tuple(weight.shape[2:]) != (3, 3):
        raise ShapeError(f"expected filters [O,C,3,3], received {list(weight.shape)}")
    return tuple(weight.shape[:2])


@op(infer=lambda weight: Spec((PLACES, *_filter_shape(weight)), weight.dtype))
def winograd_filter(weight: Tensor) -> Tensor:
    """G g G' of all filters g: an operand of a product for each place of a tile.

    weight: [O,C,3,3]. Returns [16,O,C]. Raises DTypeError, ShapeError.
    """
    shape = _filter_shape(weight)

    def element(i: int, j: int) -> Tensor:
        return reshape_op(slice_op(weight, (2, 3), (i, j), (i + 1, j + 1)), shape)

    return stack_op([_combined(rows, columns, element) for rows in G for columns in G])


@winograd_filter.lower
def _(i, weight):
    place, o, c = i

    def along(k: Any, part: Callable[[Any], Any]) -> Any:
        """Rows of G: parts 0, half of 0 + 1 + 2 and of 0 - 1 + 2, and 2."""
        ends, second = part(0) + part(2), part(1)
        halves = 0.5 * loop.select(k < 2, ends + second, ends - second)
        return loop.select(k < 1, part(0), loop.select(k < 3, halves, part(2)))

    return along(place // 4, lambda k: along(place % 4, lambda m: weight[(o, c, k, m)]))


@winograd_filter.samples
def _(s):
    yield s(s.randn(2, 3, 3, 3))
    yield s(s.randn(1, 1, 3, 3))
    yield s(s.randn(2, 32, 3, 3))
    yield s.bad(ShapeError, "filters", s.randn(2, 3, 3, 5))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 1, 1, 3, 3))


def _images(x: Any, size: Sequence[int]) -> Shape:
    check_floating(x)
    shape = tuple(x.shape)
    if len(shape) != 5 or shape[0] != PLACES or shape[2:4] != tuple(map(tiles, size)):
        raise ShapeError(f"x is {list(shape)}, expected 16 numbers of each tile of {list(size)}")
    return shape[1], *size, shape[4]


@op(infer=lambda x, size, turned=False: Spec(_images(x, size), x.dtype))
def winograd_output(x: Tensor, size: tuple[int, ...], turned: bool = False) -> Tensor:
    """A m A' of the sums m of products, put together as images.

    x: [16,N,TH,TW,O]. size: (OH, OW). turned: as of `winograd_input`. Returns [N,OH,OW,O].
    Raises DTypeError, ShapeError.
    """
    n, _, _, filters = _images(x, size)
    count = x.shape[2:4]
    sums = _placed(lambda i, j: x[4 * i + j], turned)
    parts = [_combined(rows, columns, lambda i, j: sums[4 * i + j]) for rows in A for columns in A]
    pairs = [stack_op(parts[k : k + 2], 3) for k in (0, 2)]  # [N,TH,TW,2,O]
    whole = reshape_op(stack_op(pairs, 2), (n, 2 * count[0], 2 * count[1], filters))
    return slice_op(whole, (1, 2), (0, 0), size)


@winograd_output.lower
def _(i, x, turned):
    n, h, w, o = i
    (tile, row), (beside, column) = ((k // 2, k % 2) for k in (h, w))

    def along(odd: Any, part: Callable[[Any], Any]) -> Any:
        """Rows of A: parts 0 + (1 + 2), and 1 - (2 + 3)."""
        sign = loop.select(odd < 1, 1.0, -1.0)
        return part(odd) + sign * (part(odd + 1) + part(odd + 2))

    def summed(k: Any, m: Any) -> Any:
        return x[(4 * _row(k, turned) + _row(m, turned), n, tile, beside, o)]

    return along(row, lambda k: along(column, lambda m: summed(k, m)))


@winograd_output.samples
def _(s):
    yield s(s.randn(16, 1, 2, 3, 3), (4, 5))
    yield s(s.randn(16, 2, 1, 1, 1), (1, 2))
    yield s(s.randn(16, 1, 1, 2, 3), (2, 3), turned=True)
    yield s.bad(ShapeError, "16 numbers", s.randn(16, 2, 1, 1, 1), (1, 3))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 16, 1, 1, 1, 1), (1, 2))


@op(infer=lambda dy: Spec(_of_pixels(dy), dy.dtype))
def winograd_pixels(dy: Tensor) -> Tensor:
    """A' e A of all tiles e of two by two pixels, zero beyond the edge: an operand of a product.

    dy: [N,OH,OW,O]. Returns [16,N,TH,TW,O]. Raises DTypeError, ShapeError.
    """
    _of_pixels(dy)
    below, right = (n % 2 for n in dy.shape[1:3])
    whole = pad_constant(dy, (0, 0, 0, below, 0, right, 0, 0))
    across = whole.shape[1:3]

    def element(i: int, j: int) -> Tensor:
        ends = tuple(n - 1 + k for k, n in zip((i, j), across, strict=True))
        return strided_slice_op(whole, (1, 2), (i, j), ends, (2, 2))

    parts = [_combined(rows, columns, element) for rows in _turned(A) for columns in _turned(A)]
    return stack_op(parts)


def _of_pixels(dy: Any) -> Shape:
    check_images(dy.ndim, "NHWC")
    check_floating(dy)
    return PLACES, dy.shape[0], *map(tiles, dy.shape[1:3]), dy.shape[3]


def _turned(matrix: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """The columns of a matrix."""
    return list(zip(*matrix, strict=True))


@winograd_pixels.lower
def _(i, dy):
    place, n, p, q, c = i

    def along(k: Any, part: Callable[[Any], Any]) -> Any:
        """Columns of A: parts 0, 0 + 1, 0 - 1 and -1."""
        first, second = part(0), part(1)
        both = loop.select(k < 2, first + second, first - second)
        return loop.select(k < 1, first, loop.select(k < 3, both, 0.0 - second))

    return along(
        place // 4,
        lambda k: along(place % 4, lambda m: dy.padded((n, 2 * p + k, 2 * q + m, c))),
    )


@winograd_pixels.samples
def _(s):
    yield s(s.randn(1, 4, 3, 2))
    yield s(s.randn(2, 1, 1, 1))
    yield s.bad(ShapeError, "dimensions", s.randn(2, 2, 2))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 1, 2, 2, 1))


def _products(x: Any) -> Shape:
    check_floating(x)
    if x.ndim != 3 or x.shape[0] != PLACES:
        raise ShapeError(f"expected sums [16,O,C], received {list(x.shape)}")
    return tuple(x.shape[1:])


@op(infer=lambda x: Spec((*_products(x), 3, 3), x.dtype))
def winograd_filter_gradient(x: Tensor) -> Tensor:
    """G' s G of the sums s of products over tiles: the gradient of filters.

    x: [16,O,C]. Returns [O,C,3,3]. Raises DTypeError, ShapeError.
    """
    shape = _products(x)
    columns = _turned(G)
    parts = [
        _combined(rows, across, lambda i, j: x[4 * i + j]) for rows in columns for across in columns
    ]
    return reshape_op(stack_op(parts, 2), (*shape, 3, 3))


@winograd_filter_gradient.lower
def _(i, x):
    o, c, row, column = i

    def along(k: Any, part: Callable[[Any], Any]) -> Any:
        """Columns of G: halves of 1 + 2, 1 - 2 and 1 + 2, and with the first and last 0 and 3."""
        first, second = part(1), part(2)
        halves = 0.5 * loop.select(loop.eq(k, 1), first - second, first + second)
        return halves + loop.select(k < 1, part(0), loop.select(k < 2, 0.0, part(3)))

    return along(row, lambda k: along(column, lambda m: x[(4 * k + m, o, c)]))


@winograd_filter_gradient.samples
def _(s):
    yield s(s.randn(16, 2, 3))
    yield s(s.randn(16, 1, 1))
    yield s.bad(ShapeError, "16,O,C", s.randn(15, 1, 1))
    yield s.bad(DTypeError, "floating", s.ints(0, 3, 16, 1, 1))

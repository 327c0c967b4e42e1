"""Images read at the points of a grid, and grids that an affine map makes."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

from twinoar.core.dim import Dim, SymbolicDim, differ, is_known
from twinoar.core.dtype import DType, int64
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import sizes
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather_nd import gather_nd
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.rounding import floor
from twinoar.ops.math.select import clip_op, minimum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze

PaddingMode = Literal["zeros", "border", "reflection"]


def _number(d: Dim, dtype: DType) -> Any:
    return fill.function((), d, dtype) if isinstance(d, SymbolicDim) else d


@op(
    name="grid_sample",
    desc=Desc(
        "grid_sampler",
        {"X": "x", "Grid": "grid"},
        ("Output",),
        {"mode": "mode", "padding_mode": "padding_mode", "align_corners": "align_corners"},
    ),
)
def grid_sample_op(
    x: Tensor,
    grid: Tensor,
    mode: Literal["bilinear", "nearest"] = "bilinear",
    padding_mode: PaddingMode = "zeros",
    align_corners: bool = True,
) -> Tensor:
    """x at the points of a grid: the operator under `grid_sample`."""
    _check(x, grid)
    dtype = x.dtype
    last = x.ndim - 1
    pixels = transpose(x, (0, *range(2, x.ndim), 1))  # [N,H,W,C]
    sizes_ = x.spec.shape[2:]
    points = [  # one tensor for each axis of the image; a grid has the last axis first
        _point(grid[..., last - 2 - k], n, padding_mode, align_corners)
        for k, n in enumerate(sizes_)
    ]
    if mode == "nearest":
        out = _read(pixels, [floor(p + 0.5) for p in points], sizes_)
    else:
        out = _interpolated(pixels, points, sizes_)
    return astype(transpose(out, (0, last, *range(1, last))), dtype)


def _interpolated(pixels: Tensor, points: list[Tensor], sizes_: tuple[Dim, ...]) -> Tensor:
    """The mean of the corners around each point, weighted by how near they are."""
    below = [floor(p) for p in points]
    above = [p - b for p, b in zip(points, below, strict=True)]
    total: Any = None
    for corner in product((0, 1), repeat=len(points)):
        weight: Any = 1.0
        for k, part in zip(corner, above, strict=True):
            weight = weight * (part if k else 1.0 - part)
        at = [b + float(k) for k, b in zip(corner, below, strict=True)]
        term = _read(pixels, at, sizes_) * unsqueeze(weight, -1)
        total = term if total is None else total + term
    return total


def _read(pixels: Tensor, at: list[Tensor], sizes_: tuple[Dim, ...]) -> Tensor:
    """Pixels at positions along each axis; zeros outside."""
    shape = at[0].spec.shape
    image = reshape(iota(shape[0]), (shape[0], *[1] * (len(shape) - 1)))
    inside: Any = None
    index = [broadcast_to(image, shape)]
    for p, n in zip(at, sizes_, strict=True):
        last = _number(n, p.dtype) - 1
        is_one = logical_and(p >= 0.0, p <= last)
        inside = is_one if inside is None else logical_and(inside, is_one)
        index.append(astype(clip_op(p, 0.0, last), int64))
    found = gather_nd(pixels, stack(index, -1))
    return found * astype(unsqueeze(inside, -1), found.dtype)


def _point(g: Tensor, n: Dim, padding_mode: str, align_corners: bool) -> Tensor:
    """Coordinates in [-1, 1] as positions among n pixels."""
    count = _number(n, g.dtype)
    at = (g + 1.0) * 0.5 * (count - 1) if align_corners else ((g + 1.0) * count - 1.0) * 0.5
    if padding_mode == "reflection":
        at = _reflected(at, n, align_corners)
    return at if padding_mode == "zeros" else clip_op(at, 0.0, count - 1)


def _reflected(at: Tensor, n: Dim, align_corners: bool) -> Tensor:
    """Positions thrown back at the outermost pixels: at their centers, or at their edges."""
    offset = 0.0 if align_corners else 0.5
    span = _number(n, at.dtype) - (1 if align_corners else 0)
    if isinstance(span, int) and span == 0:
        return at * 0.0
    distance = magnitude(at + offset)
    rest = distance - floor(distance / (2 * span)) * (2 * span)
    return minimum(rest, 2 * span - rest) - offset


def _check(x: Tensor, grid: Tensor) -> None:
    if x.ndim not in (4, 5):
        raise ShapeError(f"x must have 4 dimensions, NCHW, or 5, NCDHW, received {x.ndim}")
    axes = x.ndim - 2
    if grid.ndim != x.ndim or differ(grid.spec.shape[-1], axes):
        raise ShapeError(
            f"grid must have {x.ndim} dimensions, the last of size {axes}, received "
            f"{list(grid.spec.shape)}",
            cure="its last dimension holds (x, y), or (x, y, z)",
        )
    if differ(x.spec.shape[0], grid.spec.shape[0]):
        raise ShapeError(f"x and grid hold {x.spec.shape[0]} and {grid.spec.shape[0]} images")


@grid_sample_op.samples
def _(s):
    x, grid = s.randn(2, 3, 4, 5), s.uniform(-1.3, 1.3, 2, 3, 2, 2)
    yield s(x, grid, second=False)
    yield s(x, grid, align_corners=False, second=False)
    for padding_mode in ("border", "reflection"):
        for align_corners in (True, False):
            yield s(x, grid, "bilinear", padding_mode, align_corners, second=False, half=False)
    yield s(x, grid, "nearest", "zeros", half=False)
    yield s(s.randn(1, 2, 3, 2, 4), s.uniform(-1.3, 1.3, 1, 2, 2, 2, 3), second=False, half=False)
    yield s.bad(ShapeError, "grid must have", s.randn(1, 2, 3, 3), s.randn(1, 2, 2, 3))
    yield s.bad(ShapeError, "hold 2 and 1 images", s.randn(2, 2, 3, 3), s.randn(1, 2, 2, 2))
    yield s.bad(ShapeError, "4 dimensions", s.randn(2, 3, 3), s.randn(1, 2, 2))


def _shape_in_file(shape: tuple[Dim, ...]) -> list[Dim]:
    """The shape with -1 for a number of images that is not known: it is that of theta."""
    return [shape[0] if is_known(shape[0]) else -1, *shape[1:]]


@op(
    name="affine_grid",
    desc=Desc(
        "affine_grid",
        {"Theta": "theta"},
        ("Output",),
        {"output_shape": ("output_shape", _shape_in_file, list), "align_corners": "align_corners"},
    ),
)
def affine_grid_op(
    theta: Tensor, output_shape: tuple[int, ...], align_corners: bool = True
) -> Tensor:
    """The grid of an affine map: the operator under `affine_grid`; -1 images are those of theta."""
    axes = len(output_shape) - 2
    if axes not in (2, 3):
        raise ArgumentError(
            f"out_shape must be (N, C, H, W) or (N, C, D, H, W), received {list(output_shape)}"
        )
    if theta.ndim != 3 or any(map(differ, theta.spec.shape[1:], (axes, axes + 1))):
        raise ShapeError(f"theta must be [N,{axes},{axes + 1}], received {theta.spec}")
    n, _, *image = output_shape
    if n != -1 and differ(theta.spec.shape[0], n):
        raise ShapeError(f"theta holds {theta.spec.shape[0]} maps, out_shape names {n} images")
    columns = []
    for k, size in reversed(list(enumerate(image))):
        form: list[Dim] = [1] * axes
        form[k] = size
        columns.append(broadcast_to(reshape(_line(size, theta.dtype, align_corners), form), image))
    columns.append(fill.function(tuple(image), 1.0, theta.dtype))
    points = reshape(stack(columns, -1), (1, -1, axes + 1))
    return reshape(matmul(points, theta, transpose_y=True), (theta.spec.shape[0], *image, axes))


def _line(count: Dim, dtype: DType, align_corners: bool) -> Tensor:
    """Coordinates from -1 to 1 of the centers of `count` pixels."""
    i = iota(count, dtype)
    n = _number(count, dtype)
    if not align_corners:
        return (i * 2.0 + 1.0) / n - 1.0
    steps = max(count - 1, 1) if isinstance(count, int) else n - 1.0
    return i * 2.0 / steps - 1.0


@affine_grid_op.samples
def _(s):
    yield s(s.randn(2, 2, 3), (2, 3, 4, 5))
    yield s(s.randn(1, 2, 3), (1, 3, 2, 3), False)
    yield s(s.randn(1, 3, 4), (1, 1, 2, 3, 2))
    yield s.bad(ShapeError, r"theta must be [N,2,3]", s.randn(2, 3, 3), (2, 3, 4, 5))
    yield s.bad(ShapeError, "holds 2 maps", s.randn(2, 2, 3), (3, 3, 4, 5))
    yield s.bad(ArgumentError, "out_shape must be", s.randn(2, 2, 3), (3, 4))


@function
def grid_sample(
    x: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Tensor:
    """Images read at the points of a grid.

    x: [N,C,H,W] or [N,C,D,H,W], floating. grid: [N,OH,OW,2] of (x, y), or [N,OD,OH,OW,3] of
    (x, y, z), where -1 and 1 are the outermost pixels: their centers with align_corners, else their
    edges. mode: "bilinear" or "nearest". padding_mode: what is read outside, "zeros", "border" or
    "reflection". Returns [N,C,OH,OW] or [N,C,OD,OH,OW]. Raises ShapeError, ArgumentError.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0, 3.0]]]])
    >>> twinoar.nn.functional.grid_sample(x, twinoar.to_tensor([[[[0.5, 0.0]]]])).item()
    2.5
    """
    return grid_sample_op(x, grid, mode, padding_mode, align_corners)


@function
def affine_grid(theta: Tensor, out_shape: Any, align_corners: bool = True) -> Tensor:
    """The points that an affine map makes of the pixels of images, for `grid_sample`.

    theta: [N,2,3] or [N,3,4]. out_shape: (N, C, H, W) or (N, C, D, H, W), a list or an integer
    tensor. Returns [N,H,W,2] or [N,D,H,W,3]. Raises ShapeError, ArgumentError.

    >>> theta = twinoar.to_tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> twinoar.nn.functional.affine_grid(theta, [1, 1, 1, 3])[0, 0, :, 0].tolist()
    [-1.0, 0.0, 1.0]
    """
    return affine_grid_op(theta, sizes(out_shape, "out_shape"), align_corners)

"""Images of another size: nearest, linear and cubic interpolation, one axis after the other.

An element of the result is a sum of a few elements of the input along each axis, with weights that
follow from the sizes alone. Positions are computed in float32, as Paddle computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim, is_known
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import eager, using
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op
from twinoar.core.op.definition import Op
from twinoar.core.op.explain import told
from twinoar.core.policy import UNRECORDED
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops._sizes import is_dynamic, sizes
from twinoar.ops.create.fill import constant
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather_op, sum_at
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import fill
from twinoar.ops.math.rounding import floor
from twinoar.ops.math.select import clip_op, maximum, minimum
from twinoar.ops.pool.adaptive import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.vision._antialias import antialiased, multiplied_along
from twinoar.ops.window._geometry import check_floating, image_shape, spatial_axes, spatial_sizes

ImageFormat = Literal["NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC"]
Taps = list[tuple[Tensor, Any]]  # positions along an axis, and the weight of each
CUBIC = -0.75  # the parameter a of the cubic convolution; DOI 10.1109/TASSP.1981.1163711, eq. 15
MANY_TAPS = 16  # results that an element is in along an axis; more are faster as a product
MAX_DENOMINATOR = 10_000  # of a factor by which an unknown size is multiplied
SIZES_IN_FILES = ("out_d", "out_h", "out_w")


def _nearest(n: Dim, count: Dim, factor: float, align_corners: bool, align_mode: int) -> Taps:
    at = _positions(n, count, factor, align_corners, half=False)
    return [(_index(floor(at + 0.5 if align_corners else at), n), None)]


def _linear(n: Dim, count: Dim, factor: float, align_corners: bool, align_mode: int) -> Taps:
    half = align_mode == 0 and not align_corners
    ratio = _distance(n, count, factor, align_corners)
    return _between(maximum(_at(count, ratio, half), 0.0), n)


def _bilinear(n: Dim, count: Dim, factor: float, align_corners: bool, align_mode: int) -> Taps:
    half = align_mode == 0 and not align_corners
    return _between(maximum(_positions(n, count, factor, align_corners, half), 0.0), n)


def _between(at: Tensor, n: Dim) -> Taps:
    below = floor(at)
    weight = at - below
    return [(_index(below, n), 1.0 - weight), (_index(below + 1.0, n), weight)]


def _cubic(n: Dim, count: Dim, factor: float, align_corners: bool, align_mode: int) -> Taps:
    at = _positions(n, count, factor, align_corners, half=not align_corners)
    below = floor(at)
    t = at - below
    weights = (_far(t + 1.0), _near(t), _near(1.0 - t), _far(2.0 - t))
    return [(_index(below + (k - 1.0), n), w) for k, w in enumerate(weights)]


def _near(d: Any) -> Any:
    """The weight of an element at a distance up to 1: (a + 2) d^3 - (a + 3) d^2 + 1."""
    return ((CUBIC + 2.0) * d - (CUBIC + 3.0)) * d * d + 1.0


def _far(d: Any) -> Any:
    """The weight of an element at a distance from 1 to 2: a d^3 - 5 a d^2 + 8 a d - 4 a."""
    return ((CUBIC * d - 5.0 * CUBIC) * d + 8.0 * CUBIC) * d - 4.0 * CUBIC


def _positions(n: Dim, count: Dim, factor: float, align_corners: bool, half: bool) -> Any:
    """Where each of `count` results lies among n elements, float32.

    half: elements have their centers at halves.
    """
    return _at(count, _ratio(n, count, factor, align_corners), half)


def _at(count: Dim, ratio: Any, half: bool) -> Any:
    i = iota(count, float32)
    return (i + 0.5) * ratio - 0.5 if half else i * ratio


def _ratio(n: Dim, count: Dim, factor: float, align_corners: bool) -> Any:
    """The distance between results, in elements; 0 for a single one, as in Paddle's 2-D modes."""
    distance = _distance(n, count, factor, align_corners)
    if is_known(count):
        return 0.0 if count == 1 else distance
    return minimum(_number(count - 1), 1.0) * distance


def _distance(n: Dim, count: Dim, factor: float, align_corners: bool) -> Any:
    """The distance between results, in elements."""
    if factor and not align_corners:
        return float(np.float32(1.0 / factor))
    if align_corners and is_known(count) and count == 1:
        return 0.0
    steps, parts = (n - 1, count - 1) if align_corners else (n, count)
    if is_known(n, count):
        return float(np.float32(steps) / np.float32(parts))
    several = minimum(_number(count - 1), 1.0) if align_corners else 1.0
    return _number(steps) / maximum(_number(parts), 1.0) * several


def _number(d: Dim) -> Tensor:
    return fill.function((), d, float32)


def _index(at: Tensor, n: Dim) -> Tensor:
    """Positions as integers, those outside of n elements at the edge."""
    last = fill.function((), n - 1, int64) if isinstance(n, SymbolicDim) else n - 1
    return clip_op(astype(at, int64), 0, last)


def _spec(x: Spec, size: tuple[Dim, ...], data_format: str, floating: bool) -> Spec:
    if floating:
        check_floating(x)
    if x.ndim != len(size) + 2:
        raise ShapeError(f"x must have {len(size) + 2} dimensions, {data_format}, received {x}")
    if any(isinstance(d, int) and d < 1 for d in (*size, *spatial_sizes(x.shape, data_format))):
        raise ShapeError(
            f"sizes must be positive: {list(x.shape)} is brought to {list(size)}",
            cure="pass a larger size or scale_factor",
        )
    channels = x.shape[-1 if data_format[-1] == "C" else 1]
    return Spec(image_shape(x.shape[0], channels, size, data_format), x.dtype)


def _write(attrs: Any, specs: Any) -> dict[str, Any]:
    size, scale = attrs["size"], list(attrs["scale"])
    is_fixed = is_known(*size) and not scale
    found: dict[str, Any] = dict.fromkeys(SIZES_IN_FILES, -1)
    if is_fixed:
        found |= zip(SIZES_IN_FILES[-len(size) :], size, strict=True)
    elif not scale:
        found["out_size"] = size
    last = attrs["data_format"][-1] == "C"
    return found | {"scale": ("FLOATS", scale), "data_layout": "NHWC" if last else "NCHW"}


def _read(mode: str, slots: Any, attrs: Any) -> Tensor:
    x = slots["X"][0]
    given = slots.get("SizeTensor") or (slots.get("OutSize") or [None])[0]
    scale = attrs.get("scale") or []
    size: Any = None
    if given is not None:
        size, scale = sizes(given, "size"), []
    elif not scale:
        size = [attrs[name] for name in SIZES_IN_FILES[2 - x.ndim :]]
    form = FORMATS[x.ndim][attrs.get("data_layout", "NCHW") == "NHWC"]
    align = attrs.get("align_corners", True), attrs.get("align_mode", 1)
    return OPERATORS[mode](x, *_wanted(x, size, scale or None, form), *align, form)


def _operator(mode: str, taps_of: Callable[..., Taps], floating: bool = True) -> Op:
    """The operator of one of Paddle's types."""

    @op(
        name=f"{mode}_interp",
        amp="full",
        infer=lambda x, size, data_format, **_: _spec(x, size, data_format, floating),
        desc=Desc(
            f"{mode}_interp_v2",
            {"X": "x"},
            attrs={"align_corners": "align_corners", "align_mode": "align_mode"},
            fixed={"interp_method": mode},
            write=_write,
            read=partial(_read, mode),
            size_slots={"out_size": "SizeTensor"},
        ),
    )
    def resized(
        x: Tensor,
        size: tuple[int, ...],
        scale: tuple[float, ...] = (),
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: ImageFormat = "NCHW",
    ) -> Tensor:
        """Images of another size: an operator under `interpolate`.

        size: of the spatial axes. scale: what they were multiplied by, or nothing.
        """
        _spec(x.spec, size, data_format, floating)
        axes = spatial_axes(x.ndim, data_format)
        narrow = floating and x.dtype.itemsize < 4
        out = astype(x, float32) if narrow else x
        for axis, count, factor in zip(axes, size, scale or (0.0,) * len(axes), strict=True):
            n = x.spec.shape[axis]
            out = _weighted(out, axis, taps_of(n, count, factor, align_corners, align_mode))
        return astype(out, x.dtype) if narrow else out

    @resized.grad
    def _(g, specs, size, scale, align_corners, align_mode, data_format):
        (x,) = specs
        axes = spatial_axes(x.ndim, data_format)
        found = astype(g, float32) if g.dtype.itemsize < 4 else g
        for axis, count, factor in zip(axes, size, scale or (0.0,) * len(axes), strict=True):
            settings = x.shape[axis], count, factor, align_corners, align_mode
            found = _returned(found, axis, taps_of, settings)
        return (astype(found, x.dtype),)

    return resized


def _weighted(x: Tensor, axis: int, taps: Taps) -> Tensor:
    """The sum of slices of x along an axis, each times its weights."""
    total: Any = None
    for index, weight in taps:
        slices = gather_op(x, index, axis)
        if weight is not None:
            slices = _times(slices, weight, axis)
        total = slices if total is None else total + slices
    return total


def _times(x: Tensor, weight: Tensor, axis: int) -> Tensor:
    """x times a number for each position along an axis."""
    form: list[Any] = [1] * x.ndim
    form[axis] = weight.spec.shape[0]
    return x * astype(reshape(weight, form), x.dtype)


def _returned(g: Tensor, axis: int, taps_of: Callable[..., Taps], settings: Any) -> Tensor:
    """The transpose of `_weighted`: the gradient of n elements from that of what they became."""
    n, count, *_ = settings
    if not is_known(n, count):
        total: Any = None
        for index, weight in taps_of(*settings):
            slices = sum_at(g if weight is None else _times(g, weight, axis), index, n, axis)
            total = slices if total is None else total + slices
        return total
    positions, weights = _turned(taps_of, *settings)
    if positions is None:
        return multiplied_along(g, axis, constant.function(weights))
    taps = [
        (constant.function(i), constant.function(w))
        for i, w in zip(positions, weights, strict=True)
    ]
    return _weighted(g, axis, [(_index(i, count), w) for i, w in taps])


@lru_cache(maxsize=64)
def _turned(taps_of: Callable[..., Taps], n: int, *settings: Any) -> tuple[Any, np.ndarray]:
    """For each of n elements the results that it is in, and its weight in each: [most,n] both.

    Where these are many there is None, and the weights are those in all results, [n,count].
    """
    matrix = _matrix(taps_of, n, *settings)
    most = int(np.count_nonzero(matrix, axis=0).max())
    if most > MANY_TAPS:
        return None, matrix.T.copy()
    positions = np.argsort(matrix == 0, axis=0, kind="stable")[:most]
    return positions, np.take_along_axis(matrix, positions, 0)


def _matrix(taps_of: Callable[..., Taps], n: int, count: int, *settings: Any) -> np.ndarray:
    """The weight of each element for each result, float32 [count,n]."""
    matrix = np.zeros((count, n), np.float32)
    with using(eager(UNRECORDED)):
        for index, weight in taps_of(n, count, *settings):
            np.add.at(
                matrix,
                (np.arange(count), index.numpy()),
                1.0 if weight is None else weight.numpy(),
            )
    return matrix


nearest_interp = _operator("nearest", _nearest, floating=False)
linear_interp = _operator("linear", _linear)
bilinear_interp = _operator("bilinear", _bilinear)
trilinear_interp = _operator("trilinear", _linear)
bicubic_interp = _operator("bicubic", _cubic)
OPERATORS = {
    "nearest": nearest_interp,
    "linear": linear_interp,
    "bilinear": bilinear_interp,
    "trilinear": trilinear_interp,
    "bicubic": bicubic_interp,
}
FORMATS = {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}  # by dimensions
RANKS = {"linear": (3,), "nearest": (4, 5), "bilinear": (4,), "bicubic": (4,), "trilinear": (5,)}
POOLS: dict[int, Callable[..., Tensor]] = {
    3: adaptive_avg_pool1d,
    4: adaptive_avg_pool2d,
    5: adaptive_avg_pool3d,
}


@nearest_interp.samples
def _(s):
    yield s(s.randn(2, 3, 4, 3), (7, 2))
    yield s(s.randn(1, 2, 3, 4), (6, 8), (2.0, 2.0))
    yield s(s.randn(1, 2, 3, 2, 2), (2, 5, 3), data_format="NCDHW")
    yield s(s.ints(0, 9, 1, 3, 4, 2), (5, 6), data_format="NHWC")
    yield s.bad(ShapeError, "sizes must be positive", s.randn(1, 1, 3, 3), (0, 2))


@linear_interp.samples
def _(s):
    yield s(s.randn(2, 3, 5), (8,), data_format="NCW")
    yield s(s.randn(2, 3, 5), (1,), (), True, data_format="NCW")
    yield s(s.randn(2, 3, 5), (8,), (), True, data_format="NCW")
    yield s(s.randn(2, 5, 3), (2,), (0.5,), False, 1, "NWC")
    yield s.bad(DTypeError, "expected a floating dtype", s.ints(0, 5, 1, 1, 3), (2,))


@bilinear_interp.samples
def _(s):
    yield s(s.randn(2, 3, 4, 5), (8, 3))
    yield s(s.randn(1, 2, 4, 5), (8, 10), (2.0, 2.0))
    yield s(s.randn(1, 2, 3, 3), (1, 5), (), True)
    yield s(s.randn(2, 1, 2, 3), (40, 3))
    yield s(s.randn(1, 3, 4, 2), (5, 7), (), False, 1, "NHWC")
    yield s.bad(ShapeError, "x must have 4 dimensions", s.randn(1, 2, 3), (2, 2))


@trilinear_interp.samples
def _(s):
    yield s(s.randn(1, 2, 3, 4, 2), (4, 3, 5), data_format="NCDHW")
    yield s(s.randn(1, 2, 2, 3, 2), (3, 2, 2), (), True, data_format="NDHWC")


@bicubic_interp.samples
def _(s):
    yield s(s.randn(1, 2, 4, 5), (7, 3))
    yield s(s.randn(1, 2, 4, 5), (6, 6), (), True)
    yield s(s.randn(1, 3, 3, 2), (6, 6), (2.0, 2.0), data_format="NHWC")


def _wanted(
    x: Tensor, size: Any, scale: Any, data_format: str
) -> tuple[tuple[Dim, ...], tuple[float, ...]]:
    """The sizes of the result, and the factors where these were given."""
    before = spatial_sizes(x.spec.shape, data_format)
    if size is not None:
        found = sizes(size, "size")
        _check_count(found, len(before), "size")
        return found, ()
    if is_dynamic(scale):
        raise UnsupportedError(
            "scale_factor must be known before the program runs", cure="give numbers, or a size"
        )
    given = np.asarray(scale, "float64").reshape(-1).tolist()
    factors = tuple(given * len(before)) if np.ndim(scale) == 0 else tuple(given)
    _check_count(factors, len(before), "scale_factor")
    if min(factors) <= 0:
        raise ArgumentError(f"scale_factor must be positive, received {scale}")
    return tuple(map(_multiplied, before, factors)), factors


def _multiplied(n: Dim, factor: float) -> Dim:
    """n times factor, rounded down."""
    if isinstance(n, int):
        return int(n * factor)
    from fractions import Fraction  # which loads decimal; few ask

    exact = Fraction(factor).limit_denominator(MAX_DENOMINATOR)
    return n * exact.numerator // exact.denominator


def _check_count(given: Sequence[Any], rank: int, name: str) -> None:
    if len(given) != rank:
        raise ArgumentError(
            f"{name} must hold {rank} numbers, one for each spatial axis, received {list(given)}"
        )


@function
def interpolate(
    x: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str = "NCHW",
    name: str | None = None,
    *,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images of another size.

    x: [N,C,W], [N,C,H,W] or [N,C,D,H,W], or with channels last. size: of the spatial axes, a list
    or an integer tensor; or scale_factor, one number or one for each axis. mode: "nearest",
    "linear", "bilinear", "trilinear", "bicubic" or "area" (averages, which need a size).
    align_corners: the first and last elements stay at the ends. align_mode: for linear modes, 0
    where elements have their centers at halves, 1 where at integers. recompute_scale_factor: only
    the sizes count that scale_factor leads to. antialias: where images become smaller, means over
    all that a result stands for; for bilinear and bicubic. These two may stand in the place of
    align_mode and data_format. Returns the same layout with the new sizes. Raises ArgumentError,
    ShapeError, DTypeError, UnsupportedError.

    >>> x = twinoar.to_tensor([[[[1.0, 3.0]]]])
    >>> twinoar.nn.functional.interpolate(x, [1, 4], mode="bilinear").flatten().tolist()
    [1.0, 1.5, 2.5, 3.0]
    """
    if align_mode is None or isinstance(align_mode, bool):
        recompute_scale_factor, align_mode = align_mode, 0
        if isinstance(data_format, bool):
            antialias, data_format = data_format, "NCHW"
    mode = mode.lower()
    if (size is None) == (scale_factor is None):
        raise ArgumentError(
            "size or scale_factor must be given, and only one of them",
            cure="write size=[h, w], or scale_factor=2",
        )
    if recompute_scale_factor and size is not None:
        raise ArgumentError(
            "recompute_scale_factor has no meaning with a size",
            cure="give scale_factor, or leave it",
        )
    if mode == "area" and not antialias:
        return _averaged(x, size)
    if x.ndim not in RANKS.get(mode, ()):
        raise ArgumentError(
            f"mode {mode!r} does not serve x of {x.ndim} dimensions",
            cure="linear is for 3, bilinear and bicubic for 4, trilinear for 5, nearest for 4 or 5",
        )
    if data_format not in FORMATS[x.ndim]:
        if data_format != "NCHW":
            raise ArgumentError(
                f"data_format must be {' or '.join(FORMATS[x.ndim])}, received {data_format!r}"
            )
        data_format = FORMATS[x.ndim][0]
    if align_corners and mode == "nearest":
        raise ArgumentError(
            "align_corners has no meaning for mode 'nearest'", cure="leave it False"
        )
    if align_mode not in (0, 1):
        raise ArgumentError(f"align_mode must be 0 or 1, received {align_mode!r}")
    wanted = _wanted(x, size, scale_factor, data_format)
    if recompute_scale_factor:
        wanted = (wanted[0], ())
    if antialias:
        return antialiased(x, *wanted, mode, align_corners, data_format)
    return OPERATORS[mode].function(x, *wanted, align_corners, align_mode, data_format, name)


def _averaged(x: Tensor, size: Any) -> Tensor:
    if size is None or x.ndim not in POOLS:
        raise ArgumentError(
            "mode 'area' needs a size, and x of 3, 4 or 5 dimensions", cure="write size=[h, w]"
        )
    return POOLS[x.ndim](x, list(sizes(size, "size")))


@told
def upsample(
    x: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The same as `interpolate`."""
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format, name)

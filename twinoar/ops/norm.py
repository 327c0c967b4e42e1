"""Normalization within one example: layer, group and instance normalization, and unit vectors.

All but the last are `standardize`, which has an explicit gradient, scaled and shifted. Batch
normalization, which looks at a batch and remembers, is in `batch_norm`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.dim import is_known
from twinoar.core.explain import explained
from twinoar.core.op import op
from twinoar.core.spec import Shape, Spec, normalize_axes
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.cast import astype
from twinoar.ops.extreme import max as largest
from twinoar.ops.math import abs as magnitude
from twinoar.ops.math import rsqrt
from twinoar.ops.reduce import mean
from twinoar.ops.reduce import sum as total
from twinoar.ops.select import maximum
from twinoar.ops.shape import reshape
from twinoar.ops.window import array_spec, check_floating, widened, working

Tensor = Value


@op
def standardize(x: Tensor, axis: tuple[int, ...], epsilon: float = 1e-5) -> Tensor:
    """x with mean 0 and variance 1 over `axis`: (x - mean) / sqrt(variance + epsilon).

    x: [*], floating. The variance is the biased one. Returns the shape and dtype of x.
    """
    centered, inverse = _moments(x, axis, epsilon)
    return astype(centered * inverse, x.dtype)


@standardize.infer
def _(x, axis, epsilon):
    check_floating(x)
    normalize_axes(axis, x.ndim)
    return x


@standardize.kernel
def _(x, axis, epsilon):
    out, inverse = _array_moments(x, axis, epsilon)
    out *= inverse
    return out.astype(x.dtype, copy=False)


@standardize.grad
def _(g, x, axis, epsilon):
    return standardize_grad(g, x, axis, epsilon)


@standardize.samples
def _(s):
    yield s(s.randn(2, 3, 4), (1, 2))
    yield s(s.randn(3, 4), (0,), 1e-3)
    yield s(s.randn(5), (-1,))
    yield s(s.zeros(0, 3), (1,))
    yield s(s.randn(2, 3, dtype="float64"), (1,))
    yield s.bad(AxisError, "axis must be in", s.randn(2, 3), (2,))


@op
def standardize_grad(dy: Tensor, x: Tensor, axis: tuple[int, ...], epsilon: float = 1e-5) -> Tensor:
    """The gradient of `standardize`, whose result is y: (dy - mean dy - y mean(dy y)) / deviation.

    dy, x: [*]. Returns the shape and dtype of x. Source: arXiv 1502.03167, section 3.
    """
    centered, inverse = _moments(x, axis, epsilon)
    y, dy = centered * inverse, widened(dy)
    across = mean(dy * y, axis=axis, keepdim=True)
    return astype((dy - mean(dy, axis=axis, keepdim=True) - y * across) * inverse, x.dtype)


@standardize_grad.infer
def _(dy, x, axis, epsilon):
    return x


@standardize_grad.kernel
def _(dy, x, axis, epsilon):
    y, inverse = _array_moments(x, axis, epsilon)
    y *= inverse
    return _standardized_back(dy, y, inverse, axis).astype(x.dtype, copy=False)


@standardize_grad.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), (1, 2), second=False)
    yield s(s.randn(3, 4), s.randn(3, 4), (0,), 1e-3)


@explained
def layer_norm(
    x: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-5,
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over its last dimensions, then scaled and shifted.

    x: [*, normalized_shape], floating. normalized_shape: a number or a list of sizes. weight, bias:
    one number for each normalized element, flat or in normalized_shape. Returns the shape of x.
    Raises ShapeError. Source: arXiv 1607.06450, equation 4.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[1.0, 3.0]])
    >>> twinoar.nn.functional.layer_norm(x, 2, epsilon=0.0).tolist()
    [[-1.0, 1.0]]
    """
    given = normalized_shape if isinstance(normalized_shape, Sequence) else [normalized_shape]
    sizes = tuple(int(n) for n in given)
    first = x.spec.ndim - len(sizes)
    own = x.spec.shape[first:] if first >= 0 else ()
    if first < 0 or (is_known(*own) and own != sizes):
        raise ShapeError(
            f"the last dimensions of x must be {list(sizes)}, received shape {x.shape}",
            cure="give the sizes of the dimensions to normalize over as normalized_shape",
        )
    return layer_norm_op(x, weight, bias, first, epsilon, name=name)


@op(
    name="layer_norm",
    amp="high",
    desc=Desc(
        "layer_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"begin_norm_axis": "begin_norm_axis", "epsilon": "epsilon"},
        extra_outputs=("Mean", "Variance"),
    ),
)
def layer_norm_op(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> Tensor:
    """x standardized over its dimensions from begin_norm_axis on, scaled and shifted.

    x: [*]. weight, bias: as many elements as the normalized dimensions. The operator under
    `layer_norm`.
    """
    inner = x.spec.shape[begin_norm_axis:]
    out = standardize(x, _from(x.spec.ndim, begin_norm_axis), epsilon)
    out = out if weight is None else out * reshape(weight, inner)
    return astype(out if bias is None else out + reshape(bias, inner), x.dtype)


@layer_norm_op.infer
def _(x, weight, bias, begin_norm_axis, epsilon):
    check_floating(x)
    if not 0 <= begin_norm_axis < x.ndim:
        raise AxisError(f"begin_norm_axis must be in [0, {x.ndim - 1}], received {begin_norm_axis}")
    size = math.prod(x.shape[begin_norm_axis:])
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and is_known(size, parameter.size) and parameter.size != size:
            raise ShapeError(
                f"{name} has {parameter.size} elements, {size} are normalized",
                cure="give one number for each normalized element",
            )
    return x


@layer_norm_op.kernel
def _(x, weight, bias, begin_norm_axis, epsilon):
    specs = [None if p is None else array_spec(p) for p in (x, weight, bias)]
    layer_norm_op.rules["infer"](*specs, begin_norm_axis, epsilon)
    inner = x.shape[begin_norm_axis:]
    out, inverse = _array_moments(x, _from(x.ndim, begin_norm_axis), epsilon)
    out *= inverse
    if weight is not None:
        out *= weight.reshape(inner)
    if bias is not None:
        out += bias.reshape(inner)
    return out.astype(x.dtype, copy=False)


@layer_norm_op.grad
def _(g, x, weight, specs, begin_norm_axis, epsilon):
    dx, scaled, summed = layer_norm_grad(g, x, weight, begin_norm_axis, epsilon)
    return dx, _like(scaled, specs[1]), _like(summed, specs[2])


@layer_norm_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(12), s.randn(12))
    yield s(s.randn(2, 3, 4), s.randn(4), s.randn(4), 2, 1e-3)
    yield s(s.randn(2, 3, 4), s.randn(3, 4), None)
    yield s(s.randn(4, 5), None, s.randn(5))
    yield s(s.randn(4, 5))
    yield s(s.randn(4), s.randn(4), s.randn(4), 0)
    yield s(s.zeros(0, 3), s.randn(3), s.randn(3))
    yield s.bad(ShapeError, "weight has 3 elements", s.randn(2, 4), s.randn(3))
    yield s.bad(AxisError, "begin_norm_axis", s.randn(2, 4), begin_norm_axis=2)


@op
def layer_norm_grad(
    dy: Tensor,
    x: Tensor,
    weight: Tensor | None,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `layer_norm` with respect to x, weight and bias.

    dy, x: [*]. The last two results have the shape of the normalized dimensions.
    """
    axes, lead = _from(x.spec.ndim, begin_norm_axis), tuple(range(begin_norm_axis))
    y = standardize(x, axes, epsilon)
    inner = x.spec.shape[begin_norm_axis:]
    scaled = dy if weight is None else astype(dy * reshape(weight, inner), x.dtype)
    dx = standardize_grad(scaled, x, axes, epsilon)
    return dx, *(total(v, axis=lead) if lead else v for v in (dy * y, dy))


@layer_norm_grad.infer
def _(dy, x, weight, begin_norm_axis, epsilon):
    inner = Spec(x.shape[begin_norm_axis:], x.dtype)
    return x, inner, inner


@layer_norm_grad.kernel
def _(dy, x, weight, begin_norm_axis, epsilon):
    axes, lead = _from(x.ndim, begin_norm_axis), tuple(range(begin_norm_axis))
    y, inverse = _array_moments(x, axes, epsilon)
    y *= inverse
    (wide,) = working(dy)
    sums = (wide * y).sum(axis=lead), wide.sum(axis=lead)
    scaled = wide if weight is None else wide * weight.reshape(x.shape[begin_norm_axis:])
    dx = _standardized_back(scaled, y, inverse, axes)
    return tuple(v.astype(x.dtype, copy=False) for v in (dx, *sums))


@layer_norm_grad.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), s.randn(12), 1)
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), None, 2, 1e-3)


@explained
def group_norm(
    x: Tensor,
    num_groups: int,
    epsilon: float = 1e-5,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each example.

    x: [N,C,*] or [N,*,C], floating. weight, bias: [C]. Returns the shape of x. Raises ShapeError
    where the groups do not divide the channels. Source: arXiv 1803.08494, equation 7.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[1.0], [3.0], [5.0], [7.0]]])
    >>> twinoar.nn.functional.group_norm(x, 2, epsilon=0.0, data_format="NCL").tolist()
    [[[-1.0], [1.0], [-1.0], [1.0]]]
    """
    layout = "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW"
    return group_norm_op(x, weight, bias, epsilon, num_groups, layout, name=name)


@op(
    name="group_norm",
    amp="high",
    desc=Desc(
        "group_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"epsilon": "epsilon", "groups": "groups", "data_layout": "data_format"},
        extra_outputs=("Mean", "Variance"),
    ),
)
def group_norm_op(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-5,
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """x standardized within each group of channels: the operator under `group_norm`.

    x: [N,C,*], or [N,*,C] for NHWC. weight, bias: [C].
    """
    shape = x.spec.shape
    last = data_format == "NHWC"
    _check_groups(x.spec, groups, last)
    channels = shape[-1 if last else 1]
    each = channels // groups
    cut: tuple[Any, ...]
    axes: tuple[int, ...]
    if last:
        rest = math.prod(shape[1:-1])
        cut, axes = (shape[0], rest, groups, each), (1, 3)
    else:
        cut, axes = (shape[0], groups, each * math.prod(shape[2:])), (2,)
    out = reshape(standardize(reshape(x, cut), axes, epsilon), shape)
    return _scaled(out, weight, bias, channels, last)


@group_norm_op.samples
def _(s):
    yield s(s.randn(2, 4, 3), s.randn(4), s.randn(4), groups=2)
    yield s(s.randn(2, 4, 2, 3), s.randn(4), None, 1e-3, 2)
    yield s(s.randn(2, 3, 2, 4), s.randn(4), s.randn(4), groups=2, data_format="NHWC")
    yield s(s.randn(3, 4), groups=2)
    yield s(s.zeros(0, 4, 2), groups=2)
    yield s.bad(ShapeError, "not a multiple", s.randn(2, 3, 4), groups=2)
    yield s.bad(ShapeError, "weight must be [4]", s.randn(2, 4, 4), s.randn(3), groups=2)


@explained
def instance_norm(
    x: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-5,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over each channel of each example.

    x: [N,C,*], floating. weight, bias: [C]. running_mean, running_var, use_input_stats, momentum:
    accepted; the statistics are always those of x. Returns the shape of x. Raises ShapeError.
    Source: arXiv 1607.08022, equation 4.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[[1.0, 3.0], [5.0, 9.0]]])
    >>> twinoar.nn.functional.instance_norm(x, eps=0.0, data_format="NCL").tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]
    """
    if data_format[-1] == "C" and data_format != "NC":
        raise ArgumentError(f"data_format must be NC, NCL, NCHW or NCDHW, received {data_format}")
    return instance_norm_op(x, weight, bias, eps, name=name)


@op(
    name="instance_norm",
    amp="high",
    desc=Desc(
        "instance_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"epsilon": "epsilon"},
        extra_outputs=("SavedMean", "SavedVariance"),
    ),
)
def instance_norm_op(
    x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, epsilon: float = 1e-5
) -> Tensor:
    """x standardized within each channel: the operator under `instance_norm`.

    x: [N,C,*]. weight, bias: [C].
    """
    _check_groups(x.spec, 1, False)
    shape = x.spec.shape
    flat = reshape(x, (*shape[:2], math.prod(shape[2:])))
    out = reshape(standardize(flat, (2,), epsilon), shape)
    return _scaled(out, weight, bias, shape[1], False)


@instance_norm_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(3), s.randn(3))
    yield s(s.randn(2, 3, 2, 3), None, s.randn(3), 1e-3)
    yield s(s.zeros(0, 3, 2))
    yield s.bad(ShapeError, "at least 2 dimensions", s.randn(3))


@explained
def normalize(
    x: Tensor, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None
) -> Tensor:
    """x divided by its p-norm along an axis, or by epsilon where the norm is less.

    x: [*], floating. p: positive, or infinity. Returns the shape of x. Raises AxisError.

    >>> import twinoar
    >>> twinoar.nn.functional.normalize(twinoar.to_tensor([[3.0, 4.0]])).tolist()
    [[0.6..., 0.8...]]
    """
    if p <= 0:
        raise ArgumentError(f"p must be positive, received {p}")
    if p == 2:  # the square is cut off before the root, whose slope at 0 is infinite
        squares = total(x * x, axis=axis, keepdim=True)
        return x * rsqrt(maximum(squares, epsilon * epsilon))
    sizes = magnitude(x)
    if p == math.inf:
        norm = largest(sizes, axis=axis, keepdim=True)
    else:
        norm = total(sizes**p, axis=axis, keepdim=True)
        if p != 1:
            norm = maximum(norm, epsilon**p) ** (1 / p)
    return x / maximum(norm, epsilon)


def _moments(x: Tensor, axis: Sequence[int], epsilon: float) -> tuple[Tensor, Tensor]:
    """x less its mean, and one over its deviation, in working precision."""
    x = widened(x)
    centered = x - mean(x, axis=axis, keepdim=True)
    return centered, rsqrt(mean(centered * centered, axis=axis, keepdim=True) + epsilon)


def _array_moments(x: np.ndarray, axis: Shape, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of arrays, in working precision; the first is a new array."""
    (x,) = working(x)
    centered = x - _array_mean(x, axis)
    variance = _array_mean(np.square(centered), axis)
    return centered, (1 / np.sqrt(variance + epsilon)).astype(x.dtype, copy=False)


def _array_mean(x: np.ndarray, axis: Shape) -> np.ndarray:
    """The mean, 0 where there is nothing to take it of."""
    return x.mean(axis=axis, keepdims=True) if x.size else x.sum(axis=axis, keepdims=True)


def _standardized_back(
    dy: np.ndarray, y: np.ndarray, inverse: np.ndarray, axis: Shape
) -> np.ndarray:
    """The gradient of x from that of y = (x - mean) * inverse."""
    across = _array_mean(dy * y, axis)
    out = dy - _array_mean(dy, axis)
    out -= y * across
    out *= inverse
    return out


def _from(ndim: int, first: int) -> tuple[int, ...]:
    return tuple(range(first, ndim))


def _like(g: Tensor, spec: Spec | None) -> Tensor | None:
    """A gradient in the shape and dtype of its operand."""
    return None if spec is None else astype(reshape(g, spec.shape), spec.dtype)


def _check_groups(x: Spec, groups: int, last: bool) -> None:
    check_floating(x)
    if x.ndim < 2:
        raise ShapeError(f"x must have at least 2 dimensions, received {x.ndim}")
    channels = x.shape[-1 if last else 1]
    if groups < 1 or (is_known(channels) and channels % groups):
        raise ShapeError(
            f"the {channels} channels of x are not a multiple of {groups} groups",
            cure="choose a number of groups that divides the channels",
        )


def _scaled(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, channels: Any, last: bool
) -> Tensor:
    """x times weight plus bias, by channel."""
    along = (channels,) if last else (channels, *(1,) * (x.spec.ndim - 2))
    out = x
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and is_known(channels) and parameter.spec.shape != (channels,):
            raise ShapeError(f"{name} must be [{channels}], received shape {parameter.shape}")
    if weight is not None:
        out = out * reshape(weight, along)
    if bias is not None:
        out = out + reshape(bias, along)
    return astype(out, x.dtype)

"""What normalization within one example shares: moments, and the operator `standardize`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Shape, Spec, Tensor, normalize_axes, op
from twinoar.errors import AxisError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.root import rsqrt
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import check_floating, widened, working

# Elements of a row from which compiled code beats NumPy, which takes 23 us for the eight functions
# that a row goes through, whatever its length; compiled 10, and 20 ms once for each shape.
LEAST = 256


@op(slow_kernel=True)
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
    out, inverse = array_moments(x, axis, epsilon)
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


@op(slow_kernel=True)
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
    y, inverse = array_moments(x, axis, epsilon)
    y *= inverse
    return standardized_back(dy, y, inverse, axis).astype(x.dtype, copy=False)


@standardize_grad.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(2, 3, 4), (1, 2), second=False)
    yield s(s.randn(3, 4), s.randn(3, 4), (0,), 1e-3)


def _moments(x: Tensor, axis: Sequence[int], epsilon: float) -> tuple[Tensor, Tensor]:
    """x less its mean, and one over its deviation, in working precision."""
    x = widened(x)
    centered = x - mean(x, axis=axis, keepdim=True)
    return centered, rsqrt(mean(centered * centered, axis=axis, keepdim=True) + epsilon)


def array_moments(x: np.ndarray, axis: Shape, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of arrays, in working precision; the first is a new array."""
    (x,) = working(x)
    centered = x - _array_mean(x, axis)
    variance = _array_mean(np.square(centered), axis)
    return centered, (1 / np.sqrt(variance + epsilon)).astype(x.dtype, copy=False)


def _array_mean(x: np.ndarray, axis: Shape) -> np.ndarray:
    """The mean, 0 where there is nothing to take it of."""
    return x.mean(axis=axis, keepdims=True) if x.size else x.sum(axis=axis, keepdims=True)


def standardized_back(
    dy: np.ndarray, y: np.ndarray, inverse: np.ndarray, axis: Shape
) -> np.ndarray:
    """The gradient of x from that of y = (x - mean) * inverse."""
    across = _array_mean(dy * y, axis)
    out = dy - _array_mean(dy, axis)
    out -= y * across
    out *= inverse
    return out


def check_groups(x: Spec, groups: int, last: bool) -> None:
    check_floating(x)
    if x.ndim < 2:
        raise ShapeError(f"x must have at least 2 dimensions, received {x.ndim}")
    channels = x.shape[-1 if last else 1]
    if groups < 1 or (is_known(channels) and channels % groups):
        raise ShapeError(
            f"the {channels} channels of x are not a multiple of {groups} groups",
            cure="choose a number of groups that divides the channels",
        )


def scaled_by_channel(
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

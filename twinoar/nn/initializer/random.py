"""Initializers that draw: Normal, TruncatedNormal, Uniform, Orthogonal."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import float64
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn.initializer.initializer import Initializer
from twinoar.ops.index.diagonal import diagonal
from twinoar.ops.linalg.decomposition import qr_op
from twinoar.ops.math.error_function import erfinv
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import clip
from twinoar.ops.math.sign import sign
from twinoar.ops.random.uniform import gaussian, uniform
from twinoar.ops.shape.reshape import reshape, transpose


class Normal(Initializer):
    """Normal numbers of that mean and standard deviation.

    >>> attr = twinoar.nn.initializer.Normal(mean=5.0, std=0.0)
    >>> twinoar.nn.Linear(1, 1, weight_attr=attr).weight.item()
    5.0
    """

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None):
        self.mean, self.std = mean, std

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return normal_of(spec, self.mean, self.std)


class Uniform(Initializer):
    """Uniform numbers in [low, high). Raises ArgumentError where low exceeds high.

    >>> attr = twinoar.nn.initializer.Uniform(2.0, 3.0)
    >>> 2.0 <= twinoar.nn.Linear(1, 1, weight_attr=attr).weight.item() < 3.0
    True
    """

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None):
        if low > high:
            raise ArgumentError(f"low must not exceed high, received low={low}, high={high}")
        self.low, self.high = low, high

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return uniform_of(spec, self.low, self.high)


class TruncatedNormal(Initializer):
    """Normal numbers drawn from what lies in [a, b] only.

    mean, std: of the normal distribution before it is cut. a, b: the bounds themselves, not
    multiples of std. Raises ArgumentError where a is not below b.

    >>> attr = twinoar.nn.initializer.TruncatedNormal(a=0.5, b=1.0)
    >>> 0.5 <= twinoar.nn.Linear(1, 1, weight_attr=attr).weight.item() <= 1.0
    True
    """

    def __init__(
        self,
        mean: float = 0.0,
        std: float = 1.0,
        a: float = -2.0,
        b: float = 2.0,
        name: str | None = None,
    ):
        if not a < b:
            raise ArgumentError(f"a must be below b, received a={a}, b={b}")
        self.mean, self.std, self.a, self.b = mean, std, a, b

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return truncated_normal_of(spec, self.mean, self.std, self.a, self.b)


class Orthogonal(Initializer):
    """Rows, or columns where there are fewer, that are orthogonal, `gain` long each.

    The weight counts as a matrix of its first dimension and all others. Raises ShapeError for a
    weight of less than 2 dimensions. Source: arXiv 1312.6120, section 3.

    >>> attr = twinoar.nn.initializer.Orthogonal()
    >>> w = twinoar.nn.Linear(2, 3, weight_attr=attr).weight
    >>> (w @ w.t()).round().abs().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, gain: float = 1.0, name: str | None = None):
        self.gain = gain

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        if spec.ndim < 2:
            raise ShapeError(f"Orthogonal is for weights of 2 or more dimensions, received {spec}")
        rows = spec.shape[0]
        drawn = reshape(normal_of(spec, 0.0, 1.0), (rows, -1))
        is_wide = rows < drawn.spec.shape[1]
        q, r = qr_op(transpose(drawn, [1, 0]) if is_wide else drawn)
        q = q * sign(diagonal(r))  # so that each orthogonal matrix is as likely as others
        return reshape(transpose(q, [1, 0]) if is_wide else q, spec.shape) * self.gain


def normal_of(spec: Spec, mean: float, std: float, seed: int = 0) -> Any:
    """Normal numbers of `spec`; with a seed other than 0 the same at each call."""
    return gaussian(spec.shape, mean, std, seed, spec.dtype)


def uniform_of(spec: Spec, low: float, high: float, seed: int = 0) -> Any:
    """Uniform numbers in [low, high) of `spec`; with a seed other than 0 the same at each call."""
    return uniform(spec.shape, spec.dtype, low, high, seed)


def truncated_normal_of(
    spec: Spec, mean: float, std: float, low: float, high: float, seed: int = 0
) -> Any:
    """Normal numbers in [low, high] of `spec`, by the inverse of the distribution function.

    In float64, so that a bound far out leaves the tail as long as it should be.
    """
    if std == 0:
        return fill(spec.shape, min(max(mean, low), high), spec.dtype)
    least, most = (math.erf((bound - mean) / (std * math.sqrt(2))) for bound in (low, high))
    drawn = uniform(spec.shape, float64, least, most, seed)
    return clip(erfinv(drawn) * (std * math.sqrt(2)) + mean, low, high).astype(spec.dtype)

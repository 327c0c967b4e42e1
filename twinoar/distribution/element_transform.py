"""Transforms of each number by itself."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.spec import Shape, broadcast
from twinoar.core.values import Value as Tensor
from twinoar.distribution.transform import Transform, checked
from twinoar.ops.activation.smooth import sigmoid, softplus
from twinoar.ops.create.fill import zeros_like
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.sign import abs as absolute
from twinoar.ops.math.trigonometry import atanh, tanh


class AbsTransform(Transform):
    """abs(x); its inverse gives both -y and y."""

    injective = False

    def _forward(self, x: Any) -> Any:
        return absolute(x)

    def _inverse(self, y: Any) -> Any:
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return zeros_like(y), zeros_like(y)


class AffineTransform(Transform):
    """loc + scale x.

    loc, scale: tensors.

    >>> loc, scale = twinoar.to_tensor(1.0), twinoar.to_tensor(2.0)
    >>> twinoar.distribution.AffineTransform(loc, scale).forward(twinoar.to_tensor(3.0)).item()
    7.0
    """

    def __init__(self, loc: Tensor, scale: Tensor):
        self._loc, self._scale = checked(loc, "loc"), checked(scale, "scale")

    @property
    def loc(self) -> Tensor:
        """What is added."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """What x is multiplied by."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        return self._loc + self._scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self._loc) / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return log(absolute(self._scale)) + zeros_like(x)

    def _forward_shape(self, shape: Shape) -> Shape:
        return broadcast(shape, self._loc.spec.shape, self._scale.spec.shape)

    _inverse_shape = _forward_shape


class ExpTransform(Transform):
    """exp(x)."""

    def _forward(self, x: Any) -> Any:
        return exp(x)

    def _inverse(self, y: Any) -> Any:
        return log(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class PowerTransform(Transform):
    """x to the power of `power`, of positive x.

    power: a tensor.
    """

    def __init__(self, power: Tensor):
        self._power = checked(power, "power")

    @property
    def power(self) -> Tensor:
        """The exponent."""
        return self._power

    def _forward(self, x: Any) -> Any:
        return x**self._power

    def _inverse(self, y: Any) -> Any:
        return y ** (1.0 / self._power)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return log(absolute(self._power * x ** (self._power - 1.0)))

    def _forward_shape(self, shape: Shape) -> Shape:
        return broadcast(shape, self._power.spec.shape)

    _inverse_shape = _forward_shape


class SigmoidTransform(Transform):
    """1 / (1 + exp(-x))."""

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return log(y) - log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)


class TanhTransform(Transform):
    """tanh(x)."""

    def _forward(self, x: Any) -> Any:
        return tanh(x)

    def _inverse(self, y: Any) -> Any:
        return atanh(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))

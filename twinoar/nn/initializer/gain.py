"""Initializers that keep the variance of activations or gradients from layer to layer."""

from __future__ import annotations

import math
from typing import Any, Literal

from twinoar.core.op.explain import told
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError
from twinoar.nn.initializer.initializer import Initializer, fans
from twinoar.nn.initializer.random import normal_of, uniform_of

LINEAR = (
    "sigmoid", "linear", "conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv_transpose1d",
    "conv2d_transpose", "conv_transpose2d", "conv3d_transpose", "conv_transpose3d",
)  # fmt: skip


@told
def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor on the standard deviation of weights before `nonlinearity`.

    param: the slope of "leaky_relu", 0.01 where absent. Raises ArgumentError for a name not known.

    >>> twinoar.nn.initializer.calculate_gain("tanh")
    1.6666666666666667
    """
    gains = dict.fromkeys(LINEAR, 1.0) | {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in gains:
        known = ", ".join([*gains, "leaky_relu"])
        raise ArgumentError(f"nonlinearity must be one of {known}, received {nonlinearity!r}")
    return gains[nonlinearity]


class _Xavier(Initializer):
    """Standard deviation gain sqrt(2 / (fan_in + fan_out))."""

    def __init__(
        self,
        fan_in: float | None = None,
        fan_out: float | None = None,
        gain: float = 1.0,
        name: str | None = None,
    ):
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def deviation(self, spec: Spec) -> float:
        """Standard deviation for a weight of `spec`."""
        own_in, own_out = fans(spec)
        fan_in = own_in if self.fan_in is None else self.fan_in
        fan_out = own_out if self.fan_out is None else self.fan_out
        return self.gain * math.sqrt(2 / max(fan_in + fan_out, 1))


class XavierNormal(_Xavier):
    """Normal numbers of standard deviation gain sqrt(2 / (fan_in + fan_out)).

    fan_in, fan_out: None takes them from the weight's shape. Source: Glorot and Bengio 2010, eq.
    16.

    >>> attr = twinoar.nn.initializer.XavierNormal()
    >>> twinoar.nn.Linear(2, 3, weight_attr=attr).weight.shape
    [2, 3]
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return normal_of(spec, 0.0, self.deviation(spec))


class XavierUniform(_Xavier):
    """Uniform numbers within gain sqrt(6 / (fan_in + fan_out)) of zero.

    fan_in, fan_out: None takes them from the weight's shape. Source: Glorot and Bengio 2010, eq.
    16.

    >>> attr = twinoar.nn.initializer.XavierUniform()
    >>> weight = twinoar.nn.Linear(2, 4, weight_attr=attr).weight
    >>> bool((weight.abs() <= 1.0).all())
    True
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        bound = math.sqrt(3) * self.deviation(spec)
        return uniform_of(spec, -bound, bound)


class _Kaiming(Initializer):
    """Standard deviation gain / sqrt(fan)."""

    def __init__(
        self,
        fan_in: float | None = None,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: Literal["fan_in", "fan_out"] = "fan_in",
    ):
        if mode not in ("fan_in", "fan_out"):
            raise ArgumentError(f"mode must be 'fan_in' or 'fan_out', received {mode!r}")
        self.fan_in, self.mode = fan_in, mode
        self.gain = calculate_gain(nonlinearity, negative_slope)

    def deviation(self, spec: Spec) -> float:
        """Standard deviation for a weight of `spec`."""
        own_in, own_out = fans(spec)
        own = own_in if self.mode == "fan_in" else own_out
        fan = own if self.fan_in is None else self.fan_in
        return self.gain / math.sqrt(max(fan, 1))


class KaimingNormal(_Kaiming):
    """Normal numbers of standard deviation gain / sqrt(fan_in), gain sqrt(2) for relu.

    fan_in: None takes it from the weight's shape. negative_slope: of a "leaky_relu". mode:
    "fan_out" keeps the variance of gradients instead. Source: arXiv 1502.01852, eq. 10 and 14.

    >>> attr = twinoar.nn.initializer.KaimingNormal()
    >>> twinoar.nn.Linear(2, 3, weight_attr=attr).weight.shape
    [2, 3]
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        return normal_of(spec, 0.0, self.deviation(spec))


class KaimingUniform(_Kaiming):
    """Uniform numbers within gain sqrt(3 / fan_in) of zero, gain sqrt(2) for relu.

    Arguments as of KaimingNormal. Source: arXiv 1502.01852, eq. 10 and 14.

    >>> attr = twinoar.nn.initializer.KaimingUniform()
    >>> weight = twinoar.nn.Linear(6, 4, weight_attr=attr).weight
    >>> bool((weight.abs() <= 1.0).all())
    True
    """

    def make(self, spec: Spec) -> Any:
        """A value of `spec`."""
        bound = math.sqrt(3) * self.deviation(spec)
        return uniform_of(spec, -bound, bound)

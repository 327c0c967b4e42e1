"""ATen's activations."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import DType
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import floating, same, target
from twinoar.ops.activation.softmax import glu, log_softmax, softmax
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.reshape import reshape

same("relu silu mish hardswish log_sigmoid tanhshrink softsign relu6 selu")


@target("aten.gelu")
def gelu(self: Value, approximate: str = "none") -> Any:
    """x times the share of a normal distribution below x."""
    return op_named("gelu")(self, approximate == "tanh")


@target("aten.hardtanh")
def hardtanh(self: Value, min_val: Any = -1, max_val: Any = 1) -> Any:
    """x between two numbers."""
    if self.dtype.is_whole:
        return op_named("clip")(self, min_val, max_val)
    return op_named("hardtanh")(self, float(min_val), float(max_val))


@target("aten.hardsigmoid")
def hardsigmoid(self: Value) -> Any:
    """x / 6 + 1 / 2, between 0 and 1."""
    return op_named("hardsigmoid")(self, 1.0 / 6.0, 0.5)


@target("aten.leaky_relu")
def leaky_relu(self: Value, negative_slope: Any = 0.01) -> Any:
    """x, with another slope below 0."""
    return op_named("leaky_relu")(self, float(negative_slope))


@target("aten.elu")
def elu(self: Value, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Any:
    """scale * x, below 0 scale * alpha * (exp(input_scale * x) - 1)."""
    if scale == 1 and input_scale == 1:
        return op_named("elu")(self, float(alpha))
    low = op_named("expm1")(op_named("minimum")(self, 0.0) * input_scale) * (alpha * scale)
    return op_named("select")(self > 0, self * scale, low)


@target("aten.celu")
def celu(self: Value, alpha: Any = 1.0) -> Any:
    """x, below 0 alpha * (exp(x / alpha) - 1)."""
    return op_named("celu")(self, float(alpha))


@target("aten.prelu", "aten._prelu_kernel")
def prelu(self: Value, weight: Value) -> Any:
    """x, with learned slopes below 0: one, or one for each channel."""
    if self.ndim > 1 and weight.spec.size != 1 and weight.ndim == 1:
        weight = reshape(weight, [1, -1, *[1] * (self.ndim - 2)])
    return op_named("select")(self > 0, self, self * weight)


@target("aten.rrelu")
def rrelu(self: Value, lower: Any = 0.125, upper: Any = 1 / 3, training: bool = False) -> Any:
    """x, with a slope below 0 that training draws; here their mean."""
    if training:
        raise UnsupportedError("rrelu in training", cure="export the model after eval()")
    return op_named("leaky_relu")(self, (float(lower) + float(upper)) / 2)


@target("aten.softplus")
def softplus(self: Value, beta: Any = 1, threshold: Any = 20) -> Any:
    """log(1 + exp(beta * x)) / beta, and x above a threshold."""
    return op_named("softplus")(self, float(beta), float(threshold))


@target("aten.threshold")
def threshold(self: Value, threshold: Any, value: Any) -> Any:
    """x above a threshold, else a value."""
    other = op_named("fill_like")(self, value)
    return op_named("select")(self > threshold, self, other)


@target("aten.hardshrink")
def hardshrink(self: Value, lambd: Any = 0.5) -> Any:
    """x, and 0 near 0."""
    return op_named("hardshrink")(self, float(lambd))


@target("aten.softshrink")
def softshrink(self: Value, lambd: Any = 0.5) -> Any:
    """x nearer to 0, and 0 near it."""
    return op_named("softshrink")(self, float(lambd))


@target("aten.log_sigmoid_forward")
def log_sigmoid_forward(self: Value) -> Any:
    """log(sigmoid(x)); what its gradient keeps is not made."""
    return op_named("log_sigmoid")(self), None


@target("aten.glu")
def gated(self: Value, dim: int = -1) -> Any:
    """One half times the sigmoid of the other."""
    return glu(self, dim)


def _prepared(x: Value, dtype: DType | None) -> Value:
    return floating(x) if dtype is None else astype(x, dtype)


def _along(function: Any, x: Value, dim: int) -> Any:
    if x.ndim:
        return function(x, dim)
    return reshape(function(reshape(x, [1]), 0), [])


@target("aten.softmax", "aten.special_softmax")
def softmax_(self: Value, dim: int, dtype: DType | None = None) -> Any:
    """exp(x) as shares of their sum."""
    return _along(softmax, _prepared(self, dtype), dim)


@target("aten.log_softmax", "aten.special_log_softmax")
def log_softmax_(self: Value, dim: int, dtype: DType | None = None) -> Any:
    """log(softmax(x))."""
    return _along(log_softmax, _prepared(self, dtype), dim)


@target("aten._softmax")
def softmax_of_half(self: Value, dim: int, half_to_float: bool) -> Any:
    """exp(x) as shares of their sum."""
    return softmax_(self, dim)


@target("aten._safe_softmax")
def safe_softmax(self: Value, dim: int, dtype: DType | None = None) -> Any:
    """softmax, and zeros where all of x is minus infinity."""
    found = softmax_(self, dim, dtype)
    masked = op_named("all")(self == float("-inf"), axis=(dim,), keepdim=True)
    return op_named("select")(masked, op_named("fill_like")(found, 0.0), found)


@target("aten._log_softmax")
def log_softmax_of_half(self: Value, dim: int, half_to_float: bool) -> Any:
    """log(softmax(x))."""
    return log_softmax_(self, dim)

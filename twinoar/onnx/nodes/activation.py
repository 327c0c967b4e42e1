"""Activations."""

from __future__ import annotations

import math
from typing import Any

import twinoar as paddle
from twinoar.nn import functional as F
from twinoar.onnx.table import each, node

each({"Softsign": F.softsign, "Mish": F.mish, "HardSwish": F.hardswish})


@node("Relu")
def relu(x: Any, *, consumed_inputs: list | None = None) -> Any:
    return F.relu(x) if x.dtype.is_floating else paddle.maximum(x, paddle.zeros([], x.dtype))


@node("LeakyRelu")
def leaky_relu(x: Any, *, alpha: float = 0.01) -> Any:
    return F.leaky_relu(x, alpha)


@node("ThresholdedRelu")
def thresholded_relu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.thresholded_relu(x, alpha)


@node("PRelu")
def prelu(x: Any, slope: Any) -> Any:
    if len(slope.shape) == 1 and len(x.shape) > 2 and slope.shape[0] == x.shape[1]:
        slope = slope.reshape([-1, *[1] * (len(x.shape) - 2)])  # of the first versions: channels
    return paddle.where(x < 0, x * slope, x)


@node("Elu")
def elu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.elu(x, alpha)


@node("Celu")
def celu(x: Any, *, alpha: float = 1.0) -> Any:
    return F.celu(x, alpha)


@node("Selu")
def selu(
    x: Any, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875
) -> Any:
    return paddle.where(x > 0, gamma * x, gamma * alpha * paddle.expm1(x))


@node("Gelu")
def gelu(x: Any, *, approximate: str = "none") -> Any:
    return F.gelu(x, approximate == "tanh")


@node("HardSigmoid")
def hard_sigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return paddle.clip(x * alpha + beta, 0.0, 1.0)


@node("Swish")
def swish(x: Any, *, alpha: float = 1.0) -> Any:
    return x * F.sigmoid(alpha * x)


@node("SwiGLU")
def swiglu(gate: Any, x: Any, *, alpha: float = 1.0) -> Any:
    return swish(gate, alpha=alpha) * x


@node("Softplus")
def softplus(x: Any) -> Any:
    return paddle.logaddexp(x, paddle.zeros_like(x))


@node("Shrink")
def shrink(x: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    wide = x.astype("float64")
    moved = paddle.where(
        wide > lambd, wide - bias, paddle.where(wide < -lambd, wide + bias, wide * 0)
    )
    return moved.astype(x.dtype)


def _in_rows(x: Any, axis: int) -> Any:
    """The dimensions from the axis on as one, as the versions before 13 take them."""
    axis %= len(x.shape)
    return x.reshape([math.prod(x.shape[:axis]), -1])


@node("Softmax")
def softmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return F.softmax(_in_rows(x, axis), 1).reshape(x.shape)


@node("Softmax", since=13)
def softmax(x: Any, *, axis: int = -1) -> Any:
    return F.softmax(x, axis)


@node("LogSoftmax")
def log_softmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return F.log_softmax(_in_rows(x, axis), 1).reshape(x.shape)


@node("LogSoftmax", since=13)
def log_softmax(x: Any, *, axis: int = -1) -> Any:
    return F.log_softmax(x, axis)


@node("Hardmax")
def hardmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return hardmax(_in_rows(x, axis)).reshape(x.shape)


@node("Hardmax", since=13)
def hardmax(x: Any, *, axis: int = -1) -> Any:
    axis %= len(x.shape)
    hot = F.one_hot(paddle.argmax(x, axis), x.shape[axis]).astype(x.dtype)
    last = len(x.shape) - 1
    order = [*range(axis), last, *range(axis, last)]
    return paddle.transpose(hot, order)

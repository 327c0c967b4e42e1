"""Functions of each element by their 1.x names: mathematics, and activations."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.fluid.layers.adapter import ACTIVATIONS, define
from twinoar.nn import functional as F
from twinoar.ops.activation.rectifier import SELU_ALPHA, SELU_SCALE
from twinoar.ops.reduce.cumulative_sum import cumsum_op


def bounded_swish(x: Any, threshold: float, scale: float, offset: float) -> Any:
    """x * min(max(0, x + offset), threshold) / scale."""
    return x * paddle.clip(x + offset, 0.0, threshold) / scale


def soft(x: Any, threshold: float) -> Any:
    """log(1 + exp(x)), of x brought into [-threshold, threshold]."""
    return paddle.log1p(paddle.exp(paddle.clip(x, -threshold, threshold)))


def half_away(x: Any) -> Any:
    """The nearest whole number; of two, the one farther from 0."""
    return paddle.sign(x) * paddle.floor(paddle.abs(x) + 0.5)


def running_sum(x: Any, axis: int | None, exclusive: bool | None, reverse: bool | None) -> Any:
    """Sums along `axis` of the elements up to each, or down to it; without it if exclusive."""
    axis = -1 if axis is None else axis
    total = cumsum_op(x, axis % x.ndim, bool(reverse))
    return total - x if exclusive else total


def log_of_softmax(input: Any, axis: int | None, dtype: Any) -> Any:
    """log(softmax(x)) along `axis`, the last by default."""
    return F.log_softmax(input, -1 if axis is None else axis, dtype)


TABLE = """
abs(x, name=None) -> paddle.abs(x)
acos(x, name=None) -> paddle.acos(x)
asin(x, name=None) -> paddle.asin(x)
atan(x, name=None) -> paddle.atan(x)
brelu(x, t_min=0.0, t_max=24.0, name=None) -> paddle.clip(x, t_min, t_max)
ceil(x, name=None) -> paddle.ceil(x)
cos(x, name=None) -> paddle.cos(x)
elu(x, alpha=1.0, name=None) -> F.elu(x, alpha)
erf(x) -> paddle.erf(x)
exp(x, name=None) -> paddle.exp(x)
floor(x, name=None) -> paddle.floor(x)
gelu(x, approximate=False) -> F.gelu(x, approximate)
hard_shrink(x, threshold=None)
    -> F.hardshrink(x, 0.5 if threshold is None else threshold)  # F.hardshrink(x, threshold)
hard_sigmoid(x, slope=0.2, offset=0.5, name=None) -> F.hardsigmoid(x, slope, offset)
hard_swish(x, threshold=6.0, scale=6.0, offset=3.0, name=None)
    -> F.hardswish(x) if (threshold, scale, offset) == (6, 6, 3)
    else bounded_swish(x, threshold, scale, offset)  # F.hardswish(x)
leaky_relu(x, alpha=0.02, name=None) -> F.leaky_relu(x, alpha)
log(x, name=None) -> paddle.log(x)
log1p(x, out=None, name=None) -> paddle.log1p(x)
log_softmax(input, axis=None, dtype=None, name=None)
    -> log_of_softmax(input, axis, dtype)  # F.log_softmax(input, axis, dtype)
logsigmoid(x, name=None) -> F.log_sigmoid(x)
maxout(x, groups, name=None, axis=1) -> F.maxout(x, groups, axis)
mish(x, threshold=20, name=None)
    -> F.mish(x) if threshold == 20 else x * paddle.tanh(F.softplus(x, 1.0, threshold))  # F.mish(x)
pow(x, factor=1.0, name=None) -> paddle.pow(x, factor)
reciprocal(x, name=None) -> paddle.reciprocal(x)
relu(x, name=None) -> F.relu(x)
relu6(x, threshold=6.0, name=None)
    -> F.relu6(x) if threshold == 6.0 else paddle.clip(x, 0.0, threshold)  # F.relu6(x)
round(x, name=None) -> half_away(x)  # paddle.round(x), which rounds halves to even
rsqrt(x, name=None) -> paddle.rsqrt(x)
selu(x, scale=None, alpha=None, name=None)
    -> F.selu(x, SELU_SCALE if scale is None else scale, SELU_ALPHA if alpha is None else alpha)
    # F.selu(x, scale, alpha)
sigmoid(x, name=None) -> F.sigmoid(x)
sign(x) -> paddle.sign(x)
sin(x, name=None) -> paddle.sin(x)
soft_relu(x, threshold=40.0, name=None)
    -> soft(x, threshold)  # F.softplus(x)
softmax(input, use_cudnn=False, name=None, axis=-1) -> F.softmax(input, axis)
softplus(x, name=None) -> F.softplus(x)
softshrink(x, alpha=None)
    -> F.softshrink(x, 0.5 if alpha is None else alpha)  # F.softshrink(x, alpha)
softsign(x, name=None) -> F.softsign(x)
sqrt(x, name=None) -> paddle.sqrt(x)
square(x, name=None) -> paddle.square(x)
stanh(x, scale_a=0.67, scale_b=1.7159, name=None) -> paddle.stanh(x, scale_a, scale_b)
swish(x, beta=1.0, name=None)
    -> F.swish(x) if beta == 1.0 else x * F.sigmoid(x * beta)  # F.swish(x)
tanh(x, name=None) -> paddle.tanh(x)
tanh_shrink(x, name=None) -> F.tanhshrink(x)
thresholded_relu(x, threshold=None)
    -> F.thresholded_relu(x, 1.0 if threshold is None else threshold)
    # F.thresholded_relu(x, threshold)
"""

__all__ = define(globals(), TABLE)
ACTIVATIONS.update({name: globals()[name] for name in __all__})
__all__ += define(
    globals(),
    """
cumsum(x, axis=None, exclusive=None, reverse=None)
    -> running_sum(x, axis, exclusive, reverse)  # paddle.cumsum(x, axis)
""",
)

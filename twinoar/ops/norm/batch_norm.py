"""Batch normalization: a pure operator that also returns the new running statistics."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import float64, int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op
from twinoar.errors import ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.math.root import rsqrt
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import mean as average
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import array_spec, check_floating, widened, working

DataFormat = Literal["NCHW", "NHWC"]


@function
def batch_norm(
    x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 in each channel, then scaled and shifted.

    x: [N,C], [N,C,*] or [N,*,C], floating. running_mean, running_var, weight, bias: [C]. training:
    take mean and variance of the batch, and move the running ones: running_mean becomes
    momentum * running_mean + (1 - momentum) * mean, and likewise the (biased) variance; otherwise
    take the running ones. use_global_stats: True or False says so whatever `training` is. A batch
    of one value per channel has no variance: in training x is returned as it is, and the running
    statistics stay. Returns the shape of x. Raises ShapeError. Source: arXiv 1502.03167,
    algorithms 1 and 2.

    >>> mean, variance = twinoar.zeros([1]), twinoar.ones([1])
    >>> x = twinoar.to_tensor([[1.0], [3.0]])
    >>> twinoar.nn.functional.batch_norm(x, mean, variance, training=True, epsilon=0.0).tolist()
    [[-1.0], [1.0]]
    >>> round(mean.item(), 4)
    0.2
    """
    layout = "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW"
    trains = training if use_global_stats is None else not use_global_stats
    out, new_mean, new_variance = batch_norm_op(
        x, running_mean, running_var, weight, bias, trains, momentum, epsilon, layout
    )
    if trains:
        for running, new in ((running_mean, new_mean), (running_var, new_variance)):
            new.stop_gradient = True  # statistics are remembered, not differentiated
            current().rebind(running, new)
    return out


def _read_batch_norm(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Any, ...]:
    weight, bias = ((slots.get(slot) or [None])[0] for slot in ("Scale", "Bias"))
    tests = attrs.get("is_test", False) and not attrs.get("trainable_statistics", False)
    trains = not (tests or attrs.get("use_global_stats", False))
    layout = "NHWC" if attrs.get("data_layout", "NCHW") == "NHWC" else "NCHW"
    statistics = (slots["Mean"][0], slots["Variance"][0])
    numbers = (attrs.get("momentum", 0.9), attrs.get("epsilon", 1e-5))
    return batch_norm_op(slots["X"][0], *statistics, weight, bias, trains, *numbers, layout)


@op(
    slow_kernel=True,
    name="batch_norm",
    amp_operands=("x",),
    desc=Desc(
        "batch_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias", "Mean": "mean", "Variance": "variance"},
        outputs=("Y", "MeanOut", "VarianceOut"),
        attrs={"momentum": "momentum", "epsilon": "epsilon", "data_layout": "data_format"},
        extra_outputs=("SavedMean", "SavedVariance", "ReserveSpace"),
        write=lambda attrs, specs: {
            "is_test": not attrs["training"],
            "use_global_stats": not attrs["training"],
            "trainable_statistics": False,
        },
        read=_read_batch_norm,
    ),
)
def batch_norm_op(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: DataFormat = "NCHW",
) -> tuple[Tensor, Tensor, Tensor]:
    """x normalized by channel, and the new running mean and variance: under `batch_norm`.

    x: [N,C,*], or [N,*,C] for NHWC. mean, variance, weight, bias: [C]. Returns the shape of x, [C]
    and [C]; the last two are mean and variance themselves where not training.
    """
    axes, along = _layout(x.spec, data_format)
    alone = training and _is_alone(x, axes)
    if alone is True:
        return x, mean, variance
    new_mean, new_variance = mean, variance
    wide = widened(x)
    if training:
        batch_mean, batch_variance = _moments(wide, axes, along)
        centered = wide - reshape(batch_mean, along)
        new_mean = astype(momentum * mean + (1 - momentum) * batch_mean, mean.dtype)
        new_variance = astype(momentum * variance + (1 - momentum) * batch_variance, variance.dtype)
        scale = rsqrt(batch_variance + epsilon)
    else:
        centered = wide - reshape(mean, along)
        scale = rsqrt(variance + epsilon)
    scale = scale if weight is None else scale * weight
    out = centered * reshape(scale, along)
    out = out if bias is None else out + reshape(bias, along)
    found = astype(out, x.dtype), new_mean, new_variance
    if alone is False:
        return found
    kept = zip((x, mean, variance), found, strict=True)
    return tuple(select(alone, old, new) for old, new in kept)


@batch_norm_op.infer
def _(x, mean, variance, weight, bias, training, momentum, epsilon, data_format):
    check_floating(x)
    if x.ndim < 2:
        raise ShapeError(f"x must have at least 2 dimensions, received {x.ndim}")
    channels = x.shape[-1 if data_format == "NHWC" else 1]
    named = {"mean": mean, "variance": variance, "weight": weight, "bias": bias}
    for name, statistic in named.items():
        wrong = statistic is not None and statistic.shape != (channels,)
        if wrong and is_known(channels, *statistic.shape):
            raise ShapeError(
                f"x has {channels} channels, {name} has shape {list(statistic.shape)}",
                cure=f"check data_format (now {data_format}) and the layer's num_features",
            )
    return x, mean, variance


@batch_norm_op.kernel
def _(x, mean, variance, weight, bias, training, momentum, epsilon, data_format):
    specs = [None if a is None else array_spec(a) for a in (x, mean, variance, weight, bias)]
    batch_norm_op.rules["infer"](*specs, training, momentum, epsilon, data_format)
    axes, along = _layout(array_spec(x), data_format)
    if training and math.prod(x.shape[i] for i in axes) <= 1:
        return x.copy(), mean, variance
    (wide,) = working(x)
    new_mean, new_variance = mean, variance
    if training:
        batch_mean, out, batch_variance = _statistics(wide, axes, along)
        new_mean = (momentum * mean + (1 - momentum) * batch_mean).astype(mean.dtype)
        new_variance = (momentum * variance + (1 - momentum) * batch_variance).astype(
            variance.dtype
        )
        scale = 1 / np.sqrt(batch_variance + epsilon)
    else:
        out = wide - mean.reshape(along).astype(wide.dtype)
        scale = 1 / np.sqrt(variance + epsilon)
    scale = scale if weight is None else scale * weight
    out *= scale.reshape(along).astype(wide.dtype)
    if bias is not None:
        out += bias.reshape(along).astype(wide.dtype)
    return out.astype(x.dtype, copy=False), new_mean, new_variance


@batch_norm_op.grad
def _(gs, x, mean, variance, weight, specs, wanted, training, momentum, epsilon, data_format):
    if training:
        numbers = (momentum, epsilon, data_format)
        dx, scaled, summed = batch_norm_grad(gs[0], gs[1], gs[2], x, weight, *numbers)
        alone = _is_alone(x, _layout(x.spec, data_format)[0])
        if isinstance(alone, bool):
            kept = 1.0 if alone else momentum
        else:
            kept = select(alone, fill((), 1.0, mean.dtype), momentum)
        statistics = (gs[1] * kept, gs[2] * kept)
        return dx, *statistics, _like(scaled, specs[3]), _like(summed, specs[4])
    axes, along = _layout(x.spec, data_format)
    inverse = rsqrt(variance + epsilon)
    scale = inverse if weight is None else inverse * weight
    dx = astype(gs[0] * reshape(scale, along), x.dtype) if wanted[0] else None
    if not any(wanted[1:]):
        return dx, None, None, None, None
    summed = total(gs[0], axis=axes)
    scaled = total(gs[0] * (x - reshape(mean, along)), axis=axes) * inverse
    dmean = gs[1] - summed * scale if wanted[1] else None
    dvariance = gs[2] - 0.5 * (scaled * scale * inverse) if wanted[2] else None
    parameters = (_like(scaled, specs[3]), _like(summed, specs[4]))
    return dx, _like(dmean, specs[1]), _like(dvariance, specs[2]), *parameters


@batch_norm_op.samples
def _(s):
    def given(*shape, channels=3, dtype="float32"):
        statistics = (s.randn(channels, dtype=dtype), s.uniform(0.5, 2, channels, dtype=dtype))
        return s.randn(*shape, dtype=dtype), *statistics

    yield s(*given(4, 3, 2, 3), s.randn(3), s.randn(3), True)
    yield s(*given(4, 3, 2, 3), s.randn(3), s.randn(3), False)
    yield s(*given(4, 2, 2, 3), s.randn(3), s.randn(3), True, 0.7, 1e-3, "NHWC")
    yield s(*given(4, 2, 2, 3), s.randn(3), s.randn(3), data_format="NHWC")
    yield s(*given(5, 3), None, None, True)
    yield s(*given(5, 3))
    yield s(*given(1, 3), s.randn(3), s.randn(3), True)
    yield s(*given(1, 1, 1, 3), None, s.randn(3), True, data_format="NHWC")
    yield s(*given(4, 3, 5), s.randn(3), None, True)
    yield s(*given(4, 3, dtype="float64"), None, s.randn(3, dtype="float64"), True)
    yield s.bad(ShapeError, "weight has shape [2]", *given(4, 3, 2), s.randn(2))
    yield s.bad(ShapeError, "x has 4 channels, mean", *given(4, 4, 2), training=True)
    yield s.bad(ShapeError, "at least 2 dimensions", *given(3))


@op(slow_kernel=True)
def batch_norm_grad(
    dy: Tensor,
    dmean: Tensor,
    dvariance: Tensor,
    x: Tensor,
    weight: Tensor | None,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: DataFormat = "NCHW",
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `batch_norm` in training with respect to x, weight and bias.

    dy, x: [N,C,*] or [N,*,C]. dmean, dvariance, of the new running statistics, and weight: [C].
    Returns the shape of x, [C] and [C]. Source: arXiv 1502.03167, section 3.
    """
    axes, along = _layout(x.spec, data_format)
    count, alone = _count(x, axes), _is_alone(x, axes)
    dtype = x.dtype if weight is None else weight.dtype
    if alone is True:
        nothing = zeros_of(Spec(dmean.spec.shape, dtype))
        return astype(dy, x.dtype), nothing, nothing
    wide, dy = widened(x), widened(dy)
    mean, variance = _moments(wide, axes, along)
    centered = wide - reshape(mean, along)
    inverse = rsqrt(variance + epsilon)
    summed, scaled = total(dy, axis=axes), total(dy * centered, axis=axes) * inverse
    scale = inverse if weight is None else inverse * weight
    rest = 1 - momentum
    slope = (2 * rest * dvariance - scale * inverse * scaled) / count
    shift = (rest * dmean - scale * summed) / count
    dx = dy * reshape(scale, along) + centered * reshape(slope, along) + reshape(shift, along)
    if alone is not False:
        dx, scaled, summed = (
            select(alone, at_one, many) for at_one, many in ((dy, dx), (0.0, scaled), (0.0, summed))
        )
    return astype(dx, x.dtype), astype(scaled, dtype), astype(summed, dtype)


@batch_norm_grad.infer
def _(dy, dmean, dvariance, x, weight, momentum, epsilon, data_format):
    dtype = x.dtype if weight is None else weight.dtype
    by_channel = Spec(dmean.shape, dtype)
    return x, by_channel, by_channel


@batch_norm_grad.kernel
def _(dy, dmean, dvariance, x, weight, momentum, epsilon, data_format):
    axes, along = _layout(array_spec(x), data_format)
    wide, dy = working(x, dy)
    count = math.prod(x.shape[i] for i in axes)
    if count <= 1:
        nothing = np.zeros(dmean.shape, x.dtype if weight is None else weight.dtype)
        return dy.astype(x.dtype), nothing, nothing.copy()
    _, centered, variance = _statistics(wide, axes, along)
    inverse = 1 / np.sqrt(variance + epsilon)
    summed, scaled = dy.sum(axis=axes), (dy * centered).sum(axis=axes) * inverse
    scale = inverse if weight is None else inverse * weight
    rest = 1 - momentum
    slope = (2 * rest * dvariance - scale * inverse * scaled) / count
    shift = (rest * dmean - scale * summed) / count
    centered *= slope.reshape(along).astype(wide.dtype)
    centered += shift.reshape(along).astype(wide.dtype)
    centered += dy * scale.reshape(along).astype(wide.dtype)
    dtype = x.dtype if weight is None else weight.dtype
    return (
        centered.astype(x.dtype, copy=False),
        scaled.astype(dtype, copy=False),
        summed.astype(dtype, copy=False),
    )


@batch_norm_grad.samples
def _(s):
    yield s(s.randn(4, 3, 2), s.randn(3), s.randn(3), s.randn(4, 3, 2), s.randn(3), second=False)
    images = (s.randn(3, 2, 2, 3), s.randn(3), s.randn(3), s.randn(3, 2, 2, 3))
    yield s(*images, None, 0.5, 1e-3, "NHWC")
    yield s(s.randn(1, 3), s.randn(3), s.randn(3), s.randn(1, 3), s.randn(3), second=False)


def _layout(x: Spec, data_format: str) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """All axes but the channels', and the shape in which [C] broadcasts against x."""
    channel = x.ndim - 1 if data_format == "NHWC" else 1
    axes = tuple(i for i in range(x.ndim) if i != channel)
    return axes, tuple(x.shape[i] if i == channel else 1 for i in range(x.ndim))


def _moments(x: Tensor, axes: tuple[int, ...], along: tuple[Any, ...]) -> tuple[Tensor, Tensor]:
    """Mean and biased variance [C].

    Both sums come from one pass over float32 numbers: float64 holds their squares exactly, so that
    the difference of the large moments keeps more digits than float32 has.
    """
    if x.dtype is float64:
        mean = average(x, axis=axes)
        centered = x - reshape(mean, along)
        return mean, average(centered * centered, axis=axes)
    precise = astype(x, float64)
    mean = average(precise, axis=axes)
    variance = average(precise * precise, axis=axes) - mean * mean
    return astype(mean, x.dtype), astype(variance, x.dtype)


def _is_alone(x: Tensor, axes: tuple[int, ...]) -> Any:
    """Whether a channel has one value, or none; a tensor where only the run knows it."""
    count = math.prod(x.spec.shape[i] for i in axes)
    return count <= 1 if is_known(count) else fill((), count, int64) <= 1


def _count(x: Tensor, axes: tuple[int, ...]) -> Any:
    """The number of elements in a channel, a tensor where only the run knows it."""
    count = math.prod(x.spec.shape[i] for i in axes)
    return count * 1.0 if isinstance(count, int) else fill((), count, x.dtype)


def _statistics(x: np.ndarray, axes: tuple[int, ...], along: tuple[Any, ...]) -> tuple[Any, ...]:
    """Mean [C], x less the mean, biased variance [C]; zeros where x is empty."""
    count = max(1, math.prod(x.shape[i] for i in axes))
    mean = x.sum(axis=axes) / x.dtype.type(count)
    centered = x - mean.reshape(along)
    return mean, centered, np.square(centered).sum(axis=axes) / x.dtype.type(count)


def _like(g: Tensor | None, spec: Spec | None) -> Tensor | None:
    """A gradient in the dtype of its operand; None for an absent one."""
    return None if g is None or spec is None else astype(g, spec.dtype)

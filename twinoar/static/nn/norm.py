"""Normalization layers: over the batch, features, groups of channels, or data seen so far."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from twinoar.core.dtype import DType, float32
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.nn import functional
from twinoar.nn.initializer import Constant, Normal
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.norm.data_norm import data_norm as data_norm_op
from twinoar.ops.norm.layer_norm import layer_norm_op
from twinoar.ops.norm.spectral_norm import spectral_norm as spectral_norm_op
from twinoar.static.nn.parameter import (
    Parameters,
    activation_named,
    check_choice,
    check_rank,
    known_sizes,
)

LAYOUTS = ("NCHW", "NHWC")
RANKS = (2, 3, 4, 5)


def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    use_global_stats: bool = False,
) -> Any:
    """act(scale (input - mean) / sqrt(variance + epsilon) + bias), for each channel.

    input: [N,C,*], or [N,*,C] for NHWC, two to five dimensions. Mean and variance are those of the
    batch, and each run moves the moving ones, which keep `momentum` of themselves; with is_test or
    use_global_stats, and in a Program cloned for test, the moving ones are taken. in_place is
    accepted. Parameters, [C] each: scale `batch_norm_0.w_0`, bias `.b_0`, moving mean `.w_1` and
    variance `.w_2`, which do not train. Returns the shape of input. Raises ShapeError,
    ArgumentError for an unknown layout or activation. Source: arXiv 1502.03167, algorithms 1, 2.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     y = static.nn.batch_norm(static.data("x", [None, 3, 8, 8]), act="relu")
    ...     print(len(static.default_main_program().updates))
    2
    """
    activate, channels = activation_named(act), _channels(input, data_layout, "batch_norm")
    if isinstance(momentum, Value):
        raise TypeMismatchError(
            "momentum must be a number, received a Variable", cure="give a number such as 0.9"
        )
    parameters, dtype = Parameters("batch_norm", name), _wide(input)
    scale = parameters.make((channels,), dtype, _needed(param_attr, "param_attr"), Constant(1.0))
    bias = parameters.make((channels,), dtype, _needed(bias_attr, "bias_attr"), is_bias=True)
    moving: list[Any] = []
    for statistic, start in ((moving_mean_name, 0.0), (moving_variance_name, 1.0)):
        attr = ParamAttr(
            statistic,
            Constant(start),
            trainable=False,
            do_model_average=do_model_average_for_mean_and_var,
        )
        moving.append(parameters.make((channels,), dtype, attr))
    mean, variance = moving
    out = functional.batch_norm(
        input,
        mean,
        variance,
        scale,
        bias,
        training=not (is_test or use_global_stats),
        momentum=momentum,
        epsilon=epsilon,
        data_format=data_layout,
    )
    return activate(out)


def layer_norm(
    input: Any,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over axes from begin_norm_axis.

    input: [*kept, *normalized]. scale, shift: whether there are weight and bias, [product of the
    normalized sizes] each. Returns the shape of input. Raises ShapeError where these sizes are not
    known, ArgumentError. Source: arXiv 1607.06450, equation 4.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.layer_norm(static.data("x", [None, 4, 5])).shape)
    [N, 4, 5]
    """
    activate = activation_named(act)
    check_rank(input, range(1, 10), "layer_norm")
    if not 0 <= begin_norm_axis < input.ndim:
        raise ArgumentError(
            f"begin_norm_axis must be in [0, {input.ndim - 1}] for {input.spec}, "
            f"received {begin_norm_axis}",
            cure="1 keeps the batch alone",
        )
    size = (math.prod(known_sizes(input, range(begin_norm_axis, input.ndim), "layer_norm")),)
    parameters, weight, bias = Parameters("layer_norm", name), None, None
    if scale:
        attr = _needed(param_attr, "param_attr", "scale=False")
        weight = parameters.make(size, input.dtype, attr, Constant(1.0))
    if shift:
        attr = _needed(bias_attr, "bias_attr", "shift=False")
        bias = parameters.make(size, input.dtype, attr, is_bias=True)
    return activate(layer_norm_op(input, weight, bias, begin_norm_axis, epsilon))


def group_norm(
    input: Any,
    groups: int,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    data_layout: str = "NCHW",
    name: str | None = None,
) -> Any:
    """act(weight (input - mean) / sqrt(variance + epsilon) + bias), over groups of channels.

    input: [N,C,*], or [N,*,C] for NHWC. weight, bias: [C], and as in Paddle only where param_attr
    and bias_attr ask for them: True, a name, a ParamAttr. Returns the shape of input. Raises
    ShapeError where the groups do not divide the channels. Source: arXiv 1803.08494, equation 7.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [None, 4, 5, 5])
    ...     print(static.nn.group_norm(x, 2, param_attr=True, bias_attr=True).shape)
    [N, 4, 5, 5]
    """
    activate, channels = activation_named(act), _channels(input, data_layout, "group_norm")
    parameters = Parameters("group_norm", name)
    weight = parameters.make((channels,), input.dtype, param_attr or False, Constant(1.0))
    bias = parameters.make((channels,), input.dtype, bias_attr or False, is_bias=True)
    return activate(
        functional.group_norm(input, groups, epsilon, weight, bias, data_format=data_layout)
    )


def instance_norm(
    input: Any,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Any:
    """weight (input - mean) / sqrt(variance + epsilon) + bias, for each channel of each example.

    input: [N,C,*], two to five dimensions. weight, bias: [C], and as in Paddle only where both
    param_attr and bias_attr ask for them: True, a name, a ParamAttr. Returns the shape of input.
    Raises ShapeError, ArgumentError where param_attr alone is False. Source: arXiv 1607.08022.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.instance_norm(static.data("x", [None, 4, 5, 5])).shape)
    [N, 4, 5, 5]
    """
    channels = _channels(input, "NCHW", "instance_norm")
    if param_attr is False and bias_attr is not False:
        raise ArgumentError(
            f"param_attr is False, bias_attr is {bias_attr!r}", cure="make both False, or neither"
        )
    weight = bias = None
    if param_attr and bias_attr:
        parameters, dtype = Parameters("instance_norm", name), _wide(input)
        weight = parameters.make((channels,), dtype, param_attr, Constant(1.0))
        bias = parameters.make((channels,), dtype, bias_attr, is_bias=True)
    return functional.instance_norm(input, weight=weight, bias=bias, eps=epsilon)


def data_norm(
    input: Any,
    act: str | None = None,
    epsilon: float = 1e-05,
    param_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,
    slot_dim: int = -1,
    sync_stats: bool = False,
    summary_decay_rate: float = 0.9999999,
    enable_scale_and_shift: bool = False,
) -> Any:
    """act((input - mean) / deviation), with moments of all data seen so far.

    input: [N,C]. Parameters, [C] each: `dn.batch_size` n, `dn.batch_sum` s, `dn.batch_square_sum`
    q, where `dn` is `name`; mean = s / n, deviation = sqrt(q / n). What they get as gradients is
    what a batch adds to them. param_attr: a dictionary with starts for "batch_size", "batch_sum",
    "batch_square", and with enable_scale_and_shift for "scale_w" and "bias", two more parameters
    that act on the result. in_place, the names of moving statistics, sync_stats and
    summary_decay_rate are accepted. Raises ShapeError, UnsupportedError for slot_dim above 0.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.data_norm(static.data("x", [None, 4])).shape)
    [N, 4]
    """
    activate = activation_named(act)
    check_rank(input, (2,), "data_norm")
    check_choice(data_layout, LAYOUTS, "data_layout")
    if slot_dim > 0:
        raise UnsupportedError(
            f"slot_dim is {slot_dim}: features with show counts in front are not served",
            cure="leave slot_dim out, and normalize the other columns",
        )
    size = known_sizes(input, (1,), "data_norm")
    starts = param_attr if isinstance(param_attr, Mapping) else {}
    parameters = Parameters("data_norm", name or "dn")

    def made(suffix: str, key: str, start: float) -> Any:
        first = Constant(float(starts.get(key, start)))
        attr = ParamAttr(f"{parameters.name}.{suffix}", first)
        return parameters.make(size, input.dtype, attr)

    scaling: tuple[Any, ...] = ()
    if enable_scale_and_shift:
        scaling = made("scale_w", "scale_w", 1.0), made("bias", "bias", 0.0)
    count, total = made("batch_size", "batch_size", 1e4), made("batch_sum", "batch_sum", 0.0)
    squares = made("batch_square_sum", "batch_square", 1e4)
    out = data_norm_op(input, count, total, squares, epsilon)
    return activate(out * scaling[0] + scaling[1] if scaling else out)


def spectral_norm(
    weight: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None
) -> Any:
    """A weight divided by its greatest singular value, which is approached by power iteration.

    weight: [*], seen as a matrix of rows along `dim`, 0 or 1. power_iters: steps from the start,
    two vectors that are drawn once and stay as they are: `spectral_norm_0.w_0` and `.w_1`. Returns
    the shape of weight. Raises ArgumentError. Source: arXiv 1802.05957, algorithm 1.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.spectral_norm(static.data("w", [4, 3])).shape)
    [4, 3]
    """
    check_rank(weight, RANKS, "spectral_norm")
    if dim not in (0, 1):
        raise ArgumentError(
            f"dim must be 0 or 1, received {dim!r}",
            cure="0 for the weight of a linear layer, 1 for filters of a transposed convolution",
        )
    sizes = known_sizes(weight, range(weight.ndim), "spectral_norm")
    parameters, rows = Parameters("spectral_norm", name), sizes[dim]
    frozen = ParamAttr(trainable=False)
    vectors = [
        parameters.make((n,), weight.dtype, frozen, Normal(0.0, 1.0))
        for n in (rows, math.prod(sizes) // rows)
    ]
    return spectral_norm_op(weight, *vectors, dim, power_iters, eps)


def _channels(x: Any, data_layout: str, function: str) -> int:
    check_choice(data_layout, LAYOUTS, "data_layout")
    check_rank(x, RANKS, function)
    return known_sizes(x, (1 if data_layout == "NCHW" else x.ndim - 1,), function)[0]


def _wide(x: Any) -> DType:
    """The dtype of statistics of x: float32 for 16-bit floats."""
    return float32 if x.dtype.numpy.itemsize == 2 else x.dtype


def _needed(attr: Any, argument: str, without: str = "another normalization") -> Any:
    if attr is False:
        raise ArgumentError(
            f"{argument} must not be False: the layer has that parameter", cure=f"use {without}"
        )
    return attr

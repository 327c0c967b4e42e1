"""Convolution layers, the transposed ones, deformable convolution and row convolution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn import functional
from twinoar.nn.initializer import Normal
from twinoar.ops.conv.deformable import deform_conv2d as deform_conv2d_of
from twinoar.ops.conv.row_conv import row_conv as row_conv_op
from twinoar.ops.window._geometry import FORMATS, explicit_padding, per_axis, spatial_sizes
from twinoar.static.nn.parameter import (
    Parameters,
    activation_named,
    check_choice,
    check_rank,
    known_sizes,
    positive,
)


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """act(input * filters + bias): cross-correlation of images with num_filters filters.

    input: [N,C,H,W] or [N,H,W,C]. filter_size, stride, dilation: pixels, one number or (h, w).
    padding: as of nn.functional.conv2d. groups: None is 1. use_cudnn is accepted. Parameters:
    filters [num_filters,C/groups,KH,KW], which start normal of variance 2 / (KH KW C), and a bias
    [num_filters] unless bias_attr is False. Returns [N,num_filters,H',W'] or [N,H',W',num_filters].
    Raises ShapeError, ArgumentError.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.conv2d(static.data("x", [None, 3, 8, 8]), 4, 3, act="relu").shape)
    [N, 4, 6, 6]
    """
    rest = (stride, padding, dilation, groups, param_attr, bias_attr, act, name, data_format)
    kind = "conv2d"
    if not use_cudnn and groups is not None and groups == _channels_of(input, data_format, kind):
        kind = "depthwise_conv2d" if num_filters % groups == 0 else kind
    return _conv(kind, functional.conv2d, input, num_filters, filter_size, *rest)


def conv3d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """act(input * filters + bias): `conv2d` of volumes.

    input: [N,C,D,H,W] or [N,D,H,W,C]. Parameters: filters [num_filters,C/groups,KD,KH,KW], bias
    [num_filters]. Arguments, returns and raises as `conv2d`.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.conv3d(static.data("x", [None, 3, 8, 8, 8]), 4, 3, padding=1).shape)
    [N, 4, 8, 8, 8]
    """
    rest = (stride, padding, dilation, groups, param_attr, bias_attr, act, name, data_format)
    return _conv("conv3d", functional.conv3d, input, num_filters, filter_size, *rest)


def conv2d_transpose(
    input: Any,
    num_filters: int,
    output_size: Any = None,
    filter_size: Any = None,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """act(transposed convolution of input + bias): it enlarges images.

    input: [N,C,H,W] or [N,H,W,C]. Of output_size and filter_size at least one is given; filters as
    large as output_size needs them are taken where filter_size is None. Parameters: filters
    [C,num_filters/groups,KH,KW], XavierUniform, and a bias [num_filters]. Other arguments and
    errors as of `conv2d`. Returns [N,num_filters,H',W'] or [N,H',W',num_filters].

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [None, 3, 8, 8])
    ...     print(static.nn.conv2d_transpose(x, 4, filter_size=2, stride=2).shape)
    [N, 4, 16, 16]
    """
    kind = "conv2d_transpose"
    if not use_cudnn and groups == num_filters == _channels_of(input, data_format, kind):
        kind = "depthwise_conv2d_transpose"
    window = (output_size, filter_size, padding, stride, dilation, groups)
    rest = (param_attr, bias_attr, act, name, data_format)
    return _conv_transpose(kind, functional.conv2d_transpose, input, num_filters, *window, *rest)


def conv3d_transpose(
    input: Any,
    num_filters: int,
    output_size: Any = None,
    filter_size: Any = None,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """act(transposed convolution of input + bias): `conv2d_transpose` of volumes.

    input: [N,C,D,H,W] or [N,D,H,W,C]. Parameters: filters [C,num_filters/groups,KD,KH,KW], bias
    [num_filters]. Arguments, returns and raises as `conv2d_transpose`.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x = static.data("x", [None, 3, 4, 4, 4])
    ...     print(static.nn.conv3d_transpose(x, 4, filter_size=2, stride=2).shape)
    [N, 4, 8, 8, 8]
    """
    window = (output_size, filter_size, padding, stride, dilation, groups)
    rest = (param_attr, bias_attr, act, name, data_format)
    function = functional.conv3d_transpose
    return _conv_transpose("conv3d_transpose", function, input, num_filters, *window, *rest)


def deform_conv2d(
    x: Any,
    offset: Any,
    mask: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    deformable_groups: int = 1,
    im2col_step: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution that reads pixels where offsets that are computed point.

    x: [N,C,H,W]. offset: [N,2*deformable_groups*KH*KW,H',W'], pixels (y, x) for each place of the
    window. mask: [N,deformable_groups*KH*KW,H',W'], a factor for each, or None. im2col_step is
    accepted. Parameters: filters [num_filters,C/groups,KH,KW], normal of variance 2 / (KH KW C),
    bias [num_filters]. Returns [N,num_filters,H',W']. Raises ShapeError, ArgumentError. Source:
    arXiv 1811.11168, equation 1.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     x, offset = static.data("x", [2, 3, 8, 8]), static.data("offset", [2, 18, 6, 6])
    ...     print(static.nn.deform_conv2d(x, offset, None, 4, 3).shape)
    [2, 4, 6, 6]
    """
    channels, size = _checked(
        "deform_conv2d", x, num_filters, filter_size, groups, weight_attr, "NCHW"
    )
    parameters = Parameters("deformable_conv", name)
    start = Normal(0.0, math.sqrt(2 / (math.prod(size) * channels)))
    shape = (num_filters, channels // groups, *size)
    weight = parameters.make(shape, x.dtype, weight_attr, start)
    bias = parameters.make((num_filters,), x.dtype, bias_attr, is_bias=True)
    window = (stride, padding, dilation, deformable_groups, groups)
    return deform_conv2d_of(x, offset, weight, bias, *window, mask)


def row_conv(
    input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None
) -> Any:
    """act(sum over w of input[:, t + w] filter[w]): each step sees so many steps that follow it.

    input: [batch,time,D], zeros where a sequence has ended. Parameter: filter
    [future_context_size+1,D]. Returns the shape of input. Raises ShapeError, ArgumentError. Source:
    Amodei et al. 2015, arXiv 1512.02595, section 3.7.

    >>> from twinoar import static
    >>> with static.program_guard(static.Program(), static.Program()):
    ...     print(static.nn.row_conv(static.data("x", [None, 9, 4]), 2).shape)
    [N, 9, 4]
    """
    activate = activation_named(act)
    check_rank(input, (3,), "row_conv")
    if not isinstance(future_context_size, int) or future_context_size < 0:
        raise ArgumentError(
            f"future_context_size must be a number of steps, received {future_context_size!r}",
            cure="0 looks at each step alone",
        )
    shape = (future_context_size + 1, *known_sizes(input, (2,), "row_conv"))
    weight = Parameters("row_conv").make(shape, input.dtype, param_attr)
    return activate(row_conv_op(input, weight))


def _conv(
    kind: str,
    function: Callable,
    x: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int | None,
    param_attr: Any,
    bias_attr: Any,
    act: str | None,
    name: str | None,
    data_format: str,
) -> Any:
    """A convolution layer called `kind`, by a function of nn.functional."""
    activate, parts = activation_named(act), groups if groups is not None else 1
    channels, size = _checked(kind, x, num_filters, filter_size, parts, param_attr, data_format)
    parameters = Parameters(kind, name)
    start = Normal(0.0, math.sqrt(2 / (math.prod(size) * channels)))
    shape = (num_filters, channels // parts, *size)
    weight = parameters.make(shape, x.dtype, param_attr, start)
    bias = parameters.make((num_filters,), x.dtype, bias_attr, is_bias=True)
    window = (stride, padding, dilation, parts, data_format)
    return activate(function(x, weight, bias, *window))


def _conv_transpose(
    kind: str,
    function: Callable,
    x: Any,
    num_filters: int,
    output_size: Any,
    filter_size: Any,
    padding: Any,
    stride: Any,
    dilation: Any,
    groups: int | None,
    param_attr: Any,
    bias_attr: Any,
    act: str | None,
    name: str | None,
    data_format: str,
) -> Any:
    """The same for a transposed convolution."""
    activate, parts = activation_named(act), groups if groups is not None else 1
    if filter_size is None:
        _checked(kind, x, num_filters, 1, parts, param_attr, data_format)
        filter_size = _fitting_filter(x, output_size, padding, stride, dilation, data_format)
    channels, size = _checked(kind, x, num_filters, filter_size, parts, param_attr, data_format)
    parameters = Parameters(kind, name)
    weight = parameters.make((channels, num_filters // parts, *size), x.dtype, param_attr)
    bias = parameters.make((num_filters,), x.dtype, bias_attr, is_bias=True)
    return activate(
        function(
            x,
            weight,
            bias,
            stride=stride,
            padding=padding,
            dilation=dilation,
            groups=parts,
            output_size=output_size,
            data_format=data_format,
        )
    )


def _fitting_filter(
    x: Any, output_size: Any, padding: Any, stride: Any, dilation: Any, data_format: str
) -> list[int]:
    """The filter size that gives output_size: least size = (n - 1) stride - padding + extent."""
    if output_size is None:
        raise ArgumentError(
            "a transposed convolution needs filter_size or output_size", cure="give one of them"
        )
    rank = x.ndim - 2
    sizes = spatial_sizes(x.spec.shape, data_format)
    if not all(isinstance(n, int) for n in sizes):
        raise ShapeError(
            f"a filter size follows from output_size where that of {x.spec} is known",
            cure="give filter_size",
        )
    steps, spread = per_axis(stride, rank, "stride"), per_axis(dilation, rank, "dilation")
    wanted = per_axis(output_size, rank, "output_size")
    sides: Any = explicit_padding(padding, data_format, sizes, (1,) * rank, steps)
    return [
        (out - (n - 1) * s + low + high - 1) // d + 1
        for out, n, s, low, high, d in zip(
            wanted, sizes, steps, sides[::2], sides[1::2], spread, strict=True
        )
    ]


def _channels_of(x: Any, data_format: str, function: str) -> int:
    check_rank(x, (len(data_format),), function)
    return known_sizes(x, (1 if data_format[1] == "C" else x.ndim - 1,), function)[0]


def _checked(
    function: str,
    x: Any,
    num_filters: int,
    filter_size: Any,
    groups: int,
    param_attr: Any,
    data_format: str,
) -> tuple[int, tuple[int, ...]]:
    """The channels of x and the filter size, when all else is found to fit."""
    rank = 3 if "3d" in function else 2
    check_choice(data_format, FORMATS[rank], "data_format")
    channels = _channels_of(x, data_format, function)
    positive(num_filters, "num_filters")
    if groups < 1 or channels % groups or num_filters % groups:
        raise ArgumentError(
            f"groups must divide the {channels} channels and the {num_filters} filters, "
            f"received {groups}",
            cure="choose a number of groups that divides both",
        )
    if param_attr is False:
        raise ArgumentError(
            f"the filters of {function} must not be False", cure="pass None, a name or a ParamAttr"
        )
    size = per_axis(filter_size, rank, "filter_size")
    if min(size) < 1:
        raise ArgumentError(f"filter_size must be positive, received {filter_size!r}")
    return channels, size

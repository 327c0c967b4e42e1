"""ATen's convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.values import Value
from twinoar.formats.torch.aten.table import one, target
from twinoar.ops.conv.conv import conv1d, conv2d, conv3d
from twinoar.ops.conv.transpose import conv1d_transpose, conv2d_transpose, conv3d_transpose
from twinoar.ops.shape.reshape import squeeze, unsqueeze

CONVOLUTIONS: dict[int, Any] = {1: conv1d, 2: conv2d, 3: conv3d}
TRANSPOSED: dict[int, Any] = {1: conv1d_transpose, 2: conv2d_transpose, 3: conv3d_transpose}


def batched(x: Value, rank: int, function: Callable[[Value], Any]) -> Any:
    """What a function of batches makes of x, which may be a single one."""
    if x.ndim == rank + 2:
        return function(x)
    out = function(unsqueeze(x, 0))
    if isinstance(out, tuple):
        return tuple(squeeze(part, 0) for part in out)
    return squeeze(out, 0)


def _paddings(padding: Any, rank: int) -> Any:
    return padding.upper() if isinstance(padding, str) else one(padding, rank)


@target("aten.conv1d", "aten.conv2d", "aten.conv3d")
def convolved(
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Any:
    """Images slid over by kernels."""
    rank = weight.ndim - 2
    steps = [one(stride, rank), _paddings(padding, rank), one(dilation, rank)]
    return batched(input, rank, lambda x: CONVOLUTIONS[rank](x, weight, bias, *steps, groups))


@target("aten.conv_transpose1d", "aten.conv_transpose2d", "aten.conv_transpose3d")
def transposed(
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The gradient of a convolution."""
    rank = weight.ndim - 2
    steps = {
        "stride": one(stride, rank),
        "padding": one(padding, rank),
        "output_padding": one(output_padding, rank),
        "dilation": one(dilation, rank),
        "groups": groups,
    }
    return batched(input, rank, lambda x: TRANSPOSED[rank](x, weight, bias, **steps))


@target("aten.convolution", "aten._convolution")
def convolution(
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Any:
    """A convolution, or the gradient of one."""
    if transposed:
        return conv_transposed(
            input, weight, bias, stride, padding, output_padding, groups, dilation
        )
    return convolved(input, weight, bias, stride, padding, dilation, groups)


conv_transposed = transposed

"""Group normalization."""

from __future__ import annotations

import math
from typing import Any, Literal

from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ShapeError
from twinoar.ops.norm._moments import check_groups, scaled_by_channel, standardize
from twinoar.ops.shape.reshape import reshape


@function
def group_norm(
    x: Tensor,
    num_groups: int,
    epsilon: float = 1e-5,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    data_format: str = "NCHW",
) -> Tensor:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each example.

    x: [N,C,*] or [N,*,C], floating. weight, bias: [C]. Returns the shape of x. Raises ShapeError
    where the groups do not divide the channels. Source: arXiv 1803.08494, equation 7.

    >>> x = twinoar.to_tensor([[[1.0], [3.0], [5.0], [7.0]]])
    >>> twinoar.nn.functional.group_norm(x, 2, epsilon=0.0, data_format="NCL").tolist()
    [[[-1.0], [1.0], [-1.0], [1.0]]]
    """
    layout = "NHWC" if data_format[-1] == "C" and data_format != "NC" else "NCHW"
    return group_norm_op(x, weight, bias, epsilon, num_groups, layout)


@op(
    name="group_norm",
    amp="high",
    desc=Desc(
        "group_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"epsilon": "epsilon", "groups": "groups", "data_layout": "data_format"},
        extra_outputs=("Mean", "Variance"),
    ),
)
def group_norm_op(
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-5,
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """x standardized within each group of channels: the operator under `group_norm`.

    x: [N,C,*], or [N,*,C] for NHWC. weight, bias: [C].
    """
    shape = x.spec.shape
    last = data_format == "NHWC"
    check_groups(x.spec, groups, last)
    channels = shape[-1 if last else 1]
    each = channels // groups
    cut: tuple[Any, ...]
    axes: tuple[int, ...]
    if last:
        rest = math.prod(shape[1:-1])
        cut, axes = (shape[0], rest, groups, each), (1, 3)
    else:
        cut, axes = (shape[0], groups, each * math.prod(shape[2:])), (2,)
    out = reshape(standardize(reshape(x, cut), axes, epsilon), shape)
    return scaled_by_channel(out, weight, bias, channels, last)


@group_norm_op.samples
def _(s):
    yield s(s.randn(2, 4, 3), s.randn(4), s.randn(4), groups=2)
    yield s(s.randn(2, 4, 2, 3), s.randn(4), None, 1e-3, 2)
    yield s(s.randn(2, 3, 2, 4), s.randn(4), s.randn(4), groups=2, data_format="NHWC")
    yield s(s.randn(3, 4), groups=2)
    yield s(s.zeros(0, 4, 2), groups=2)
    yield s.bad(ShapeError, "not a multiple", s.randn(2, 3, 4), groups=2)
    yield s.bad(ShapeError, "weight must be [4]", s.randn(2, 4, 4), s.randn(3), groups=2)

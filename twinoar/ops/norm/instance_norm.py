"""Instance normalization."""

from __future__ import annotations

import math

from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.norm._moments import check_groups, scaled_by_channel, standardize
from twinoar.ops.shape.reshape import reshape


@function
def instance_norm(
    x: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-5,
    data_format: str = "NCHW",
) -> Tensor:
    """x with mean 0 and variance 1 over each channel of each example.

    x: [N,C,*], floating. weight, bias: [C]. running_mean, running_var, use_input_stats, momentum:
    accepted; the statistics are always those of x. Returns the shape of x. Raises ShapeError.
    Source: arXiv 1607.08022, equation 4.

    >>> x = twinoar.to_tensor([[[1.0, 3.0], [5.0, 9.0]]])
    >>> twinoar.nn.functional.instance_norm(x, eps=0.0, data_format="NCL").tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]
    """
    if data_format[-1] == "C" and data_format != "NC":
        raise ArgumentError(f"data_format must be NC, NCL, NCHW or NCDHW, received {data_format}")
    return instance_norm_op(x, weight, bias, eps)


@op(
    name="instance_norm",
    desc=Desc(
        "instance_norm",
        {"X": "x", "Scale": "weight", "Bias": "bias"},
        outputs=("Y",),
        attrs={"epsilon": "epsilon"},
        extra_outputs=("SavedMean", "SavedVariance"),
    ),
)
def instance_norm_op(
    x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, epsilon: float = 1e-5
) -> Tensor:
    """x standardized within each channel: the operator under `instance_norm`.

    x: [N,C,*]. weight, bias: [C].
    """
    check_groups(x.spec, 1, False)
    shape = x.spec.shape
    flat = reshape(x, (*shape[:2], math.prod(shape[2:])))
    out = reshape(standardize(flat, (2,), epsilon), shape)
    return scaled_by_channel(out, weight, bias, shape[1], False)


@instance_norm_op.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(3), s.randn(3))
    yield s(s.randn(2, 3, 2, 3), None, s.randn(3), 1e-3)
    yield s(s.zeros(0, 3, 2))
    yield s.bad(ShapeError, "at least 2 dimensions", s.randn(3))

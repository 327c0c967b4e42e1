"""The Kullback-Leibler divergence."""

from __future__ import annotations

from typing import Literal

import numpy as np

from twinoar.core.dtype import DType, bfloat16, float16, float32, promote
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.loss.nll import as_given, reduce_loss
from twinoar.ops.loss.regression import check_same
from twinoar.ops.math.cast import astype, in_equal_shapes, promote_operands
from twinoar.ops.math.compare import less_equal
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as total

DivergenceReduction = Literal["mean", "sum", "none", "batchmean"]
HALVES = (float16, bfloat16)


@function
def kl_div(
    input: Tensor, label: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """The Kullback-Leibler divergence of two distributions: label (log(label) - input).

    input: logarithms of probabilities, [*]. label: probabilities, or their logarithms where
    log_target, [*]. reduction: also "batchmean", the sum divided by the first size. Returns [], or
    [*] for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([[-1.0, -1.0]]), twinoar.to_tensor([[1.0, 0.0]])
    >>> twinoar.nn.functional.kl_div(x, y, reduction="sum").item()
    1.0
    """
    label = as_given(label)
    if not log_target:
        return kldiv_loss(input, label, reduction)
    dtype = promote(input.dtype, label.dtype)
    input, label = _wide(input, dtype), _wide(label, dtype)
    out = _reduced_divergence(exp(label) * (label - input), input, reduction)
    return _rounded(out, dtype)


@op(
    promote=promote_operands,
    amp="high",
    desc=Desc(
        "kldiv_loss",
        {"X": "input", "Target": "label"},
        outputs=("Loss",),
        attrs={"reduction": "reduction"},
    ),
)
def kldiv_loss(input: Tensor, label: Tensor, reduction: DivergenceReduction = "mean") -> Tensor:
    """label (log(label) - input), 0 where label is not positive: under `kl_div`.

    input, label: [*], of one shape. Returns [], or [*] for "none".
    """
    check_same(input, label)
    dtype = input.dtype
    input, label = in_equal_shapes(_wide(input, dtype), _wide(label, dtype))
    counts_nothing = less_equal(label, 0.0)  # which nan does not
    safe = select(counts_nothing, 1.0, label)
    out = select(counts_nothing, 0.0, safe * (log(safe) - input))
    return _rounded(_reduced_divergence(out, input, reduction), dtype)


@kldiv_loss.samples
def _(s):
    for reduction in ("mean", "sum", "none", "batchmean"):
        yield s(s.randn(2, 3), s.uniform(0.1, 1, 2, 3), reduction)
    yield s(s.randn(3), np.array([0.0, 0.5, -1.0], np.float32), "none", gradient=False)
    yield s.bad(ShapeError, "must have one shape", s.randn(2, 3), s.randn(3))
    yield s.bad(ArgumentError, "reduction must be one of", s.randn(3), s.randn(3), "max")


def _wide(x: Tensor, dtype: DType) -> Tensor:
    """x in float32 where a loss of this dtype has 16 bits: a difference of logarithms cancels."""
    return astype(x, float32) if dtype in HALVES else x


def _rounded(x: Tensor, dtype: DType) -> Tensor:
    """What was computed of `_wide` operands, in 16 bits again."""
    return astype(x, dtype) if dtype in HALVES else x


def _reduced_divergence(out: Tensor, input: Tensor, reduction: str) -> Tensor:
    if reduction == "batchmean":
        rows = total(out, axis=list(range(1, out.ndim))) if out.ndim > 1 else out
        return mean(rows)
    return reduce_loss(out, reduction)

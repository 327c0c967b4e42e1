"""Adaptive softmax: rare classes in clusters, each computed for the rows that are in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import differ
from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, primitive
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops.activation.softmax import log_softmax
from twinoar.ops.index.along_axis import index_sample
from twinoar.ops.index.gather import added_at, gather
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.affine import neg
from twinoar.ops.math.arithmetic import add, subtract
from twinoar.ops.math.compare import equal
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze


@primitive
def head_position(label: Tensor, cutoffs: tuple[int, ...]) -> Tensor:
    """Where the head of an adaptive softmax has a class: itself, or its cluster behind those.

    label: [N], integers below the last of cutoffs. Returns [N], int64. Raises DTypeError,
    AxisError.
    """


@head_position.infer
def _(label, cutoffs):
    if not label.dtype.is_integer:
        raise DTypeError(f"label must hold integers, received {label}")
    return Spec(label.shape, int64)


@head_position.kernel
def _(label, cutoffs):
    if label.dtype.kind not in "iu":
        raise DTypeError(f"label must hold integers, received {label.dtype}")
    wrong = (label < 0) | (label >= cutoffs[-1])
    if wrong.any():
        raise AxisError(
            f"label {label[wrong][0]} names no class",
            cure=f"classes are numbered from 0 to {cutoffs[-1] - 1}",
        )
    cluster = np.searchsorted(cutoffs, label, "right") - 1
    return np.where(cluster < 0, label, cutoffs[0] + cluster).astype("int64")


@head_position.procedure
def _(p, label, cutoffs):
    p.launch(_in_head, label.size, label.reshape(-1), p.results[0].reshape(-1), cutoffs=cutoffs)


@procedure
def _in_head(row, label, out, *, cutoffs):
    named = cast(label[row], int64)
    if named < 0 or named >= cutoffs[-1]:
        fail()
    place = named
    for cluster, start in enumerate(cutoffs):
        if named >= start:
            place = cast(cutoffs[0] + cluster, int64)
    out[row] = place


@head_position.samples
def _(s):
    yield s(s.ints(0, 9, 5), (3, 5, 9), gradient=False)
    yield s(s.ints(0, 2, 0, dtype="int32"), (2,), gradient=False)
    yield s.bad(DTypeError, "integers", s.randn(2), (3, 5))
    yield s.bad(AxisError, "label 5 names no class", np.array([5]), (3, 5), static_error=False)


@function
def adaptive_log_softmax_with_loss(
    input: Tensor,
    label: Tensor,
    head_weight: Tensor,
    tail_weights: Sequence[Sequence[Tensor]],
    cutoffs: Sequence[Any],
    head_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The logarithm of the likelihood of each label by an adaptive softmax, and its mean, negated.

    input: [N,D], floating, or [D]. label: [N], integers, or []. cutoffs: where the clusters begin,
    and the number of classes behind them. head_weight: [D, cutoffs[0] + clusters]. tail_weights:
    for each cluster [D,H] and [H, its classes]. head_bias: [cutoffs[0] + clusters]. Returns [N],
    or [], and []. Raises ShapeError, DTypeError, AxisError for a label that names no class.
    Source: Grave et al. 2016, arXiv 1609.04309, section 4.

    >>> x, label = twinoar.zeros([1, 2]), twinoar.to_tensor([3])
    >>> head, tails = twinoar.ones([2, 4]), [[twinoar.ones([2, 1]), twinoar.ones([1, 2])]]
    >>> adaptive = twinoar.nn.functional.adaptive_log_softmax_with_loss
    >>> out, loss = adaptive(x, label, head, tails, [3, 5])
    >>> round(loss.exp().item(), 4)  # one of 4 in the head, and one of 2 in the cluster
    8.0
    """
    if label.ndim == 0:
        out, loss = adaptive_log_softmax_with_loss(
            unsqueeze(input, 0), unsqueeze(label, 0), head_weight, tail_weights, cutoffs, head_bias
        )
        return squeeze(out, 0), loss
    if label.ndim != 1 or input.ndim != 2 or differ(label.spec.shape[0], input.spec.shape[0]):
        raise ShapeError(
            f"input must be [N,D] and label [N], received {input.spec} and {label.spec}"
        )
    starts = tuple(int(c) for c in cutoffs)
    position = head_position(label, starts)
    head = head_log_softmax(input, head_weight, head_bias)
    out = reshape(index_sample(head, unsqueeze(position, 1)), (-1,))
    for i, (low, weights) in enumerate(zip(starts[:-1], tail_weights, strict=False)):
        rows = reshape(nonzero_op(equal(position, starts[0] + i)), (-1,))
        within = unsqueeze(subtract(gather(label, rows), low), 1)
        tail = tail_log_softmax(gather(input, rows), weights)
        out = added_at(out, rows, reshape(index_sample(tail, within), (-1,)), 0)
    return out, neg(mean(out))


def head_log_softmax(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Of the classes of the head, and of the clusters: [N, cutoffs[0] + clusters]."""
    scores = matmul(x, weight)
    return log_softmax(scores if bias is None else add(scores, bias), -1)


def tail_log_softmax(x: Tensor, weights: Sequence[Tensor]) -> Tensor:
    """Of the classes of a cluster, among themselves."""
    return log_softmax(matmul(matmul(x, weights[0]), weights[1]), -1)

"""ATen's losses."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.formats.torch.aten.table import target, together
from twinoar.ops.activation.softmax import log_softmax
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.loss.distance import (
    cosine_embedding_loss,
    cosine_similarity,
    pairwise_distance,
    triplet_margin_loss,
)
from twinoar.ops.loss.margin import (
    hinge_embedding_loss,
    margin_ranking_loss,
    poisson_nll_loss,
    soft_margin_loss,
)
from twinoar.ops.loss.nll import reduce_loss
from twinoar.ops.math.cast import astype
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze

REDUCTIONS = ("none", "mean", "sum")


def _of_classes(
    logs: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    ignore_index: int,
    smoothing: float = 0.0,
) -> Any:
    """Minus the logarithms that the target names, of [N,C,*] or [C].

    smoothing: the part of each target that all classes share.
    """
    axis = 0 if logs.ndim == 1 else 1
    is_counted = target != ignore_index
    safe = op_named("select")(is_counted, target, op_named("fill_like")(target, 0))
    picked = squeeze(take_along_axis(logs, unsqueeze(safe, axis), axis, broadcast=False), axis)
    weights = astype(is_counted, logs.dtype)
    if weight is not None:
        weights = weights * weight[safe]
    loss = -picked * weights
    if smoothing:
        spread = -mean(_weighted(logs, weight, axis), axis)
        loss = loss * (1.0 - smoothing) + spread * smoothing
    loss = op_named("select")(is_counted, loss, op_named("fill_like")(loss, 0.0))
    if REDUCTIONS[reduction] == "mean":
        return sum_of(loss) / sum_of(weights)
    return reduce_loss(loss, REDUCTIONS[reduction])


def _weighted(logs: Value, weight: Value | None, axis: int) -> Any:
    """logs, each class times its weight."""
    if weight is None:
        return logs
    return logs * reshape(weight, [-1, *[1] * (logs.ndim - axis - 1)])


@target("aten.nll_loss", "aten.nll_loss_nd", "aten.nll_loss2d")
def nll_loss(
    self: Value,
    target: Value,
    weight: Value | None = None,
    reduction: int = 1,
    ignore_index: int = -100,
) -> Any:
    """Minus the logarithms of the classes that are named."""
    return _of_classes(self, target, weight, reduction, ignore_index)


@target("aten.nll_loss_forward", "aten.nll_loss2d_forward")
def nll_loss_forward(
    self: Value, target: Value, weight: Value | None, reduction: int, ignore_index: int
) -> Any:
    """nll_loss; of the total weight nothing is made."""
    return _of_classes(self, target, weight, reduction, ignore_index), None


@target("aten.cross_entropy_loss")
def cross_entropy_loss(
    self: Value,
    target: Value,
    weight: Value | None = None,
    reduction: int = 1,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Any:
    """nll_loss of log_softmax; a target of floats holds shares of all classes."""
    axis = 0 if self.ndim == 1 else 1
    logs = log_softmax(self, axis)
    if not target.dtype.is_floating:
        return _of_classes(logs, target, weight, reduction, ignore_index, label_smoothing)
    shares = target * (1.0 - label_smoothing) + label_smoothing / self.spec.shape[axis]
    each = -sum_of(shares * _weighted(logs, weight, axis), axis)
    if REDUCTIONS[reduction] != "mean":
        return reduce_loss(each, REDUCTIONS[reduction])
    return sum_of(each) / each.spec.size if each.ndim else each


def _reduced(loss: Value, reduction: int) -> Any:
    return reduce_loss(loss, REDUCTIONS[reduction])


@target("aten.mse_loss")
def mse_loss(self: Value, target: Value, reduction: int = 1) -> Any:
    """The squares of differences."""
    x, y = together(self, target)
    return _reduced(op_named("square")(x - y), reduction)


@target("aten.l1_loss")
def l1_loss(self: Value, target: Value, reduction: int = 1) -> Any:
    """The sizes of differences."""
    x, y = together(self, target)
    return _reduced(op_named("abs")(x - y), reduction)


@target("aten.smooth_l1_loss")
def smooth_l1(self: Value, target: Value, reduction: int = 1, beta: float = 1.0) -> Any:
    """Squares of small differences, sizes of large ones."""
    far = op_named("abs")(self - target)
    if beta == 0:
        return _reduced(far, reduction)
    near = op_named("square")(far) * (0.5 / beta)
    return _reduced(op_named("select")(far < beta, near, far - 0.5 * beta), reduction)


@target("aten.huber_loss")
def huber_loss(self: Value, target: Value, reduction: int = 1, delta: float = 1.0) -> Any:
    """smooth_l1_loss times delta."""
    far = op_named("abs")(self - target)
    near = op_named("square")(far) * 0.5
    found = op_named("select")(far < delta, near, (far - 0.5 * delta) * delta)
    return _reduced(found, reduction)


@target("aten.binary_cross_entropy")
def binary_cross_entropy(
    self: Value, target: Value, weight: Value | None = None, reduction: int = 1
) -> Any:
    """Minus the logarithm of what was given to the truth, at most 100."""
    log, least = op_named("log"), op_named("fill_like")(self, -100.0)
    yes = op_named("maximum")(log(self), least)
    no = op_named("maximum")(log(1.0 - self), least)
    loss = -(target * yes + (1.0 - target) * no)
    return _reduced(loss if weight is None else loss * weight, reduction)


@target("aten.binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    self: Value,
    target: Value,
    weight: Value | None = None,
    pos_weight: Value | None = None,
    reduction: int = 1,
) -> Any:
    """binary_cross_entropy of sigmoids."""
    log_sigmoid = op_named("log_sigmoid")
    yes, no = log_sigmoid(self), log_sigmoid(-self)
    first = target * yes if pos_weight is None else target * pos_weight * yes
    loss = -(first + (1.0 - target) * no)
    return _reduced(loss if weight is None else loss * weight, reduction)


@target("aten.kl_div")
def kl_div(self: Value, target: Value, reduction: int = 1, log_target: bool = False) -> Any:
    """The divergence of a distribution from another one, whose logarithms self holds."""
    if log_target:
        return _reduced(op_named("exp")(target) * (target - self), reduction)
    is_there = target > 0
    safe = op_named("select")(is_there, target, op_named("fill_like")(target, 1.0))
    each = op_named("select")(is_there, target * op_named("log")(safe), target * 0.0)
    return _reduced(each - target * self, reduction)


@target("aten.cosine_similarity")
def cosine(x1: Value, x2: Value, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine between vectors."""
    return cosine_similarity(x1, x2, dim, eps)


# Losses of pairs and triples.


@target("aten.hinge_embedding_loss")
def hinge_embedding(self: Value, target: Value, margin: float = 1.0, reduction: int = 1) -> Any:
    """self where target is 1, max(0, margin - self) where it is -1."""
    return hinge_embedding_loss(self, target, margin, REDUCTIONS[reduction])


@target("aten.margin_ranking_loss")
def margin_ranking(
    input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Any:
    """max(0, margin - target (input1 - input2))."""
    return margin_ranking_loss(input1, input2, target, margin, REDUCTIONS[reduction])


@target("aten.soft_margin_loss")
def soft_margin(self: Value, target: Value, reduction: int = 1) -> Any:
    """log(1 + exp(-target self))."""
    return soft_margin_loss(self, target, REDUCTIONS[reduction])


@target("aten.cosine_embedding_loss")
def cosine_embedding(
    input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Any:
    """1 - cos for pairs that belong together, max(0, cos - margin) for others."""
    return cosine_embedding_loss(input1, input2, target, margin, REDUCTIONS[reduction])


@target("aten.triplet_margin_loss")
def triplet_margin(
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 1,
) -> Any:
    """max(0, margin + the distance to positive - that to negative)."""
    return triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap, REDUCTIONS[reduction]
    )


@target("aten.poisson_nll_loss")
def poisson_nll(
    input: Value, target: Value, log_input: bool, full: bool, eps: float, reduction: int
) -> Any:
    """Minus the logarithm of the likelihood of counts."""
    return poisson_nll_loss(input, target, log_input, full, eps, REDUCTIONS[reduction])


@target("aten.pairwise_distance")
def distances(
    x1: Value, x2: Value, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Any:
    """The norms of differences along the last dimension."""
    return pairwise_distance(x1, x2, p, eps, keepdim)

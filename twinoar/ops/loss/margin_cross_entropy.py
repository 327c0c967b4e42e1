"""The cross entropy of classes by angles, with margins that the right class must keep."""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import differ
from twinoar.core.op.declare import Tensor, function, op
from twinoar.errors import ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import index_sample
from twinoar.ops.loss.class_centers import check_alone
from twinoar.ops.loss.cross_entropy import softmax_with_cross_entropy
from twinoar.ops.loss.nll import check_reduction, reduce_loss
from twinoar.ops.math.compare import equal
from twinoar.ops.math.select import select
from twinoar.ops.math.trigonometry import acos, cos
from twinoar.ops.shape.reshape import reshape, unsqueeze
from twinoar.ops.window._geometry import check_floating


@op(amp="high")
def margin_scores(
    logits: Tensor, label: Tensor, margin1: float, margin2: float, margin3: float, scale: float
) -> Tensor:
    """The scores under `margin_cross_entropy`: scale cosines, that of the label with its margins.

    logits: [N,C], cosines. label: [N,1]. Returns [N,C].
    """
    check_floating(logits.spec)
    if logits.ndim != 2 or label.ndim != 2 or differ(label.spec.shape[0], logits.spec.shape[0]):
        raise ShapeError(
            f"logits must be [N,C] and label [N] or [N,1], received {logits.spec} and {label.spec}"
        )
    right = index_sample(logits, label)
    if margin1 != 1.0 or margin2 != 0.0:
        right = cos(acos(right) * margin1 + margin2)
    is_right = equal(unsqueeze(iota(logits.spec.shape[1], label.dtype), 0), label)
    return select(is_right, right - margin3, logits) * scale


@margin_scores.samples
def _(s):
    cosines, label = s.uniform(-0.9, 0.9, 3, 4), s.ints(0, 4, 3, 1)
    yield s(cosines, label, 1.0, 0.5, 0.0, 4.0, half=False)
    yield s(cosines, label, 0.9, 0.1, 0.2, 4.0, half=False)
    yield s(cosines, label, 1.0, 0.0, 0.35, 4.0)
    yield s.bad(ShapeError, "logits must be", cosines, s.ints(0, 4, 2, 1), 1.0, 0.5, 0.0, 4.0)


@function(named=False)
def margin_cross_entropy(
    logits: Tensor,
    label: Tensor,
    margin1: float = 1.0,
    margin2: float = 0.5,
    margin3: float = 0.0,
    scale: float = 64.0,
    group: Any = None,
    return_softmax: bool = False,
    reduction: str | None = "mean",
) -> Tensor | tuple[Tensor, Tensor]:
    """The cross entropy of scale cos(angle), that of the right class taken as
    cos(margin1 angle + margin2) - margin3.

    logits: [N,C], the cosines of the angles, floating. label: [N] or [N,1], integers. group: None
    or False, for a single process. Returns [], or [N,1] where reduction is "none" or None; with
    return_softmax the likelihoods too, [N,C]. Raises ShapeError, ArgumentError, UnsupportedError
    for a group. Source: Deng et al. 2018, arXiv 1801.07698, eq. 4.

    >>> cosines, label = twinoar.to_tensor([[0.8, 0.0]]), twinoar.to_tensor([0])
    >>> loss = twinoar.nn.functional.margin_cross_entropy(cosines, label, 1.0, 0.0, 0.3, 2.0)
    >>> round(loss.item(), 4)  # log(1 + exp(-2 * (0.8 - 0.3)))
    0.3133
    """
    check_alone(group)
    reduction = reduction or "none"
    check_reduction(reduction)
    column = reshape(label, (-1, 1)) if label.ndim == 1 else label
    scores = margin_scores(logits, column, margin1, margin2, margin3, scale)
    loss, shares = softmax_with_cross_entropy(scores, column, return_softmax=True)
    loss = reduce_loss(loss, reduction)
    return (loss, shares) if return_softmax else loss

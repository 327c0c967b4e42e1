"""Losses by their 1.x names: one number for each example, unless the name says otherwise."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

import builtins
from typing import Any

import twinoar as paddle
from twinoar.core.interpreter import current
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F
from twinoar.nn.param_attr import ParamAttr
from twinoar.ops.loss.nll import pick_class
from twinoar.ops.loss.regression import huber_loss as huber
from twinoar.ops.math.select import select
from twinoar.ops.reduce.to_one_element import WHOLE
from twinoar.static.nn.parameter import Parameters

LOG_OF_ZERO = -1e20  # of a probability of 0, so that its product with a label of 0 is 0
FEWEST = 1e-5  # labels that count, so that none is no division by 0


def _log(x: Any) -> Any:
    return paddle.maximum(paddle.log(x), paddle.full([], LOG_OF_ZERO, x.dtype))


def likelihood_loss(input: Any, label: Any, soft_label: bool, ignore_index: int) -> Any:
    """-log of the probability of the label, [*,1]; 0 for `ignore_index`. input: probabilities."""
    if soft_label:
        return -paddle.sum(label * _log(input), -1, keepdim=True)
    classes = label if label.ndim == input.ndim else paddle.unsqueeze(label, [-1])
    return -pick_class(_log(input), classes, ignore_index)


def smooth_l1_of_rows(x: Any, y: Any, inside: Any, outside: Any, sigma: float | None) -> Any:
    """The smooth L1 loss of each row, [N,1]: squares within 1 / sigma**2, else distances."""
    square = 1.0 if sigma is None else sigma * sigma
    difference = x - y if inside is None else (x - y) * inside
    distance = paddle.abs(difference)
    near = 0.5 * square * difference * difference
    loss = select(distance < 1.0 / square, near, distance - 0.5 / square)
    loss = loss if outside is None else loss * outside
    return paddle.sum(paddle.reshape(loss, [x.spec.shape[0], -1]), 1, keepdim=True)


def binary_loss(x: Any, label: Any, ignore_index: int, normalize: bool) -> Any:
    """The cross entropy of sigmoid(x) and label, 0 where the label is `ignore_index`.

    normalize: divided by the number of labels that count.
    """
    counts = paddle.not_equal(label, paddle.full([], ignore_index, label.dtype))
    loss = select(counts, F.binary_cross_entropy_with_logits(x, label, reduction="none"), 0.0)
    if not normalize:
        return loss
    return loss / paddle.clip(paddle.sum(paddle.cast(counts, x.dtype)), min=FEWEST)


def ranking(label: Any, left: Any, right: Any) -> Any:
    """The cross entropy of sigmoid(left - right) and label: RankNet's loss."""
    return F.softplus(left - right) - label * (left - right)


def margin_ranking(label: Any, left: Any, right: Any, margin: float) -> Any:
    """max(0, margin - label * (left - right))."""
    return F.relu(margin - label * (left - right))


def personalized_ranking(input: Any, label: Any) -> Any:
    """The mean over the other classes of -log(sigmoid(score of the label - theirs)), [N,1]."""
    classes = input.spec.shape[-1]
    own = F.one_hot(paddle.reshape(label, [-1]), classes)
    of_label = paddle.sum(input * own, -1, keepdim=True)
    loss = F.softplus(input - of_label) * (1.0 - own)
    return paddle.sum(loss, -1, keepdim=True) / (classes - 1)


def from_centers(
    input: Any, label: Any, num_classes: int, alpha: Any, param_attr: Any, update_center: bool
) -> Any:
    """Half the squared distance of each row to the center of its class, [N,1].

    Parameter: the centers [num_classes,D], which do not train: where they are updated they move by
    `alpha` towards the mean of their rows. Source: Wen et al. 2016, "A discriminative feature
    learning approach for deep face recognition", section 3.2.
    """
    shape, attr = (num_classes, input.spec.shape[1]), ParamAttr._to_attr(param_attr)
    attr.trainable = False
    centers = Parameters("center_loss").make(shape, input.dtype, attr)
    number = paddle.reshape(label, [-1])
    away = input - paddle.gather(centers, number)
    if update_center:
        with paddle.no_grad():
            ones = paddle.ones([num_classes], input.dtype)
            count = paddle.scatter_nd_add(ones, label, paddle.ones_like(away[:, 0]))
            moves = paddle.scatter_nd_add(paddle.zeros_like(centers), label, away)
            new = centers + moves * (alpha / paddle.unsqueeze(count, [1]))
            current().rebind(centers, paddle.cast(new, input.dtype))
    return paddle.sum(paddle.square(away), 1, keepdim=True) * 0.5


def teacher_student(input: Any, label: Any, upper: float, lower: float) -> Any:
    """The loss of a student that hears a teacher's score in [0,1], and clicks beside it, [N,1].

    label: -2 for neither click nor score, -1 for a click alone, the score where it is below 1, one
    more than it where there is a click too.
    """
    loss = F.softplus(paddle.clip(input, lower, upper))
    score = select(label < 1.0, label, label - 1.0)
    without_score = select(label < -1.0, loss, loss - input)
    click = select(label < 1.0, loss, loss - input)
    return select(label < 0.0, without_score, click + loss - input * score)


def cosine(x: Any, y: Any) -> Any:
    """The cosine of the angle between rows, [N,1]. y: [N,D] or [1,D]."""
    product = paddle.sum(x * y, -1, keepdim=True)
    norms = [paddle.sqrt(paddle.sum(paddle.square(v), -1, keepdim=True)) for v in (x, y)]
    return product / norms[0] / norms[1]


def unit_length(x: Any, axis: int, epsilon: float) -> Any:
    """x / sqrt(sum(x * x) + epsilon), along `axis`."""
    return x * paddle.rsqrt(paddle.sum(paddle.square(x), axis, keepdim=True) + epsilon)


__all__ = define(
    globals(),
    """
bpr_loss(input, label, name=None)
    -> personalized_ranking(input, label)  # F.softplus, of differences
center_loss(input, label, num_classes, alpha, param_attr, update_center=True)
    -> from_centers(input, label, num_classes, alpha, param_attr, update_center)
    # paddle.sum(paddle.square(input - centers), 1), of a table of centers
cos_sim(X, Y) -> cosine(X, Y)  # F.cosine_similarity(X, Y)
cross_entropy(input, label, soft_label=False, ignore_index=-100)
    -> likelihood_loss(input, label, soft_label, ignore_index)
    # F.cross_entropy(input, label, use_softmax=False, reduction='none')
dice_loss(input, label, epsilon=1e-05, name=None)
    -> F.dice_loss(input, label, epsilon)
huber_loss(input, label, delta) -> huber(input, label, delta)  # F.smooth_l1_loss(input, label)
kldiv_loss(x, target, reduction='mean', name=None) -> F.kl_div(x, target, reduction)
l2_normalize(x, axis, epsilon=1e-12, name=None)
    -> unit_length(x, axis, epsilon)  # F.normalize(x, axis=axis)
label_smooth(label, prior_dist=None, epsilon=0.1, dtype='float32', name=None)
    -> F.label_smooth(paddle.cast(label, dtype), prior_dist, epsilon)
    # F.label_smooth(label, prior_dist, epsilon)
log_loss(input, label, epsilon=0.0001, name=None) -> F.log_loss(input, label, epsilon)
margin_rank_loss(label, left, right, margin=0.1, name=None)
    -> margin_ranking(label, left, right, margin)
    # F.margin_ranking_loss(left, right, label, margin)
mse_loss(input, label) -> WHOLE["reduce_mean"](F.square_error_cost(input, label))
    # F.mse_loss(input, label)
npair_loss(anchor, positive, labels, l2_reg=0.002)
    -> F.npair_loss(anchor, positive, labels, l2_reg)
rank_loss(label, left, right, name=None)
    -> ranking(label, left, right)  # F.binary_cross_entropy_with_logits(left - right, label)
sigmoid_cross_entropy_with_logits(x, label, ignore_index=-100, name=None, normalize=False)
    -> binary_loss(x, label, ignore_index, normalize)
    # F.binary_cross_entropy_with_logits(x, label, reduction='none')
smooth_l1(x, y, inside_weight=None, outside_weight=None, sigma=None)
    -> smooth_l1_of_rows(x, y, inside_weight, outside_weight, sigma)
    # F.smooth_l1_loss(x, y, reduction='none')
softmax_with_cross_entropy(logits, label, soft_label=False, ignore_index=-100,
        numeric_stable_mode=True, return_softmax=False, axis=-1)
    -> F.softmax_with_cross_entropy(
        logits, label, soft_label, ignore_index, numeric_stable_mode, return_softmax, axis)
square_error_cost(input, label) -> F.square_error_cost(input, label)
teacher_student_sigmoid_loss(input, label, soft_max_up_bound=15.0, soft_max_lower_bound=-15.0)
    -> teacher_student(input, label, soft_max_up_bound, soft_max_lower_bound)
    # F.binary_cross_entropy_with_logits, of clicks and of scores
""",
)

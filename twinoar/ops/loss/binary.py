"""Losses of yes or no: binary cross entropy, focal loss, log loss."""

from __future__ import annotations

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ShapeError
from twinoar.ops.activation.smooth import log_sigmoid, sigmoid
from twinoar.ops.loss.nll import as_given, check_reduction, reduce_loss
from twinoar.ops.loss.regression import check_same
from twinoar.ops.math.cast import elementwise, in_equal_shapes, promote_operands, sum_to
from twinoar.ops.math.compare import equal
from twinoar.ops.math.exponential import log
from twinoar.ops.math.select import maximum, select
from twinoar.ops.window._geometry import working

LEAST_LOG = -100.0  # Paddle cuts the logarithm of a probability off here


LEAST_PRODUCT = 1e-12  # and p (1 - p) in the gradient here


@function
def binary_cross_entropy(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """The cross entropy of probabilities and labels of yes or no.

    input: probabilities in [0, 1], [*]. label: [*], in [0, 1]; gets no gradient. weight: broadcasts
    to [*]. Returns [], or [*] for "none". Logarithms are cut off at -100. Raises ShapeError,
    ArgumentError.

    >>> x, y = twinoar.to_tensor([0.5, 1.0]), twinoar.to_tensor([1.0, 1.0])
    >>> loss = twinoar.nn.functional.binary_cross_entropy(x, y, reduction="sum")
    >>> round(loss.item(), 4)
    0.6931
    """
    check_reduction(reduction)
    out = bce_loss(input, as_given(label))
    return reduce_loss(out if weight is None else out * weight, reduction)


@op(promote=promote_operands, amp="high", desc=Desc("bce_loss", {"X": "input", "Label": "label"}))
def bce_loss(input: Tensor, label: Tensor) -> Tensor:
    """-label log(input) - (1 - label) log(1 - input), under `binary_cross_entropy`.

    input, label: [*], of one shape. Returns [*].
    """
    check_same(input, label)
    yes, no = _cut_log(input), _cut_log(1.0 - input)
    return -(label * yes + (1.0 - label) * no)


@bce_loss.infer
def _(input, label):
    check_same(input, label)
    return input


@bce_loss.kernel
def _(input, label):
    check_same(input, label)
    x, y = working(input, label)
    with np.errstate(divide="ignore", invalid="ignore"):
        yes, no = np.maximum(np.log(x), LEAST_LOG), np.maximum(np.log(1 - x), LEAST_LOG)
    return np.asarray(-(y * yes + (1 - y) * no)).astype(input.dtype, copy=False)


@bce_loss.grad
def _(g, input, label, wanted):
    dx = dy = None
    if wanted[0]:
        dx = g * (input - label) / maximum(input * (1.0 - input), LEAST_PRODUCT)
    if wanted[1]:
        dy = g * (_cut_log(1.0 - input) - _cut_log(input))
    return dx, dy


@bce_loss.samples
def _(s):
    yield s(s.uniform(0.1, 0.9, 2, 3), s.uniform(0, 1, 2, 3))
    yield s(s.uniform(0.1, 0.9), s.uniform(0, 1))
    yield s(s.zeros(0, 3), s.zeros(0, 3))
    yield s(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0]), gradient=False)
    yield s.bad(ShapeError, "must have one shape", s.zeros(2, 3), s.zeros(2, 1))


@function
def binary_cross_entropy_with_logits(
    logit: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The cross entropy of sigmoid(logit) and labels of yes or no.

    logit, label: [*], floating. weight: broadcasts to [*]. pos_weight: a factor on the part of
    label, broadcasts to [*]. Returns [], or [*] for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])
    >>> round(twinoar.nn.functional.binary_cross_entropy_with_logits(x, y).item(), 4)
    0.6931
    """
    check_reduction(reduction)
    factor = None if pos_weight is None else as_given(pos_weight)
    out = sigmoid_cross_entropy_with_logits(logit, as_given(label), factor)
    return reduce_loss(out if weight is None else out * weight, reduction)


@op(
    promote=promote_operands,
    amp="high",
    desc=Desc(
        "sigmoid_cross_entropy_with_logits",
        {"X": "x", "Label": "label", "pos_weight": "pos_weight"},
        fixed={"normalize": False, "ignore_index": -100},
    ),
)
def sigmoid_cross_entropy_with_logits(
    x: Tensor, label: Tensor, pos_weight: Tensor | None = None
) -> Tensor:
    """-pos_weight label log(sigmoid(x)) - (1 - label) log(1 - sigmoid(x)), stable for every x.

    x, label: [*], of one shape. pos_weight: broadcasts to [*]; 1 where None. Returns [*].
    """
    check_same(x, label)
    yes = label * log_sigmoid(x)
    yes = yes if pos_weight is None else pos_weight * yes
    return -(yes + (1.0 - label) * log_sigmoid(-x))


@sigmoid_cross_entropy_with_logits.infer
def _(x, label, pos_weight):
    check_same(x, label)
    return elementwise(x, label, pos_weight)


@sigmoid_cross_entropy_with_logits.kernel
def _(x, label, pos_weight):
    check_same(x, label)
    wide, y = working(x, label)
    rest = np.log1p(np.exp(-np.abs(wide)))
    yes, no = np.maximum(-wide, 0) + rest, np.maximum(wide, 0) + rest
    yes = y * yes if pos_weight is None else pos_weight * y * yes
    return np.asarray(yes + (1 - y) * no).astype(x.dtype, copy=False)


@sigmoid_cross_entropy_with_logits.grad
def _(g, x, label, pos_weight, specs, wanted):
    positive = label if pos_weight is None else label * pos_weight
    dx = dlabel = dweight = None
    if wanted[0]:
        dx = sum_to(g * (sigmoid(x) * (1.0 - label + positive) - positive), specs[0])
    if wanted[1]:
        yes = log_sigmoid(x) if pos_weight is None else pos_weight * log_sigmoid(x)
        dlabel = sum_to(g * (log_sigmoid(-x) - yes), specs[1])
    if pos_weight is not None and wanted[2]:
        dweight = sum_to(-g * label * log_sigmoid(x), specs[2])
    return dx, dlabel, dweight


@sigmoid_cross_entropy_with_logits.samples
def _(s):
    yield s(s.randn(2, 3), s.uniform(0, 1, 2, 3))
    yield s(s.randn(2, 3), s.uniform(0, 1, 2, 3), s.uniform(0.5, 2, 3))
    yield s(s.randn(), s.uniform(0, 1))
    yield s(s.zeros(0, 3), s.zeros(0, 3))
    yield s(np.array([-1e4, 1e4], np.float32), s.uniform(0, 1, 2), gradient=False)
    yield s.bad(ShapeError, "must have one shape", s.randn(2, 3), s.randn(2, 1))


@function
def sigmoid_focal_loss(
    logit: Tensor,
    label: Tensor,
    normalizer: Tensor | None = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
) -> Tensor:
    """The cross entropy of sigmoid(logit) and labels, less for labels that are already right.

    logit, label: [*], floating. normalizer: one number that divides the loss. alpha: the weight of
    label 1, in [0, 1]. gamma: how fast right ones lose weight. Returns [], or [*] for "none".
    Raises ShapeError, ArgumentError. Source: arXiv 1708.02002, equation 5.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])
    >>> round(twinoar.nn.functional.sigmoid_focal_loss(x, y).item(), 4)
    0.0433
    """
    check_reduction(reduction)
    entropy = sigmoid_cross_entropy_with_logits(logit, as_given(label))
    probability = sigmoid(logit)
    right = probability * label + (1.0 - probability) * (1.0 - label)
    balance = alpha * label + (1.0 - alpha) * (1.0 - label)
    out = balance * (1.0 - right) ** gamma * entropy
    return reduce_loss(out if normalizer is None else out / normalizer, reduction)


@function
def log_loss(input: Tensor, label: Tensor, epsilon: float = 1e-4) -> Tensor:
    """-label log(input + epsilon) - (1 - label) log(1 - input + epsilon), element by element.

    input: probabilities, [N,1]. label: [N,1], in [0, 1]. Returns [N,1]. Raises ShapeError.

    >>> x, y = twinoar.to_tensor([[0.5]]), twinoar.to_tensor([[1.0]])
    >>> round(twinoar.nn.functional.log_loss(x, y).item(), 4)
    0.6929
    """
    return log_loss_op(input, as_given(label), epsilon)


@op(
    name="log_loss",
    promote=promote_operands,
    amp="high",
    desc=Desc(
        "log_loss",
        {"Predicted": "input", "Labels": "label"},
        outputs=("Loss",),
        attrs={"epsilon": "epsilon"},
    ),
)
def log_loss_op(input: Tensor, label: Tensor, epsilon: float = 1e-4) -> Tensor:
    """The cross entropy of probabilities held off 0 by epsilon: under `log_loss`."""
    check_same(input, label)
    input, label = in_equal_shapes(input, label)
    return -(label * log(input + epsilon)) - (1.0 - label) * log(1.0 - input + epsilon)


@log_loss_op.samples
def _(s):
    yield s(s.uniform(0.1, 0.9, 4, 1), s.uniform(0, 1, 4, 1))
    yield s(s.uniform(0.1, 0.9, 4, 1), s.uniform(0, 1, 4, 1), 1e-2)
    yield s.bad(ShapeError, "must have one shape", s.randn(2, 1), s.randn(2))


def _cut_log(x: Tensor) -> Tensor:
    """log(x), no less than LEAST_LOG, nan below 0; its gradient is 0 where it is cut off."""
    is_zero = equal(x, 0.0)
    return select(is_zero, LEAST_LOG, maximum(log(select(is_zero, 1.0, x)), LEAST_LOG))

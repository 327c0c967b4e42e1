"""Losses of classification: cross entropy with and without softmax, and what picks a class.

A label names one of C classes along an axis of the scores; a soft label is a distribution over
them. Labels equal to ignore_index take no part.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.op.declare import Desc, Shape, Spec, Tensor, function, normalize_axis, op
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.loss.nll import (
    as_given,
    check_label,
    check_reduction,
    check_weight,
    class_weights,
    classes_of,
    counts,
    divide_by_count,
    pick_class,
    place_class,
    reduce_loss,
)
from twinoar.ops.math.arithmetic import multiply
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import not_equal
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.select import select
from twinoar.ops.reduce.extreme import max as largest
from twinoar.ops.reduce.reduction import logsumexp
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze
from twinoar.ops.window._geometry import check_floating, widened, working

Reduction = Literal["mean", "sum", "none"]


@function
def cross_entropy(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy of softmax(input) and labels.

    input: scores with C classes along `axis`, floating; probabilities where not use_softmax. label:
    class numbers, in the shape of input without that axis or with size 1 there; with soft_label the
    shape of input, floating. weight: of each class, [C]. ignore_index: a label that does not count.
    reduction: "none"; "sum"; or "mean", which divides by the sum of the weights, by the number of
    labels that count where ignore_index is not negative, or by the number of labels.
    label_smoothing: the share of a label that all classes get evenly. Returns [], or for "none" the
    shape of label (with size 1 along the axis for soft and smoothed labels). Raises AxisError for a
    label that names no class, ShapeError, ArgumentError.

    >>> scores, label = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([1])
    >>> round(twinoar.nn.functional.cross_entropy(scores, label).item(), 4)
    0.6931
    """
    check_reduction(reduction)
    at = normalize_axis(axis, input.spec.ndim)
    label, lacked_axis = _with_axis(label, input, at)
    count = None  # what a mean divides by, where that is not the number of losses
    if ignore_index >= 0 and not soft_label:
        count = counts(label, ignore_index, input)
    if label_smoothing > 0.0:
        label = _smoothed(label, input, soft_label, label_smoothing, ignore_index, at)
        soft_label, lacked_axis = True, False
    out = _entropy(input, label, soft_label, ignore_index, at, use_softmax)
    if weight is not None:
        count = _label_weights(weight, label, input, soft_label, ignore_index, at)
        out = multiply(out, count)
    if lacked_axis and reduction == "none":
        return squeeze(out, at)
    if reduction == "mean" and count is not None:
        return divide_by_count(total(out), total(count))
    return reduce_loss(out, reduction)


@function(named=False)
def softmax_with_cross_entropy(
    logits: Tensor,
    label: Tensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Tensor | tuple[Tensor, Tensor]:
    """The cross entropy of softmax(logits) and each label.

    logits: scores with C classes along `axis`, floating. label: class numbers, size 1 along the
    axis; with soft_label the shape of logits. ignore_index: a label whose loss is 0.
    numeric_stable_mode: accepted; it always is. Returns the loss, with size 1 along the axis, and
    the softmax where return_softmax. Raises AxisError for a label that names no class, ShapeError.

    >>> logits, label = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[1]])
    >>> loss = twinoar.nn.functional.softmax_with_cross_entropy(logits, label)
    >>> loss.shape, round(loss.item(), 4)
    ([1, 1], 0.6931)
    """
    at = normalize_axis(axis, logits.spec.ndim)
    label, _ = _with_axis(label, logits, at)
    loss = softmax_with_cross_entropy_op(
        logits, _hard_or_soft(label, soft_label), soft_label, ignore_index, at
    )
    if not return_softmax:
        return loss
    return loss, exp(logits - logsumexp(logits, axis=at, keepdim=True))


def _read_softmax_with_cross_entropy(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    (x,), (label,) = slots["Logits"], slots["Label"]
    soft, ignored = attrs.get("soft_label", False), attrs.get("ignore_index", -100)
    at = normalize_axis(attrs.get("axis", -1), x.spec.ndim)
    return _entropy(x, label, soft, ignored, at, attrs.get("use_softmax", True))


@op(
    slow_kernel=True,
    name="softmax_with_cross_entropy",
    amp="high",
    desc=Desc(
        "softmax_with_cross_entropy",
        {"Logits": "logits", "Label": "label"},
        outputs=("Loss",),
        attrs={"soft_label": "soft_label", "ignore_index": "ignore_index", "axis": "axis"},
        extra_outputs=("Softmax",),
        write=lambda attrs, specs: {"use_softmax": True, "numeric_stable_mode": True},
        read=_read_softmax_with_cross_entropy,
    ),
)
def softmax_with_cross_entropy_op(
    logits: Tensor,
    label: Tensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    axis: int = -1,
) -> Tensor:
    """log(sum(exp(logits))) less the logit of the label: under `softmax_with_cross_entropy`.

    logits: [*], C classes along the axis. label: size 1 there, integers; soft ones the shape of
    logits. Returns size 1 along the axis.
    """
    x, logs = _shifted(logits, axis)
    if soft_label:
        loss = total(label * (logs - x), axis=axis, keepdim=True)
    else:
        chosen = pick_class(x, label, ignore_index, axis)
        loss = select(not_equal(label, ignore_index), logs - chosen, 0.0)
    return astype(loss, logits.dtype)


@softmax_with_cross_entropy_op.infer
def _(logits, label, soft_label, ignore_index, axis):
    check_floating(logits)
    at = normalize_axis(axis, logits.ndim)
    if soft_label:
        _check_soft_label(logits, label)
    else:
        check_label(logits, label, axis)
    return Spec((*logits.shape[:at], 1, *logits.shape[at + 1 :]), logits.dtype)


@softmax_with_cross_entropy_op.kernel
def _(logits, label, soft_label, ignore_index, axis):
    (x,) = working(logits)
    shifted = x - x.max(axis=axis, keepdims=True, initial=-np.inf)
    if soft_label:
        _check_same(logits.shape, label.shape)
        logs = np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        loss = (label * (logs - shifted)).sum(axis=axis, keepdims=True)
        return loss.astype(logits.dtype, copy=False)
    ignored, chosen = classes_of(label, x.shape, ignore_index, axis)
    picked = np.take_along_axis(shifted, chosen, axis)
    np.exp(shifted, out=shifted)
    loss = np.log(shifted.sum(axis=axis, keepdims=True)) - picked
    loss[ignored] = 0
    return loss.astype(logits.dtype, copy=False)


@softmax_with_cross_entropy_op.grad
def _(g, logits, label, specs, wanted, soft_label, ignore_index, axis):
    dx = dlabel = None
    if wanted[0]:
        dx = softmax_with_cross_entropy_grad(g, logits, label, soft_label, ignore_index, axis)
    if soft_label and wanted[1]:
        dlabel = astype(g * (logsumexp(logits, axis=axis, keepdim=True) - logits), specs[1].dtype)
    return dx, dlabel


@softmax_with_cross_entropy_op.samples
def _(s):
    yield s(s.randn(4, 5), s.ints(0, 5, 4, 1))
    yield s(s.randn(2, 5, 3), s.ints(0, 5, 2, 1, 3), axis=1)
    yield s(s.randn(3, 5), np.array([[1], [2], [4]]), ignore_index=2)
    yield s(s.randn(4, 5), s.uniform(0, 1, 4, 5), True)
    yield s(s.randn(2, 5, 3), s.uniform(0, 1, 2, 5, 3), True, axis=1)
    yield s(s.zeros(0, 5), s.ints(0, 5, 0, 1))
    yield s(s.randn(5), np.array([2]))
    yield s(s.randn(2, 1), np.array([[0], [0]]))
    yield s(np.array([[1e4, -1e4], [3e4, 3e4]], np.float32), np.array([[0], [1]]), gradient=False)
    yield s.bad(
        AxisError, "label 5 names no class", s.randn(2, 5), np.array([[1], [5]]), static_error=False
    )
    yield s.bad(ShapeError, "label must have shape [2, 1]", s.randn(2, 5), s.ints(0, 5, 3, 1))
    yield s.bad(ShapeError, "soft label", s.randn(2, 5), s.randn(2, 4), True)


@op(slow_kernel=True)
def softmax_with_cross_entropy_grad(
    dy: Tensor,
    logits: Tensor,
    label: Tensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    axis: int = -1,
) -> Tensor:
    """The gradient of `softmax_with_cross_entropy`: dy * (softmax(logits) - label as distribution).

    dy: size 1 along the axis. Returns the shape of logits.
    """
    x, logs = _shifted(logits, axis)
    softmax = exp(x - logs)
    if soft_label:
        out = dy * (softmax * total(label, axis=axis, keepdim=True) - label)
    else:
        kept = select(not_equal(label, ignore_index), dy, 0.0)
        placed = place_class(dy, label, logits.spec.shape[axis], ignore_index, axis)
        out = kept * softmax - placed
    return astype(out, logits.dtype)


@softmax_with_cross_entropy_grad.infer
def _(dy, logits, label, soft_label, ignore_index, axis):
    return logits


@softmax_with_cross_entropy_grad.kernel
def _(dy, logits, label, soft_label, ignore_index, axis):
    x, g = working(logits, dy)
    out = x - x.max(axis=axis, keepdims=True, initial=-np.inf)
    np.exp(out, out=out)
    out /= out.sum(axis=axis, keepdims=True)
    if soft_label:
        out *= label.sum(axis=axis, keepdims=True)
        out -= label
        out *= g
        return out.astype(logits.dtype, copy=False)
    ignored, chosen = classes_of(label, x.shape, ignore_index, axis)
    g = np.where(ignored, np.zeros((), g.dtype), g)
    out *= g
    np.put_along_axis(out, chosen, np.take_along_axis(out, chosen, axis) - g, axis)
    return out.astype(logits.dtype, copy=False)


@softmax_with_cross_entropy_grad.samples
def _(s):
    yield s(s.randn(4, 1), s.randn(4, 5), s.ints(0, 5, 4, 1))
    yield s(s.randn(2, 1, 3), s.randn(2, 5, 3), np.full((2, 1, 3), 4), False, 4, 1)
    yield s(s.randn(4, 1), s.randn(4, 5), s.uniform(0, 1, 4, 5), True)


def _shifted(logits: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """logits less the largest of a row, and log(sum(exp)) of that, which is then small and exact.

    Loss and gradient ask for the same, so that a Program computes it once.
    """
    x = widened(logits)
    x = x - largest(x, axis=axis, keepdim=True)
    return x, log(total(exp(x), axis=axis, keepdim=True))


def _entropy(
    input: Tensor, label: Tensor, soft_label: bool, ignore_index: int, axis: int, use_softmax: bool
) -> Tensor:
    """The loss of each label, with size 1 along the axis."""
    label = _hard_or_soft(label, soft_label)
    if use_softmax:
        return softmax_with_cross_entropy_op(input, label, soft_label, ignore_index, axis)
    if soft_label:
        return -total(label * log(input), axis=axis, keepdim=True)
    return -pick_class(log(input), label, ignore_index, axis)


def _hard_or_soft(label: Tensor, soft_label: bool) -> Tensor:
    if soft_label:
        return as_given(label)
    return label if label.dtype.is_integer else astype(label, "int64")


def _with_axis(label: Tensor, scores: Tensor, axis: int) -> tuple[Tensor, bool]:
    """label with the axis of the classes, and whether it lacked that."""
    if label.spec.ndim == scores.spec.ndim - 1:
        return unsqueeze(label, axis), True
    return label, False


def _smoothed(
    label: Tensor, scores: Tensor, soft_label: bool, share: float, ignore_index: int, axis: int
) -> Tensor:
    """Labels as distributions, `share` of which goes to all classes evenly; zeros if ignored."""
    if share > 1.0:
        raise ArgumentError(f"label_smoothing must be in [0, 1], received {share}")
    classes = int(scores.spec.shape[axis])
    if soft_label:
        return label * (1.0 - share) + share / classes
    label = _hard_or_soft(label, False)
    valid = counts(label, ignore_index, scores)
    return place_class(valid, label, classes, ignore_index, axis) * (1.0 - share) + valid * (
        share / classes
    )


def _label_weights(
    weight: Tensor, label: Tensor, scores: Tensor, soft_label: bool, ignore_index: int, axis: int
) -> Tensor:
    """The weight of each label, with size 1 along the axis."""
    classes = scores.spec.shape[axis]
    if not soft_label:
        label = _hard_or_soft(label, False)
        return class_weights(weight, label, ignore_index, classes)
    check_weight(weight, classes)
    along = tuple(classes if i == axis else 1 for i in range(scores.spec.ndim))
    return total(label * reshape(weight, along), axis=axis, keepdim=True)


def _check_soft_label(x: Spec, label: Spec) -> None:
    _check_same(x.shape, label.shape)
    if not label.dtype.is_floating:
        raise DTypeError(f"a soft label must be floating, received {label}")


def _check_same(shape: Shape, label: Shape) -> None:
    if not may_equal(shape, label):
        raise ShapeError(f"a soft label must have shape {list(shape)}, received {list(label)}")

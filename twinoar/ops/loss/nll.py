"""Picking the class that a label names: the likelihood of labels, and what all such losses share.

A label names one of C classes along an axis of the scores. Labels equal to ignore_index take no
part.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, not_equal
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze

Reduction = Literal["mean", "sum", "none"]


@function
def nll_loss(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """The negative log likelihood of labels.

    input: logarithms of probabilities, [N,C] or [N,C,*], floating. label: class numbers, [N] or
    [N,*]. weight: of each class, [C]. ignore_index: a label that does not count. reduction: "none",
    "sum" or "mean", which divides by the sum of the weights of the labels that count. Returns [],
    or for "none" the shape of label. Raises AxisError for a label that names no class, ShapeError.

    >>> logs, label = twinoar.to_tensor([[-1.0, -2.0]]), twinoar.to_tensor([1])
    >>> twinoar.nn.functional.nll_loss(logs, label).item()
    2.0
    """
    check_reduction(reduction)
    if input.spec.ndim < 2:
        raise ShapeError(f"input must have at least 2 dimensions, received {input.shape}")
    if label.spec.ndim == input.spec.ndim:  # [N,1]
        label = squeeze(label, 1)
    return nll_loss_op(input, label, weight, ignore_index, reduction)


@primitive(slow_kernel=True)
def pick_class(x: Tensor, label: Tensor, ignore_index: int = -100, axis: int = -1) -> Tensor:
    """The element of x that each label names along `axis`, 0 where the label is ignored.

    x: [*], C classes along the axis. label: size 1 along the axis, integers. Returns the shape of
    label. Raises AxisError for a label that names no class, ShapeError.
    """


@pick_class.infer
def _(x, label, ignore_index, axis):
    check_label(x, label, axis)
    return Spec(label.shape, x.dtype)


@pick_class.kernel
def _(x, label, ignore_index, axis):
    ignored, chosen = classes_of(label, x.shape, ignore_index, axis)
    out = np.take_along_axis(x, chosen, axis)
    out[ignored] = 0
    return out


@pick_class.lower
def _(i, x, label, ignore_index, axis):
    ignored, chosen = _class_named(label[i], ignore_index, x.shape[axis])
    at = normalize_axis(axis, x.ndim)
    return loop.select(ignored, 0, x[(*i[:at], chosen, *i[at + 1 :])])


def _class_named(label: loop.Expr, ignore_index: int, classes: int) -> tuple[loop.Expr, loop.Expr]:
    """Whether a label is ignored, and its class: `classes_of` in the loop language."""
    wide = loop.cast(label, int64)
    ignored = loop.eq(wide, ignore_index)
    return ignored, loop.bounded(loop.select(ignored, 0, wide), classes, "label")


@pick_class.grad
def _(g, label, specs, ignore_index, axis):
    return place_class(g, label, specs[0].shape[axis], ignore_index, axis), None


@pick_class.samples
def _(s):
    yield s(s.randn(4, 5), s.ints(0, 5, 4, 1))
    yield s(s.randn(2, 5, 3), s.ints(0, 5, 2, 1, 3, dtype="int32"), axis=1)
    yield s(s.randn(3, 5), np.array([[1], [-100], [4]]))
    yield s(s.randn(5), np.array([2]), 2)
    yield s(s.zeros(0, 5), s.ints(0, 5, 0, 1))
    yield s.bad(
        AxisError, "label 5 names no class", s.randn(2, 5), np.array([[1], [5]]), static_error=False
    )
    yield s.bad(AxisError, "0 to 4", s.randn(1, 5), np.array([[-1]]), static_error=False)
    yield s.bad(ShapeError, "label must have shape [2, 1]", s.randn(2, 5), s.ints(0, 5, 3, 1))
    yield s.bad(DTypeError, "integers", s.randn(2, 5), s.randn(2, 1))


@primitive(slow_kernel=True)
def place_class(
    x: Tensor, label: Tensor, classes: int, ignore_index: int = -100, axis: int = -1
) -> Tensor:
    """Zeros with each element of x at the class that its label names: adjoint of `pick_class`.

    x: [*], size 1 along the axis. label: the shape of x. Returns `classes` along the axis.
    """


@place_class.infer
def _(x, label, classes, ignore_index, axis):
    at = normalize_axis(axis, x.ndim)
    return Spec((*x.shape[:at], classes, *x.shape[at + 1 :]), x.dtype)


@place_class.kernel
def _(x, label, classes, ignore_index, axis):
    spec = place_class.rules["infer"](x, label, classes, ignore_index, axis)
    ignored, chosen = classes_of(label, spec.shape, ignore_index, axis)
    out = np.zeros(spec.shape, x.dtype)
    np.put_along_axis(out, chosen, np.where(ignored, np.zeros((), x.dtype), x), axis)
    return out


@place_class.lower
def _(i, x, label, classes, ignore_index, axis):
    at = normalize_axis(axis, x.ndim)
    own = (*i[:at], 0, *i[at + 1 :])
    ignored, chosen = _class_named(label[own], ignore_index, classes)
    return loop.select(loop.eq(i[at], chosen) & ~ignored, x[own], 0)


@place_class.grad
def _(g, label, ignore_index, axis):
    return pick_class(g, label, ignore_index, axis), None


@place_class.samples
def _(s):
    yield s(s.randn(4, 1), s.ints(0, 5, 4, 1), 5)
    yield s(s.randn(3, 1, 2), s.ints(0, 5, 3, 1, 2), 5, 3, 1)


@op(
    name="nll_loss",
    amp="high",
    desc=Desc(
        "nll_loss",
        {"X": "input", "Label": "label", "Weight": "weight"},
        attrs={"reduction": "reduction"},
        extra_outputs=("Total_weight",),
        write=lambda attrs, specs: {"ignore_index": ("LONG", attrs["ignore_index"])},
        read=lambda slots, attrs: nll_loss_op(
            slots["X"][0],
            slots["Label"][0],
            (slots.get("Weight") or [None])[0],
            attrs.get("ignore_index", -100),
            attrs.get("reduction", "mean"),
        ),
    ),
)
def nll_loss_op(
    input: Tensor,
    label: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: Reduction = "mean",
) -> Tensor:
    """The negative log likelihood of labels: the operator under `nll_loss`.

    input: [N,C,*]. label: [N,*], integers. weight: [C]. Returns [] or [N,*].
    """
    at = unsqueeze(label, 1)
    loss = -squeeze(pick_class(input, at, ignore_index, 1), 1)
    if weight is None:
        weights = counts(label, ignore_index, input)
    else:
        weights = class_weights(weight, label, ignore_index, input.spec.shape[1])
        loss = loss * weights
    if reduction == "mean":
        return divide_by_count(total(loss), total(weights))
    return total(loss) if reduction == "sum" else loss


@nll_loss_op.samples
def _(s):
    yield s(s.randn(4, 5), s.ints(0, 5, 4))
    yield s(s.randn(2, 5, 3), s.ints(0, 5, 2, 3), s.uniform(0.5, 1, 5))
    yield s(s.randn(3, 5), np.array([1, 2, 4]), s.uniform(0.5, 1, 5), 2, "sum")
    yield s(s.randn(3, 5), np.array([1, -100, 4]), reduction="none")
    yield s(s.randn(2, 5), np.array([3, 3]), ignore_index=3)
    yield s.bad(
        AxisError, "label 5 names no class", s.randn(2, 5), np.array([1, 5]), static_error=False
    )
    yield s.bad(ShapeError, "weight must be [5]", s.randn(2, 5), s.ints(0, 5, 2), s.randn(4))


def class_weights(weight: Tensor, label: Tensor, ignore_index: int, classes: Any) -> Tensor:
    """The weight of each label's class, 0 where the label is ignored; the shape of label."""
    check_weight(weight, classes)
    valid = not_equal(label, ignore_index)
    flat = reshape(select(valid, label, 0), (label.spec.size,))
    return select(valid, reshape(gather_op(weight, flat), label.spec.shape), 0.0)


def check_reduction(reduction: str) -> None:
    """Raise ArgumentError for a reduction that there is not."""
    if reduction not in ("mean", "sum", "none"):
        raise ArgumentError(
            f"reduction must be 'mean', 'sum' or 'none', received {reduction!r}",
            cure="the usual one is 'mean'",
        )


def as_given(label: Tensor) -> Tensor:
    """The label of a loss that tells no gradient of it, as in Paddle."""
    wants = isinstance(label, Value) and not label.stop_gradient
    return label.detach() if wants else label


def reduce_loss(loss: Tensor, reduction: str) -> Tensor:
    """A loss for each element as one number, or as it is for "none". Raises ArgumentError."""
    check_reduction(reduction)
    if reduction == "mean":
        return mean(loss)
    if reduction == "sum":
        return total(loss)
    return loss


def counts(label: Tensor, ignore_index: int, like: Tensor) -> Tensor:
    """1 where a label counts, 0 where it is ignored."""
    return astype(not_equal(label, ignore_index), like.dtype)


def divide_by_count(amount: Tensor, count: Tensor) -> Tensor:
    """amount / count, and amount itself where count is 0."""
    return divide(amount, count + astype(equal(count, 0.0), count.dtype))


def classes_of(
    label: np.ndarray, shape: Shape, ignore_index: int, axis: int
) -> tuple[np.ndarray, np.ndarray]:
    """Where labels are ignored, and the class of each, 0 for ignored ones. Raises AxisError."""
    _check_label_shape(shape, label.shape, axis)
    if label.dtype.kind not in "iu":
        raise DTypeError(f"label must hold integers, received {label.dtype.name}")
    count = shape[axis]
    ignored = label == ignore_index
    wrong = ((label < 0) | (label >= count)) & ~ignored
    if wrong.any():
        raise AxisError(
            f"label {label[wrong].flat[0]} names no class: there are {count}, 0 to {count - 1}",
            cure=f"check the data, or mark labels that do not count with {ignore_index}",
        )
    return ignored, np.where(ignored, 0, label)


def check_label(x: Spec, label: Spec, axis: int) -> None:
    _check_label_shape(x.shape, label.shape, axis)
    if not label.dtype.is_integer:
        raise DTypeError(f"label must hold integers, received {label}")


def _check_label_shape(shape: Shape, label: Shape, axis: int) -> None:
    at = normalize_axis(axis, len(shape))
    expected = (*shape[:at], 1, *shape[at + 1 :])
    if not may_equal(expected, label):
        raise ShapeError(
            f"label must have shape {list(expected)} for scores of shape {list(shape)}, "
            f"received {list(label)}",
            cure="for labels that are distributions, pass soft_label=True",
        )


def check_weight(weight: Tensor, classes: Any) -> None:
    if not may_equal(weight.spec.shape, (classes,)):
        raise ShapeError(
            f"weight must be [{classes}], one for each class, received shape {weight.shape}"
        )

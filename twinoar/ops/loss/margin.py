"""Losses by margins, of several labels at once, of counts and of spreads."""

from __future__ import annotations

import math

from twinoar.core.dim import differ
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.activation.smooth import log_sigmoid
from twinoar.ops.create.fill import zeros_like
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import index_sample
from twinoar.ops.index.gather import gather
from twinoar.ops.index.mask import where
from twinoar.ops.loss.nll import check_reduction, reduce_loss
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_than, less_than
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.root import square
from twinoar.ops.math.select import clip, maximum, select
from twinoar.ops.reduce.cumulative_sum import cumsum
from twinoar.ops.reduce.extreme import max as maximum_of
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.sequence.embedding import one_hot
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze


def _check_same(x: Tensor, label: Tensor) -> None:
    if not may_equal(x.spec.shape, label.spec.shape):
        raise ShapeError(f"input and label must have one shape, received {x.spec} and {label.spec}")


@function
def soft_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-label input)).

    input: [*], floating. label: [*], -1 or 1. Returns [], or [*] for "none". Raises ShapeError,
    ArgumentError.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])
    >>> round(twinoar.nn.functional.soft_margin_loss(x, y).item(), 4)
    0.6931
    """
    _check_same(input, label)
    return reduce_loss(log(1.0 + exp(-astype(label, input.dtype) * input)), reduction)


@function
def multi_label_soft_margin_loss(
    input: Tensor, label: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """The mean over classes of the cross entropy of sigmoid(input) and each label.

    input: [N,C], floating. label: [N,C], 0 or 1. weight: [C]. Returns [], or [N] for "none". Raises
    ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[1.0, 0.0]])
    >>> round(twinoar.nn.functional.multi_label_soft_margin_loss(x, y).item(), 4)
    0.6931
    """
    _check_same(input, label)
    check_reduction(reduction)
    label = astype(label, input.dtype)
    out = -(label * log_sigmoid(input) + (1.0 - label) * log_sigmoid(-input))
    return reduce_loss(mean(out if weight is None else out * weight, axis=-1), reduction)


@function
def multi_label_margin_loss(input: Tensor, label: Tensor, reduction: str = "mean") -> Tensor:
    """The sum over labels j and other classes i of max(0, 1 - input[j] + input[i]), over C.

    input: [N,C], floating. label: [N,C], integers: the classes of each sample, ended by -1. Returns
    [], or [N] for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([[1, -1]])
    >>> twinoar.nn.functional.multi_label_margin_loss(x, y).item()
    0.25
    """
    check_reduction(reduction)
    if input.ndim != 2:
        raise ShapeError(f"input must be [N,C], received {input.spec}")
    _check_same(input, label)
    is_given = equal(cumsum(astype(less_than(label, 0), label.dtype), 1), 0)
    chosen = select(is_given, label, 0)
    marks = unsqueeze(astype(is_given, input.dtype), 2)  # [N,C,1]
    classes = iota(input.spec.shape[1], label.dtype)
    is_label = maximum_of(astype(equal(unsqueeze(chosen, 2), classes), input.dtype) * marks, 1)
    above = 1.0 - unsqueeze(index_sample(input, chosen), 2) + unsqueeze(input, 1)  # [N,C,C]
    wrong = maximum(above, 0.0) * marks * unsqueeze(1.0 - is_label, 1)
    return reduce_loss(total(wrong, (1, 2)) / input.spec.shape[1], reduction)


@function
def multi_margin_loss(
    input: Tensor,
    label: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The sum over the wrong classes j of max(0, margin - input[label] + input[j])^p, over C.

    input: [N,C], floating. label: [N], integers. weight: [C]. Returns [], or [N] for "none". Raises
    ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([1])
    >>> twinoar.nn.functional.multi_margin_loss(x, y).item()
    0.25
    """
    check_reduction(reduction)
    if input.ndim != 2 or label.ndim != 1 or differ(input.spec.shape[0], label.spec.shape[0]):
        raise ShapeError(
            f"expected input [N,C] and label [N], received {input.spec} and {label.spec}"
        )
    column = reshape(label, (-1, 1))
    above = clip(margin - index_sample(input, column) + input, 0.0) ** p
    is_label = astype(equal(iota(input.spec.shape[1], label.dtype), column), input.dtype)
    wrong = above * (1.0 - is_label)
    if weight is not None:
        wrong = wrong * reshape(gather(weight, label), (-1, 1))
    return reduce_loss(mean(wrong, axis=1), reduction)


@function
def poisson_nll_loss(
    input: Tensor,
    label: Tensor,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the likelihood of counts.

    input: [*], the expected counts, or with log_input their logarithms. label: [*], counts. full:
    with Stirling's approximation of log(label!). epsilon: what is added before the logarithm.
    Returns [], or [*] for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.functional.poisson_nll_loss(x, y).item()
    1.0
    """
    _check_same(input, label)
    if epsilon <= 0:
        raise ArgumentError(f"epsilon must be positive, received {epsilon}")
    label = astype(label, input.dtype)
    out = exp(input) - label * input if log_input else input - label * log(input + epsilon)
    if full:
        factorial = label * log(label) - label + 0.5 * log(2.0 * math.pi * label)
        out = out + where(greater_than(label, 1.0), factorial, zeros_like(factorial))
    return reduce_loss(out, reduction)


@function
def gaussian_nll_loss(
    input: Tensor,
    label: Tensor,
    variance: Tensor,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negative logarithm of the likelihood of numbers with a mean and a variance.

    input: [*,D], means. label: [*,D]. variance: [*,D], [*,1] or [*]; taken to be no less than
    epsilon, without a gradient there. full: with the constant. Returns [], or [*,D] for "none".
    Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.functional.gaussian_nll_loss(x, y, twinoar.to_tensor([1.0])).item()
    2.0
    """
    _check_same(input, label)
    if variance.ndim == input.ndim - 1:
        variance = variance.unsqueeze(-1)
    if variance.ndim != input.ndim:
        raise ShapeError(f"variance must have the shape of input, received {variance.spec}")
    least = maximum(variance, epsilon)
    out = 0.5 * (log(least) + square(input - label) / least)
    return reduce_loss(out + 0.5 * math.log(2.0 * math.pi) if full else out, reduction)


@function
def dice_loss(input: Tensor, label: Tensor, epsilon: float = 0.00001) -> Tensor:
    """1 - 2 |A and B| / (|A| + |B|), averaged over images.

    input: [N,*,C], probabilities. label: [N,*,1], classes. Returns []. Raises ShapeError.

    >>> x = twinoar.to_tensor([[[1.0, 0.0], [0.0, 1.0]]])
    >>> loss = twinoar.nn.functional.dice_loss(x, twinoar.to_tensor([[[0], [1]]]))
    >>> round(loss.item(), 4)
    0.0
    """
    if input.ndim < 2 or label.ndim != input.ndim or differ(label.spec.shape[-1], 1):
        raise ShapeError(
            f"expected input [N,*,C] and label [N,*,1], received {input.spec} and {label.spec}"
        )
    classes = astype(one_hot(squeeze(label, -1), input.shape[-1]), input.dtype)
    axes = list(range(1, input.ndim))
    both = total(input * classes, axis=axes)
    either = total(input, axis=axes) + total(classes, axis=axes)
    return mean(1.0 - both * 2.0 / (either + epsilon))


@function
def margin_ranking_loss(
    input: Tensor, other: Tensor, label: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, margin - label (input - other)).

    input, other, label: shapes that broadcast, floating; label 1 wants input to be the larger one,
    -1 other. Returns [], or the broadcast shape for "none". Raises ShapeError, ArgumentError.

    >>> x, y, label = (twinoar.to_tensor([n]) for n in (1.0, 3.0, 1.0))
    >>> twinoar.nn.functional.margin_ranking_loss(x, y, label).item()
    2.0
    """
    check_reduction(reduction)
    return reduce_loss(relu((other - input) * label + margin), reduction)


@function
def hinge_embedding_loss(
    input: Tensor, label: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """input where label is 1, max(0, margin - input) where it is -1.

    input: distances, [*]. label: [*], 1 or -1. Returns [], or [*] for "none". Raises ShapeError,
    ArgumentError.

    >>> x, label = twinoar.to_tensor([0.25, 0.25]), twinoar.to_tensor([1.0, -1.0])
    >>> twinoar.nn.functional.hinge_embedding_loss(x, label, reduction="none").tolist()
    [0.25, 0.75]
    """
    check_reduction(reduction)
    near = select(equal(label, 1.0), input, 0.0)
    far = select(equal(label, -1.0), relu(margin - input), 0.0)
    return reduce_loss(near + far, reduction)

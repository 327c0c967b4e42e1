"""Losses by margins, distances and likelihoods, as layers: functions with their arguments kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer
from twinoar.ops.loss.nll import check_reduction


class _Loss(FunctionLayer):
    """A loss that is reduced by "mean", "sum" or "none"."""

    def __init__(self, reduction: str, **arguments: Any):
        check_reduction(reduction)
        super().__init__(reduction=reduction, **arguments)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-label input)), averaged.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0])
    >>> round(twinoar.nn.SoftMarginLoss()(x, y).item(), 4)
    0.6931
    """

    function = functional.soft_margin_loss

    def __init__(
        self,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, name=name)


class HingeEmbeddingLoss(_Loss):
    """input where label is 1, max(0, margin - input) where it is -1, averaged.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([0.5]), twinoar.to_tensor([-1.0])
    >>> twinoar.nn.HingeEmbeddingLoss()(x, y).item()
    0.5
    """

    function = functional.hinge_embedding_loss

    def __init__(
        self,
        margin: float = 1.0,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, margin=margin, name=name)


class CosineEmbeddingLoss(_Loss):
    """1 - cos for vectors that belong together, max(0, cos - margin) for others.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[1.0, 0.0]]), twinoar.to_tensor([[0.0, 1.0]])
    >>> twinoar.nn.CosineEmbeddingLoss()(x, y, twinoar.to_tensor([1])).item()
    1.0
    """

    function = functional.cosine_embedding_loss

    def __init__(
        self,
        margin: float = 0,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, margin=margin, name=name)


class TripletMarginLoss(_Loss):
    """How far, up to a margin, each input is from being nearer to its positive than its negative.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> round(twinoar.nn.TripletMarginLoss(margin=3.0)(x, x, y).item(), 4)
    1.0
    """

    function = functional.triplet_margin_loss

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        epsilon: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, margin=margin, p=p, epsilon=epsilon, swap=swap, name=name)


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` by a distance of the user's.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> loss = twinoar.nn.TripletMarginWithDistanceLoss(lambda a, b: (b - a).sum(-1), margin=3.0)
    >>> loss(x, x, y).item()
    1.0
    """

    function = functional.triplet_margin_with_distance_loss

    def __init__(
        self,
        distance_function: Callable[[Any, Any], Any] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(
            reduction, distance_function=distance_function, margin=margin, swap=swap, name=name
        )


class MultiLabelMarginLoss(_Loss):
    """By how much other classes come within a margin of 1 of the labels.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([[1, -1]])
    >>> twinoar.nn.MultiLabelMarginLoss()(x, y).item()
    0.25
    """

    function = functional.multi_label_margin_loss

    def __init__(
        self,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, name=name)


class MultiLabelSoftMarginLoss(_Loss):
    """The mean over classes of the cross entropy of sigmoid(input) and each label.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[1.0, 0.0]])
    >>> round(twinoar.nn.MultiLabelSoftMarginLoss()(x, y).item(), 4)
    0.6931
    """

    function = functional.multi_label_soft_margin_loss

    def __init__(
        self,
        weight: Any = None,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, weight=weight, name=name)


class MultiMarginLoss(_Loss):
    """By how much wrong classes come within a margin of the right one.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0, 0.5]]), twinoar.to_tensor([1])
    >>> twinoar.nn.MultiMarginLoss()(x, y).item()
    0.25
    """

    function = functional.multi_margin_loss

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Any = None,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, p=p, margin=margin, weight=weight, name=name)


class PoissonNLLLoss(_Loss):
    """The negative logarithm of the likelihood of counts.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.PoissonNLLLoss()(x, y).item()
    1.0
    """

    function = functional.poisson_nll_loss

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        epsilon: float = 1e-8,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, log_input=log_input, full=full, epsilon=epsilon, name=name)


class GaussianNLLLoss(_Loss):
    """The negative logarithm of the likelihood of numbers with a mean and a variance.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([0.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.GaussianNLLLoss()(x, y, twinoar.to_tensor([1.0])).item()
    2.0
    """

    function = functional.gaussian_nll_loss

    def __init__(
        self,
        full: bool = False,
        epsilon: float = 1e-6,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, full=full, epsilon=epsilon, name=name)

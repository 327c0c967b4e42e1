"""Losses as layers: each is the function of the same name with its arguments kept."""

from __future__ import annotations

from typing import Any, Literal

from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.layer import Layer

Reduction = Literal["mean", "sum", "none"]


class _Loss(Layer):
    """A loss over elements, reduced by "mean", "sum" or "none"."""

    def __init__(self, reduction: Reduction = "mean", name: str | None = None):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ArgumentError(
                f"reduction of {type(self).__name__} must be 'mean', 'sum' or 'none', "
                f"received {reduction!r}",
                cure="the usual one is 'mean'",
            )
        self.reduction, self.name = reduction, name


class CrossEntropyLoss(_Loss):
    """-log(softmax(input)[label]), weighted, averaged.

    input: [N,...,C,...], float, classes along axis. label: without that axis, or with 1 in it,
    integer; soft_label: probabilities of input's shape. weight: [C]. ignore_index: a label that
    does not count. label_smoothing: the part of each label that is spread over all classes.
    use_softmax: False where input is probabilities. Raises ArgumentError for an unknown reduction.

    >>> import twinoar
    >>> loss = twinoar.nn.CrossEntropyLoss()(twinoar.zeros([2, 4]), twinoar.to_tensor([1, 3]))
    >>> round(loss.item(), 4)
    1.3863
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: Reduction = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ):
        super().__init__(reduction, name)
        self.weight, self.ignore_index = weight, ignore_index
        self.soft_label, self.axis = soft_label, axis
        self.use_softmax, self.label_smoothing = use_softmax, label_smoothing

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.cross_entropy(
            input,
            label,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            soft_label=self.soft_label,
            axis=self.axis,
            use_softmax=self.use_softmax,
            label_smoothing=self.label_smoothing,
        )


class MSELoss(_Loss):
    """(input - label)^2, averaged.

    >>> import twinoar
    >>> twinoar.nn.MSELoss()(twinoar.to_tensor([1.0, 3.0]), twinoar.to_tensor([0.0, 3.0])).item()
    0.5
    """

    def __init__(self, reduction: Reduction = "mean"):
        super().__init__(reduction)

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.mse_loss(input, label, reduction=self.reduction)


class L1Loss(_Loss):
    """|input - label|, averaged.

    >>> import twinoar
    >>> one, four = twinoar.to_tensor([1.0]), twinoar.to_tensor([4.0])
    >>> twinoar.nn.L1Loss("sum")(one, four).item()
    3.0
    """

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.l1_loss(input, label, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """d^2 / 2 where |d| < delta, delta |d| - delta^2 / 2 elsewhere, d = input - label, averaged.

    is_huber: False divides by delta. Source: arXiv 1504.08083, eq. 3.

    >>> import twinoar
    >>> twinoar.nn.SmoothL1Loss()(twinoar.to_tensor([3.0]), twinoar.to_tensor([0.0])).item()
    2.5
    """

    def __init__(
        self,
        reduction: Reduction = "mean",
        delta: float = 1.0,
        is_huber: bool = True,
        name: str | None = None,
    ):
        super().__init__(reduction, name)
        self.delta, self.is_huber = delta, is_huber

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.smooth_l1_loss(
            input, label, reduction=self.reduction, delta=self.delta, is_huber=self.is_huber
        )


class NLLLoss(_Loss):
    """-input[label], weighted, averaged.

    input: [N,C] or [N,C,...], log probabilities; label: [N,...]. weight: [C]. ignore_index: a label
    that does not count.

    >>> import twinoar
    >>> logs = twinoar.to_tensor([[-1.0, -2.0]])
    >>> twinoar.nn.NLLLoss()(logs, twinoar.to_tensor([1])).item()
    2.0
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: Reduction = "mean",
        name: str | None = None,
    ):
        super().__init__(reduction, name)
        self.weight, self._ignore_index = weight, ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.nll_loss(
            input,
            label,
            weight=self.weight,
            ignore_index=self._ignore_index,
            reduction=self.reduction,
        )


class BCELoss(_Loss):
    """-(label log(input) + (1 - label) log(1 - input)), weighted, averaged. input: probabilities.

    >>> import twinoar
    >>> loss = twinoar.nn.BCELoss()(twinoar.to_tensor([0.5]), twinoar.to_tensor([1.0]))
    >>> round(loss.item(), 4)
    0.6931
    """

    def __init__(self, weight: Any = None, reduction: Reduction = "mean", name: str | None = None):
        super().__init__(reduction, name)
        self.weight = weight

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.binary_cross_entropy(
            input, label, weight=self.weight, reduction=self.reduction
        )


class BCEWithLogitsLoss(_Loss):
    """BCELoss of 1 / (1 + exp(-logit)), without overflow. pos_weight: the weight of label 1.

    >>> import twinoar
    >>> loss = twinoar.nn.BCEWithLogitsLoss()(twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0]))
    >>> round(loss.item(), 4)
    0.6931
    """

    def __init__(
        self,
        weight: Any = None,
        reduction: Reduction = "mean",
        pos_weight: Any = None,
        name: str | None = None,
    ):
        super().__init__(reduction, name)
        self.weight, self.pos_weight = weight, pos_weight

    def forward(self, logit: Any, label: Any) -> Any:
        """The loss."""
        return functional.binary_cross_entropy_with_logits(
            logit,
            label,
            weight=self.weight,
            reduction=self.reduction,
            pos_weight=self.pos_weight,
        )


class KLDivLoss(Layer):
    """label (log(label) - input), averaged. input: log probabilities; label: probabilities.

    reduction: "mean", "batchmean", "sum" or "none". log_target: label is log probabilities too.

    >>> import twinoar
    >>> half = twinoar.to_tensor([[0.5, 0.5]])
    >>> twinoar.nn.KLDivLoss()(half.log(), half).item()
    0.0
    """

    def __init__(
        self,
        reduction: Literal["mean", "batchmean", "sum", "none"] = "mean",
        log_target: bool = False,
    ):
        super().__init__()
        if reduction not in ("mean", "batchmean", "sum", "none"):
            raise ArgumentError(
                "reduction of KLDivLoss must be 'mean', 'batchmean', 'sum' or 'none', "
                f"received {reduction!r}"
            )
        self.reduction, self.log_target = reduction, log_target

    def forward(self, input: Any, label: Any) -> Any:
        """The loss."""
        return functional.kl_div(input, label, self.reduction, self.log_target)


class MarginRankingLoss(_Loss):
    """max(-label (input - other) + margin, 0), averaged; label is 1 or -1.

    >>> import twinoar
    >>> one, two = twinoar.to_tensor([1.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.MarginRankingLoss()(one, two, one).item()
    1.0
    """

    def __init__(self, margin: float = 0.0, reduction: Reduction = "mean", name: str | None = None):
        super().__init__(reduction, name)
        self.margin = margin

    def forward(self, input: Any, other: Any, label: Any) -> Any:
        """The loss."""
        return functional.margin_ranking_loss(input, other, label, self.margin, self.reduction)

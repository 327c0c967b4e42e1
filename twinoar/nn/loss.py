"""Losses as layers: each is the function of the same name with its arguments kept."""

from __future__ import annotations

from typing import Any, Literal, get_args

from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer

Reduction = Literal["mean", "sum", "none"]
OfDivergence = Literal["mean", "batchmean", "sum", "none"]


class FunctionLoss(FunctionLayer, operands=2, hints={"reduction": Reduction}):
    """A loss over elements, reduced by "mean", "sum" or "none"."""

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Keep the arguments. Raises ArgumentError for an unknown reduction."""
        reduction, allowed = arguments["reduction"], get_args(self._keeping.hints["reduction"])
        if reduction not in allowed:
            *first, last = map(repr, allowed)
            raise ArgumentError(
                f"reduction of {type(self).__name__} must be {', '.join(first)} or {last}, "
                f"received {reduction!r}",
                cure="the usual one is 'mean'",
            )
        super()._keep(arguments)


class _Loss(FunctionLoss, told=()):
    """A loss of an input and its label, which prints nothing."""

    def forward(self, input: Any, label: Any) -> Tensor:
        """The loss."""
        return type(self).function(input, label, **self._given())


class CrossEntropyLoss(_Loss, of=functional.cross_entropy):
    """-log(softmax(input)[label]), weighted, averaged.

    input: [N,...,C,...], float, classes along axis. label: without that axis, or with 1 in it,
    integer; soft_label: probabilities of input's shape. weight: [C]. ignore_index: a label that
    does not count. label_smoothing: the part of each label that is spread over all classes.
    use_softmax: False where input is probabilities. Raises ArgumentError for an unknown reduction.

    >>> loss = twinoar.nn.CrossEntropyLoss()(twinoar.zeros([2, 4]), twinoar.to_tensor([1, 3]))
    >>> round(loss.item(), 4)
    1.3863
    """


class MSELoss(_Loss, of=functional.mse_loss):
    """(input - label)^2, averaged.

    >>> twinoar.nn.MSELoss()(twinoar.to_tensor([1.0, 3.0]), twinoar.to_tensor([0.0, 3.0])).item()
    0.5
    """

    name = None


class L1Loss(_Loss, of=functional.l1_loss):
    """|input - label|, averaged.

    >>> one, four = twinoar.to_tensor([1.0]), twinoar.to_tensor([4.0])
    >>> twinoar.nn.L1Loss("sum")(one, four).item()
    3.0
    """


class SmoothL1Loss(_Loss, of=functional.smooth_l1_loss):
    """d^2 / 2 where |d| < delta, delta |d| - delta^2 / 2 elsewhere, d = input - label, averaged.

    is_huber: False divides by delta. Source: arXiv 1504.08083, eq. 3.

    >>> twinoar.nn.SmoothL1Loss()(twinoar.to_tensor([3.0]), twinoar.to_tensor([0.0])).item()
    2.5
    """


class NLLLoss(_Loss, of=functional.nll_loss, spelled={"ignore_index": "_ignore_index"}):
    """-input[label], weighted, averaged.

    input: [N,C] or [N,C,...], log probabilities; label: [N,...]. weight: [C]. ignore_index: a label
    that does not count.

    >>> logs = twinoar.to_tensor([[-1.0, -2.0]])
    >>> twinoar.nn.NLLLoss()(logs, twinoar.to_tensor([1])).item()
    2.0
    """


class BCELoss(_Loss, of=functional.binary_cross_entropy):
    """-(label log(input) + (1 - label) log(1 - input)), weighted, averaged. input: probabilities.

    >>> loss = twinoar.nn.BCELoss()(twinoar.to_tensor([0.5]), twinoar.to_tensor([1.0]))
    >>> round(loss.item(), 4)
    0.6931
    """


class BCEWithLogitsLoss(_Loss, of=functional.binary_cross_entropy_with_logits):
    """BCELoss of 1 / (1 + exp(-logit)), without overflow. pos_weight: the weight of label 1.

    >>> loss = twinoar.nn.BCEWithLogitsLoss()(twinoar.to_tensor([0.0]), twinoar.to_tensor([1.0]))
    >>> round(loss.item(), 4)
    0.6931
    """

    def forward(self, logit: Any, label: Any) -> Tensor:
        """The loss."""
        return type(self).function(logit, label, **self._given())


class KLDivLoss(_Loss, of=functional.kl_div, without=("name",), hints={"reduction": OfDivergence}):
    """label (log(label) - input), averaged. input: log probabilities; label: probabilities.

    reduction: "mean", "batchmean", "sum" or "none". log_target: label is log probabilities too.

    >>> half = twinoar.to_tensor([[0.5, 0.5]])
    >>> twinoar.nn.KLDivLoss()(half.log(), half).item()
    0.0
    """


class MarginRankingLoss(_Loss, of=functional.margin_ranking_loss, operands=3):
    """max(-label (input - other) + margin, 0), averaged; label is 1 or -1.

    >>> one, two = twinoar.to_tensor([1.0]), twinoar.to_tensor([2.0])
    >>> twinoar.nn.MarginRankingLoss()(one, two, one).item()
    1.0
    """

    def forward(self, input: Any, other: Any, label: Any) -> Tensor:  # type: ignore[override]  # of three
        """The loss."""
        return type(self).function(input, other, label, **self._given())

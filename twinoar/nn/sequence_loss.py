"""Losses of sequences whose labels have no places, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.layer import Layer
from twinoar.ops.loss.nll import check_reduction


class CTCLoss(Layer):
    """-log of the likelihood of labels whose places in a sequence of frames are not known.

    Arguments, and what is raised: see `functional.ctc_loss`. Source: Graves et al. 2006.

    >>> import twinoar
    >>> scores, one = twinoar.zeros([2, 1, 2]), twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.CTCLoss()(scores, one.reshape([1, 1]), one * 2, one)
    >>> round(loss.exp().item(), 4)
    1.3333
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__()
        check_reduction(reduction)
        self.blank, self.reduction, self.zero_infinity = blank, reduction, zero_infinity

    def forward(
        self,
        log_probs: Any,
        labels: Any,
        input_lengths: Any,
        label_lengths: Any,
        norm_by_times: bool = False,
    ) -> Any:
        """The loss."""
        settings = (self.blank, self.reduction, norm_by_times, self.zero_infinity)
        return functional.ctc_loss(log_probs, labels, input_lengths, label_lengths, *settings)


class RNNTLoss(Layer):
    """-log of the likelihood of labels that a transducer says between frames.

    Arguments, and what is raised: see `functional.rnnt_loss`. Source: arXiv 1211.3711.

    >>> import twinoar
    >>> logs, one = twinoar.full([1, 1, 2, 2], 0.5).log(), twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.RNNTLoss()(logs, one.reshape([1, 1]), one, one)
    >>> round((-loss).exp().item(), 4)
    0.25
    """

    def __init__(
        self,
        blank: int = 0,
        fastemit_lambda: float = 0.001,
        reduction: str = "mean",
        name: str | None = None,
    ):
        super().__init__()
        check_reduction(reduction)
        self.blank, self.fastemit_lambda, self.reduction = blank, fastemit_lambda, reduction

    def forward(self, input: Any, label: Any, input_lengths: Any, label_lengths: Any) -> Any:
        """The loss."""
        settings = (self.blank, self.fastemit_lambda, self.reduction)
        return functional.rnnt_loss(input, label, input_lengths, label_lengths, *settings)

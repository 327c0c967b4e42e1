"""Losses of sequences whose labels have no places, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.nn import functional
from twinoar.nn.loss import FunctionLoss


class CTCLoss(
    FunctionLoss, of=functional.ctc_loss, operands=4, without=("norm_by_times",), told=()
):
    """-log of the likelihood of labels whose places in a sequence of frames are not known.

    Arguments, and what is raised: see `functional.ctc_loss`. Source: Graves et al. 2006.

    >>> scores, one = twinoar.zeros([2, 1, 2]), twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.CTCLoss()(scores, one.reshape([1, 1]), one * 2, one)
    >>> round(loss.exp().item(), 4)
    1.3333
    """

    def forward(
        self,
        log_probs: Any,
        labels: Any,
        input_lengths: Any,
        label_lengths: Any,
        norm_by_times: bool = False,
    ) -> Tensor:
        """The loss."""
        given = (log_probs, labels, input_lengths, label_lengths)
        return super().forward(*given, norm_by_times=norm_by_times)


class RNNTLoss(FunctionLoss, of=functional.rnnt_loss, operands=4, told=()):
    """-log of the likelihood of labels that a transducer says between frames.

    Arguments, and what is raised: see `functional.rnnt_loss`. Source: arXiv 1211.3711.

    >>> logs, one = twinoar.full([1, 1, 2, 2], 0.5).log(), twinoar.ones([1], "int64")
    >>> loss = twinoar.nn.RNNTLoss()(logs, one.reshape([1, 1]), one, one)
    >>> round((-loss).exp().item(), 4)
    0.25
    """

    def forward(self, input: Any, label: Any, input_lengths: Any, label_lengths: Any) -> Tensor:
        """The loss."""
        return super().forward(input, label, input_lengths, label_lengths)

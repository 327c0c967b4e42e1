"""Deep mutual learning: networks that are trained together, and teach each other.

Source: Zhang et al. 2017, arXiv 1706.00384.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.metric import accuracy
from twinoar.nn import Layer, LayerList
from twinoar.nn import functional as F


class DML(Layer):
    """Several networks as one, each taught by labels and by the others.

    model: the networks. use_parallel: without effect. Raises ArgumentError for none.

    >>> import twinoar as paddle
    >>> both = DML([paddle.nn.Linear(4, 3), paddle.nn.Linear(4, 3)])
    >>> optimizers = both.opt([paddle.optimizer.SGD(0.1, parameters=m.parameters())
    ...                        for m in both.model])
    >>> logits = both(paddle.ones([2, 4]))
    >>> optimizers.minimize(both.loss(logits, paddle.to_tensor([[0], [2]])))
    >>> len(logits)
    2
    """

    def __init__(self, model: Sequence[Layer], use_parallel: bool = False):
        super().__init__()
        if not model:
            raise ArgumentError("there is no network to train")
        self.model, self.model_num = LayerList(model), len(model)

    def full_name(self) -> Any:
        """The names of the networks."""
        return [m.full_name() for m in self.model]

    def forward(self, input: Any) -> list[Any]:
        """What each network makes of the input."""
        return [m(input) for m in self.model]

    def opt(self, optimizer: Sequence[Any]) -> DMLOptimizers:
        """An optimizer for each network, as one. Raises ArgumentError for another number."""
        if len(optimizer) != self.model_num:
            raise ArgumentError(f"{self.model_num} networks have {len(optimizer)} optimizers")
        return DMLOptimizers(list(optimizer))

    def ce_loss(self, logits: Sequence[Any], labels: Any) -> list[Any]:
        """Cross entropy of each; logits: [N,C] each, labels: [N,1]."""
        self._check(logits)
        return [F.cross_entropy(x, labels) for x in logits]

    def kl_loss(self, logits: Sequence[Any]) -> list[Any]:
        """The mean divergence of each from the others; [] for one network.

        No gradient of it goes into the others.
        """
        self._check(logits)
        if self.model_num == 1:
            return []
        found = []
        for n, own in enumerate(logits):
            others = [F.softmax(x.detach(), axis=1) for k, x in enumerate(logits) if k != n]
            scores = F.log_softmax(own, axis=1)
            losses = [F.kl_div(scores, x, reduction="batchmean") for x in others]
            found.append(sum(losses[1:], losses[0]) / len(losses))
        return found

    def loss(self, logits: Sequence[Any], labels: Any) -> list[Any]:
        """Both, for each network."""
        wrong = self.ce_loss(logits, labels)
        if self.model_num == 1:
            return wrong
        return [a + b for a, b in zip(wrong, self.kl_loss(logits), strict=True)]

    def acc(self, logits: Sequence[Any], labels: Any, k: int) -> list[Any]:
        """How often the label is among the first k of each."""
        return [accuracy(x, labels, k=k) for x in logits]

    def _check(self, logits: Sequence[Any]) -> None:
        if len(logits) != self.model_num:
            raise ArgumentError(f"{self.model_num} networks give {len(logits)} results")


class DMLOptimizers:
    """Optimizers of several networks, which step together."""

    def __init__(self, optimizer: list[Any]):
        self.optimizer = optimizer

    def minimize(self, losses: Sequence[Any]) -> None:
        """A step of each by its loss; gradients are forgotten then. Raises ArgumentError."""
        if len(losses) != len(self.optimizer):
            raise ArgumentError(f"{len(self.optimizer)} optimizers have {len(losses)} losses")
        for loss in losses:
            loss.backward()
        for optimizer in self.optimizer:
            optimizer.step()
            optimizer.clear_grad()

    def get_lr(self) -> list[float]:
        """The learning rate of each."""
        return [optimizer.get_lr() for optimizer in self.optimizer]

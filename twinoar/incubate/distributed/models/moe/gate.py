"""Gates: which experts get each token, and how much their results count."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.experts import (
    counts_of_choices,
    exchanged_counts,
    limited_by_capacity,
    number_count,
    prune_gate_by_capacity,
    random_routing,
)
from twinoar.distributed.group import Group
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.nn.layer import Layer
from twinoar.nn.linear import Linear
from twinoar.ops.index.sort import topk
from twinoar.ops.random.uniform import rand


class BaseGate(Layer):
    """Chooses experts: subclasses define `forward(x)`, [S,D] -> values [S,k] and choices [S,k].

    num_expert: of each process. A choice of -1 is none.
    """

    def __init__(self, num_expert: int, world_size: int):
        super().__init__()
        self.num_expert, self.world_size = num_expert, world_size
        self.tot_expert = num_expert * world_size
        self.loss: Tensor | None = None

    def forward(self, x: Tensor) -> Any:
        """Values and choices; subclasses say which."""
        raise UnsupportedError("the gate has no forward", cure="define forward(self, x)")

    def set_loss(self, loss: Tensor) -> None:
        """Keep the loss of uneven loads of the last call."""
        self.loss = loss

    def get_loss(self, clear: bool = True) -> Tensor | None:
        """The loss of uneven loads of the last call, to be added to that of the network."""
        found = self.loss
        if clear:
            self.loss = None
        return found


class NaiveGate(BaseGate):
    """The experts with the greatest scores of a linear layer, which are the values.

    >>> values, choices = NaiveGate(4, num_expert=3, world_size=1)(twinoar.ones([5, 4]))
    >>> values.shape, choices.shape
    ([5, 2], [5, 2])
    """

    def __init__(self, d_model: int, num_expert: int, world_size: int, topk: int = 2):
        super().__init__(num_expert, world_size)
        self.gate = Linear(d_model, self.tot_expert)
        for parameter in self.gate.parameters():
            parameter.name = f"gate_{parameter.name}"
        self.top_k = topk

    def forward(self, x: Tensor, return_all_scores: bool = False) -> Any:
        """Values and choices, and all scores [S,experts] where they are wanted."""
        scores = self.gate(x)
        values, choices = topk(scores, self.top_k, -1, True, False)
        return (values, choices, scores) if return_all_scores else (values, choices)


class _Limited(NaiveGate):
    """A gate whose experts take so many tokens at most, a part of those of each process.

    capacity: (while training, else), times the tokens.
    """

    def __init__(
        self,
        d_model: int,
        num_expert: int,
        world_size: int,
        topk: int,
        capacity: Sequence[float],
        group: Group | None,
    ):
        super().__init__(d_model, num_expert, world_size, topk)
        self.capacity, self.group = tuple(capacity), group

    def _kept(self, choices: Tensor, tokens: int) -> Tensor:
        """The choices that experts have room for; -1 in the place of others."""
        most = math.ceil(self.capacity[0 if self.training else 1] * tokens)
        _, _, coming = counts_of_choices(choices, self.num_expert, self.group)
        room = to_tensor(np.full(self.num_expert, most, np.int64))
        taken = limited_by_capacity(coming, room, self.world_size)
        own = exchanged_counts(taken, self.group)
        return prune_gate_by_capacity(choices, own, self.num_expert, self.world_size)


class GShardGate(_Limited):
    """Two experts for each token, the second sometimes left out. Source: arXiv 2006.16668.

    random_routing: leave the second out where twice its value is below a random number. The loss is
    of shares of tokens and of scores of experts. Raises ArgumentError for another topk.
    """

    def __init__(
        self,
        d_model: int,
        num_expert: int,
        world_size: int,
        topk: int = 2,
        capacity: Sequence[float] = (1.2, 2.4),
        random_routing: bool = True,
        group: Group | None = None,
    ):
        if topk != 2:
            raise ArgumentError(f"topk is {topk}: a gshard gate chooses 2", cure="pass topk=2")
        super().__init__(d_model, num_expert, world_size, topk, capacity, group)
        self.random_routing = random_routing

    def forward(self, x: Tensor, return_all_scores: bool = False) -> Any:
        """Values and choices."""
        values, choices, scores = super().forward(x, True)
        shares = number_count(choices, self.tot_expert).astype(scores.dtype) / x.shape[0]
        means = F.softmax(scores, 1).mean(0)
        self.set_loss((shares * means).mean() * self.num_expert**2)
        choices = self._kept(choices, x.shape[0])
        if self.random_routing:
            choices = random_routing(choices, values.detach(), rand([x.shape[0]]))
        return (values, choices, scores) if return_all_scores else (values, choices)


class SwitchGate(_Limited):
    """One expert for each token, by scores with noise while training. Source: arXiv 2101.03961.

    switch_eps: how large the noise is. The loss is of shares of tokens and of scores of experts.
    Raises ArgumentError for another topk.
    """

    def __init__(
        self,
        d_model: int,
        num_expert: int,
        world_size: int,
        topk: int = 1,
        switch_eps: float = 0.1,
        capacity: Sequence[float] = (1.2, 2.4),
        group: Group | None = None,
    ):
        if topk != 1:
            raise ArgumentError(f"topk is {topk}: a switch gate chooses 1", cure="pass topk=1")
        super().__init__(d_model, num_expert, world_size, topk, capacity, group)
        self.switch_eps = switch_eps

    def forward(self, x: Tensor, return_all_scores: bool = False) -> Any:
        """Values and choices."""
        scores = self.gate(x)
        if self.training:
            noise = rand(scores.shape) * (2 * self.switch_eps) + (1.0 - self.switch_eps)
            scores = scores + noise
        scores = F.softmax(scores, -1)
        values, choices = topk(scores, 1, -1, True)
        choices = self._kept(choices, x.shape[0])
        count = number_count(choices, self.tot_expert)
        sent = max(int(count.sum().item()), 1)
        shares = count.astype(scores.dtype) / sent
        self.set_loss((shares * (scores.sum(0) / sent)).sum() * self.tot_expert)
        return (values, choices, scores) if return_all_scores else (values, choices)


__all__ = declared(globals())

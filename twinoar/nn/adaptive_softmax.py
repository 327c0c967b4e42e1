"""Adaptive softmax as a layer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.container import LayerList, ParameterList
from twinoar.nn.layer import Layer
from twinoar.ops.loss.adaptive_softmax import head_log_softmax, tail_log_softmax
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.reduce.extreme import argmax
from twinoar.ops.shape.concat import concat


class AdaptiveLogSoftmaxWithLoss(Layer):
    """The likelihood of many classes: frequent ones in a head, rare ones in smaller clusters.

    in_features: D. n_classes: the most frequent class is 0. cutoffs: the classes that the clusters
    begin with, rising. Cluster i, from 1, computes with D // div_value^i features. head_bias: the
    head has a bias, unless bias_attr is False. weight_attr: of all weights. Raises ArgumentError
    for other cutoffs. The rest: see `functional.adaptive_log_softmax_with_loss`.

    >>> layer = twinoar.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[4, 10], div_value=2.0)
    >>> out, loss = layer(twinoar.zeros([2, 8]), twinoar.to_tensor([1, 12]))
    >>> [round(1 / p) for p in out.exp().tolist()]  # one of 6; one of 6 and one of 10
    [6, 60]
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        weight_attr: Any = None,
        bias_attr: Any = None,
        div_value: float = 4.0,
        head_bias: bool = False,
        name: str | None = None,
    ):
        super().__init__()
        bounds = [0, *cutoffs, n_classes]
        if len(bounds) < 3 or any(b <= a for a, b in pairwise(bounds)):
            raise ArgumentError(
                f"cutoffs must rise from 1 to n_classes - 1 at most, received {list(cutoffs)} "
                f"with n_classes {n_classes}"
            )
        self.in_features, self.n_classes, self.div_value = in_features, n_classes, div_value
        self.cutoffs, self.is_head_bias = bounds[1:], head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head_weight = self.create_parameter([in_features, self.head_size], weight_attr)
        has_bias = head_bias and bias_attr is not False
        self.head_bias = (
            self.create_parameter([self.head_size], bias_attr, is_bias=True) if has_bias else None
        )
        self.tail_weights = LayerList()
        for i, (low, high) in enumerate(pairwise(self.cutoffs), 1):
            hidden = int(in_features // div_value**i)
            shapes = [in_features, hidden], [hidden, high - low]
            self.tail_weights.append(
                ParameterList([self.create_parameter(shape, weight_attr) for shape in shapes])
            )

    def forward(self, input: Any, label: Any) -> tuple[Any, Any]:
        """The logarithms of the likelihoods of the labels, [N], and the loss, []."""
        weights: Any = self.tail_weights
        return functional.adaptive_log_softmax_with_loss(
            input, label, self.head_weight, weights, self.cutoffs, self.head_bias
        )

    def log_prob(self, input: Any) -> Any:
        """The logarithm of the likelihood of each class, [N,n_classes]; input: [N,in_features]."""
        head = head_log_softmax(input, self.head_weight, self.head_bias)
        parts = [head[:, : self.shortlist_size]]
        tails: Any = self.tail_weights
        for i, weights in enumerate(tails, self.shortlist_size):
            parts.append(add(tail_log_softmax(input, weights), head[:, i : i + 1]))
        return concat(parts, 1)

    def predict(self, input: Any) -> Any:
        """The most likely classes, [N], in the dtype of the input."""
        return astype(argmax(self.log_prob(input), 1), input.dtype)

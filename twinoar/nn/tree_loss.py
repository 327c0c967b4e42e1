"""Hierarchical sigmoid as a layer."""

from __future__ import annotations

from typing import Any

from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.layer import Layer


class HSigmoidLoss(Layer):
    """-log of the likelihood of a class as that of a path through a binary tree.

    feature_size: D. weight: [num_classes - 1, D], a vector for each node; is_custom: [num_classes,
    D], for paths that each call gives. bias: [num_classes - 1, 1], absent where bias_attr is False.
    The rest: see `functional.hsigmoid_loss`. Raises ArgumentError.

    >>> layer = twinoar.nn.HSigmoidLoss(2, 4)
    >>> round((-layer(twinoar.zeros([1, 2]), twinoar.to_tensor([1]))).exp().item(), 4)
    0.25
    """

    def __init__(
        self,
        feature_size: int,
        num_classes: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        is_custom: bool = False,
        is_sparse: bool = False,
        name: str | None = None,
    ):
        super().__init__()
        if num_classes < 2 and not is_custom:
            raise ArgumentError(f"num_classes must be at least 2, received {num_classes}")
        self._feature_size, self._num_classes, self._is_custom = (
            feature_size,
            num_classes,
            is_custom,
        )
        self._is_sparse, self._name = is_sparse, name
        nodes = num_classes if is_custom else num_classes - 1
        self.weight = self.create_parameter([nodes, feature_size], weight_attr)
        self.bias = self.create_parameter([nodes, 1], bias_attr, is_bias=True)

    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> Any:
        """The loss, [N,1]."""
        if self._is_custom and path_table is None:
            raise ArgumentError("is_custom needs path_table and path_code in each call")
        return functional.hsigmoid_loss(
            input, label, self._num_classes, self.weight, self.bias, path_table, path_code
        )

"""Hierarchical sigmoid: classes are paths through a tree."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError
from twinoar.nn import HSigmoidLoss
from twinoar.nn.functional import hsigmoid_loss


def test_the_likelihoods_of_all_classes_add_up_to_1() -> None:
    paddle.seed(5)
    layer = HSigmoidLoss(3, 8)  # a power of two: all paths are as long
    x = paddle.randn([1, 3])
    losses = layer(x.expand([8, 3]), paddle.arange(8).reshape([8, 1]))
    assert (-losses).exp().sum().item() == pytest.approx(1.0, rel=1e-5)


def test_paths_may_be_given() -> None:
    x, w = paddle.to_tensor([[1.0, 2.0]]), paddle.to_tensor([[0.5, 0.0], [0.0, 0.25], [9.0, 9.0]])
    layer = HSigmoidLoss(2, 3, bias_attr=False, is_custom=True)
    layer.weight.set_value(w)
    nodes, turns = paddle.to_tensor([[0, 1]]), paddle.to_tensor([[1, 0]])
    loss = layer(x, paddle.to_tensor([[0]]), nodes, turns).item()
    expected = np.logaddexp(0, 0.5) - 0.5 + np.logaddexp(0, 0.5)
    assert loss == pytest.approx(expected, rel=1e-6)
    with pytest.raises(ArgumentError, match="is_custom needs"):
        layer(x, paddle.to_tensor([[0]]))
    with pytest.raises(ArgumentError, match="belong together"):
        hsigmoid_loss(x, paddle.to_tensor([0]), 3, w, path_table=nodes)


def test_a_tree_has_leaves() -> None:
    with pytest.raises(ArgumentError, match="at least 2"):
        HSigmoidLoss(3, 1)

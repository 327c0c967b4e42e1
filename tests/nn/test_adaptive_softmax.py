"""AdaptiveLogSoftmaxWithLoss: a distribution over all classes, of which training computes parts."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, AxisError, ShapeError

LABEL = [0, 3, 4, 9, 10, 19, 4]


@pytest.fixture
def layer() -> nn.AdaptiveLogSoftmaxWithLoss:
    paddle.seed(3)
    return nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[4, 10], div_value=2.0, head_bias=True)


@pytest.fixture
def x() -> paddle.Tensor:
    return paddle.to_tensor(np.random.RandomState(0).randn(len(LABEL), 8).astype("float32"))


def test_the_likelihoods_of_all_classes_add_up_to_one(layer, x) -> None:
    np.testing.assert_allclose(layer.log_prob(x).exp().sum(1), np.ones(len(LABEL)), rtol=1e-5)


def test_what_is_computed_for_a_label_is_what_all_classes_have_for_it(layer, x) -> None:
    out, loss = layer(x, paddle.to_tensor(LABEL))
    every = np.take_along_axis(layer.log_prob(x).numpy(), np.array(LABEL)[:, None], 1).ravel()
    np.testing.assert_allclose(out.numpy(), every, rtol=1e-5)
    np.testing.assert_allclose(loss.item(), -every.mean(), rtol=1e-5)


def test_all_weights_are_trained(layer, x) -> None:
    layer(x, paddle.to_tensor(LABEL))[1].backward()
    assert len(layer.parameters()) == 6
    assert all(p.grad.abs().sum().item() > 0 for p in layer.parameters())


def test_a_compiled_loss_is_the_eager_one_whatever_clusters_occur(layer, x) -> None:
    compiled = paddle.jit.to_static(lambda x, label: layer(x, label)[1])
    for label in (LABEL, [1] * len(LABEL)):
        target = paddle.to_tensor(label)
        np.testing.assert_allclose(compiled(x, target).item(), layer(x, target)[1], rtol=1e-5)


def test_the_most_likely_class_is_predicted_in_the_dtype_of_the_input(layer, x) -> None:
    found = layer.predict(x)
    assert found.dtype == paddle.float32
    assert found.tolist() == layer.log_prob(x).argmax(1).tolist()


def test_clusters_get_smaller_layers(layer) -> None:
    assert [[p.shape for p in pair] for pair in layer.tail_weights] == [
        [[8, 4], [4, 6]],
        [[8, 2], [2, 10]],
    ]


def test_a_head_without_a_bias_has_no_parameter_for_it() -> None:
    layers = [
        nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4]),
        nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4], bias_attr=False, head_bias=True),
    ]
    assert [layer.head_bias for layer in layers] == [None, None]


@pytest.mark.parametrize("label", [20, -1])
def test_a_label_that_names_no_class_is_refused(layer, x, label: int) -> None:
    with pytest.raises(AxisError, match=f"label {label} names no class"):
        layer(x[:1], paddle.to_tensor([label]))


def test_a_column_of_labels_is_refused(layer, x) -> None:
    with pytest.raises(ShapeError, match=r"label \[N\]"):
        layer(x, paddle.to_tensor(LABEL).unsqueeze(1))


@pytest.mark.parametrize("cutoffs", [[], [10, 4], [4, 20], [0, 4], [4, 4]])
def test_cutoffs_rise_within_the_classes(cutoffs: list[int]) -> None:
    with pytest.raises(ArgumentError, match="cutoffs must rise"):
        nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs)

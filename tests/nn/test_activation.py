"""Activations as layers compute their formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from twinoar import nn
from twinoar.eager.tensor import to_tensor

X = np.linspace(-4, 4, 17).astype("float32").reshape(1, 17)[:, :16]
erf = np.vectorize(math.erf)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772
FORMULAS = [
    (nn.ReLU(), lambda x: np.maximum(x, 0)),
    (nn.ReLU6(), lambda x: np.clip(x, 0, 6)),
    (nn.LeakyReLU(0.1), lambda x: np.where(x > 0, x, 0.1 * x)),
    (nn.ELU(0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
    (nn.SELU(), lambda x: SCALE * np.where(x > 0, x, ALPHA * np.expm1(x))),
    (nn.CELU(2.0), lambda x: np.maximum(x, 0) + np.minimum(2 * np.expm1(x / 2), 0)),
    (nn.GELU(), lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2)))),
    (
        nn.GELU(True),
        lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
    (nn.Sigmoid(), sigmoid),
    (nn.LogSigmoid(), lambda x: np.log(sigmoid(x))),
    (nn.Hardsigmoid(), lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    (nn.Hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    (nn.Hardtanh(-2.0, 1.0), lambda x: np.clip(x, -2, 1)),
    (nn.Hardshrink(1.25), lambda x: np.where(np.abs(x) > 1.25, x, 0)),
    (nn.Softshrink(1.25), lambda x: np.sign(x) * np.maximum(np.abs(x) - 1.25, 0)),
    (nn.Tanhshrink(), lambda x: x - np.tanh(x)),
    (nn.Softplus(2.0), lambda x: np.log1p(np.exp(2 * x)) / 2),
    (nn.Softplus(1.0, threshold=1.0), lambda x: np.where(x > 1, x, np.log1p(np.exp(x)))),
    (nn.Softsign(), lambda x: x / (1 + np.abs(x))),
    (nn.Silu(), lambda x: x * sigmoid(x)),
    (nn.Swish(), lambda x: x * sigmoid(x)),
    (nn.Mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    (nn.ThresholdedReLU(1.25), lambda x: np.where(x > 1.25, x, 0)),
    (nn.ThresholdedReLU(1.25, -1.0), lambda x: np.where(x > 1.25, x, -1)),
    (nn.Softmax(), softmax),
    (nn.LogSoftmax(), lambda x: np.log(softmax(x))),
    (nn.Tanh(), np.tanh),
    (nn.GLU(), lambda x: x[:, :8] * sigmoid(x[:, 8:])),
]


@pytest.mark.parametrize(("layer", "formula"), FORMULAS, ids=[repr(layer) for layer, _ in FORMULAS])
def test_an_activation_is_its_formula(layer, formula) -> None:
    expected = formula(X.astype("float64"))
    np.testing.assert_allclose(layer(to_tensor(X)).numpy(), expected, rtol=2e-5, atol=2e-6)


def test_softmax_along_another_axis_sums_to_one() -> None:
    out = nn.Softmax(axis=1)(to_tensor(np.ones((2, 4, 3), "float32")))
    assert np.all(out.numpy() == 0.25)


def test_an_inplace_silu_changes_nothing_that_is_held_elsewhere() -> None:
    x = to_tensor([1.0])
    held = x * 1.0
    nn.Silu(inplace=True)(held)
    assert x.item() == 1.0

"""Losses of regression, of yes or no, and of distributions."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import jit
from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.loss.binary import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    log_loss,
    sigmoid_focal_loss,
)
from twinoar.ops.loss.divergence import kl_div, kldiv_loss
from twinoar.ops.loss.margin import hinge_embedding_loss, margin_ranking_loss
from twinoar.ops.loss.regression import l1_loss, mse_loss, smooth_l1_loss, square_error_cost

random = np.random.default_rng(0)
X = random.standard_normal((4, 3)).astype("float32")
Y = random.standard_normal((4, 3)).astype("float32")
P = random.uniform(0.05, 0.95, (4, 3)).astype("float32")
Q = random.uniform(0.05, 0.95, (4, 3)).astype("float32")
SIDE = np.sign(Y)


def sigmoid(x):
    return 1 / (1 + np.exp(-x.astype("float64")))


D = np.abs(X - Y)
HUBER = np.where(D <= 0.5, D**2 / 2, 0.5 * (D - 0.25))
BINARY = -(Q * np.log(P) + (1 - Q) * np.log(1 - P))
LOGITS = -(Q * np.log(sigmoid(X)) + (1 - Q) * np.log(1 - sigmoid(X)))
RIGHT = sigmoid(X) * Q + (1 - sigmoid(X)) * (1 - Q)
FOCAL = (0.25 * Q + 0.75 * (1 - Q)) * (1 - RIGHT) ** 2 * LOGITS
CASES = [
    (mse_loss, (X, Y), {}, (X - Y) ** 2),
    (l1_loss, (X, Y), {}, D),
    (smooth_l1_loss, (X, Y), {"delta": 0.5}, HUBER),
    (smooth_l1_loss, (X, Y), {"delta": 0.5, "is_huber": False}, HUBER / 0.5),
    (binary_cross_entropy, (P, Q), {}, BINARY),
    (binary_cross_entropy, (P, Q, P), {}, BINARY * P),
    (binary_cross_entropy_with_logits, (X, Q), {}, LOGITS),
    (binary_cross_entropy_with_logits, (X, Q, P[:1]), {}, LOGITS * P[:1]),
    (sigmoid_focal_loss, (X, Q), {}, FOCAL),
    (kl_div, (X, Q), {}, Q * (np.log(Q) - X)),
    (kl_div, (X, Y), {"log_target": True}, np.exp(Y) * (Y - X)),
    (margin_ranking_loss, (X, Y, SIDE), {"margin": 0.1}, np.maximum(0, 0.1 - SIDE * (X - Y))),
    (
        hinge_embedding_loss,
        (X, SIDE),
        {},
        np.where(SIDE > 0, X, np.maximum(0, 1 - X)),
    ),
]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize(
    ("loss", "operands", "options", "expected"), CASES, ids=lambda x: getattr(x, "__name__", None)
)
def test_loss_is_its_formula(loss, operands, options, expected, reduction):
    found = loss(*map(to_tensor, operands), reduction=reduction, **options).numpy()
    wanted = {"none": expected, "mean": expected.mean(), "sum": expected.sum()}[reduction]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("loss", "operands", "options", "expected"), CASES, ids=lambda x: getattr(x, "__name__", None)
)
def test_another_reduction_is_refused(loss, operands, options, expected):
    with pytest.raises(ArgumentError, match="reduction must be"):
        loss(*map(to_tensor, operands), reduction="max", **options)


def test_mse_loss_broadcasts_and_its_square_is_public():
    found = square_error_cost(to_tensor(X), to_tensor(Y[:1])).numpy()
    np.testing.assert_allclose(found, (X - Y[:1]) ** 2, rtol=1e-6)


def test_kl_div_divides_by_the_batch():
    found = kl_div(to_tensor(X), to_tensor(Q), "batchmean").numpy()
    np.testing.assert_allclose(found, (Q * (np.log(Q) - X)).sum() / 4, rtol=1e-5)


@pytest.mark.parametrize("log_target", [False, True])
@pytest.mark.parametrize("compiled", [False, True])
def test_kl_div_of_half_precision_is_rounded_once(log_target, compiled):
    label = np.linspace(0.1, 0.9, 12, dtype=np.float16)
    x = np.log(label) + np.float16(0.01)  # logarithms that nearly cancel
    if log_target:
        label, x = np.log(label), np.log(label) + np.float16(0.01)
    wide, other = label.astype(np.float64), x.astype(np.float64)
    terms = np.exp(wide) * (wide - other) if log_target else wide * (np.log(wide) - other)
    found = (jit.to_static(kl_div) if compiled else kl_div)(
        to_tensor(x), to_tensor(label), "none", log_target
    )
    assert found.dtype == "float16"
    # A rounding of float16, and what float32 leaves of logarithms of at most 2.4.
    np.testing.assert_allclose(found.numpy(), terms, rtol=2**-11, atol=1e-6)


def test_kl_div_of_probability_0_is_0_with_a_finite_gradient():
    label = to_tensor([0.0, 1.0], stop_gradient=False)
    x = to_tensor([-1.0, -1.0], stop_gradient=False)
    out = kldiv_loss(x, label, "none")
    np.testing.assert_array_equal(out.numpy(), [0, 1])
    dx, dlabel = grad(out.sum(), [x, label])
    np.testing.assert_array_equal(dx.numpy(), [0, -1])
    assert np.isfinite(dlabel.numpy()).all()


@pytest.mark.parametrize(
    "loss", [binary_cross_entropy, binary_cross_entropy_with_logits, kl_div, log_loss]
)
def test_a_label_gets_no_gradient_as_in_paddle(loss):
    x, label = (to_tensor(values, stop_gradient=False) for values in (P, Q))
    loss(x, label).sum().backward()
    assert x.grad is not None
    assert label.grad is None


def test_binary_cross_entropy_cuts_logarithms_off_at_minus_100():
    x, label = to_tensor([0.0, 1.0, 0.0, 1.0]), to_tensor([0.0, 1.0, 1.0, 0.0])
    found = binary_cross_entropy(x, label, reduction="none").numpy()
    np.testing.assert_array_equal(found, [0, 0, 100, 100])


def test_the_gradient_of_a_certain_and_right_probability_is_0():
    x = to_tensor([0.0, 1.0], stop_gradient=False)
    loss = binary_cross_entropy(x, to_tensor([0.0, 1.0]), reduction="sum")
    np.testing.assert_array_equal(grad(loss, x)[0].numpy(), 0)


def test_logits_of_any_size_stay_finite():
    x = to_tensor([-1e4, 1e4], stop_gradient=False)
    loss = binary_cross_entropy_with_logits(x, to_tensor([1.0, 1.0]), reduction="none")
    np.testing.assert_array_equal(loss.numpy(), [1e4, 0])
    np.testing.assert_array_equal(grad(loss.sum(), x)[0].numpy(), [-1, 0])


def test_pos_weight_scales_the_part_of_the_label():
    weight = np.array([0.5, 2.0, 3.0], "float32")
    operands = map(to_tensor, (X, Q))
    found = binary_cross_entropy_with_logits(
        *operands, reduction="none", pos_weight=to_tensor(weight)
    ).numpy()
    expected = -(weight * Q * np.log(sigmoid(X)) + (1 - Q) * np.log(1 - sigmoid(X)))
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_the_normalizer_divides_the_focal_loss():
    found = sigmoid_focal_loss(to_tensor(X), to_tensor(Q), to_tensor([2.0])).numpy()
    np.testing.assert_allclose(found, FOCAL.sum() / 2, rtol=1e-5)


def test_the_gradient_of_a_margin_that_is_just_kept_is_0():
    x = to_tensor([1.0, 0.5], stop_gradient=False)
    loss = margin_ranking_loss(x, to_tensor([1.0, 1.0]), to_tensor([1.0, 1.0]), reduction="sum")
    np.testing.assert_array_equal(grad(loss, x)[0].numpy(), [0, -1])


def test_log_loss_holds_logarithms_off_0():
    found = log_loss(to_tensor([[0.0], [1.0]]), to_tensor([[1.0], [1.0]])).numpy()
    np.testing.assert_allclose(found, [[-np.log(1e-4)], [-np.log(1.0001)]], rtol=1e-3)


@pytest.mark.parametrize(
    "loss",
    [smooth_l1_loss, binary_cross_entropy, binary_cross_entropy_with_logits, kl_div, log_loss],
)
def test_losses_that_do_not_broadcast_refuse_other_shapes(loss):
    with pytest.raises(ShapeError, match=r"one shape, received \[4, 3\] and \[4, 1\]"):
        loss(to_tensor(P), to_tensor(Q[:, :1]))


def test_a_delta_of_0_is_refused():
    with pytest.raises(ArgumentError, match="delta must be positive"):
        smooth_l1_loss(to_tensor(X), to_tensor(Y), delta=0)


@pytest.mark.parametrize("mode", ["eager", "to_static"])
@pytest.mark.parametrize("wrong", [np.nan, -0.5, 1.5])
def test_binary_cross_entropy_of_no_probability_is_nan(mode: str, wrong: float) -> None:
    call = jit.to_static(binary_cross_entropy) if mode == "to_static" else binary_cross_entropy
    assert np.isnan(call(to_tensor([wrong, 0.5]), to_tensor([0.5, 0.5])).item())


@pytest.mark.parametrize("mode", ["eager", "to_static"])
def test_margins_of_nan_are_nan(mode: str) -> None:
    """A loss of 0 would hide that training has failed."""
    for loss in (hinge_embedding_loss, lambda x, y: margin_ranking_loss(x, x * 0.0, y)):
        call = jit.to_static(loss) if mode == "to_static" else loss
        assert np.isnan(call(to_tensor([np.nan, 1.0]), to_tensor([-1.0, -1.0])).item())


@pytest.mark.parametrize("mode", ["eager", "to_static"])
def test_the_divergence_from_nan_is_nan(mode: str) -> None:
    call = jit.to_static(kl_div) if mode == "to_static" else kl_div
    assert np.isnan(call(to_tensor([0.1, 0.2]), to_tensor([np.nan, 0.5]), "sum").item())

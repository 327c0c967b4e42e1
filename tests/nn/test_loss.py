"""Losses as layers pass their arguments on."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import nn
from twinoar.eager.tensor import to_tensor

LOGITS = np.array([[2.0, 0.5, -1.0], [0.0, 1.0, 3.0], [1.0, 1.0, 1.0]], "float32")
LABEL = np.array([0, 2, 1])
P = np.array([0.9, 0.2, 0.6], "float32")
Y = np.array([1.0, 0.0, 1.0], "float32")


def log_softmax(x: np.ndarray) -> np.ndarray:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


PICKED = -log_softmax(LOGITS.astype("float64"))[np.arange(3), LABEL]
ENTROPY = -(Y * np.log(P) + (1 - Y) * np.log(1 - P)).astype("float64")


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (nn.CrossEntropyLoss(), PICKED.mean()),
        (nn.CrossEntropyLoss(reduction="sum"), PICKED.sum()),
        (nn.CrossEntropyLoss(reduction="none"), PICKED),
        (nn.CrossEntropyLoss(ignore_index=2), PICKED[[0, 2]].mean()),
    ],
)
def test_cross_entropy(loss, expected) -> None:
    found = loss(to_tensor(LOGITS), to_tensor(LABEL)).numpy().squeeze()
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_cross_entropy_weighs_classes() -> None:
    weight = np.array([1.0, 2.0, 4.0], "float32")
    loss = nn.CrossEntropyLoss(weight=to_tensor(weight))
    expected = (PICKED * weight[LABEL]).sum() / weight[LABEL].sum()
    assert loss(to_tensor(LOGITS), to_tensor(LABEL)).item() == pytest.approx(expected, rel=1e-5)


def test_cross_entropy_of_soft_and_smoothed_labels() -> None:
    soft = np.full((3, 3), 0.1 / 3, "float32") + 0.9 * np.eye(3, dtype="float32")[LABEL]
    by_soft = nn.CrossEntropyLoss(soft_label=True)(to_tensor(LOGITS), to_tensor(soft)).item()
    by_smoothing = nn.CrossEntropyLoss(label_smoothing=0.1)(to_tensor(LOGITS), to_tensor(LABEL))
    expected = -(soft * log_softmax(LOGITS.astype("float64"))).sum(-1).mean()
    assert by_soft == pytest.approx(expected, rel=1e-5)
    assert by_smoothing.item() == pytest.approx(expected, rel=1e-5)


def test_nll_is_cross_entropy_without_softmax() -> None:
    logs = to_tensor(log_softmax(LOGITS))
    assert nn.NLLLoss()(logs, to_tensor(LABEL)).item() == pytest.approx(PICKED.mean(), rel=1e-5)


D = (P - Y).astype("float64")


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (nn.MSELoss(), (D**2).mean()),
        (nn.MSELoss("sum"), (D**2).sum()),
        (nn.L1Loss(), np.abs(D).mean()),
        (nn.L1Loss("none"), np.abs(D)),
        (
            nn.SmoothL1Loss(delta=0.3),
            np.where(np.abs(D) < 0.3, D**2 / 2, 0.3 * np.abs(D) - 0.045).mean(),
        ),
        (
            nn.SmoothL1Loss(delta=0.3, is_huber=False),
            np.where(np.abs(D) < 0.3, D**2 / 0.6, np.abs(D) - 0.15).mean(),
        ),
        (nn.BCELoss(), ENTROPY.mean()),
        (nn.BCELoss(weight=to_tensor([1.0, 2.0, 3.0]), reduction="sum"), ENTROPY @ [1, 2, 3]),
    ],
)
def test_losses_of_two_equal_shapes(loss, expected) -> None:
    np.testing.assert_allclose(loss(to_tensor(P), to_tensor(Y)).numpy(), expected, rtol=1e-5)


def test_bce_with_logits_is_bce_of_sigmoid() -> None:
    logit = np.log(P / (1 - P))
    found = nn.BCEWithLogitsLoss()(to_tensor(logit), to_tensor(Y)).item()
    assert found == pytest.approx(ENTROPY.mean(), rel=1e-5)


def test_bce_with_logits_weighs_positives() -> None:
    logit = np.log(P / (1 - P))
    loss = nn.BCEWithLogitsLoss(reduction="sum", pos_weight=to_tensor(3.0))
    expected = ENTROPY @ [3, 1, 3]
    assert loss(to_tensor(logit), to_tensor(Y)).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("reduction", "reduce"),
    [
        ("mean", np.mean),
        ("sum", np.sum),
        ("batchmean", lambda x: x.sum() / 2),
        ("none", lambda x: x),
    ],
)
def test_kl_divergence(reduction: str, reduce) -> None:
    q = np.array([[0.5, 0.5], [0.9, 0.1]], "float32")
    p = np.array([[0.2, 0.8], [0.5, 0.5]], "float32")
    found = nn.KLDivLoss(reduction)(to_tensor(np.log(q)), to_tensor(p)).numpy()
    np.testing.assert_allclose(found, reduce(p * (np.log(p) - np.log(q))), rtol=1e-5)


def test_margin_ranking() -> None:
    loss = nn.MarginRankingLoss(margin=0.5)
    found = loss(to_tensor([1.0, 2.0]), to_tensor([2.0, 1.0]), to_tensor([1.0, 1.0]))
    assert found.item() == pytest.approx(0.75)

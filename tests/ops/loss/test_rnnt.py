"""The loss of transducers is that of all paths, counted one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.nn import RNNTLoss
from twinoar.nn.functional import rnnt_loss

LOGS = np.log(np.random.default_rng(0).dirichlet(np.ones(4), (2, 3, 3)))  # [B,T,U+1,C]
LABEL = np.array([[1, 2], [3, 1]])
FRAMES, COUNTS = np.array([3, 2]), np.array([2, 1])


def given(logs: np.ndarray = LOGS, **traits: bool) -> list:
    return [to_tensor(logs, **traits), *map(to_tensor, (LABEL, FRAMES, COUNTS))]


def likelihood(b: int) -> float:
    """Over all orders of the steps to next frames and the labels; the last step is to the end."""
    frames, labels = FRAMES[b], LABEL[b, : COUNTS[b]]
    total = 0.0
    for said in itertools.combinations(range(frames - 1 + len(labels)), len(labels)):
        t = u = 0
        log = 0.0
        for step in range(frames - 1 + len(labels)):
            if step in said:
                log, u = log + LOGS[b, t, u, labels[u]], u + 1
            else:
                log, t = log + LOGS[b, t, u, 0], t + 1
        total += math.exp(log + LOGS[b, t, u, 0])
    return total


def test_the_loss_is_that_of_all_paths() -> None:
    found = rnnt_loss(*given(), reduction="none").numpy()
    np.testing.assert_allclose(found, [-math.log(likelihood(b)) for b in range(2)])
    np.testing.assert_allclose(RNNTLoss(reduction="sum")(*given()).numpy(), found.sum())


def test_fastemit_makes_gradients_of_labels_larger() -> None:
    def gradient(fastemit_lambda: float) -> np.ndarray:
        arguments = given(stop_gradient=False)
        rnnt_loss(*arguments, 0, fastemit_lambda, "sum").backward()
        return arguments[0].grad.numpy()

    plain, early = gradient(0.0), gradient(0.5)
    np.testing.assert_allclose(early[..., 0], plain[..., 0])
    np.testing.assert_allclose(early[..., 1:], 1.5 * plain[..., 1:])
    assert plain.sum() == pytest.approx(-(FRAMES + COUNTS).sum())  # steps of each path


def test_what_makes_no_sense_is_refused() -> None:
    logs, _, frames, counts = given()
    with pytest.raises(AxisError, match="label 9 names no class"):
        rnnt_loss(logs, to_tensor(LABEL + 8), frames, counts)
    with pytest.raises(ArgumentError, match="1 to 3 frames"):
        rnnt_loss(logs, to_tensor(LABEL), frames + 1, counts)

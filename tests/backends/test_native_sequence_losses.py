"""CTC and transducers as compiled loops: what NumPy's kernels say, and what these refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.backends.test_native_order import compiled
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.loss.ctc import ctc, ctc_slope
from twinoar.ops.loss.rnnt import rnnt, rnnt_slope

pytestmark = pytest.mark.usefixtures("strict")


def agree(op: Any, *arrays: np.ndarray, **attrs: Any) -> None:
    with np.errstate(all="ignore"):
        wanted = op.kernel_rule(*arrays, **attrs)
    (found,) = compiled(lambda *given: op(*given, **attrs), *arrays)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    tolerance = 1e-12 if wanted.dtype == np.float64 else 1e-6
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def scores(random: np.random.Generator, dtype: str, *shape: int) -> np.ndarray:
    """Of which some are far apart, and some never."""
    x = random.standard_normal(shape) * random.choice([1, 50])
    return np.where(random.random(shape) < 0.03, -np.inf, x).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(8))
def test_ctc(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    frames, batch, classes, longest = random.integers((1, 1, 2, 0), (12, 5, 40, 6)).tolist()
    label = random.integers(0, classes, (batch, longest), random.choice(["int32", "int64"]))
    lengths = random.integers(0, frames + 1, batch), random.integers(0, longest + 1, batch)
    blank = int(random.integers(0, classes))
    x = scores(random, dtype, frames, batch, classes)
    for op in (ctc, ctc_slope):
        for by_times in (False, True):
            agree(op, x, label, *lengths, blank=blank, norm_by_times=by_times)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(8))
def test_transducers(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    batch, frames, positions, classes = random.integers(1, (5, 9, 6, 9)).tolist()
    most = positions - 1 + int(random.integers(0, 3))
    label = random.integers(0, classes, (batch, most))
    lengths = random.integers(1, frames + 1, batch), random.integers(0, positions, batch)
    blank = int(random.integers(0, classes))
    x = scores(random, dtype, batch, frames, positions, classes)
    for op in (rnnt, rnnt_slope):
        agree(op, x, label, *lengths, blank=blank, fastemit_lambda=0.1)


@pytest.mark.parametrize("op", [ctc, ctc_slope, rnnt, rnnt_slope])
@pytest.mark.parametrize(
    ("error", "told", "label", "lengths"),
    [
        (AxisError, "label 3 names no class", [[1, 3]], [[2], [2]]),
        (AxisError, "label -1 names no class", [[-1, 3]], [[2], [1]]),
        (ArgumentError, "2 frames", [[1, 2]], [[3], [2]]),
        (ArgumentError, "2 labels", [[1, 2]], [[2], [3]]),
    ],
)
def test_labels_and_lengths_that_are_refused(
    op: Any, error: Any, told: str, label: list, lengths: list
) -> None:
    x = np.zeros((2, 1, 3) if "ctc" in op.name else (1, 2, 3, 3), "float32")
    given = x, *map(np.array, (label, *lengths))
    with pytest.raises(error, match=told):
        compiled(lambda *given: op(*given), *given)


def test_a_label_behind_the_last_may_be_any() -> None:
    x, lengths = np.zeros((4, 1, 3), "float32"), (np.array([4]), np.array([1]))
    agree(ctc, x, np.array([[1, 99]]), *lengths, blank=0, norm_by_times=False)

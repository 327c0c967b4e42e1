"""The native back end gives what the NumPy kernels give, on every operator's samples."""

from __future__ import annotations

import pytest

from tests.ops.test_ops import GOOD, SMOOTH
from twinoar.testing import checks


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_results(op, sample):
    checks.native_results(op, sample)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_gradients(op, sample):
    checks.native_gradients(op, sample)

"""The native back end gives what the NumPy kernels give, on every operator's samples."""

from __future__ import annotations

from tests.ops.test_ops import GOOD, SMOOTH
from tests.samples import every_sample
from twinoar.testing import checks


@every_sample(GOOD)
def test_results(op, sample):
    checks.native_results(op, sample)


@every_sample(SMOOTH)
def test_gradients(op, sample):
    checks.native_gradients(op, sample)

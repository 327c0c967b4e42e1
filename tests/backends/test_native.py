"""The native back end gives what the NumPy kernels give, on every operator's samples.

LLVM's passes on the same operators are a matter of test_native_operation, on what is fused of them
of test_native_random.
"""

import pytest

from tests.ops.test_ops import GOOD, SMOOTH
from tests.samples import every_sample
from twinoar.testing import checks

pytestmark = pytest.mark.usefixtures("one_pass")


@every_sample(GOOD)
def test_results(op, sample):
    checks.native_results(op, sample)


@every_sample(SMOOTH)
def test_gradients(op, sample):
    checks.native_gradients(op, sample)

"""The native back end gives what NumPy gives, on Programs made at random."""

import numpy as np
import pytest

from tests.backends.random_programs import random_program
from twinoar.backends.native import NativeExecutable, host
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import copy_program
from twinoar.passes.pipeline import lower

# float64, so that a wrong element stands out from sums that come in another order, which the
# steps of a Program make larger.
TOLERANCE = 1e-9


@pytest.mark.parametrize("gradients", [False, True], ids=["values", "gradients"])
@pytest.mark.parametrize("seed", range(120))
@pytest.mark.filterwarnings("ignore:invalid value")  # inf of a division by 0, times 0
def test_outputs_and_states(seed, gradients, request):
    request.getfixturevalue("all_passes" if seed % 3 == 0 else "one_pass")
    made = random_program(seed, gradients=gradients)
    lowered, _ = copy_program(made.program)
    wanted = run(NumpyExecutable(lower(lowered)), made)
    found = run(NativeExecutable(made.program, host()), made)
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == b.dtype
        width = TOLERANCE * np.abs(b).max(initial=1.0, where=np.isfinite(b))
        np.testing.assert_allclose(a, b, rtol=TOLERANCE, atol=width)


def run(executable, made):
    """Outputs, then the next states, of a run on copies of the states."""
    states = [made.states[name].copy() for name in executable.state_names]
    outputs, following = executable.execute(made.feeds, states)
    return [*outputs, *following]

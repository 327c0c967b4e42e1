"""`over_time` is what its body says, written out or in a `while`, and what Python does by steps."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError
from twinoar.ops.control.over_time import over_time
from twinoar.ops.control.through_time import through_time
from twinoar.passes.decompose import decompose
from twinoar.passes.pipeline import lower
from twinoar.testing.sample import samples_of

SAMPLES = [s for s in samples_of(over_time) if s.error is None]


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("sample", SAMPLES, ids=range(len(SAMPLES)))
def test_the_body_computes_what_the_kernel_computes(sample, is_known):
    arrays, *attrs = sample.args
    specs = [Spec(a.shape, paddle.float64) for a in arrays]
    if not is_known:
        specs[1] = Spec((SymbolicDim({("T",): 1}), *arrays[1].shape[1:]), paddle.float64)
    program = trace(lambda *values: over_time.function(list(values), *attrs), *specs)
    decompose(program, lambda op: op is not over_time)
    kinds = {o.op.name for o in program.main.walk()}
    assert "over_time" not in kinds and ("while" in kinds) is not is_known
    found, _ = NumpyExecutable(lower(program)).execute(arrays, [])
    expected = over_time.function([*map(paddle.to_tensor, arrays)], *attrs)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b.numpy(), rtol=1e-12, err_msg=str(sample))


def test_steps_over_no_time_are_refused():
    with pytest.raises(ArgumentError, match="no time to step through"):
        through_time(lambda now, state: (now, state), [paddle.zeros([0, 2])], ())

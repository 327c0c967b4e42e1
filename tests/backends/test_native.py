"""The native back end gives what the NumPy kernels give, on every operator's samples."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ops.calls import append_gradients, arrays_of, build, is_float, run_eagerly
from tests.ops.test_ops import GOOD, SMOOTH
from twinoar.backends.native.executable import NativeExecutable
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir import Variable, copy_program
from twinoar.passes.pipeline import lower

pytest.importorskip("llvmlite")

# Sums come in another order, and functions are rounded otherwise: a few units in the last place.
ULPS = 64


def both(program, arrays):
    """Outputs on NumPy, and natively."""
    lowered, _ = copy_program(program)
    oracle = NumpyExecutable(lower(lowered))
    feeds = dict(zip(oracle.feed_names, arrays, strict=True))
    return oracle.run(feeds, {})[0], NativeExecutable(program).run(feeds, {})[0]


def agree(native, wanted, tolerance):
    assert native.shape == wanted.shape and native.dtype == wanted.dtype
    if is_float(wanted):
        width = 1e-2 if wanted.dtype.itemsize == 2 else np.finfo(wanted.dtype).eps * ULPS
        bound = max(tolerance, width)
        scale = np.abs(wanted.astype(np.float64))
        largest = scale[np.isfinite(scale)].max(initial=1.0)
        np.testing.assert_allclose(
            native.astype(np.float64), wanted.astype(np.float64), rtol=bound, atol=bound * largest
        )
    else:
        np.testing.assert_array_equal(native, wanted)


@pytest.mark.parametrize(("op", "sample"), GOOD)
def test_results(op, sample):
    wanted, native = both(build(op, sample), arrays_of(sample))
    for a, b in zip(native, wanted, strict=True):
        agree(a, b, sample.tolerance)


@pytest.mark.parametrize(("op", "sample"), SMOOTH)
def test_gradients(op, sample):
    program = build(op, sample)
    inputs = [v for v in program.main.inputs if not v.stop_gradient]
    values = [a for a in run_eagerly(op, sample) if a is not None]
    results = [
        (v, a) for v, a in zip(program.main.outputs, values, strict=True) if not v.stop_gradient
    ]
    seeds = [program.main.add_input(v.spec) for v, _ in results]
    found = append_gradients(program, seeds, inputs)
    program.main.outputs = [v for v in found if isinstance(v, Variable)]
    generator = np.random.default_rng(0)
    arrays = [generator.standard_normal(a.shape).astype(a.dtype) for _, a in results]
    wanted, native = both(program, [*arrays_of(sample), *arrays])
    for a, b in zip(native, wanted, strict=True):
        agree(a, b, sample.tolerance)

"""Softmax along an axis that does not lie innermost runs as loops that memory likes."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.nn import functional as F

INNERMOST = [((5, 7), -1), ((4, 6, 1, 1), 1), ((2, 0, 3), 1)]
OUTSIDE = [((5, 7), 0), ((2, 3, 4), 1), ((3, 1, 5), 1), ((4, 5, 6), -2), ((8, 20, 16, 16), 1)]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("shape", "axis"), INNERMOST + OUTSIDE)
@pytest.mark.parametrize("function", [F.softmax, F.log_softmax])
def test_results_are_those_of_the_kernel(function, shape, axis, dtype):
    x = paddle.to_tensor(np.random.default_rng(0).standard_normal(shape) * 30).astype(dtype)

    def along(x):
        return function(x, axis)

    with config.override(backend="numpy"):
        wanted = along(x)
    with config.override(backend="native", strict=0 not in shape):
        found = paddle.jit.to_static(along)(x)
    assert found.dtype == x.dtype
    a, b = (t.astype("float64").numpy() for t in (found, wanted))
    bound = {"float64": 1e-12, "float32": 1e-5, "float16": 1e-3, "bfloat16": 8e-3}[dtype]
    np.testing.assert_allclose(a, b, bound, bound)


@pytest.mark.parametrize(("shape", "axis"), INNERMOST[:2] + OUTSIDE)
def test_reductions_are_values_of_their_own_where_rows_lie_apart(shape, axis):
    def along(x):
        return F.softmax(x, axis)

    with config.override(backend="native"):
        function = paddle.jit.to_static(along)
        function(paddle.ones(shape))
        shown = function.concrete_program.explain()
    is_whole = "= softmax" in shown
    assert is_whole == ((shape, axis) in INNERMOST)

"""What forward and backward draw with one key is one draw in files, which keep no keys."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static


@pytest.fixture(autouse=True)
def _static_mode():
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.parametrize("is_read_again", [False, True])
def test_the_backward_pass_leaves_out_what_the_forward_pass_did(is_read_again):
    """With weights of one, what is kept of a column is the gradient of its weight."""
    program, startup = static.Program(), static.Program()
    with static.program_guard(program, startup):
        x = static.data("x", [40, 6])
        ones = paddle.nn.initializer.Constant(1.0)
        weight = static.create_parameter([6], "float32", "w", default_initializer=ones)
        kept = paddle.nn.functional.dropout(x * weight, 0.5)
        ((_, slope),) = static.append_backward(kept.sum())
    names = [kept.name, slope.name]
    if is_read_again:
        program = static.Program.parse_from_string(program.desc.serialize_to_string())
    executor = static.Executor()
    with static.scope_guard(static.Scope()):
        executor.run(startup)
        given = np.random.default_rng(0).uniform(1, 2, (40, 6)).astype("float32")
        found, gradient = executor.run(program, feed={"x": given}, fetch_list=names)
    assert 0 < np.count_nonzero(found) < found.size
    np.testing.assert_allclose(gradient, found.sum(0), rtol=1e-5)

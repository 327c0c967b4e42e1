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
    """Of a bias of one, what is kept of a column is the gradient, and the step of rate one."""
    program, startup = static.Program(), static.Program()
    with static.program_guard(program, startup):
        x = static.data("x", [40, 6])
        ones = paddle.nn.initializer.Constant(1.0)
        bias = static.create_parameter([6], "float32", "b", default_initializer=ones)
        kept = paddle.nn.functional.dropout(x + bias, 0.5)
        paddle.optimizer.SGD(1.0).minimize(kept.sum())
    if is_read_again:
        program = static.Program.parse_from_string(program.desc.serialize_to_string())
    executor, scope = static.Executor(), static.Scope()
    with static.scope_guard(scope):
        executor.run(startup)
        given = np.zeros((40, 6), "float32")
        (found,) = executor.run(program, feed={"x": given}, fetch_list=[kept.name])
        after = np.array(scope.find_var("b").get_tensor())
    assert 0 < np.count_nonzero(found) < found.size
    np.testing.assert_allclose(after, 1 - found.sum(0), rtol=1e-5)

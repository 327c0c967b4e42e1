"""Blocks of `if` and `while` are compiled, and give what NumPy's kernels give."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.errors import AxisError, UnsupportedError
from twinoar.jit import to_static

F = nn.functional
X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)


def loop(x, n):
    i = paddle.zeros([], "int64")
    while i < n:
        if x.sum() > 0:
            x = F.softmax(x)
            x = x - 0.2
        else:
            x = F.gelu(x) + paddle.mean(x, axis=0)
        i = i + 1
    return x


def grows(x, n):
    while paddle.shape(x)[0] < n:
        x = paddle.concat([x, paddle.sin(x[-1:] * 2.0)])
    return x.sum(axis=0)


def passes_on(x, n):
    a, b = x, x * 2.0
    none = None
    while n > 0:
        a, b, n = b, a, n - 1
    if n > 5:
        a = paddle.ones([4, 6])
    return a, b, none


def with_bfloat16(x, n):
    x = x.astype("bfloat16")
    while n > 0:
        x, n = x + x, n - 1  # exact: kernels of ours round to bfloat16 less often
    return x.astype("float32")


def with_a_transpose(x, n):
    y = x.transpose([1, 0])[1:]
    if n > 1:
        y = y * 2.0
    return y


FUNCTIONS = [loop, grows, passes_on, with_bfloat16, with_a_transpose]


def results(function, n, backend):
    with config.override(backend=backend):
        x = paddle.to_tensor(X, stop_gradient=False)
        found = to_static(function)(x, paddle.to_tensor(n))
        found = [t for t in (found if isinstance(found, tuple) else (found,)) if t is not None]
        sum((t * t).sum() for t in found).backward()
        return [t.numpy() for t in (*found, x.grad)]


@pytest.mark.parametrize("n", [0, 1, 2, 12])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_blocks_and_their_gradients_give_what_numpy_gives(function, n):
    for a, b in zip(*(results(function, n, b) for b in ("native", "numpy")), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5)


def test_explain_tells_what_blocks_run_as():
    with config.override(backend="native"):
        function = to_static(loop)
        function(paddle.to_tensor(X), paddle.to_tensor(3))
        text = function.concrete_program.explain()
    assert "on NumPy" not in text
    for line in (
        "test, body",
        "then, orelse",
        "body of while, test_native_blocks.py",
        "orelse of if",
    ):
        assert line in text


def test_strict_accepts_blocks_and_refuses_numpy_in_them():
    def spectrum(x, n):
        if n > 0:
            x = x + paddle.linalg.eigvals(x[:, :4]).real().sum()
        return x

    with config.override(backend="native", strict=True):
        to_static(loop)(paddle.to_tensor(X), paddle.to_tensor(2))
        with pytest.raises(UnsupportedError, match="has no native form, it would run on NumPy"):
            to_static(spectrum)(paddle.to_tensor(X), paddle.to_tensor(2))


def test_an_index_outside_in_a_block_is_told_as_numpy_tells_it():
    def picked(x, n):
        return paddle.gather(x, n.reshape([1])) if n > 0 else x[:1]

    with config.override(backend="native"):
        function = to_static(picked)
        function(paddle.to_tensor(X), paddle.to_tensor(2))
        with pytest.raises(AxisError, match=r"test_native_blocks\.py"):
            function(paddle.to_tensor(X), paddle.to_tensor(7))


def test_branches_that_agree_for_the_sizes_of_a_run_are_compiled():
    def padded(x):
        return paddle.sin(x * 2 if x.sum() > 0 else paddle.zeros([4, 6]))

    spec = [paddle.static.InputSpec([None, 6])]
    with config.override(backend="native"):
        function = to_static(padded, input_spec=spec)
        function(paddle.to_tensor(X))
        concrete, _ = function.get_concrete_program(paddle.to_tensor(X))
        assert "then, orelse" in concrete.explain()


def test_a_branch_that_is_wrong_for_some_sizes_runs_for_others():
    def second_row(x):
        if x.sum() > 0 and x.shape[0] > 1:
            x = x[1:] + x[1]
        return x.sum()

    spec = [paddle.static.InputSpec([None, 6])]
    with config.override(backend="native"):
        function = to_static(second_row, input_spec=spec)
        for n in (4, 1, 2):
            x = paddle.to_tensor(abs(X[:n]))
            np.testing.assert_allclose(function(x).numpy(), second_row(x).numpy(), rtol=1e-5)


def test_a_block_whose_input_has_a_size_that_no_input_of_the_program_has():
    def longer(x, y):
        both = x + y
        return both - y if both.sum() > y.sum() else both

    spec = paddle.static.InputSpec([None])
    values = [[3.0, 1.0], [-2.0]], [[-3.0], [2.0, 1.0]], [[3.0], [4.0]]
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            function = to_static(longer, input_spec=[spec, spec])
            for pair in values:
                x, y = map(paddle.to_tensor, pair)
                np.testing.assert_array_equal(function(x, y).numpy(), longer(x, y).numpy())


def test_a_block_whose_input_is_longer_by_one_than_what_was_fed():
    def closed(x):
        ring = paddle.concat([x, x[:1]])
        return ring * 2 if x.sum() > 0 else ring

    with config.override(backend="native"):
        function = to_static(closed, input_spec=[paddle.static.InputSpec([None])])
        for values in ([1.0, 2.0], [-1.0, 0.0, 0.5]):
            x = paddle.to_tensor(values)
            np.testing.assert_array_equal(function(x).numpy(), closed(x).numpy())

"""What a native Program leaves to Python: branches, loops, random numbers, shapes of the data."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.errors import UnsupportedError
from twinoar.static import InputSpec

F = nn.functional
X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)


def branch(x):
    if x.mean() > 0:
        y = F.gelu(x)
        y = y + paddle.full([x.shape[0], 1], 0.5)
    else:
        y = F.softmax(F.layer_norm(x, [6]))
    return y * 2


def loop(x):
    i = paddle.to_tensor(0)
    while i < 3:
        x = F.silu(x) + paddle.mean(x, axis=0)
        i = i + 1
    return x


def attention_in_a_branch(x):
    heads = x.reshape([1, -1, 2, 3])
    if F.scaled_dot_product_attention(heads, heads, heads).sum() > -1e6:
        y = F.log_softmax(x)
    else:
        y = x
    return y.sum()


def chosen_elements(x):
    return x[x > 0].sum() * 2


def different_rows(x):
    return paddle.unique(x, axis=0).sum() * 2


def positions(x):
    found = paddle.nonzero(x > 0)
    return found.sum() + paddle.reshape(found * 2, [found.shape[0] * 2]).max()


FUNCTIONS = [branch, loop, attention_in_a_branch, chosen_elements, different_rows, positions]


@pytest.mark.parametrize("spec", [None, [InputSpec([None, 6], "float32")]], ids=["known", "any"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_python_in_a_program_gives_what_numpy_gives(function, spec):
    native, oracle = (paddle.jit.to_static(function, input_spec=spec) for _ in range(2))
    for x in (X, -X, X[:2], X[:1]):
        with config.override(backend="native", check=True):
            found = native(paddle.to_tensor(x)).numpy()
        with config.override(backend="numpy", check=True):
            wanted = oracle(paddle.to_tensor(x)).numpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [branch, loop])
def test_gradients_flow_through_branches_and_loops(function):
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            x = paddle.to_tensor(X, stop_gradient=False)
            paddle.jit.to_static(function)(x).square().mean().backward()
            found.append(x.grad.numpy())
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-6)


def drawn(x):
    return (
        paddle.rand([6]) + paddle.randn([6]) + paddle.uniform([6], min=-2.0) + F.dropout(x, 0.3)
        + paddle.randint(0, 9, [6]).astype("float32") + paddle.randperm(6).astype("float32")
        + paddle.bernoulli(paddle.full([6], 0.4)) + paddle.normal(1.0, 2.0, [6])
    )  # fmt: skip


def test_random_numbers_are_those_of_numpy_and_go_on_from_run_to_run():
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            paddle.seed(7)
            function = paddle.jit.to_static(drawn)
            runs = [function(paddle.to_tensor(X)).numpy() for _ in range(3)]
            runs.append(paddle.rand([4]).numpy())
        assert (runs[0] != runs[1]).any()
        found.append(runs)
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_explain_says_that_the_data_decides_a_shape():
    with config.override(backend="native"):
        function = paddle.jit.to_static(different_rows)
        function(paddle.to_tensor(X))
        text = function.concrete_program.explain()
    assert "NumPy, as the data decides the shape of what is returned: unique" in text


def spectrum(x):
    return paddle.linalg.eigvals(x[:, :4]).real()


@pytest.mark.parametrize("function", [spectrum, different_rows])
def test_strict_refuses_what_runs_on_numpy(function):
    with (
        config.override(backend="native", strict=True),
        pytest.raises(UnsupportedError, match="has no native form, it would run on NumPy"),
    ):
        paddle.jit.to_static(function)(paddle.to_tensor(X))

"""Calls that differ in sizes alone share compiled code: what grows does not wait for it."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import config
from twinoar.backends import eager_kernels, native
from twinoar.backends.eager_kernels import EagerKernels
from twinoar.core.op.definition import op_named
from twinoar.eager.interpreter import Eager

functional = paddle.nn.functional
HEADS, WIDTH = 3, 32
LENGTHS = [40, 53, 61, 77, 41, 128, 64, 200, 96, 33]


def numbers(*shape: int, seed: int = 3) -> paddle.Tensor:
    return paddle.to_tensor(np.random.default_rng(seed).standard_normal(shape, dtype=np.float32))


# What a growing text does, by its length.
CALLS = {
    "softmax": lambda n: functional.softmax(numbers(1, HEADS, 1, n)),
    "softmax of columns": lambda n: functional.softmax(numbers(n, 16), axis=0),
    "one query": lambda n: paddle.matmul(
        numbers(1, HEADS, 1, WIDTH), numbers(1, HEADS, 2 * n, WIDTH), transpose_y=True
    ),
    "shares": lambda n: paddle.matmul(numbers(1, HEADS, 1, n), numbers(1, HEADS, n, 2 * WIDTH)),
    "a turned row": lambda n: paddle.matmul(
        numbers(HEADS, n, 1), numbers(HEADS, n, 2 * WIDTH), transpose_x=True
    ),
    "attention": lambda n: functional.scaled_dot_product_attention(
        numbers(1, 1, HEADS, WIDTH),
        numbers(1, 2 * n, HEADS, WIDTH),
        numbers(1, 2 * n, HEADS, WIDTH, seed=4),
    ),
    "attention with a mask": lambda n: functional.scaled_dot_product_attention(
        numbers(2, 1, HEADS, WIDTH),
        numbers(2, 2 * n, HEADS, WIDTH),
        numbers(2, 2 * n, HEADS, WIDTH, seed=4),
        numbers(2, 1, 1, 2 * n, seed=5) > 0,
    ),
    "attention of groups": lambda n: functional.scaled_dot_product_attention(
        numbers(1, 1, 4, WIDTH), numbers(1, 4 * n, 2, WIDTH), numbers(1, 4 * n, 2, WIDTH, seed=4)
    ),
    "gelu": lambda n: functional.gelu(numbers(n, 50)),
    "layer_norm": lambda n: functional.layer_norm(numbers(n, 24), 24, numbers(24), numbers(24)),
    "rows and columns": lambda n: functional.silu(numbers(n, n + 7)),
    "a sum": lambda n: functional.mse_loss(numbers(n, 60), numbers(n, 60, seed=4)),
}


@pytest.fixture(autouse=True)
def kernels(monkeypatch):
    """Nothing is known of calls before a test."""
    found = EagerKernels()
    monkeypatch.setattr(Eager, "kernels", found)
    return found


@pytest.fixture
def compiled(monkeypatch):
    """How often something was compiled for numbers, and for sizes that vary."""
    counts = {"make_operation": 0, "make_open": 0}

    def counting(name):
        real = getattr(native, name)

        def make(*args):
            counts[name] += 1
            return real(*args)

        monkeypatch.setattr(native, name, make, raising=False)

    for name in counts:
        counting(name)
    return counts


@pytest.mark.parametrize("name", CALLS)
def test_results_of_any_length_are_those_of_numpy(name) -> None:
    for n in LENGTHS:
        found = CALLS[name](n).numpy()
        with config.override(backend="numpy"):
            wanted = CALLS[name](n).numpy()
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["softmax", "one query", "shares", "attention", "gelu"])
def test_ever_new_lengths_compile_nothing(name, compiled) -> None:
    for n in range(71, 74):
        CALLS[name](n)
    known = dict(compiled)
    assert known == {"make_operation": 2, "make_open": 1}
    for n in range(74, 124):
        CALLS[name](n)
    assert compiled == known


def test_ever_new_lengths_leave_nothing_behind(kernels, monkeypatch) -> None:
    monkeypatch.setattr(eager_kernels, "KEPT", 16)
    for n in range(71, 74):
        CALLS["softmax"](n)
    operations = dict(kernels._of_process.operations)
    for n in range(74, 174):
        CALLS["softmax"](n)
    assert kernels._of_process.operations == operations
    assert len(kernels._thread.bound) <= 16


@pytest.mark.parametrize("sizes", [(1, 90), (90, 1), (0, 90), (90, 0), (1, 1)])
def test_a_size_of_one_or_none_is_served_rightly(sizes) -> None:
    rows = [*((90 + n, 80 + n) for n in range(4)), sizes]
    for n, m in rows:
        x = numbers(n, m)
        found = (functional.softmax(x) if m else functional.gelu(x)).numpy()
        with config.override(backend="numpy"):
            wanted = (functional.softmax(x) if m else functional.gelu(x)).numpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


def test_sizes_that_are_equal_by_chance_are_not_taken_for_one() -> None:
    for n, m in ((90, 80), (70, 60), (75, 65), (66, 66), (50, 95)):
        x, y = numbers(n, 1), numbers(1, m)
        wide = numbers(n, m)
        np.testing.assert_allclose(
            functional.silu(wide * x + y).numpy(),
            (lambda a: a / (1 + np.exp(-a)))(wide.numpy() * x.numpy() + y.numpy()),
            rtol=1e-4,
            atol=1e-5,
        )


def test_the_same_calls_give_the_same_bits(monkeypatch) -> None:
    runs = []
    for _ in range(2):
        monkeypatch.setattr(Eager, "kernels", EagerKernels())
        runs.append([CALLS[name](n).numpy().tobytes() for name in CALLS for n in LENGTHS])
    assert runs[0] == runs[1]


def test_threads_have_lengths_of_their_own() -> None:
    wrong = []

    def work(first: int) -> None:
        for n in range(first, first + 40):
            scores = numbers(1, HEADS, 1, n)
            found = functional.softmax(scores).numpy()
            shifted = np.exp(scores.numpy() - scores.numpy().max(-1, keepdims=True))
            if not np.allclose(found, shifted / shifted.sum(-1, keepdims=True), atol=1e-6):
                wrong.append(n)

    in_threads([lambda first=first: work(first) for first in (30, 45, 60, 75)])
    assert wrong == []


def test_gradients_through_calls_of_any_length_are_those_of_numpy() -> None:
    def gradients(n: int) -> list[np.ndarray]:
        shapes = ((1, HEADS, 1, WIDTH), (1, HEADS, n, WIDTH), (1, HEADS, n, WIDTH))
        q, k, v = (numbers(*shape, seed=n + m) for m, shape in enumerate(shapes))
        for x in (q, k, v):
            x.stop_gradient = False
        shares = functional.softmax(paddle.matmul(q, k, transpose_y=True) * 0.1)
        paddle.matmul(shares, v).square().sum().backward()
        return [x.grad.numpy() for x in (q, k, v)]

    for n in range(60, 70):
        found = gradients(n)
        with config.override(backend="numpy"):
            wanted = gradients(n)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_an_operator_without_such_a_form_is_asked_for_it_once(compiled) -> None:
    weight = numbers(24, 8, 3, 3)
    for n in range(30, 40):
        functional.conv2d(numbers(1, 8, n, 40), weight)
    assert compiled == {"make_operation": 10, "make_open": 1}


def test_weights_of_several_sizes_keep_code_of_their_own(compiled) -> None:
    for n in (96, 128, 160, 192):
        functional.linear(numbers(1, 64), numbers(64, n), numbers(n))
    assert compiled["make_operation"] == 4


@pytest.mark.parametrize("axis", [-1, 0])
def test_arrays_may_lie_in_any_order_without_gaps(axis, compiled) -> None:
    softmax = op_named("softmax")
    for n in range(60, 70):
        array = numbers(n, 20).numpy().T
        found = Eager.kernels.forward(softmax, (array,), {"axis": axis})
        shifted = np.exp(array - array.max(axis, keepdims=True))
        wanted = shifted / shifted.sum(axis, keepdims=True)
        np.testing.assert_allclose(found, wanted, atol=1e-6)
    assert compiled == {"make_operation": 2, "make_open": 1}


def test_arrays_with_gaps_are_compiled_for_their_numbers(compiled) -> None:
    softmax = op_named("softmax")
    for n in range(60, 66):
        array = numbers(n, 40).numpy()[:, ::2]
        found = Eager.kernels.forward(softmax, (array,), {"axis": -1})
        shifted = np.exp(array - array.max(-1, keepdims=True))
        np.testing.assert_allclose(found, shifted / shifted.sum(-1, keepdims=True), atol=1e-6)
    assert compiled == {"make_operation": 6, "make_open": 0}

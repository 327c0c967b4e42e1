"""Blocks whose shapes vary run in pieces: those of fixed shapes compiled, the rest by NumPy."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.native.blocks import BlockFunction
from twinoar.backends.native.executable import NativeExecutable
from twinoar.backends.native.pieces import cut
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.jit import to_static

X = np.random.default_rng(3).standard_normal((4, 5)).astype(np.float32)
W = (np.random.default_rng(4).standard_normal((5, 5)) * 0.4).astype(np.float32)


def listed(x, w, n):
    i, h, found = paddle.zeros([], "int64"), x, []
    while i < n:
        h = paddle.tanh(h @ w + x)
        found.append(h)
        i = i + 1
    return paddle.stack(found).sum(0) * h if n > 0 else h


def of_two_lists(x, w, n):
    i, rows, sums = paddle.zeros([], "int64"), [x[0]], [x.sum()]
    while i < n:
        rows.append(paddle.sin(rows[-1] @ w))
        if i > 1:
            sums.append(rows[-1].sum())
        else:
            sums.append(sums[-1] * 2.0)
        i = i + 1
    return paddle.stack(rows).sum() + (paddle.stack(sums) ** 2).sum()


def joined(x, w, n):
    """What was collected decides what comes next."""
    i, all_rows = paddle.zeros([], "int64"), x
    while i < n:
        mean = paddle.tanh(all_rows.mean(0, keepdim=True) @ w)
        all_rows = paddle.concat([all_rows, mean, mean * 0.5])
        i = i + 1
    return all_rows.sum(1)


def thinned(x, w, n):
    """What is left is less each time."""
    while paddle.shape(x)[0] > n % 4 + 1:
        x = paddle.tanh(x @ w)[:-1]
    return x * 2.0


FUNCTIONS = [listed, of_two_lists, joined, thinned]


def gradients(function, n, x=X) -> list[np.ndarray]:
    x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (x, W))
    y = function(x, w, paddle.to_tensor(n))
    (y * y).sum().backward()
    wanted = [np.zeros_like(t.numpy()) if t.grad is None else t.grad.numpy() for t in (x, w)]
    return [y.numpy(), *wanted]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_grows_in_a_loop_and_its_gradients_are_those_of_eager_mode(function):
    with config.override(backend="native"):
        converted = to_static(function)
        found = [gradients(converted, n) for n in (3, 7, 2, 3, 1)]
    for n, arrays in zip((3, 7, 2, 3, 1), found, strict=True):
        for x, y in zip(arrays, gradients(function, n), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5 * max(1, np.abs(y).max()))
    for x, y in zip(found[0], found[3], strict=True):
        np.testing.assert_array_equal(x, y)


def test_threads_share_the_pieces_of_a_block():
    with config.override(backend="native"):
        function = to_static(listed)
        wanted = {n: gradients(function, n, X * n) for n in (7, 11)}
        found: list[bool] = []

        def again(n: int) -> None:
            for _ in range(10):
                pairs = zip(gradients(function, n, X * n), wanted[n], strict=True)
                found.append(all((a == b).all() for a, b in pairs))

        in_threads(partial(again, n) for n in wanted)
    assert len(found) == 20 and all(found)


def growing() -> Program:
    """A step of fixed shape, what grows by it, and what comes of that and is of fixed shape."""
    program = Program("growing")
    count = program.fresh_dim("N")
    x = program.main.add_input(Spec((3,), float32), "x")
    rows = program.main.add_input(Spec((count, 3), float32), "rows")
    with using(Builder(program, policy=UNRECORDED)):
        new = paddle.tanh(x) * 2.0 + 1.0
        after = paddle.concat([rows, new.reshape([1, 3])])
        program.main.outputs = [new, after, paddle.exp(after.sum(0)) + new]
    return program


def test_a_block_is_cut_where_shapes_vary():
    names = [[o.op.name for o in s.program.main.ops] for s in cut(growing())]
    assert names == [
        ["tanh", "multiply", "add", "reshape"],
        ["concat", "sum"],
        ["exp", "add"],
    ]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_block_gives_what_its_pieces_give_together(count):
    function = BlockFunction(growing().main, "block", lambda p: NativeExecutable(p, host()))
    x, rows = np.float32([1, 2, 3]), np.ones((count, 3), np.float32)
    new, after, last = function(x, rows)
    wanted = np.tanh(x) * 2 + 1
    np.testing.assert_allclose(new, wanted, rtol=1e-6)
    np.testing.assert_array_equal(after, [*rows, new])
    np.testing.assert_allclose(last, np.exp(count + wanted) + wanted, rtol=1e-5)
    assert "on NumPy, as shapes vary from call to call: concat, sum\n" in function.explain()


def random_list(seed: int):
    """A loop with lists to which results of a few random steps are appended."""

    def function(x, w, n):
        i, h = paddle.zeros([], "int64"), x
        rows, sums = [x], [x.sum()]
        while i < n:
            random = Random(seed)
            for _ in range(random.randint(1, 4)):
                kind = random.randrange(6)
                if kind == 0:
                    h = paddle.tanh(h @ w)
                elif kind == 1:
                    h = paddle.sin(rows[-1]) - h
                elif kind == 2:
                    rows.append(h * 0.5)
                elif kind == 3:
                    sums.append(h.mean() + sums[-1] * 0.5)
                elif kind == 4:
                    h = h + paddle.stack(rows).mean(0)
                else:
                    h = paddle.tanh(h + paddle.stack(sums).mean())
            rows.append(h)
            i = i + 1
        return paddle.stack(rows).sum(0) + paddle.stack(sums).sum() + h

    return function


@pytest.mark.parametrize("seed", range(10))
def test_random_lists_are_those_of_numpy(seed):
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            function = to_static(random_list(seed))
            found.append([g for n in (3, 0, 5, 1) for g in gradients(function, n)])
    for x, y in zip(*found, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-3, atol=1e-4 * max(1, np.abs(y).max()))

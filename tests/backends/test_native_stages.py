"""Programs in which data decides shapes run in stages, and say what NumPy says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
import twinoar.nn.functional as F
from twinoar import config
from twinoar.backends.native.staged import OWN, OnHost, Stage, Staged
from twinoar.errors import ArgumentError

pytestmark = pytest.mark.usefixtures("native")


def staged(function: Any) -> Staged:
    """What the forward Program of a converted function ran as."""
    executables = function.concrete_program.executables()
    forms = [f for e in executables.values() for f in e.forms.values()]
    (found,) = {f.staged for f in forms if f.staged is not None}
    return found


def positive_rows(x, w):
    h = paddle.tanh(x @ w)
    rows = paddle.gather(h, paddle.nonzero(h.sum(axis=1) > 0).flatten())
    return F.softmax(rows @ w, axis=-1) * 2.0


def of_numpy(function: Callable, *arrays: np.ndarray) -> list[np.ndarray]:
    with config.override(backend="numpy"):
        found = paddle.jit.to_static(function)(*map(paddle.to_tensor, arrays))
    return [t.numpy() for t in (found if isinstance(found, (list, tuple)) else [found])]


def test_each_count_of_rows_gives_what_numpy_gives():
    converted = paddle.jit.to_static(positive_rows)
    w = np.random.default_rng(0).standard_normal((5, 5)).astype("float32")
    counts = set()
    for seed in range(3 * OWN):
        x = np.random.default_rng(seed).standard_normal((9, 5)).astype("float32")
        if seed < 2:
            x = np.zeros_like(x) if seed else x * 0 + np.linalg.inv(w).sum(0)
        got = converted(paddle.to_tensor(x), paddle.to_tensor(w)).numpy()
        counts.add(len(got))
        np.testing.assert_allclose(got, of_numpy(positive_rows, x, w)[0], rtol=1e-5, atol=1e-6)
    assert {0} < counts
    assert len(counts) > 3


def test_stages_are_compiled_and_a_number_alone_is_read_between_them():
    converted = paddle.jit.to_static(positive_rows)
    x = paddle.randn([9, 5])
    converted(x, paddle.randn([5, 5]))
    found = staged(converted)
    assert [type(s) for s in found.stages] == [Stage, Stage]
    assert [v.spec.shape for v in found.asked] == [()]
    explained = converted.concrete_program.explain()
    assert "chosen_positions" in explained
    assert "NumPy" not in explained


def test_operators_without_a_rule_are_numpys_between_stages():
    def function(x):
        return paddle.unique(x * 2.0, axis=0) + 1.0

    converted = paddle.jit.to_static(function)
    converted(paddle.randn([9, 5]))
    stages = staged(converted).stages
    assert [type(s) for s in stages] == [Stage, OnHost, Stage]
    assert [o.op.name for o in stages[1].segment.program.main.ops] == ["unique"]
    assert "stage 1: NumPy, as the data decides" in converted.concrete_program.explain()


def test_one_plan_serves_all_counts():
    converted = paddle.jit.to_static(positive_rows)
    for seed in range(6):
        paddle.seed(seed)
        converted(paddle.randn([50, 5]), paddle.randn([5, 5]))
    last = staged(converted).stages[-1]
    assert len(last.executable.outlines.found) == 1
    assert last.numpy is None


def test_gradients_flow_through_what_data_chose():
    x = np.random.default_rng(1).standard_normal((9, 5)).astype("float32")
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            given = [paddle.to_tensor(a, stop_gradient=False) for a in (x, x[:5])]
            loss = paddle.jit.to_static(positive_rows)(*given).square().sum()
            loss.backward()
            found.append([t.grad.numpy() for t in given])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


class Masked(paddle.nn.Layer):
    """A loss of the elements that a mask leaves."""

    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(4, 4)

    def forward(self, x, least):
        y = self.linear(x)
        return paddle.masked_select(y, y > least).square().mean()


def test_training_steps_are_those_of_numpy():
    losses = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            paddle.seed(3)
            net = paddle.jit.to_static(Masked())
            adam = paddle.optimizer.Adam(0.05, parameters=net.parameters())
            losses.append([])
            for _ in range(6):
                loss = net(paddle.randn([8, 4]), paddle.zeros([1]))
                loss.backward()
                adam.step()
                adam.clear_grad()
                losses[-1].append(float(loss))
    np.testing.assert_allclose(*losses, rtol=1e-4)
    assert losses[0][-1] != losses[0][0]


def test_no_state_changes_when_a_later_stage_fails():
    program, startup = paddle.static.Program("counted"), paddle.static.Program("startup")
    paddle.enable_static()
    try:
        with paddle.static.program_guard(program, startup):
            x = paddle.static.data("x", [4])
            i = paddle.static.data("i", [1], "int64")
            count = paddle.static.create_global_var([1], 0.0, "float32", persistable=True)
            paddle.assign(count + 1.0, count)
            chosen = paddle.masked_select(x, x > 0)
            out = paddle.gather(chosen * 2.0, i)
    finally:
        paddle.disable_static()
    executor = paddle.static.Executor()
    executor.run(startup)
    feed = {"x": np.array([1, -1, 2, -2], "float32"), "i": np.array([1])}
    (found,) = executor.run(program, feed=feed, fetch_list=[out])
    assert found.tolist() == [4]
    with pytest.raises(ArgumentError, match="gather"):
        executor.run(program, feed={**feed, "i": np.array([3])}, fetch_list=[out])
    (now,) = executor.run(program, feed=feed, fetch_list=[count])
    assert now.tolist() == [2]


def test_what_is_printed_keeps_its_order(capfd):
    def function(x):
        print("before", x.sum())
        chosen = paddle.masked_select(x, x > 0)
        print("after", chosen.sum())
        print("last", x.max())
        return chosen

    paddle.jit.to_static(function)(paddle.to_tensor([1.0, -2.0, 3.0]))
    lines = [line.split()[0] for line in capfd.readouterr().out.splitlines() if line[:1].isalpha()]
    assert [word for word in lines if word in ("before", "after", "last")] == [
        "before", "after", "last",
    ]  # fmt: skip


def generated(seed: int) -> Callable[[Any, Any], Any]:
    """A function of two matrices that chooses rows and elements, and computes with what is left."""
    made = random.Random(seed)
    steps = [made.randrange(8) for _ in range(made.randint(3, 8))]

    def function(x, y):
        for n, step in enumerate(steps):
            if step == 0:
                x = paddle.gather(x, paddle.nonzero(x.sum(axis=1) > 0.1371 * n).flatten())
            elif step == 1:
                x = x[y.mean() + x.max(axis=1) > 0] if x.shape[0] != 0 else x
            elif step == 2:
                x = paddle.tanh(x @ y)
            elif step == 3:
                flat = paddle.masked_select(x, x > -0.5)
                x = x + flat.sum() * 0.1
            elif step == 4:
                x = paddle.concat([x, y * 0.5])
            elif step == 5:
                x = F.softmax(x, axis=-1) - 0.2
            elif step == 6:
                x = x + paddle.unique(paddle.round(y * 2)).sum() * 0.01
            else:
                y = y * 0.9 + x.mean() if n % 2 else y - 0.1
        return x, y

    return function


@pytest.mark.parametrize("seed", range(12))
def test_random_choices_are_those_of_numpy(seed: int):
    function = generated(seed)
    converted = paddle.jit.to_static(function)
    for run in range(4):
        r = np.random.default_rng(100 * seed + run)
        x, y = (r.standard_normal(s).astype("float32") for s in ((7, 4), (4, 4)))
        got = [t.numpy() for t in converted(paddle.to_tensor(x), paddle.to_tensor(y))]
        for a, b in zip(got, of_numpy(function, x, y), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_names_of_a_stage_are_its_own():
    def function(x):
        chosen = paddle.masked_select(x, x > 0)
        return F.softmax(chosen * 2.0, axis=-1) + F.gelu(chosen).sum()

    x = paddle.to_tensor([1.0, -1.0, 2.0])
    with config.override(check=True):
        got = paddle.jit.to_static(function)(x).numpy()
    np.testing.assert_allclose(got, of_numpy(function, x.numpy())[0], rtol=1e-5)

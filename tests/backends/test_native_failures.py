"""What data makes fail in compiled code: told as NumPy tells it, before anything follows of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import AxisError
from twinoar.jit import to_static
from twinoar.nn import functional as F

MARK = "# HERE"


def row() -> paddle.Tensor:
    return paddle.to_tensor(np.float32([1, 2, 3]))


def table() -> paddle.Tensor:
    return row().expand([2, 3])


def number(value: Any) -> paddle.Tensor:
    return paddle.to_tensor(np.array(value, "int64"))


def counted_index(x, n):
    y = x.sum()
    for i in range(n):
        y = y + x[i]  # HERE
    return y


def gathered_columns(x, n):
    y = x.sum()
    for i in range(n):
        y = y + paddle.gather(x, i + 0 * n, axis=1).sum()  # HERE
    return y


def embedded(x, n):
    y = x.sum()
    for i in range(n):
        y = y + F.embedding(i + 0 * n, x).sum()  # HERE
    return y


def one_hot(x, n):
    y = x.sum()
    for i in range(n):
        y = y + F.one_hot(i + 0 * n, 3).sum()  # HERE
    return y


def label_of_a_loss(x, n):
    y = x.sum()
    for i in range(n):
        y = y + F.cross_entropy(x[:1], (i + 0 * n).reshape([1]))  # HERE
    return y


def in_an_inner_loop(x, n):
    y = x.sum()
    for i in range(n - 3):
        for j in range(n):
            y = y + x[i, j]  # HERE
    return y


def under_an_if_in_a_loop(x, n):
    y = x.sum()
    for i in range(n):
        if y > 0:
            y = y + x[i + 2]  # HERE
    return y


def written_item(x, n):
    for i in range(n):
        x[i] = x[0] + 1  # HERE
    return x


def before_an_assertion(x, n):
    y = x[n]  # HERE
    assert y < 0
    return y


def after_an_assertion(x, n):
    assert x.sum() > 0
    return x[n] + 1  # HERE


def before_a_branch(x, n):
    y = x[n]  # HERE
    if y > 0:
        y = y + 1
    return y


def after_a_branch(x, n):
    z = x
    if x.sum() > 0:
        z = x * 2
    return z[n] + 1  # HERE


def after_a_loop(x, n):
    k = n
    while k > 0:
        k = k - 4
    return x[n + k] + 1  # HERE


class Wrong(NamedTuple):
    """A function, what it is given, and what is told."""

    function: Callable
    x: Callable[[], paddle.Tensor]
    n: int
    told: str


OUT_OF_ROW = "index 5 is out of range for dimension 0 of size 3"
CASES = [
    Wrong(counted_index, row, 5, "index 3 is out of range for dimension 0 of size 3"),
    Wrong(gathered_columns, table, 5, "index 3 is out of range for dimension 1 of size 3"),
    Wrong(embedded, table, 5, "x holds 2, which is not below the 2 rows of weight"),
    Wrong(one_hot, row, 5, "x holds 3, which is not below the 3 classes"),
    Wrong(label_of_a_loss, table, 5, "label 3 names no class"),
    Wrong(in_an_inner_loop, table, 5, "index 3 is out of range for dimension 1 of size 3"),
    Wrong(under_an_if_in_a_loop, row, 5, "index 3 is out of range for dimension 0 of size 3"),
    Wrong(written_item, row, 5, "index 3 is out of range for dimension 0 of size 3"),
    Wrong(before_an_assertion, row, 5, OUT_OF_ROW),
    Wrong(after_an_assertion, row, 5, OUT_OF_ROW),
    Wrong(before_a_branch, row, 5, OUT_OF_ROW),
    Wrong(after_a_branch, row, 5, OUT_OF_ROW),
    Wrong(after_a_loop, row, 6, OUT_OF_ROW.replace("5", "4")),
]


def failed(function: Callable, *arguments: paddle.Tensor) -> str:
    with pytest.raises(AxisError) as caught:
        to_static(function)(*arguments)
    assert type(caught.value) is AxisError
    return str(caught.value)


def marked_line(function: Callable) -> int:
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if MARK in line)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.function.__name__)
def test_an_index_outside_names_its_own_line_and_number(case, backend):
    with config.override(backend=backend):
        text = failed(case.function, case.x(), number(case.n))
    assert case.told in text
    assert f"\n  at {__file__}:{marked_line(case.function)}: " in text


def printed(x, n):
    y = x[n]  # HERE
    print("y is", y.sum())
    return y


def test_nothing_is_printed_that_follows_from_an_index_outside(capsys):
    assert OUT_OF_ROW in failed(printed, row(), number(5))
    assert capsys.readouterr().out == ""


def printed_before(x, n):
    print("before", x.sum())
    return x[n] + 1  # HERE


def test_what_is_printed_before_is_printed_once(capsys):
    assert OUT_OF_ROW in failed(printed_before, row(), number(5))
    assert capsys.readouterr().out.count("before") == 1


def test_a_users_function_is_not_called_again_to_tell_of_an_index():
    calls = []

    def more(a: np.ndarray) -> np.ndarray:
        calls.append(a)
        return np.asarray(a) + 1

    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [3], "float32")
            n = paddle.static.data("n", [1], "int64")
            k = program.current_block().create_var(name="k", shape=[1], dtype="int64")
            paddle.static.py_func(more, n, k)
            out = paddle.gather(x, k) * 2
        feeds = {"x": np.ones(3, np.float32), "n": np.array([8])}
        with pytest.raises(AxisError) as caught:
            paddle.static.Executor().run(program, feeds, [out])
    finally:
        paddle.disable_static()
    assert len(calls) == 1
    text = str(caught.value)
    assert re.match(r"gather: index lies outside of the 3 places", text)
    assert "out = paddle.gather(x, k) * 2" in text


def test_a_run_that_failed_leaves_nothing_to_the_next():
    function = to_static(counted_index)
    for _ in range(2):
        with pytest.raises(AxisError):
            function(row(), number(5))
        assert float(function(row(), number(3))) == 12


class Step(paddle.nn.Layer):
    """A training step with an embedding, whose update must not happen where an index is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = paddle.nn.Embedding(4, 3)
        self.out = paddle.nn.Linear(3, 2)
        self.optimizer = paddle.optimizer.Adam(0.1, parameters=self.parameters())

    def forward(self, words, labels):
        h = self.embedding(words)
        assert h.isfinite().all()
        loss = F.cross_entropy(self.out(h), labels)  # HERE
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss


def test_a_training_step_with_a_wrong_label_tells_it_and_changes_nothing():
    step = Step()
    run = to_static(step)
    run(number([0, 3]), number([0, 1]))
    before = [p.numpy() for p in step.parameters()]
    with pytest.raises(AxisError, match="label 2 names no class") as caught:
        run(number([0, 3]), number([0, 2]))
    assert f"at {__file__}:{marked_line(Step.forward)}: " in str(caught.value)
    for p, old in zip(step.parameters(), before, strict=True):
        np.testing.assert_array_equal(p.numpy(), old)
    with pytest.raises(AxisError, match="x holds 9"):
        run(number([0, 9]), number([0, 1]))

"""Operators whose results' sizes the data decides: what they refuse is told as NumPy tells it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import ArgumentError, TwinoarError
from twinoar.jit import to_static

MARK = "# HERE"
LAST = np.iinfo("int64").max


def repeated(x, n):
    return paddle.repeat_interleave(x * 2, n - 1) + 1  # HERE


def counted(x, n):
    return paddle.bincount(n - 1) * 2  # HERE


def counted_by_weights(x, n):
    return paddle.bincount(n, paddle.masked_select(x, x > 1)) * 2  # HERE


def in_segments(x, n):
    return paddle.geometric.segment_mean(x, n - 1) * 2  # HERE


def repeated_wrongly(x, n):
    return paddle.repeat_interleave(x, paddle.masked_select(n, n > 1)) * 2  # HERE


class Refused(NamedTuple):
    """A function, what it is given, and what is told."""

    function: Callable
    x: Any
    n: Any
    operator: str
    told: str


REFUSED = [
    Refused(repeated, [1.0, 2.0], [3, 0], "repeat_by", "repeats must not be negative, received -1"),
    Refused(repeated, [1.0] * 3, [LAST, LAST, 6], "repeat_by", "a sum that an int64 holds"),
    Refused(repeated_wrongly, [1.0] * 4, [2, 0, 3, 4], "repeat_by", "one count for each slice"),
    Refused(counted, [1.0], [2, 0], "bincount", "x must not hold negative numbers, received -1"),
    Refused(counted_by_weights, [1.0, 2.0], [2, 0], "bincount", "the same length"),
    Refused(in_segments, [1.0, 2.0], [2, 0], "segment_pool", "must not hold negative numbers"),
]


def marked_line(function: Callable) -> int:
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if MARK in line)


@pytest.mark.parametrize("backend", ["numpy", "native", "eager"])
@pytest.mark.parametrize("case", REFUSED, ids=lambda c: c.function.__name__)
def test_what_is_refused_names_the_operator_that_the_user_called(case: Refused, backend: str):
    function = case.function if backend == "eager" else to_static(case.function)
    with (
        config.override(backend="native" if backend == "eager" else backend),
        pytest.raises(TwinoarError) as caught,
    ):
        function(paddle.to_tensor(case.x), paddle.to_tensor(case.n))
    text = str(caught.value)
    assert text.startswith(f"{case.operator}: ")
    assert case.told in text
    assert f"\n  at {__file__}:{marked_line(case.function)}: " in text


class Counting(paddle.nn.Layer):
    """Counts its runs, and prints before and after what may be refused."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("runs", paddle.zeros([1]))

    def forward(self, x, n):
        self.runs.set_value(self.runs + 1)
        print("sum", x.sum())
        found = paddle.repeat_interleave(x, n)
        print("found", found.sum())
        return found


def test_a_run_that_is_refused_prints_once_and_changes_no_state(capsys):
    net = Counting()
    run = to_static(net)
    x = paddle.to_tensor([1.0, 2.0])
    with config.override(backend="native"):
        run(x, paddle.to_tensor([1, 2]))
        capsys.readouterr()
        with pytest.raises(TwinoarError, match="negative"):
            run(x, paddle.to_tensor([1, -2]))
        printed = capsys.readouterr().out
        assert printed.count("sum") == 1
        assert "found" not in printed
        assert net.runs.tolist() == [1]
        assert run(x, paddle.to_tensor([0, 2])).tolist() == [2, 2]
        assert net.runs.tolist() == [2]


def test_a_users_function_is_not_called_again_to_tell_of_a_refusal():
    calls = []

    def more(a: np.ndarray) -> np.ndarray:
        calls.append(a)
        return np.asarray(a) - 1

    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [2], "float32")
            n = paddle.static.data("n", [2], "int64")
            k = program.current_block().create_var(name="k", shape=[2], dtype="int64")
            paddle.static.py_func(more, n, k)
            out = paddle.repeat_interleave(x, k) * 2
        feed = {"x": np.ones(2, np.float32), "n": np.array([0, 2])}
        with pytest.raises(ArgumentError) as caught:
            paddle.static.Executor().run(program, feed, [out])
    finally:
        paddle.disable_static()
    assert len(calls) == 1
    assert "out = paddle.repeat_interleave(x, k) * 2" in str(caught.value)

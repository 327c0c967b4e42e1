"""Gradients of loops that data ends run without Python, and are those that NumPy's kernels give."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import partial
from random import Random

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import config
from twinoar.backends.llvm.driver import Routine, push
from twinoar.backends.native.executable import NativeExecutable
from twinoar.compile.commands import Commands, Pop, Push, bodies_of
from twinoar.compile.commands_text import parsed, printed
from twinoar.errors import AxisError, ProgramError
from twinoar.jit import to_static
from twinoar.static.nn import cond, while_loop

X = np.random.default_rng(3).standard_normal((4, 5)).astype(np.float32)
W = (np.random.default_rng(4).standard_normal((5, 5)) * 0.4).astype(np.float32)


def cell(x, w, n):
    i, h = paddle.zeros([], "int64"), x
    while i < n:
        h = paddle.tanh(h @ w + x)
        i = i + 1
    return (h * h).sum()


def exchanged(x, w, n):
    i, a, b = paddle.zeros([], "int64"), x, x * 2
    while i < n:
        a, b = b, paddle.sin(a) + b @ w
        i = i + 1
    return (a * b).sum()


def unread(x, w, n):
    i, a, b = paddle.zeros([], "int64"), x, x
    while i < n:
        a, b = x * 3, a * w[0]
        i = i + 1
    return (a + b).sum()


def chosen(x, w, n):
    i, h = paddle.zeros([], "int64"), x
    while i < n:
        h = h @ w - 1 if h.sum() > 0 else paddle.cos(h)
        i = i + 1
    return h.sum()


def nested(x, w, n):
    i, h = paddle.zeros([], "int64"), x
    while i < n:
        j = paddle.zeros([], "int64")
        while j < i:
            h = paddle.tanh(h @ w + x)
            j = j + 1
        h = h + x
        i = i + 1
    return (h * h).sum()


def looked_up(x, w, n):
    i, h = paddle.zeros([], "int64"), x
    while i < n:
        h = h * paddle.gather(w, i.reshape([1]))
        i = i + 1
    return h.sum()


def perhaps(x, w, n):
    h = x
    if n > 1:
        i = paddle.zeros([], "int64")
        while i < n:
            h = paddle.tanh(h @ w + x)
            i = i + 1
    else:
        h = x * x
    return (h * w[0]).sum()


FUNCTIONS = [cell, exchanged, unread, chosen, nested, looked_up, perhaps]


def gradients(function, n, x=X) -> list[np.ndarray]:
    x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (x, W))
    y = function(x, w, paddle.to_tensor(n))
    y.backward()
    wanted = [np.zeros_like(t.numpy()) if t.grad is None else t.grad.numpy() for t in (x, w)]
    return [y.numpy(), *wanted]


def second_gradients(function, n, x=X) -> list[np.ndarray]:
    """The gradients of both, then those of a sum of these, weighted by their own places."""
    xs = [paddle.to_tensor(a, stop_gradient=False) for a in (x, W)]
    y = function(*xs, paddle.to_tensor(n))
    first = paddle.grad(paddle.sin(y), xs, create_graph=True, allow_unused=True)
    weighted = paddle.zeros([])
    for k, g in enumerate(g for g in first if g is not None):
        places = paddle.arange(g.size, dtype="float32").reshape(g.shape)
        weighted = weighted + (g * paddle.cos(places + k)).sum()
    second = paddle.grad(weighted, xs, allow_unused=True)
    return [
        np.zeros_like(a.numpy()) if g is None else g.numpy()
        for a, g in zip([*xs, *xs], [*first, *second], strict=True)
    ]


def kinds(commands: Commands) -> Counter[type]:
    found = Counter(map(type, commands.walk()))
    for c in commands.walk():
        found.update([type(x) for x in vars(c).values() if isinstance(x, (Push, Pop))])
        for body in bodies_of(c):
            found.update(kinds(body))
    return found


@pytest.fixture
def compiled(monkeypatch) -> list[NativeExecutable]:
    """What is compiled while a test runs."""
    found: list[NativeExecutable] = []
    make = NativeExecutable.__init__

    def noted(self, *args, **named):
        make(self, *args, **named)
        found.append(self)

    monkeypatch.setattr(NativeExecutable, "__init__", noted)
    return found


def commands_of(executables) -> list[Commands]:
    return [form.commands for e in executables for form in e.forms.values()]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients_of_loops_are_those_of_eager_and_no_python_runs(function, count, compiled):
    with config.override(backend="native", strict=True, check=True):
        found = gradients(to_static(function), count)
    for x, y in zip(found, gradients(function, count), strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-5, atol=2e-6)
    made = commands_of(compiled)
    assert made
    assert [k.name for c in made for k in c.kernels if k.kind == "host"] == []
    assert not any(c.is_hosted for c in made)
    assert all(parsed(printed(c)) == c for c in made)
    if function is not nested:
        assert sum((kinds(c) for c in made), Counter())[Pop] == 1


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_second_gradients_of_loops_are_those_of_eager_and_no_python_runs(function, count, compiled):
    with config.override(backend="native", strict=True, check=True):
        found = second_gradients(to_static(function), count)
    for x, y in zip(found, second_gradients(function, count), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5 * max(1, np.abs(y).max()))
    made = commands_of(compiled)
    assert [k.name for c in made for k in c.kernels if k.kind == "host"] == []
    assert not any(c.is_hosted for c in made)
    assert all(parsed(printed(c)) == c for c in made)


def test_what_is_kept_of_iterations_grows():
    with config.override(backend="native"):
        function = to_static(cell)
        for count in (3, 1000, 20, 0):
            for x, y in zip(gradients(function, count), gradients(cell, count), strict=True):
                np.testing.assert_allclose(x, y, rtol=2e-5, atol=2e-6)


def test_threads_that_go_back_through_one_loop_have_stacks_of_their_own():
    with config.override(backend="native"):
        function = to_static(cell)
        wanted = {n: gradients(function, n, X * n) for n in (7, 40)}
        found: list[bool] = []

        def again(n: int) -> None:
            for _ in range(20):
                pairs = zip(gradients(function, n, X * n), wanted[n], strict=True)
                found.append(all((a == b).all() for a, b in pairs))

        in_threads(partial(again, n) for n in wanted)
    assert len(found) == 40 and all(found)


def test_a_run_that_fails_half_way_leaves_nothing_to_the_next():
    with config.override(backend="native"):
        function = to_static(looked_up)
        wanted = gradients(function, 3)
        with pytest.raises(AxisError):
            gradients(function, 9)
        for x, y in zip(gradients(function, 3), wanted, strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize(("of", "names"), [
    (gradients, ["test", "body", "backward"]),
    (second_gradients, ["test", "body", "backward", "second", "backward again"]),
])  # fmt: skip
def test_explain_shows_the_blocks_of_a_loop_and_of_its_gradients(of, names, compiled):
    with config.override(backend="native"):
        function = to_static(cell)
        wanted = of(function, 5)
        texts = [e.table() for e in compiled if e.forms]
        last = next(text for text in texts if f"{names[-1]} of while_" in text)
        assert [f"\n{name} of while_" in last for name in names] == [True] * len(names)
        assert [e.host_commands() for e in compiled if e.forms] == [[]] * len(texts)
        for x, y in zip(of(function, 5), wanted, strict=True):
            np.testing.assert_array_equal(x, y)


WITHOUT_MEMORY = """
import resource, twinoar as paddle
from twinoar.errors import OutOfMemoryError

@paddle.jit.to_static
def halved(x, n):
    while n > 0:
        x, n = paddle.sin(x), n - 1
    return x.sum()

def slope(n):
    x = paddle.ones([512, 512]); x.stop_gradient = False
    halved(x, paddle.to_tensor(n)).backward()
    return float(x.grad.sum())

wanted = slope(3)
used = 1024 * int(next(s for s in open("/proc/self/status") if s.startswith("VmSize")).split()[1])
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), hard))
try:
    slope(2000)
except OutOfMemoryError as error:
    print("told", error)
print(slope(3) == wanted)
"""


def test_where_there_is_no_memory_for_iterations_it_is_told_and_the_next_run_is_right(
    tmp_path,
):
    file = tmp_path / "without_memory.py"
    file.write_text(WITHOUT_MEMORY)
    environment = {**os.environ, "TWINOAR_BACKEND": "native"}
    done = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True
    )
    assert done.stdout.startswith("told") and done.stdout.endswith("True\n"), done.stderr
    assert "there is no memory" in done.stdout


def random_loop(seed: int):
    """A loop whose body does a few random steps, then lets what it carries change places."""

    def steps(random: Random, values: list, depth: int) -> list:
        values = list(values)
        for _ in range(random.randint(1, 4)):
            a, b = random.choice(values), random.choice(values)
            kind = random.randrange(6 if depth < 2 else 4)
            if kind < 4:
                made = (paddle.tanh(a @ values[0]), paddle.sin(a) * b, a - b, a * 0.5 + 1)[kind]
            elif kind == 4:
                inner = random.random()
                made = cond(
                    a.sum() > 0,
                    lambda inner=inner, now=tuple(values): steps(Random(inner), now, depth + 1)[-1],
                    lambda b=b: paddle.tanh(b),
                )
            else:
                made = loop(random.random(), values, 2, depth + 1)
            values.append(made)
        return values

    def loop(inner: float, values: list, count, depth: int):
        def body(i, *carried):
            random = Random(inner)
            after = steps(random, [*values, *carried], depth)
            return [i + 1, *(paddle.clip(random.choice(after), -2, 2) for _ in carried)]

        start = [paddle.zeros([], "int64"), values[-1], values[0] * 2]
        _, a, b = while_loop(lambda i, *_: i < count, body, start)
        return a + paddle.sin(b)

    def function(x, w, n):
        return loop(seed, [w, w @ w, x @ w, x], n, 0).sum()

    return function


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("of", [gradients, second_gradients])
def test_gradients_of_random_loops_are_those_of_numpy(of, seed, compiled):
    found = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            function = to_static(random_loop(seed))
            x = np.random.default_rng(seed).standard_normal((5, 5)).astype(np.float32)
            found.append([g for n in (3, 0, 1) for g in of(function, n, x)])
    for x, y in zip(*found, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-3, atol=1e-4 * max(1, np.abs(y).max()))
    assert not any(c.is_hosted for c in commands_of(compiled))


def test_a_stack_says_that_there_is_no_memory_for_a_record():
    stack, piece = np.zeros(4, np.int64), np.zeros(1)
    size = 1 << 56
    words = np.array([stack.ctypes.data, 0, 1, size, piece.ctypes.data, size], np.int64)
    with pytest.raises(ProgramError, match="a push"):
        Routine([push(words.ctypes.data)]).run()
    np.testing.assert_array_equal(stack, [0, 0, 0, 1])

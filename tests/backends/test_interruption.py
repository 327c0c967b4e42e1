"""Ctrl-C ends native code that runs for long, and what is left can run again."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.backends.choice import may_compile
from twinoar.backends.llvm import driver, emit

pytestmark = [
    pytest.mark.skipif(not may_compile(), reason="NumPy's kernels have no such loops"),
    pytest.mark.skipif(sys.platform != "linux", reason="signals as Linux has them"),
]
LONG = 2**44  # additions: hours
QUICK_SECONDS = 20  # that the end may take on a busy machine


def interrupted(run) -> float:
    """The seconds until `run` ends after a Ctrl-C that comes while it runs."""
    pressed = []

    def press() -> None:
        pressed.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run()
    timer.join()
    return time.monotonic() - pressed[0]


def summed(x):
    return x.expand([LONG]).sum()


def by_rows(x):
    return (x.expand([2**22, 2**22]) * x).exp().sum(1)


def in_the_middle(x):
    return x.expand([2**15, 3, 2**30]).sum([0, 2])


def until_it_is_one(x):
    while x.sum() != 1.0:
        x = x * 1.0
    return x


def in_a_branch(x):
    if x.sum() > 0:
        x = until_it_is_one(x)
    return x


@pytest.mark.parametrize("function", [summed, by_rows, in_the_middle, until_it_is_one, in_a_branch])
def test_a_converted_function_ends(function) -> None:
    converted = paddle.jit.to_static(function)
    x = paddle.to_tensor([0.5])
    converted.get_concrete_program(x)
    assert interrupted(lambda: converted(x)) < QUICK_SECONDS


def test_what_was_interrupted_runs_again() -> None:
    converted = paddle.jit.to_static(lambda x, n: x.expand([n]).sum())
    x = paddle.to_tensor([1.0])
    interrupted(lambda: converted(x, LONG))
    assert float(converted(x, 1000)) == 1000.0
    interrupted(lambda: converted(x, LONG))


@pytest.mark.parametrize("updates", [False, True])
def test_a_static_program_ends_and_its_states_stay(updates: bool) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [1])
        loss = summed(x)
        if updates:
            weight = static.create_parameter([1], "float32")
            loss = loss + weight.sum()
            paddle.optimizer.SGD(0.1).minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    before = [np.array(static.global_scope().find_var(n).get_tensor()) for n in main.states]

    def run():
        executor.run(main, feed={"x": np.ones(1, "float32")}, fetch_list=[loss])

    assert interrupted(run) < QUICK_SECONDS
    after = [np.array(static.global_scope().find_var(n).get_tensor()) for n in main.states]
    for one, other in zip(before, after, strict=True):
        assert np.array_equal(one, other)


def test_a_handler_that_only_notes_does_not_end_the_run() -> None:
    noted = []
    before = signal.signal(signal.SIGINT, lambda *_: noted.append(1))
    try:
        threading.Timer(0.1, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()
        converted = paddle.jit.to_static(lambda x: x.expand([2**33]).sum())
        assert float(converted(paddle.to_tensor([0.0]))) == 0.0
        assert noted == [1]
    finally:
        signal.signal(signal.SIGINT, before)


def test_kernels_of_usual_sizes_ask_nothing() -> None:
    executor = paddle.jit.to_static(lambda x: (x * 2).sum())
    executor(paddle.ones([1000, 1000]))
    (concrete,) = executor.program_cache.concrete_programs()
    (executable,) = concrete.executables().values()
    (form,) = executable.forms.values()
    assert not any(p.made.kernel.polls for p in form.compiled.parts)
    assert not form.free[0].routine.polls


@pytest.mark.parametrize("size", [1, 2**14 - 1, 2**14, 2**14 + 1, 100_003])
def test_loops_in_strips_compute_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit, "LONG", 1)
    x = np.random.default_rng(size).standard_normal((3, size)).astype("float32")
    converted = paddle.jit.to_static(lambda x: ((x * 2).exp().sum(1), x + 1, x.max(), x.argmax(1)))
    total, more, most, where = (t.numpy() for t in converted(paddle.to_tensor(x)))
    np.testing.assert_allclose(total, np.exp(x * 2).sum(1), rtol=1e-4)
    assert np.array_equal(more, x + 1)
    assert most == x.max() and np.array_equal(where, x.argmax(1))


def test_a_routine_that_repeats_often_ends() -> None:
    slow = driver.Routine([driver.callback(lambda: time.sleep(0.001))])
    outer = driver.Routine([driver.repeat(slow, 2**40)])
    assert interrupted(outer.run) < QUICK_SECONDS


SCRIPT = """
import twinoar as paddle
f = paddle.jit.to_static(lambda x: x.expand([2**44]).sum())
print("runs", flush=True)
f(paddle.ones([1]))
"""


def test_a_process_ends_by_its_signal(tmp_path) -> None:
    (tmp_path / "run.py").write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, tmp_path / "run.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"runs\n"
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT and b"KeyboardInterrupt" in said

"""What follows from states that no run changes: one memory of it for all who bind the same ones."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import nn
from twinoar.backends.native import NativeExecutable, host
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.spec import Spec
from twinoar.errors import AxisError
from twinoar.ops.index.gather import gather

THREADS = 6
CHANNELS = 64


def convolving() -> tuple[NativeExecutable, list[np.ndarray]]:
    """Two convolutions whose weights are packed, and their states."""
    paddle.seed(0)
    net = nn.Sequential(nn.Conv2D(8, CHANNELS, 3), nn.ReLU(), nn.Conv2D(CHANNELS, CHANNELS, 3))
    net.eval()
    spec = paddle.static.InputSpec([None, 8, 12, 12], name="x")
    program = paddle.jit.to_static(net, input_spec=[spec]).forward.concrete_program.main_program
    executable = NativeExecutable(program, host())
    return executable, [program.states[n].data.numpy() for n in executable.state_names]


def images(count: int) -> np.ndarray:
    numbers = np.random.default_rng(count)
    return numbers.standard_normal((count, 8, 12, 12)).astype(np.float32)


def at_once(executable: NativeExecutable, x: np.ndarray, given: list[list[np.ndarray]]) -> list:
    """What threads find that run at the same time, each with states of its own."""
    barrier, found = threading.Barrier(len(given)), [None] * len(given)

    def run(n: int) -> None:
        barrier.wait()
        for _ in range(5):
            found[n] = executable.call([x], given[n])[0][0].tobytes()

    in_threads(partial(run, n) for n in range(len(given)))
    return found


def test_threads_have_packed_weights_in_common() -> None:
    executable, states = convolving()
    x = images(2)
    expected = executable.call([x], states)[0][0].tobytes()
    assert at_once(executable, x, [states] * THREADS) == [expected] * THREADS
    (form,) = executable.forms.values()
    assert len({id(i._derived) for i in form.free}) == 1
    packed = CHANNELS * CHANNELS * 9 * 4
    assert form.commands.derived_bytes >= packed > form.commands.arena


def test_other_sizes_have_them_in_common_too() -> None:
    executable, states = convolving()
    for count in (1, 2, 5):
        executable.call([images(count)], states)
    held = {id(i._derived) for f in executable.forms.values() for i in f.free}
    kinds = {id(f.common) for f in executable.forms.values()}
    assert len(executable.forms) == 3 and len(held) == len(kinds) < 3


def test_threads_with_other_states_have_memories_of_their_own() -> None:
    executable, states = convolving()
    x = images(2)
    given = [[a + np.float32(n % 3) for a in states] for n in range(THREADS)]
    expected = [executable.call([x], states)[0][0].tobytes() for states in given]
    assert len(set(expected)) == 3
    assert at_once(executable, x, given) == expected


def test_a_new_weight_is_packed_into_the_memory_of_the_last() -> None:
    executable, states = convolving()
    x = images(1)
    executable.call([x], states)
    (form,) = executable.forms.values()
    memory = form.free[0]._derived
    later = [a * np.float32(2) for a in states]
    found = executable.call([x], later)[0][0]
    assert form.free[0]._derived is memory
    np.testing.assert_array_equal(found, convolving()[0].call([x], later)[0][0])


def test_what_failed_to_follow_is_derived_again() -> None:
    program = Program("looked up")
    x = program.main.add_input(Spec((3, 5), float32), "x")
    table = program.add_state(Spec((7, 5), float32), "table")
    index = program.add_state(Spec((3,), int64), "index")
    with using(Builder(program)):
        program.main.outputs = [x + gather(table, index, 0)]
    executable = NativeExecutable(program, host())
    x, table = np.ones((3, 5), np.float32), np.arange(35, dtype=np.float32).reshape(7, 5)
    with pytest.raises(AxisError):
        executable.call([x], [table, np.array([0, 7, 1])])
    (found,), _ = executable.call([x], [table, np.array([0, 6, 1])])
    np.testing.assert_array_equal(found, 1 + table[[0, 6, 1]])

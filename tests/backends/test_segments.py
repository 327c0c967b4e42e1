"""Programs in pieces for a device and the host: as few as what they need of each other allows."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.backends.numpy import NumpyExecutable
from twinoar.backends.segments import Segment, segments
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.ops.collective.all_reduce import all_reduce_max, all_reduce_sum
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.trigonometry import tanh


def program_of(body) -> Program:
    """A Program on an x [100] and a rate []."""
    program = Program("model")
    x = program.main.add_input(Spec((100,), float32), "x")
    rate = program.main.add_input(Spec((), float32), "rate")
    with using(Builder(program, policy=UNRECORDED)):
        program.main.outputs = body(x, rate)
    return program


def pieces(program: Program, *host: str) -> list[Segment]:
    """The pieces where the host runs operators of these names, and keeps the rate."""
    return segments(program, lambda o: o.op.name not in host, program.main.inputs[1:])


def names(found: list[Segment]) -> list[list[str]]:
    return [[o.op.name for o in s.program.main.ops] for s in found]


def falling(x, rate):
    for _ in range(3):
        x, rate = multiply(x, rate), multiply(rate, 0.5)
    return [x, rate]


def there_and_back(x, rate):
    return [tanh(exp(tanh(x))), tanh(rate)]


def told(x, rate):
    return [all_reduce_sum(x), all_reduce_max(x), all_reduce_sum(add(x, 1.0))]


def test_what_the_host_computes_for_a_device_is_one_piece() -> None:
    found = pieces(program_of(falling))
    assert [s.on_host for s in found] == [True, False]
    assert names(found) == [["multiply"] * 3, ["multiply"] * 3]


def test_a_value_that_goes_there_and_back_takes_three() -> None:
    found = pieces(program_of(there_and_back), "exp")
    assert [s.on_host for s in found] == [False, True, False]


def test_what_has_effects_stays_in_order() -> None:
    found = pieces(program_of(told), "all_reduce_max")
    assert names(found) == [["all_reduce_sum", "add"], ["all_reduce_max"], ["all_reduce_sum"]]


@pytest.mark.parametrize("body", [falling, there_and_back, told])
def test_pieces_compute_what_the_whole_does(body) -> None:
    program = program_of(body)
    given = [np.linspace(0, 1, 100, dtype=np.float32), np.float32(0.5).reshape(())]
    values = dict(zip(program.main.inputs, given, strict=True))
    for s in pieces(program, "exp", "all_reduce_max"):
        found, _ = NumpyExecutable(s.program).execute([values[v] for v in s.takes], [])
        values.update(zip(s.gives, found, strict=True))
    wanted, _ = NumpyExecutable(program).execute(given, [])
    for v, array in zip(program.main.outputs, wanted, strict=True):
        np.testing.assert_array_equal(values[v], array)

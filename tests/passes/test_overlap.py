"""Means over ranks are begun as soon as what they are means of is there, and awaited late."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.backends.host import host
from twinoar.backends.native.compiled import compile_program
from twinoar.compile.commands import Arrive, Poke, Travel
from twinoar.compile.commands_text import parsed, printed
from twinoar.compile.pipeline import lower
from twinoar.compile.stages import Stages
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.ops.collective.all_reduce import all_reduce_together
from twinoar.ops.linalg.matmul import matmul
from twinoar.runtime.collective import run_ranks

SIZE = 65  # whose products do not fill their last line of a cache


def two_products() -> Program:
    """The mean of two products, of which a third, slow one needs neither."""
    program = Program("step")
    x = program.main.add_input(Spec((SIZE, SIZE), float32), "x")
    with using(Builder(program, policy=UNRECORDED)):
        first, second = matmul(x, x, False, False), matmul(x, x, True, False)
        third = matmul(first, second, False, False)
        third = matmul(third, first, False, False)
        program.main.outputs = [*all_reduce_together((first, second), 0), third]
    return program


def test_a_mean_is_begun_behind_what_it_needs_and_awaited_where_it_stood():
    names = [o.op.name for o in lower(two_products()).main.ops]
    assert names == [
        *("matmul", "matmul", "begin_means", "matmul", "matmul", "end_means", "wait", "wait"),
    ]


def test_values_that_travel_together_lie_side_by_side():
    program = two_products()
    lower(program)
    commands = compile_program(program, host(), Stages()).commands
    (travel,) = (c for c in commands.walk() if isinstance(c, Travel))
    size = SIZE * SIZE * 4
    assert travel.source.size == travel.target.size == -(-size // 64) * 64 + size
    assert travel.given.shape == (travel.source.size // 4,)
    assert not travel.is_awaited


def test_flights_go_on_between_the_parts_that_follow():
    program = two_products()
    lower(program)
    kinds = [
        type(c)
        for c in compile_program(program, host(), Stages()).commands.walk()
        if isinstance(c, (Travel, Poke, Arrive))
    ]
    assert kinds[0] is Travel and kinds[-1] is Arrive
    assert Poke in kinds


def test_what_travels_is_printed_and_read_back():
    program = two_products()
    lower(program)
    commands = compile_program(program, host(), Stages()).commands
    assert parsed(printed(commands)) == commands


@pytest.mark.parametrize("megabytes", [25, 1e-4])
def test_steps_of_ranks_are_those_without_it(megabytes):
    def trained(compiled):
        net = nn.Sequential(nn.Linear(5, 7), nn.GELU(), nn.Linear(7, 3))
        numbers = np.random.default_rng(0)
        for p in net.parameters():
            p.set_value(numbers.standard_normal(p.shape).astype("float32"))
        model = paddle.DataParallel(net, comm_buffer_size=megabytes)
        adam = paddle.optimizer.Adam(1e-2, parameters=net.parameters())

        def step(x):
            loss = model(x).square().mean()
            loss.backward()
            adam.step()
            adam.clear_grad()

        run = paddle.jit.to_static(step) if compiled else step
        for _ in range(3):
            run(paddle.to_tensor(numbers.standard_normal([4, 5]).astype("float32")))
        return [p.numpy() for p in net.parameters()]

    for one, other in zip(
        run_ranks(2, trained, True)[1], run_ranks(2, trained, False)[1], strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)

"""While, Switch, IfElse, StaticRNN and arrays build Programs that run, and have gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar import fluid, static
from twinoar.errors import ArgumentError, DTypeError, ProgramError, ShapeError
from twinoar.fluid import layers


def run(build: Callable[[], list[Any]], **feeds: Any) -> list[np.ndarray]:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        found = build()
    executor = static.Executor()
    executor.run(startup)
    return executor.run(main, feed=feeds, fetch_list=found)


def counter(stop: int) -> tuple[Any, Any, Any]:
    i, n = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "int64", stop)
    return i, n, layers.less_than(i, n)


def test_while_keeps_what_its_body_assigns() -> None:
    def build() -> list[Any]:
        i, n, going = counter(5)
        total = layers.fill_constant([1], "float32", 1.0)
        with layers.While(going).block():
            layers.assign(layers.scale(total, 2.0), output=total)
            layers.increment(i)
            layers.less_than(i, n, cond=going)
        return [i, total, going]

    i, total, going = run(build)
    assert (i.tolist(), total.tolist(), going.tolist()) == ([5], [32.0], [False])


def test_while_is_one_operator_of_the_program() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        i, n, going = counter(3)
        with layers.While(going).block():
            layers.increment(i)
            layers.less_than(i, n, cond=going)
    types = [o.type for o in main.global_block().ops]
    assert types == ["fill_constant", "fill_constant", "less_than", "while"]


def test_gradients_go_back_through_while() -> None:
    def build() -> list[Any]:
        x = fluid.data("x", [None, 2])
        x.stop_gradient = False
        i, n, going = counter(3)
        y = layers.scale(x, 1.0)
        with layers.While(going).block():
            layers.assign(y * x, output=y)
            layers.increment(i)
            layers.less_than(i, n, cond=going)
        return [y, *static.gradients([layers.reduce_sum(y)], [x])]

    y, gradient = run(build, x=np.full((1, 2), 2.0, "float32"))
    assert (y.tolist(), gradient.tolist()) == ([[16.0, 16.0]], [[32.0, 32.0]])


def test_a_while_whose_body_leaves_its_condition_alone_is_refused() -> None:
    with static.program_guard(static.Program()):
        i, _, going = counter(3)
        body = layers.While(going).block()
        with pytest.raises(ArgumentError, match="does not change its condition"), body:
            layers.increment(i)


def test_a_condition_must_be_one_truth_value() -> None:
    with static.program_guard(static.Program()):
        with pytest.raises(DTypeError, match="must be a truth value, received i64"):
            layers.While(layers.fill_constant([1], "int64", 0))
        with pytest.raises(ShapeError, match="one truth value"):
            layers.While(layers.fill_constant([2], "bool", True))


def test_while_where_operators_run_at_once_names_pythons_loop() -> None:
    with fluid.dygraph.guard():
        loop = layers.While(layers.fill_constant([1], "bool", True))
        with pytest.raises(ProgramError, match="write a Python loop"), loop.block():
            pass


@pytest.mark.parametrize(("value", "expected"), [(0.5, 0.1), (1.5, 0.2), (2.5, 0.3)])
def test_switch_takes_the_first_case_that_holds(value: float, expected: float) -> None:
    def build() -> list[Any]:
        x = fluid.data("x", [1])
        rate = layers.create_global_var([1], 0.0, "float32", persistable=True)
        with layers.Switch() as switch:
            with switch.case(x < 1.0):
                layers.assign(layers.fill_constant([1], "float32", 0.1), rate)
            with switch.case(x < 2.0):
                layers.fill_constant([1], "float32", 0.2, out=rate)
            with switch.default():
                layers.assign(layers.fill_constant([1], "float32", 0.3), rate)
        return [rate]

    assert run(build, x=np.array([value], "float32"))[0] == pytest.approx(expected)


def test_a_switch_refuses_a_default_without_a_case_and_a_case_behind_it() -> None:
    with static.program_guard(static.Program()):
        x = fluid.data("x", [1])
        with layers.Switch() as switch:
            with pytest.raises(ProgramError, match="a case before its default"), switch.default():
                pass
            with switch.case(x < 1.0):
                pass
            with switch.default():
                pass
            late = switch.case(x < 2.0)
            with pytest.raises(ProgramError, match="after the default"), late:
                pass


def test_if_else_treats_rows_by_their_condition_and_keeps_their_order() -> None:
    def build() -> list[Any]:
        x = fluid.data("x", [None, 1])
        choice = layers.IfElse(x < 0.0)
        with choice.true_block():
            choice.output(choice.input(x) * 10.0)
        with choice.false_block():
            choice.output(choice.input(x) * -1.0)
        return choice()

    (found,) = run(build, x=np.array([[1], [-2], [3]], "float32"))
    assert found.tolist() == [[-1.0], [-20.0], [-3.0]]
    with fluid.dygraph.guard(), pytest.raises(ProgramError, match="outside its blocks"):
        layers.IfElse(fluid.dygraph.to_variable(np.array([[True]]))).input(None)


def test_an_array_grows_in_a_while_and_has_gradients() -> None:
    def build() -> list[Any]:
        x = fluid.data("x", [None, 2])
        x.stop_gradient = False
        i, n, going = counter(3)
        steps, found = layers.array_write(x, i), layers.create_array("float32")
        with layers.While(going).block():
            doubled = layers.array_read(steps, i) * 2.0
            layers.array_write(doubled, i, found)
            layers.increment(i)
            layers.array_write(doubled, i, steps)
            layers.less_than(i, n, cond=going)
        joined, sizes = layers.tensor_array_to_tensor(found, axis=1)
        gradients = static.gradients([layers.reduce_sum(joined)], [x])
        return [joined, sizes, layers.array_length(steps), *gradients]

    joined, sizes, length, gradient = run(build, x=np.ones((1, 2), "float32"))
    assert joined.tolist() == [[2.0, 2.0, 4.0, 4.0, 8.0, 8.0]]
    assert (sizes.tolist(), length.tolist(), gradient.tolist()) == ([2, 2, 2], [4], [[14.0, 14.0]])


def test_an_array_is_a_list_where_operators_run_at_once() -> None:
    with fluid.dygraph.guard():
        zero, one = (layers.fill_constant([1], "int64", n) for n in (0, 1))
        array = layers.array_write(layers.ones([1], "float32"), zero)
        layers.array_write(layers.zeros([1], "float32"), one, array)
        assert layers.array_read(array, one).tolist() == [0.0]
        assert layers.array_length(array).tolist() == [2]
        joined, sizes = layers.tensor_array_to_tensor(array, 0, use_stack=True)
        assert (joined.shape, sizes.tolist()) == ([2, 1], [1, 1])
        with pytest.raises(ShapeError, match="no place 5"):
            layers.array_write(zero, layers.fill_constant([1], "int64", 5), array)


def test_static_rnn_repeats_its_step() -> None:
    def build() -> list[Any]:
        x = fluid.data("x", [4, None, 1])
        network = layers.StaticRNN()
        with network.step():
            now = network.step_input(x)
            before = network.memory(shape=[-1, 1], batch_ref=now)
            after = layers.elementwise_add(now, layers.scale(before, 0.5))
            network.update_memory(before, after)
            network.step_output(after)
        return [network()]

    (found,) = run(build, x=np.ones((4, 1, 1), "float32"))
    assert found.reshape(-1).tolist() == [1.0, 1.5, 1.75, 1.875]

"""Programs of tensors without dimensions, and what else programs of one number are made of."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar
from twinoar import static
from twinoar.errors import ArgumentError, GradientError, ProgramError

TWO = np.float32(2.0)


def test_gradients_of_other_variables_than_parameters_are_appended() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [])
        x.stop_gradient = False
        square = x * x
        out = square + 3.0
        pairs = static.append_backward(out, parameter_list=[x, square, out])
    found = static.Executor().run(main, {"x": TWO}, [out, *(g for _, g in pairs)])
    assert [v.name for v, _ in pairs] == ["x", square.name, out.name]
    assert [(y.shape, y.item()) for y in found] == [((), 7.0), ((), 4.0), ((), 1.0), ((), 1.0)]


def test_a_program_without_parameters_has_gradients_by_name() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [])
        x.stop_gradient = False
        assert static.append_backward(x * x) == []
    (found,) = static.Executor().run(main, {"x": TWO}, [x.grad_name])
    assert found.item() == 4.0


def test_a_loss_that_wants_no_gradient_is_refused() -> None:
    with static.program_guard(static.Program()):
        x = static.data("x", [])
        with pytest.raises(GradientError, match="depends on no trainable parameter"):
            static.append_backward(x * x)


def test_a_variable_of_one_element_is_its_item() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [3])
        total = twinoar.zeros([])
        for i in range(len(x)):
            total = total + x[i].item() * 2.0
        with pytest.raises(ArgumentError, match="wants one element"):
            x.item()
        with pytest.raises(ProgramError, match="has no data"):
            x.item(0)
    (found,) = static.Executor().run(main, {"x": np.arange(3, dtype="float32")}, [total])
    assert found.item() == 6.0


@pytest.mark.parametrize("device", ["gpu", "gpu:1", "xpu", "cpu", "gpu:all", None])
def test_a_program_for_an_accelerator_runs_on_the_cpu(device: str | None) -> None:
    main = static.Program()
    with static.program_guard(main):
        with static.device_guard(device):
            y = static.data("x", []) + 1.0
        assert main.main.ops[-1].attr("op_device") == (device or "")
    (found,) = static.Executor().run(main, {"x": TWO}, [y])
    assert found.item() == 3.0


@pytest.mark.parametrize("device", ["gppu", "cpu:0"])
def test_a_device_that_there_is_nowhere_is_refused(device: str) -> None:
    with pytest.raises(ArgumentError, match="a device must be one of"), static.device_guard(device):
        pass


def test_false_as_an_index_names_nothing_to_replace() -> None:
    x = twinoar.ones([2, 3])
    x[False] = 5.0
    assert x.tolist() == [[1.0] * 3] * 2
    x[True] = 5.0
    assert x.tolist() == [[5.0] * 3] * 2
    with pytest.raises(ValueError, match="broadcast"):
        x[False] = twinoar.ones([7])

"""Eager runs each operator at once, and records it only where a gradient is wanted."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import to_tensor
from twinoar.core.interpreter import current, eager
from twinoar.core.spec import Spec
from twinoar.errors import DTypeError, ProgramError, ShapeError, TypeMismatchError


def wanted(*values: float) -> Any:
    return to_tensor(list(values), stop_gradient=False)


def test_eager_is_the_mode_at_the_start() -> None:
    assert current() is eager()
    assert eager().runs


@pytest.mark.parametrize("x, stop_gradient", [(to_tensor([1.0]), True), (wanted(1.0), False)])
def test_a_result_wants_a_gradient_where_an_operand_does(x: Any, stop_gradient: bool) -> None:
    y = to_tensor([1.0]) + x
    assert (y.stop_gradient, y.is_leaf) == (stop_gradient, stop_gradient)


@pytest.mark.parametrize("compute", [twinoar.argmax, lambda x: x > 0, lambda x: x.astype("int32")])
def test_results_that_are_no_floats_want_no_gradient(compute: Any) -> None:
    assert compute(wanted(1.0, 2.0)).stop_gradient


def test_of_several_results_only_the_floats_want_a_gradient() -> None:
    values, indices = twinoar.topk(wanted(1.0, 3.0, 2.0), 2)
    assert not values.stop_gradient
    assert indices.stop_gradient


def test_results_are_arrays_even_of_no_dimensions() -> None:
    x = to_tensor(2.0) * to_tensor(3.0)
    assert x.shape == []
    assert isinstance(x.numpy(), np.ndarray)


@pytest.mark.parametrize(
    "x, y, dtype",
    [
        (to_tensor([1]), 2.5, "float32"),
        (to_tensor([1], dtype="int32"), 2, "int32"),
        (to_tensor([1.0], dtype="float64"), 2, "float64"),
        (to_tensor([1.0], dtype="bfloat16"), 0.5, "bfloat16"),
        (to_tensor([1.0], dtype="float16"), 0.1, "float16"),
        (to_tensor([True]), 2, "int64"),
        (to_tensor([1.0]), to_tensor([1.0], dtype="float64"), "float64"),
    ],
)
def test_dtypes_are_promoted_and_numbers_are_weak(x: Any, y: Any, dtype: str) -> None:
    assert (x + y).dtype == dtype
    assert (y + x).dtype == dtype


def test_four_threads_infer_the_same() -> None:
    network = twinoar.nn.Sequential(
        twinoar.nn.Linear(8, 16), twinoar.nn.ReLU(), twinoar.nn.Linear(16, 4)
    )
    batches = [twinoar.randn([5, 8]) for _ in range(16)]

    def infer(x: Any) -> np.ndarray:
        with twinoar.no_grad():
            return twinoar.nn.functional.softmax(network(x)).numpy()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(infer, batches))
    np.testing.assert_array_equal(found, [infer(x) for x in batches])


def test_four_threads_train_graphs_of_their_own() -> None:
    def gradient(factor: float) -> list[float]:
        x = wanted(1.0, 2.0)
        y = x
        for _ in range(50):
            y = y * 1.0 + x * factor
        y.sum().backward()
        return x.grad.tolist()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(gradient, [1.0, 2.0, 3.0, 4.0]))
    assert found == [[1 + 50 * f] * 2 for f in (1.0, 2.0, 3.0, 4.0)]


def test_a_wrong_shape_is_explained_by_inference() -> None:
    with pytest.raises(ShapeError, match="do not broadcast") as caught:
        twinoar.ones([2, 3]) + twinoar.ones([4])
    assert "operands: x: f32[2,3], y: f32[4]" in str(caught.value)


def test_an_operand_that_is_no_tensor_is_refused() -> None:
    with pytest.raises(TypeMismatchError, match="add: expected a Tensor or a number, received str"):
        to_tensor([1.0]) + "a"


def test_a_variable_has_no_data_in_eager_mode() -> None:
    with twinoar.static.program_guard(twinoar.static.Program()):
        x = twinoar.static.data("x", [2])
    with pytest.raises(ProgramError, match="is a symbol of a Program and has no data"):
        x + 1.0


def test_a_wrong_dtype_is_refused() -> None:
    with pytest.raises(DTypeError):
        twinoar.bitwise_and(to_tensor([1.0]), to_tensor([1.0]))


def test_parameters_are_made_without_a_graph() -> None:
    source = wanted(1.0, 2.0)
    w = eager().create_parameter(Spec((2,)), lambda spec: source * 2, name="w")
    assert (w.name, w.is_leaf, w.stop_gradient, w.tolist()) == ("w", True, False, [2.0, 4.0])


def test_states_are_persistable_and_not_trained() -> None:
    state = eager().create_state(Spec((2,)), lambda spec: twinoar.zeros([2]), "moment")
    assert (state.name, state.persistable, state.stop_gradient) == ("moment", True, True)


def test_a_live_number_is_read_at_once() -> None:
    assert eager().live_number("rate", lambda: 0.5) == 0.5


NOT_FINITE = """
import numpy as np, twinoar
x = twinoar.to_tensor([float("inf"), 1.0])
x - x, x * 1e30 * 1e30, x.cumprod(0) * 0.0, (x * 0.0).prod(), (x - x).astype("int32")
twinoar.nn.functional.batch_norm(x.reshape([1, 2]), x, -x, None, None)
x.numpy() - x.numpy()
"""


def test_results_that_are_not_finite_warn_in_users_own_arithmetic_alone() -> None:
    # pytest takes back the filters of what it imports, so that this needs a process
    run = subprocess.run([sys.executable, "-c", NOT_FINITE], capture_output=True, text=True)
    assert run.stderr.count("RuntimeWarning") == 1
    assert "<string>:6: RuntimeWarning" in run.stderr

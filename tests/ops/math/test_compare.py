"""Comparisons as users write them."""

import numpy as np
import pytest

from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import TypeMismatchError
from twinoar.ops.math.compare import allclose, equal, equal_all, is_empty, isclose, isnan


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (lambda x: x == 2, [False, True, False]),
        (lambda x: x != 2, [True, False, True]),
        (lambda x: x < 2, [True, False, False]),
        (lambda x: x <= 2, [True, True, False]),
        (lambda x: x > 2, [False, False, True]),
        (lambda x: x >= 2, [False, True, True]),
        (lambda x: x > 2, [False, False, True]),
        (lambda x: x < 2.5, [True, True, False]),
        (lambda x: x == np.array([1, 0, 3]), [True, False, True]),
        (lambda x: np.array([1, 0, 3]) == x, [True, False, True]),
        (lambda x: x == to_tensor([1.0, 2.0, 4.0]), [True, True, False]),
    ],
)
def test_comparison_operators(expression, expected):
    out = expression(to_tensor([1, 2, 3]))
    assert out.tolist() == expected and out.dtype == "bool"


@pytest.mark.parametrize("other", [None, "a", [1.0], object()])
def test_equality_with_what_is_no_number_is_identity(other):
    x = to_tensor([1.0])
    assert (x == other) is False and (x != other) is True


def test_order_with_what_is_no_number_is_refused():
    with pytest.raises(TypeError, match="NoneType"):
        assert to_tensor([1.0]) < None
    with pytest.raises(TypeMismatchError, match="received str"):
        equal(to_tensor([1.0]), "a")


def test_tensors_are_hashed_by_identity():
    x, y = to_tensor([1.0]), to_tensor([1.0])
    assert {x: "x", y: "y"}[x] == "x" and len({x, y}) == 2


def test_variables_are_hashed_by_identity():
    program = trace(lambda x: x + 1.0, Spec((2,)))
    (variable,) = program.main.outputs
    assert variable in {variable} and variable not in {program.main.inputs[0]}


def test_equal_all_needs_equal_shapes():
    x = to_tensor([1.0, 1.0])
    assert equal_all(x, x).item() is True
    assert equal_all(x, to_tensor([1.0])).item() is False
    assert equal_all(to_tensor([]), to_tensor([])).item() is True


def test_tolerances():
    x, y = to_tensor([100.0, 1.0]), to_tensor([101.0, 2.0])
    assert isclose(x, y, rtol=0.02).tolist() == [True, False]
    assert isclose(x, y, rtol=0.0, atol=1.0).tolist() == [True, True]
    assert allclose(x, y, 0.02).item() is False


def test_nan_is_close_to_nan_on_demand():
    x = to_tensor([float("nan"), float("inf")])
    assert isclose(x, x).tolist() == [False, True]
    assert allclose(x, x, equal_nan=True).item() is True


def test_no_comparison_wants_a_gradient():
    x = to_tensor([1.0], stop_gradient=False)
    assert (x > 0).stop_gradient and isnan(x).stop_gradient


def test_is_empty():
    assert is_empty(to_tensor(np.zeros((0, 2)))).item() is True
    assert is_empty(to_tensor(1.0)).item() is False

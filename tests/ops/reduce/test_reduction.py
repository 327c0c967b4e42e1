"""The public functions of ops.reduce."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError, TypeMismatchError
from twinoar.ops.reduce import reduction as reduce
from twinoar.ops.reduce.reduction import all, any, logsumexp, mean, prod, sum

INF = float("inf")
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 10
NAMES = ["sum", "mean", "prod", "logsumexp"]


@pytest.mark.parametrize(
    ("axis", "keepdim", "shape"),
    [
        (None, False, []),
        (None, True, [1, 1, 1]),
        ([], False, []),
        ((), True, [1, 1, 1]),
        (1, False, [2, 4]),
        (1, True, [2, 1, 4]),
        (-1, False, [2, 3]),
        ([0, -1], False, [3]),
        ((2, 0), True, [1, 3, 1]),
        (np.int64(1), False, [2, 4]),
        (to_tensor(1), False, [2, 4]),
        (to_tensor([0, 2]), False, [3]),
    ],
)
@pytest.mark.parametrize("name", [*NAMES, "all", "any"])
def test_axis_and_keepdim(name, axis, keepdim, shape):
    assert getattr(reduce, name)(to_tensor(X), axis=axis, keepdim=keepdim).shape == shape


@pytest.mark.parametrize("name", NAMES)
def test_wrong_axes_are_refused(name):
    function = getattr(reduce, name)
    with pytest.raises(AxisError, match="axis must be in"):
        function(to_tensor(X), axis=3)
    with pytest.raises(AxisError, match="names a dimension twice"):
        function(to_tensor(X), axis=[0, -3])
    with pytest.raises(TypeMismatchError, match="axis must be"):
        function(to_tensor(X), axis="1")


@pytest.mark.parametrize("axis", [None, 0, -1, [0]])
def test_a_tensor_without_dimensions_reduces_to_itself(axis):
    assert sum(to_tensor(2.0), axis=axis).item() == 2.0


def test_a_tensor_without_dimensions_has_no_second_axis():
    with pytest.raises(AxisError, match="axis must be absent"):
        sum(to_tensor(2.0), axis=1)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("bool", "int64"),
        ("uint8", "uint8"),
        ("int8", "int8"),
        ("int16", "int16"),
        ("int32", "int64"),
        ("int64", "int64"),
        ("float16", "float16"),
        ("bfloat16", "bfloat16"),
        ("float32", "float32"),
        ("float64", "float64"),
    ],
)
def test_dtype_of_sums(dtype, expected):
    assert sum(to_tensor([1, 0, 1], dtype=dtype)).dtype == expected


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "float64"])
@pytest.mark.parametrize("function", [mean, prod])
def test_means_and_products_keep_the_dtype(function, dtype):
    assert function(to_tensor([1, 2], dtype=dtype)).dtype == dtype


def test_means_of_integers_lose_their_fractions():
    assert mean(to_tensor([-1, -2, -4])).item() == -2


def test_dtype_is_taken_before_the_reduction():
    assert sum(to_tensor([1.5, 2.5]), dtype="int32").item() == 3
    assert mean(to_tensor([1, 2]), dtype="float32").item() == 1.5
    assert prod(to_tensor([1, 2]), dtype="float64").dtype == "float64"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("function", "expected"),
    [(sum, 0.0), (mean, np.nan), (prod, 1.0), (logsumexp, -INF), (all, True), (any, False)],
)
def test_reduction_of_no_elements(function, expected):
    np.testing.assert_equal(function(to_tensor(np.zeros((0, 3), np.float32))).item(), expected)
    assert function(to_tensor(np.zeros((0, 3), np.float32)), axis=1).shape == [0]


def test_sums_of_halves_are_rounded_once():
    assert sum(to_tensor([2048.0, 1.0, 1.0, 1.0, 1.0], dtype="float16")).item() == 2052.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ([1000.0, 1000.0], 1000.0 + np.log(2)),
        ([-1000.0, -1000.0], -1000.0 + np.log(2)),
        ([-INF, -INF], -INF),
        ([INF, 1.0], INF),
    ],
)
def test_logsumexp_neither_overflows_nor_makes_nan(x, expected):
    np.testing.assert_allclose(logsumexp(to_tensor(x)).item(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("x", "expected"), [([2.0, 0.0, 3.0], [0.0, 6.0, 0.0]), ([0.0, 0.0, 3.0], [0.0, 0.0, 0.0])]
)
def test_slope_of_a_product_with_zeros(x, expected):
    x = to_tensor(x, stop_gradient=False)
    assert grad(prod(x), [x])[0].tolist() == expected


def test_mean_over_an_unknown_size_has_a_gradient():
    def slope(x):
        return grad(mean(x * 1.0), [x])[0]

    x = to_tensor(np.ones((4, 2), np.float32), stop_gradient=False)
    assert (slope(x).numpy() == 0.125).all()
    program = trace(lambda x: mean(x, axis=0), Spec.parse("f32[N,2]"))
    assert program.main.outputs[0].spec == Spec((2,))


def test_truth_of_numbers():
    x = to_tensor([[1.0, 0.0], [2.0, 3.0]])
    assert all(x, axis=1).tolist() == [False, True]
    assert any(x - 1.0, axis=0).tolist() == [True, True]

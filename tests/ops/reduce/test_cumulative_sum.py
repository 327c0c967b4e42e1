"""The public functions of ops.scan."""

from math import inf, nan

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError
from twinoar.jit import to_static
from twinoar.ops.reduce.cumulative_sum import cumprod, cumsum, cumsum_op

X = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (cumsum, {}, [1, 3, 6, 10]),
        (cumsum, {"axis": 0}, [[1, 2], [4, 6]]),
        (cumsum, {"axis": -1}, [[1, 3], [3, 7]]),
        (cumprod, {}, [1, 2, 6, 24]),
        (cumprod, {"dim": 0}, [[1, 2], [3, 8]]),
        (cumprod, {"dim": 1, "dtype": "float32"}, [[1.0, 2.0], [3.0, 12.0]]),
    ],
)
def test_scan(function, arguments, expected):
    assert function(to_tensor(X), **arguments).tolist() == expected


@pytest.mark.parametrize(
    ("dtype", "of_sum", "of_product"),
    [("int32", "int64", "int32"), ("float16", "float16", "float16"), ("int64", "int64", "int64")],
)
def test_dtypes(dtype, of_sum, of_product):
    x = to_tensor(X, dtype=dtype)
    assert cumsum(x, 0).dtype == of_sum and cumprod(x, 0).dtype == of_product


def test_scans_without_dimensions():
    assert cumsum(to_tensor(2.0)).tolist() == [2.0]
    assert cumsum(to_tensor(2.0), 0).tolist() == 2.0
    assert cumprod(to_tensor(2.0), -1).tolist() == 2.0


def test_running_sums_from_the_end():
    assert cumsum_op(to_tensor(X), 1, reverse=True).tolist() == [[3, 2], [7, 4]]


def test_slope_of_a_running_product_with_zeros():
    x = to_tensor([2.0, 0.0, 3.0, 4.0], stop_gradient=False)
    assert grad(cumprod(x, 0).sum(), [x])[0].tolist() == [1.0, 32.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("line", "slopes"),
    [
        ([2.0, inf, 3.0], [inf, 8.0, inf]),
        ([2.0, inf, 3.0, 0.0, -1.0], [nan, 8.0, nan, nan, nan]),
        ([-inf, 3.0, 1.0], [7.0, -inf, -inf]),
        ([0.0, inf], [inf, 0.0]),
        ([1.0, nan, 2.0], [nan, 3.0, nan]),
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_slope_of_a_running_product_beside_infinity(line, slopes, compiled):
    def slope(x):
        return grad(cumprod(x, 0).sum(), [x])[0]

    x = to_tensor(line, stop_gradient=False)
    found = (to_static(slope) if compiled else slope)(x)
    np.testing.assert_equal(found.numpy(), np.array(slopes, np.float32))


def test_wrong_axis_is_refused():
    with pytest.raises(AxisError, match="axis must be in"):
        cumsum(to_tensor(X), axis=2)


def test_in_place_scans():
    x = to_tensor(X)
    assert x.cumsum_(axis=0) is x and x.tolist() == [[1, 2], [4, 6]]

"""The public functions of ops.softmax."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError, ShapeError
from twinoar.ops.activation.softmax import glu, log_softmax, maxout, softmax

INF = float("inf")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_softmax_of_large_numbers_does_not_overflow(dtype):
    found = softmax(to_tensor([10000.0, 10000.0, -10000.0], dtype=dtype))
    assert found.astype("float64").tolist() == [0.5, 0.5, 0.0]


@pytest.mark.filterwarnings("error")
def test_masked_elements_get_nothing():
    assert softmax(to_tensor([0.0, -INF, 0.0])).tolist() == [0.5, 0.0, 0.5]


@pytest.mark.filterwarnings("error")
def test_log_softmax_keeps_tiny_shares():
    x = to_tensor([0.0, 1000.0, -1000.0], stop_gradient=False)
    out = log_softmax(x)
    assert out.tolist() == [-1000.0, 0.0, -2000.0]
    assert grad(out[0], [x])[0].tolist() == [1.0, -1.0, 0.0]


def test_shares_of_halves_are_computed_in_float32():
    found = softmax(to_tensor(np.zeros(3000), dtype="float16"))
    np.testing.assert_allclose(found.numpy(), 1 / 3000, rtol=1e-3)


@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_axis_and_dtype(function):
    x = to_tensor([[1, 2], [3, 5]])
    out = function(x, axis=0, dtype="float64")
    assert out.dtype == "float64" and out.shape == [2, 2]
    with pytest.raises(AxisError, match="axis must be in"):
        function(x, axis=2)


@pytest.mark.parametrize(("function", "expected"), [(softmax, 1.0), (log_softmax, 0.0)])
def test_without_dimensions(function, expected):
    assert function(to_tensor(2.0)).item() == expected


def test_softmax_in_place():
    x = to_tensor([0.0, 0.0])
    assert x.softmax_() is x and x.tolist() == [0.5, 0.5]


def test_glu_gates_one_half_by_the_other():
    x = to_tensor([[2.0, 4.0, 0.0, 100.0]])
    assert glu(x).tolist() == [[1.0, 4.0]]
    assert glu(to_tensor([[3.0], [0.0]]), axis=0).tolist() == [[1.5]]


def test_glu_refuses_an_odd_size():
    with pytest.raises(ShapeError):
        glu(to_tensor([1.0, 2.0, 3.0]))


def test_the_first_of_equal_channels_gets_the_gradient_of_maxout():
    x = to_tensor(np.ones((1, 4, 1, 1), np.float32), stop_gradient=False)
    assert grad(maxout(x, 2).sum(), [x])[0].flatten().tolist() == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("channels", [[np.nan, 1.0, 2.0], [1.0, 2.0, np.nan]])
def test_maxout_of_what_is_no_number_is_none(channels):
    x = to_tensor(np.array(channels, np.float32).reshape(1, 3, 1, 1))
    assert np.isnan(maxout(x, 3).item())


def test_maxout_takes_neighboring_channels():
    x = to_tensor(np.array([1.0, 2.0, 4.0, 3.0], np.float32).reshape(1, 4, 1, 1))
    assert maxout(x, 2).tolist() == [[[[2.0]], [[4.0]]]]
    with pytest.raises(ShapeError, match="4 channels do not divide into groups of 3"):
        maxout(x, 3)

"""compat: functions with PyTorch's arguments give what PyTorch's are said to give."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import compat

ARRAY = np.array([[3.0, 1.0, 2.0], [4.0, 6.0, 6.0]], "float32")


@pytest.fixture
def x():
    return paddle.to_tensor(ARRAY, stop_gradient=False)


@pytest.mark.parametrize(
    ("function", "whole", "position"),
    [(compat.max, np.max, np.argmax), (compat.min, np.min, np.argmin)],
)
def test_the_largest_and_the_smallest(x, function, whole, position):
    assert function(x).item() == whole(ARRAY)
    values, indices = function(x, 1, keepdim=True)
    np.testing.assert_array_equal(values.numpy(), whole(ARRAY, 1, keepdims=True))
    np.testing.assert_array_equal(indices.numpy(), position(ARRAY, 1, keepdims=True))
    assert function(x, dim=0).values.shape == [3]


def test_of_two_tensors_the_larger_elements(x):
    other = paddle.to_tensor([2.0, 2.0, 2.0])
    for found in (compat.max(x, other), compat.max(x, other=other)):
        np.testing.assert_array_equal(found.numpy(), np.maximum(ARRAY, 2.0))


def test_the_first_of_several_gets_the_gradient(x):
    compat.max(x, 1).values.sum().backward()
    assert x.grad.tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def test_the_median_is_the_lower_of_two():
    x = paddle.to_tensor([[4.0, 1.0, 3.0, 2.0], [1.0, float("nan"), 3.0, 2.0]])
    assert compat.median(x[0]).item() == 2.0
    assert compat.median(x[0], 0).indices.item() == 3
    assert compat.nanmedian(x[1]).item() == 2.0
    assert np.isnan(compat.median(x[1]).item())


def test_sort_gives_values_and_indices(x):
    values, indices = compat.sort(x, dim=0, descending=True)
    np.testing.assert_array_equal(values.numpy(), -np.sort(-ARRAY, 0))
    np.testing.assert_array_equal(np.take_along_axis(ARRAY, indices.numpy(), 0), values.numpy())
    assert compat.sort(paddle.to_tensor(3.0)).values.shape == []


def test_unique_equal_and_determinants(x):
    found, inverse, counts = compat.unique(x, return_inverse=True, return_counts=True)
    assert found.tolist() == [1.0, 2.0, 3.0, 4.0, 6.0]
    assert counts.tolist() == [1, 1, 1, 1, 2]
    np.testing.assert_array_equal(found.numpy()[inverse.numpy().ravel()], ARRAY.ravel())
    assert compat.equal(x, x) is True
    assert compat.equal(x, x + 1) is False
    assert compat.equal(x, x[0]) is False
    sign, logabsdet = compat.slogdet(paddle.to_tensor([[2.0, 0.0], [0.0, -3.0]]))
    assert (sign.item(), round(logabsdet.item(), 4)) == (-1.0, 1.7918)


def test_a_seed_that_nobody_knows_before():
    first, second = compat.seed(), compat.seed()
    drawn = paddle.rand([3]).tolist()
    assert first != second
    paddle.seed(second)
    assert paddle.rand([3]).tolist() == drawn


def test_the_arguments_are_not_those_of_the_names_at_the_top(x):
    with pytest.raises(TypeError, match="axis"):
        compat.max(x, axis=1)
    assert [part.shape for part in compat.split(x, 2, dim=1)] == [[2, 2], [2, 1]]

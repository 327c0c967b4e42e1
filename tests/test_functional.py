"""Functions at the places that PyTorch has for them: `special`, `functional`."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError


@pytest.mark.parametrize("softmax", [paddle.softmax, paddle.special.softmax, paddle.Tensor.softmax])
@pytest.mark.parametrize("shape", [(), (4,), (3, 4), (2, 3, 4), (2, 3, 4, 5)])
def test_softmax_without_a_dimension_takes_the_first_of_one_or_three(softmax, shape):
    x = paddle.randn(shape)
    axis = 0 if len(shape) in (0, 1, 3) else 1
    found = softmax(x)
    np.testing.assert_allclose(found.numpy().sum(axis if shape else None), 1.0, rtol=1e-5)


def test_softmax_along_a_dimension_in_a_dtype():
    x = paddle.randn([3, 4])
    found = paddle.special.softmax(x, dim=0, dtype="float64")
    assert found.dtype == "float64"
    np.testing.assert_allclose(found.numpy().sum(0), 1.0)


@pytest.mark.parametrize(
    ("sizes", "dim", "expected"),
    [(2, 0, [2, 2, 1]), (5, 0, [5]), (9, 0, [5]), ([1, 4], 0, [1, 4]), (2, -1, [2, 1])],
)
def test_split_takes_the_size_of_parts(sizes, dim, expected):
    x = paddle.randn([5, 3])
    parts = paddle.functional.split(x, sizes, dim)
    assert type(parts) is tuple
    assert [part.shape[dim] for part in parts] == expected
    np.testing.assert_array_equal(paddle.concat(parts, dim).numpy(), x.numpy())


def test_wrong_parts_are_refused():
    with pytest.raises(ArgumentError, match="the size of parts must be 1 or more, received 0"):
        paddle.functional.split(paddle.ones([3]), 0)
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [None, 2])
        with pytest.raises(ShapeError, match="the size of dimension 0 must be known"):
            paddle.functional.split(x, 2)


def test_the_others_are_those_at_the_top():
    for name in ("einsum", "meshgrid", "norm", "atleast_2d", "unique_consecutive"):
        assert getattr(paddle.functional, name) is getattr(paddle, name)
    assert paddle.special.logsumexp is paddle.logsumexp
    assert paddle.conv3d is paddle.nn.functional.conv3d

"""Methods of tensors beside the operators."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.ops.methods import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_conversions_have_the_dtype_of_their_name(name: str) -> None:
    found = getattr(paddle.to_tensor([1.0, 0.0]), name)()
    assert found.dtype == NAMES[name]
    assert found.astype("float32").tolist() == [1.0, 0.0]


def test_new_tensors_take_the_dtype_of_the_first() -> None:
    x = paddle.to_tensor([1], dtype="int32")
    assert x.new_zeros(2, 3).shape == [2, 3]
    assert x.new_ones([2]).dtype == "int32"
    wanted = x.new_full([1], 2.5, dtype="float64", requires_grad=True)
    assert wanted.tolist() == [2.5] and wanted.requires_grad


def test_requires_grad_is_the_opposite_of_stop_gradient() -> None:
    x = paddle.ones([2])
    x.requires_grad = True
    assert x.stop_gradient is False
    assert x.requires_grad_(False).stop_gradient is True


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (5, 2), (9, 3), (3, 3, 3)])
@pytest.mark.parametrize("wrap", [False, True])
def test_fill_diagonal_is_numpys(shape: tuple[int, ...], wrap: bool) -> None:
    expected = np.zeros(shape, np.float32)
    np.fill_diagonal(expected, 5.0, wrap)
    x = paddle.zeros(shape)
    assert x.fill_diagonal_(5.0, wrap=wrap) is x
    np.testing.assert_array_equal(x.numpy(), expected)


@pytest.mark.parametrize(
    ("shape", "offset", "expected"),
    [  # what Paddle 3.3.1 fills, counted in order
        ((2, 3, 4), 0, [0, 17]),
        ((4, 3, 2), 0, [0, 9, 18]),
        ((4, 3, 2), 1, [1, 10, 19]),
        ((4, 3, 2), -1, []),
        ((5, 2, 2), 1, [1, 15]),
        ((3, 3, 3), -1, [12, 25]),
        ((2, 2, 2, 2), -1, [14]),
        ((7, 3), -2, [6]),
    ],
)
def test_fill_diagonal_of_several_sizes(shape, offset, expected) -> None:
    found = paddle.zeros(shape).fill_diagonal_(1.0, offset)
    assert np.flatnonzero(found.numpy()).tolist() == expected


@pytest.mark.parametrize(("offset", "expected"), [(1, [1, 5, 13, 17]), (-2, [6, 18])])
def test_fill_diagonal_begins_again_off_the_main_one(offset, expected) -> None:
    found = paddle.zeros([7, 3]).fill_diagonal_(1.0, offset, wrap=True)
    assert np.flatnonzero(found.numpy()).tolist() == expected


def test_fill_diagonal_off_the_main_one() -> None:
    np.testing.assert_array_equal(
        paddle.zeros([2, 3]).fill_diagonal(1.0, offset=1).numpy(), np.eye(2, 3, 1)
    )

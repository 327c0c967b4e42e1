"""The public functions of ops.mask."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.dtype import float32, int64
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.index.mask import masked_fill, masked_select, nonzero, where

MASK = np.array([[True, False], [True, True]])


@pytest.mark.parametrize(
    ("x", "y", "expected", "dtype"),
    [
        (to_tensor([1, 2]), to_tensor([1.5, 2.5]), [1.0, 2.5], float32),
        (to_tensor([1, 2]), 2.5, [1.0, 2.5], float32),
        (1, to_tensor([8, 9]), [1, 9], int64),
        (1, 2, [1, 2], int64),
        (1, 2.5, [1.0, 2.5], float32),
    ],
)
def test_where_promotes(x, y, expected, dtype):
    found = where(to_tensor([True, False]), x, y)
    assert found.tolist() == expected and found.dtype is dtype


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_where_takes_a_number_beside_halves_for_a_float32(dtype):
    x, mask = to_tensor([1.0, 2.0]).astype(dtype), to_tensor([True, False])
    assert where(mask, x, 0.0).dtype is float32 and where(mask, 0.5, x).dtype is float32


def test_where_with_a_condition_alone_gives_positions():
    rows, columns = where(to_tensor(MASK))
    assert rows.tolist() == [0, 1, 1] and columns.tolist() == [0, 0, 1]


def test_where_refuses():
    with pytest.raises(DTypeError, match="condition must be of truth values"):
        where(to_tensor([1, 0]), 1.0, 2.0)
    with pytest.raises(ArgumentError, match="both x and y"):
        where(to_tensor(MASK), 1.0)


def test_nonzero_of_numbers_and_of_a_number():
    assert nonzero(to_tensor([[1.0, 0], [2, 3]])).tolist() == [[0, 0], [1, 0], [1, 1]]
    with pytest.raises(ShapeError, match="at least one dimension"):
        nonzero(to_tensor(3.0))


def test_number_of_nonzeros_is_unknown_in_a_program():
    program = trace(lambda x: nonzero(x), Spec((2, 3)))
    assert str(program.main.outputs[0].spec) == "i64[N,2]"


def test_masked_select_broadcasts_and_scatters_its_gradient():
    x = to_tensor(np.arange(4, dtype=np.float32).reshape(2, 2), stop_gradient=False)
    chosen = masked_select(x, to_tensor([True, False]))
    assert chosen.tolist() == [0, 2]
    assert grad(chosen * chosen, x)[0].tolist() == [[0, 0], [4, 0]]


def test_masked_fill_casts_the_value():
    x = to_tensor([1.0, 2.0])
    mask = to_tensor([True, False])
    assert masked_fill(x, mask, to_tensor(7)).tolist() == [7.0, 2.0]
    assert masked_fill(to_tensor([1, 2]), mask, 3.0).tolist() == [3, 2]
    x.masked_fill_(mask, -1)
    assert x.tolist() == [-1.0, 2.0]
    with pytest.raises(DTypeError, match="mask must be of truth values"):
        masked_fill(x, x, 0.0)

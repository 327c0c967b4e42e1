"""The public functions of ops.unique."""

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.ops.index.unique import bincount, searchsorted, unique


def test_unique_returns_what_is_asked_for():
    x = to_tensor([3, 1, 1, 2])
    assert unique(x).tolist() == [1, 2, 3]
    out, first, inverse, counts = unique(x, True, True, True)
    assert first.tolist() == [1, 3, 0]
    assert inverse.tolist() == [2, 0, 0, 1]
    assert counts.tolist() == [2, 1, 1]
    np.testing.assert_array_equal(out.numpy()[inverse.numpy()], x.numpy())


def test_unique_along_an_axis():
    out, inverse = unique(
        to_tensor([[3, 1], [3, 1], [2, 2]]), return_inverse=True, axis=0, dtype="int32"
    )
    assert out.tolist() == [[2, 2], [3, 1]]
    assert inverse.tolist() == [1, 1, 0] and inverse.dtype == "int32"


def test_bincount_counts_and_sums_weights():
    x = to_tensor([1, 1, 3])
    assert bincount(x, minlength=6).tolist() == [0, 2, 0, 1, 0, 0]
    assert bincount(x, to_tensor([0.5, 1.0, 2.0])).tolist() == [0, 1.5, 0, 2]
    with pytest.raises(ArgumentError, match="negative"):
        bincount(to_tensor([-1]))


@pytest.mark.parametrize("right", [False, True])
def test_searchsorted_is_numpys(right):
    rows = np.sort(np.random.default_rng(0).integers(0, 9, (3, 6)), -1)
    values = np.arange(12).reshape(3, 4)
    side = "right" if right else "left"
    expected = np.stack([np.searchsorted(r, v, side) for r, v in zip(rows, values, strict=True)])
    found = searchsorted(to_tensor(rows), to_tensor(values), right=right)
    np.testing.assert_array_equal(found.numpy(), expected)
    one = searchsorted(to_tensor(rows[0]), to_tensor(values), out_int32=True, right=right)
    np.testing.assert_array_equal(one.numpy(), np.searchsorted(rows[0], values, side))
    assert one.dtype == "int32"

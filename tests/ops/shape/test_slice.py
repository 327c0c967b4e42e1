"""paddle.slice and paddle.strided_slice, and the sizes that slices have."""

import numpy as np
import pytest

from twinoar.core.dim import evaluate, symbol
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError
from twinoar.ops.index.getitem import replaced
from twinoar.ops.shape.slice import BEGIN, END, selected_size, slice, strided_slice

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
assert replaced


def test_slice_cuts_bounds_beyond_the_end():
    found = slice(to_tensor(X), [0, 2], [-1, 1], [10**12, 3])
    np.testing.assert_array_equal(found.numpy(), X[-1:, :, 1:3])


def test_bounds_may_be_tensors():
    found = slice(to_tensor(X), [0, 1], [to_tensor(0), 1], to_tensor([1, 3]))
    np.testing.assert_array_equal(found.numpy(), X[0:1, 1:3])


def test_strided_slice_goes_backwards():
    found = strided_slice(to_tensor(X), [0, 2], [1, 3], [-3, 0], [-1, -2])
    np.testing.assert_array_equal(found.numpy(), X[1:None:-1, :, 3:0:-2])


def test_wrong_axis_is_refused():
    with pytest.raises(AxisError, match="axes must be"):
        slice(to_tensor(X), [3], [0], [1])


@pytest.mark.parametrize("stride", [1, 2, -1])
@pytest.mark.parametrize("start", [0, 1, 3, -1, -2, END])
@pytest.mark.parametrize("end", [0, 1, 4, -1, -2, END, BEGIN])
def test_size_of_a_slice_of_an_unknown_size(start, end, stride):
    found = selected_size(symbol("N"), start, end, stride)
    if found is None:
        return
    for n in range(6):
        assert evaluate(found, {"N": n}) == len(range(n)[start:end:stride])


@pytest.mark.parametrize(
    ("start", "end", "stride", "text"),
    [(0, END, 1, "N"), (0, -1, 1, "max(0,N-1)"), (1, END, 1, "max(0,N-1)"), (END, BEGIN, -1, "N")],
)
def test_common_slices_of_an_unknown_size_are_known(start, end, stride, text):
    assert str(selected_size(symbol("N"), start, end, stride)) == text

"""nn.functional.pad."""

import numpy as np
import pytest

from twinoar.core.dim import symbol
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError
from twinoar.jit import to_static
from twinoar.ops.shape.pad import pad

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("numbers", "options", "pairs"),
    [
        ([1, 0, 0, 0, 0, 2], {}, [(1, 0), (0, 0), (0, 2)]),
        ([1, 0, 0, 0, 0, 2], {"pad_from_left_axis": False}, [(0, 2), (0, 0), (1, 0)]),
        ([1, 2], {}, [(0, 0), (0, 0), (1, 2)]),
        ([1, 2, 3, 4], {}, [(0, 0), (3, 4), (1, 2)]),
        ([1, 2], {"data_format": "NLC"}, [(0, 0), (1, 2), (0, 0)]),
        ([1, 2], {"data_format": "NCL"}, [(0, 0), (0, 0), (1, 2)]),
        (1, {"data_format": "NCL"}, [(0, 0), (0, 0), (1, 1)]),
        (to_tensor([1, 2]), {}, [(0, 0), (0, 0), (1, 2)]),
    ],
)
def test_which_axes_the_numbers_mean(numbers, options, pairs):
    found = pad(to_tensor(X), numbers, value=0.5, **options)
    np.testing.assert_array_equal(found.numpy(), np.pad(X, pairs, constant_values=0.5))


@pytest.mark.parametrize(
    ("mode", "numpys"), [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")]
)
def test_borders_are_numpys(mode, numpys):
    found = pad(to_tensor(X[None]), [2, 1, 1, 2], mode, data_format="NCHW")
    pairs = [(0, 0), (0, 0), (1, 2), (2, 1)]
    np.testing.assert_array_equal(found.numpy(), np.pad(X[None], pairs, numpys))
    last = pad(to_tensor(X[None]), [2, 0, 1, 1], mode, data_format="NHWC")
    pairs = [(0, 0), (1, 1), (2, 0), (0, 0)]
    np.testing.assert_array_equal(last.numpy(), np.pad(X[None], pairs, numpys))


def test_negative_numbers_cut():
    assert pad(to_tensor(X), [-1, 0]).shape == [2, 3, 3]


def test_unknown_sizes():
    program = trace(lambda x: pad(x, [1, 1], "reflect"), Spec((symbol("N"), 3, symbol("L"))))
    assert str(program.main.outputs[0].spec) == "f32[N,3,L+2]"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2, 3],), "two numbers for each padded axis"),
        (([1, 1], "mirror"), "mode must be constant, reflect, replicate or circular"),
        (([4, 0], "reflect"), "does not fit axis 2 of size 4"),
    ],
)
def test_wrong_calls_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        pad(to_tensor(X), *arguments)


@pytest.mark.parametrize("run", [lambda f: f, to_static], ids=["eager", "to_static"])
@pytest.mark.parametrize(
    ("dtype", "value"), [("uint8", -4), ("uint8", 300), ("int8", 128.0), ("int64", 2**63)]
)
def test_a_border_that_the_dtype_does_not_hold_is_refused(run, dtype, value):
    x = to_tensor(np.array([1, 2], dtype))
    with pytest.raises(ArgumentError, match=r"out of bounds|outside of|too large"):
        run(lambda x: pad(x, [1, 1], value=value))(x)

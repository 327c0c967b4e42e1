"""The public functions of ops.select."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math.select import clamp, clip, fmax, fmin, maximum, minimum

NAN = float("nan")


def leaf(data):
    return to_tensor(data, dtype="float32", stop_gradient=False)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (maximum, [NAN, NAN, NAN, 3.0]),
        (minimum, [NAN, NAN, NAN, 2.0]),
        (fmax, [1.0, 1.0, NAN, 3.0]),
        (fmin, [1.0, 1.0, NAN, 2.0]),
    ],
)
def test_extremum_with_nan(function, expected):
    found = function(to_tensor([NAN, 1.0, NAN, 2.0]), to_tensor([1.0, NAN, NAN, 3.0]))
    np.testing.assert_array_equal(found.numpy(), np.array(expected, np.float32))


@pytest.mark.parametrize(
    ("function", "of_x", "of_y"),
    [
        (maximum, [0.5, 1.0, 0.0], [0.5, 0.0, 0.0]),
        (minimum, [0.5, 0.0, 0.0], [0.5, 1.0, 0.0]),
        (fmax, [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        (fmin, [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]),
    ],
)
def test_gradients_of_an_extremum_at_ties_and_nan(function, of_x, of_y):
    x, y = leaf([1.0, 2.0, NAN]), leaf([1.0, 1.0, 1.0])
    found = grad(function(x, y), [x, y], [to_tensor([1.0, 1.0, 1.0])])
    assert [g.tolist() for g in found] == [of_x, of_y]


def test_clip_includes_its_bounds_in_the_gradient():
    x = leaf([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert grad(clip(x, -1.0, 1.0).sum(), [x])[0].tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((None, None), [-3, 3]),
        ((-1, None), [-1, 3]),
        ((None, 1), [-3, 1]),
        ((to_tensor([-1]), to_tensor(1)), [-1, 1]),
    ],
)
def test_clip_takes_numbers_tensors_and_none(bounds, expected):
    out = clip(to_tensor([-3, 3]), *bounds)
    assert out.tolist() == expected and out.dtype == "int64"


def test_clip_of_integers_by_fractions_gives_fractions():
    assert clip(to_tensor([-3, 3]), -2, 2.5).tolist() == [-2.0, 2.5]


def test_clip_keeps_nan():
    assert np.isnan(clip(to_tensor([NAN]), 0.0, 1.0).item())


def test_clip_refuses_crossed_bounds_and_long_ones():
    with pytest.raises(ArgumentError, match="expected min <= max, received min=3 and max=1"):
        clip(to_tensor([1.0]), 3, 1)
    with pytest.raises(ShapeError, match="min must be a number or hold one element"):
        clip(to_tensor([1.0, 2.0]), to_tensor([0.0, 1.0]))


def test_clamp_and_the_in_place_forms_are_clip():
    x = to_tensor([-3.0, 3.0])
    assert clamp(x, -1.0, 1.0).tolist() == [-1.0, 1.0]
    assert x.clip_(max=2.0) is x
    assert x.clamp_(-1.0).tolist() == [-1.0, 2.0]

"""The public functions of ops.expand and ops.roll."""

import numpy as np
import pytest

from twinoar.core.dim import symbol
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index.repeat import repeat_interleave
from twinoar.ops.shape.expand import broadcast_to, expand, expand_as, tile
from twinoar.ops.shape.roll import flip, roll

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [([-1, 3], [2, 3]), ([4, -1, -1], [4, 2, 3]), (to_tensor([5, 2, 3]), [5, 2, 3])],
)
def test_expand_keeps_sizes_given_as_minus_one(shape, expected):
    found = expand(to_tensor(X), shape)
    np.testing.assert_array_equal(found.numpy(), np.broadcast_to(X, expected))
    np.testing.assert_array_equal(broadcast_to(to_tensor(X), shape).numpy(), found.numpy())


@pytest.mark.parametrize("shape", [[3], [-1, 2, 3]])
def test_expand_refuses_what_it_cannot_tell(shape):
    with pytest.raises(ShapeError, match="does not say how to expand"):
        expand(to_tensor(X), shape)


def test_expand_as_and_unknown_sizes():
    assert expand_as(to_tensor(X), to_tensor(np.zeros((4, 2, 3)))).shape == [4, 2, 3]
    program = trace(lambda x: expand(x, [-1, 5]), Spec((symbol("N"), 1)))
    assert str(program.main.outputs[0].spec) == "f32[N,5]"


@pytest.mark.parametrize("times", [2, [2, 1], [1, 2, 1], to_tensor([2, 2])])
def test_tile_is_numpys(times):
    expected = np.tile(X, times.numpy() if hasattr(times, "numpy") else times)
    np.testing.assert_array_equal(tile(to_tensor(X), times).numpy(), expected)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("repeats", [1, 3, "each"])
def test_repeat_interleave_is_numpys(repeats, axis):
    if repeats == "each":
        repeats = np.arange(X.size if axis is None else X.shape[axis])
        given = to_tensor(repeats)
    else:
        given = repeats
    found = repeat_interleave(to_tensor(X), given, axis)
    np.testing.assert_array_equal(found.numpy(), np.repeat(X, repeats, axis))


@pytest.mark.parametrize(
    ("shifts", "axis"), [(1, None), (-2, 1), ([1, 1], [0, 1]), ((2, -1), (-1, 0)), (7, 0)]
)
def test_roll_is_numpys(shifts, axis):
    np.testing.assert_array_equal(
        roll(to_tensor(X), shifts, axis).numpy(), np.roll(X, shifts, axis)
    )


@pytest.mark.parametrize("axis", [0, -1, [0, 1]])
def test_flip_is_numpys(axis):
    expected = np.flip(X, tuple(axis) if isinstance(axis, list) else axis)
    np.testing.assert_array_equal(flip(to_tensor(X), axis).numpy(), expected)


def test_roll_refuses_unequal_lengths():
    with pytest.raises(ArgumentError, match="equally long"):
        roll(to_tensor(X), [1, 2], [0])

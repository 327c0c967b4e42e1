"""The public functions of ops.shape, and shapes given as tensors."""

import numpy as np
import pytest

import twinoar
from twinoar.core.dim import symbol
from twinoar.core.dtype import int64
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError, ProgramError, ShapeError, TypeMismatchError
from twinoar.ops.index.getitem import plan_of
from twinoar.ops.shape.reshape import (
    flatten,
    moveaxis,
    reshape,
    squeeze,
    swapaxes,
    t,
    transpose,
    unsqueeze,
    view,
    view_as,
)
from twinoar.ops.shape.size import numel, shape

assert plan_of  # gives tensors their x[...]


def x234():
    return to_tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([0, -1], [2, 12]),
        ((4, 6), [4, 6]),
        (-1, [24]),
        (np.array([6, 4]), [6, 4]),
        ([0, 0, 2, -1], [2, 3, 2, 2]),
        (to_tensor([4, 6]), [4, 6]),
        ([to_tensor(4), -1], [4, 6]),
        ([to_tensor([2]), 12], [2, 12]),
    ],
)
def test_reshape_takes_shapes_of_all_kinds(wanted, expected):
    assert reshape(x234(), wanted).shape == expected


def test_methods_take_sizes_one_by_one():
    assert x234().reshape(4, 6).shape == [4, 6]
    assert x234().transpose(2, 0, 1).shape == [4, 2, 3]
    assert x234().transpose(0, 1).shape == [3, 2, 4]


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ([5, -1], ShapeError, "with 24 elements does not take the shape [5, -1]"),
        ([2, 3, 4, 0], ShapeError, "0 copies a size of x, which has 3 dimensions"),
        ([2.5], TypeMismatchError, "must hold integers, received 2.5"),
        ("ab", TypeMismatchError, "received str"),
    ],
)
def test_reshape_refuses_what_does_not_fit(wanted, error, message):
    with pytest.raises(error) as caught:
        reshape(x234(), wanted)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("own", "wanted", "expected"),
    [
        ([0, 3], [-1, 3], [0, 3]),
        ([0, 3], [0, 3, 1], [0, 3, 1]),
        ([0, 3], [3, -1], [3, 0]),
        ([0, 3], [3, 0], [3, 0]),
        ([2, 0, 3], [-1, 0], [6, 0]),
        ([2, 0, 3], [-1, 0, 2], [3, 0, 2]),
        ([0, 5, 8], [0, 0, 2, 4], [0, 5, 2, 4]),
    ],
)
def test_reshape_of_nothing(own, wanted, expected):
    assert reshape(to_tensor(np.zeros(own)), wanted).shape == expected


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (lambda x: [-1, 784], "f32[N,784]"),
        (lambda x: [0, -1], "f32[N,784]"),
        (lambda x: [x.shape[0], 784], "f32[N,784]"),
        (lambda x: [shape(x)[0], -1], "f32[N,784]"),
        (lambda x: [shape(x)[0] * 4, 196], "f32[4*N,196]"),
        (lambda x: [x.shape[0] * x.shape[1], 28, 28], "f32[N,28,28]"),
        (lambda x: [784, -1], "f32[784,N]"),
        (lambda x: shape(x)[:1], None),
    ],
)
def test_reshape_of_unknown_sizes(wanted, expected):
    def function(x):
        return reshape(x, wanted(x))

    spec = Spec((symbol("N"), 1, 28, 28))
    if expected is None:
        assert str(trace(function, spec).main.outputs[0].spec) == "f32[N]"
    else:
        assert str(trace(function, spec).main.outputs[0].spec) == expected


def test_a_shape_that_data_decides_is_refused_in_a_program():
    with pytest.raises(ProgramError, match="depends on the data of %n"):
        trace(lambda x, n: reshape(x, [n, -1]), Spec((4,)), Spec((), int64))


def test_view_is_reshape():
    assert view(x234(), [6, 4]).shape == [6, 4]
    assert view_as(x234(), to_tensor(np.zeros((4, 6)))).shape == [4, 6]


def test_transposes_against_numpy():
    x = x234()
    n = x.numpy()
    np.testing.assert_array_equal(transpose(x, [-1, 0, 1]).numpy(), n.transpose(2, 0, 1))
    np.testing.assert_array_equal(x.T.numpy(), n.T)
    np.testing.assert_array_equal(x.mT.numpy(), np.swapaxes(n, 1, 2))
    np.testing.assert_array_equal(t(x[0]).numpy(), n[0].T)
    np.testing.assert_array_equal(swapaxes(x, 0, -1).numpy(), np.swapaxes(n, 0, -1))
    np.testing.assert_array_equal(
        moveaxis(x, [0, 1], [2, 0]).numpy(), np.moveaxis(n, [0, 1], [2, 0])
    )


def test_wrong_axes_are_refused():
    with pytest.raises(ShapeError, match="at most 2 dimensions"):
        t(x234())
    with pytest.raises(AxisError, match="as many different axes"):
        moveaxis(x234(), [0, 0], [1, 2])
    with pytest.raises(AxisError, match="each of 3 axes once"):
        transpose(x234(), [0, 1])
    with pytest.raises(ShapeError, match="mT needs"):
        _ = to_tensor([1.0]).mT


@pytest.mark.parametrize(
    ("axis", "expected"),
    [(None, [3]), (0, [3, 1]), ([0, 2], [3]), (1, [1, 3, 1]), (-1, [1, 3]), ([], [1, 3, 1])],
)
def test_squeeze_drops_axes_of_size_one_only(axis, expected):
    assert squeeze(to_tensor(np.zeros((1, 3, 1))), axis).shape == expected


def test_squeeze_keeps_axes_of_unknown_size_unless_named():
    spec = Spec((symbol("N"), 1))
    assert str(trace(lambda x: squeeze(x), spec).main.outputs[0].spec) == "f32[N]"
    assert str(trace(lambda x: squeeze(x, 0), spec).main.outputs[0].spec) == "f32[1]"


@pytest.mark.parametrize(
    ("axis", "expected"),
    [
        (0, [1, 2, 3, 4]),
        (-1, [2, 3, 4, 1]),
        ([0, 2], [1, 2, 1, 3, 4]),
        ([-1, 0], [1, 2, 3, 4, 1]),
        ([2, 0], [1, 2, 3, 1, 4]),
        ([-1, -1], [2, 3, 4, 1, 1]),
        (to_tensor([0, 1]), [1, 1, 2, 3, 4]),
    ],
)
def test_unsqueeze_inserts_one_after_the_other(axis, expected):
    assert unsqueeze(x234(), axis).shape == expected


def test_flatten_and_sizes():
    assert flatten(to_tensor(1.0)).shape == [1]
    assert flatten(x234(), 1, 2).shape == [2, 12]
    assert shape(x234()).tolist() == [2, 3, 4] and shape(x234()).dtype is int64
    assert numel(x234()).item() == 24 and numel(x234()).shape == []


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("reshape_", ([3, 2],), [3, 2]),
        ("squeeze_", (), [2, 3]),
        ("unsqueeze_", (0,), [1, 2, 3]),
        ("flatten_", (), [6]),
        ("transpose_", ([1, 0],), [3, 2]),
    ],
)
def test_in_place_forms_change_the_tensor_itself(name, arguments, expected):
    x = to_tensor(np.zeros((2, 3)))
    other = x.clone()
    assert getattr(x, name)(*arguments) is x
    assert x.shape == expected and other.shape == [2, 3]


def test_squeezing_nothing_gives_a_view_and_not_the_tensor():
    x = to_tensor([1.0, 2.0])
    y = squeeze(x)
    y[0] = 5.0
    assert y is not x and x.tolist() == [5.0, 2.0]


@pytest.mark.parametrize("axis", [0, -1, [0], [0, -1], None])
def test_squeeze_leaves_a_tensor_without_dimensions(axis):
    assert squeeze(to_tensor(2.0), axis).shape == []


@pytest.mark.parametrize("axis", [1, -2, [0, 1]])
def test_squeeze_refuses_an_axis_that_a_tensor_without_dimensions_could_not_have(axis):
    with pytest.raises(AxisError):
        squeeze(to_tensor(2.0), axis)


@pytest.mark.parametrize(
    ("given", "written"), [((1,), (1, 3)), ((-3, -2), (1, 2)), ((0, -1), (0, 3))]
)
def test_flatten_is_written_with_axes_counted_from_the_front(given, written):
    program = twinoar.static.Program()
    with twinoar.static.program_guard(program):
        flatten(twinoar.static.data("x", [None, 3, 4, 5]), *given)
    (operator,) = program.global_block().ops
    assert (operator.attr("start_axis"), operator.attr("stop_axis")) == written

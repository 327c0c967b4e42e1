"""The public functions of ops.join."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.autograd.api import grad
from twinoar.core.dim import symbol
from twinoar.core.dtype import float32
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.ops.shape.concat import (
    broadcast_tensors,
    cat,
    chunk,
    concat,
    meshgrid,
    split,
    stack,
    unbind,
    unstack,
)


def zeros(*shape):
    return to_tensor(np.zeros(shape, np.float32))


def shapes(parts):
    return [p.shape for p in parts]


def test_concat_promotes_and_takes_a_tensor_axis():
    joined = concat([to_tensor([1]), to_tensor([2.5])], axis=to_tensor(0))
    assert joined.tolist() == [1.0, 2.5] and joined.dtype is float32
    assert cat((zeros(2, 1), zeros(2, 2)), dim=-1).shape == [2, 3]


def test_concat_of_one_tensor_has_a_gradient():
    x = to_tensor([1.0, 2.0], stop_gradient=False)
    (g,) = grad(concat([x]) * 3.0, x)
    assert g.tolist() == [3.0, 3.0]
    (g,) = grad(stack([x]) * 3.0, x)
    assert g.tolist() == [3.0, 3.0]


def test_nothing_to_join_is_refused():
    with pytest.raises(TypeMismatchError, match="at least one Tensor"):
        concat([])


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(3, [1, 1, 1]), ([1, -1], [1, 2]), ([2, 1], [2, 1]), (1, [3]), ([3], [3]), ([-1], [3])],
)
def test_split_sizes(wanted, expected):
    assert [p.shape[1] for p in split(zeros(2, 3), wanted, axis=-1)] == expected


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (2, "does not split into 2 equal parts"),
        ([1, 1], "add up to 2"),
        ([-1, -1], "-1 at most once"),
        (0, "does not split into 0"),
    ],
)
def test_split_refuses(wanted, message):
    with pytest.raises(ShapeError) as caught:
        split(zeros(2, 3), wanted, 1)
    assert message in str(caught.value)


def test_split_of_an_unknown_size():
    def function(x):
        return [*split(x, 2), *split(x, [1, -1])]

    program = trace(function, Spec((symbol("N"), 3)))
    assert [str(v.spec) for v in program.main.outputs] == [
        "f32[((N)//(2)),3]", "f32[((N)//(2)),3]", "f32[1,3]", "f32[N-1,3]",
    ]  # fmt: skip


def test_parts_and_slices():
    assert shapes(chunk(zeros(4, 2), 2)) == [[2, 2], [2, 2]]
    assert shapes(unbind(zeros(2, 3), -1)) == [[2]] * 3
    assert shapes(unstack(zeros(2, 3), 0, 2)) == [[3], [3]]
    assert shapes(unbind(zeros(1, 3))) == [[3]]
    assert unbind(zeros(0, 3)) == []
    with pytest.raises(ShapeError, match="num is 4"):
        unstack(zeros(2, 3), 0, 4)


def test_unbind_needs_a_known_size():
    with pytest.raises(ShapeError, match="unknown size N"):
        trace(lambda x: unbind(x), Spec((symbol("N"), 2)))


def test_broadcast_tensors_and_meshgrid_against_numpy():
    a, b = to_tensor([[1.0], [2.0]]), to_tensor([3.0, 4.0, 5.0])
    for found, expected in zip(
        broadcast_tensors([a, b]), np.broadcast_arrays(a.numpy(), b.numpy()), strict=True
    ):
        np.testing.assert_array_equal(found.numpy(), expected)
    vectors = [to_tensor([1, 2]), to_tensor([3, 4, 5]), to_tensor(6)]
    expected = np.meshgrid(*(v.numpy() for v in vectors), indexing="ij")
    for found, e in zip(meshgrid(*vectors), expected, strict=True):
        np.testing.assert_array_equal(found.numpy(), e)
    assert len(meshgrid([vectors[0]])) == 1
    with pytest.raises(ShapeError, match="takes vectors"):
        meshgrid(zeros(2, 2), zeros(2))


@pytest.mark.parametrize("indexing", ["ij", "xy"])
def test_meshgrid_exchanges_its_first_axes_as_numpy_does(indexing):
    vectors = [np.arange(n, dtype="float32") for n in (3, 2, 4)]
    expected = np.meshgrid(*vectors, indexing=indexing)
    found = meshgrid(*(paddle.to_tensor(v) for v in vectors), indexing=indexing)
    for one, e in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.numpy(), e)


def test_meshgrid_refuses_another_indexing():
    with pytest.raises(ArgumentError, match="indexing must be 'ij' or 'xy'"):
        meshgrid(zeros(2), zeros(2), indexing="ab")


@pytest.mark.parametrize(("name", "axis"), [("vsplit", 0), ("hsplit", 1), ("dsplit", 2)])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 9])
def test_parts_need_not_be_equal(name, axis, count):
    x = np.arange(7**3, dtype="float32").reshape(7, 7, 7)
    found = getattr(paddle, name)(paddle.to_tensor(x), count)
    for part, e in zip(found, np.array_split(x, count, axis), strict=True):
        np.testing.assert_array_equal(part.numpy(), e)


def test_a_vector_is_split_along_its_only_axis():
    assert shapes(zeros(7).hsplit(2)) == [[4], [3]]


def test_one_part_is_a_list_of_one_in_programs_too():
    function = paddle.jit.to_static(lambda x: paddle.tensor_split(x, 1))
    assert shapes(function(zeros(2, 3))) == [[2, 3]]

"""The public functions of ops.create, ops.sequence and ops.diagonal."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.dim import symbol
from twinoar.core.dtype import bool_, float32, float64, int32, int64
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.ops.create.fill import (
    assign,
    clone,
    empty,
    empty_like,
    full,
    full_like,
    increment,
    ones,
    ones_like,
    rank,
    zeros,
    zeros_like,
)
from twinoar.ops.create.range import arange, linspace
from twinoar.ops.index.diagonal import diag, diag_embed, diagonal, eye, tril, triu


def check(found, expected, dtype):
    assert found.tolist() == expected and found.dtype is dtype


def test_full_takes_its_dtype_from_the_kind_of_number():
    check(full([2], 3), [3.0, 3.0], float32)
    check(full([2], True), [True, True], bool_)
    check(full([], 1.5), 1.5, float32)
    check(full([1], 2, "int32"), [2], int32)
    check(full([1], to_tensor(2), "int64"), [2], int64)


def test_shapes_are_numbers_lists_or_tensors():
    assert zeros(3).shape == [3]
    assert ones([to_tensor(2), 1]).shape == [2, 1]
    assert empty(to_tensor([2, 3])).tolist() == [[0] * 3] * 2


@pytest.mark.parametrize(
    "made",
    [
        lambda x: full_like(x, 0.04),
        lambda x: full_like(x, 0.04, "bool"),
        lambda x: full([2], 0.04, "bool"),
        lambda x: x.clone().fill_(0.04),
    ],
)
def test_a_fraction_among_truth_values_is_true(made):
    check(made(to_tensor([False, True])), [True, True], bool_)


def test_like_keeps_dtype_unless_told_and_takes_no_gradient():
    x = to_tensor([1, 2])
    check(full_like(x, 1.5), [1, 1], int64)
    check(full_like(x, 1.5, "float64"), [1.5, 1.5], float64)
    check(zeros_like(to_tensor([True])), [False], bool_)
    leaf = to_tensor([1.0], stop_gradient=False)
    assert zeros_like(leaf).stop_gradient
    assert ones_like(leaf).tolist() == [1.0]
    assert empty_like(leaf).shape == [1]


@pytest.mark.parametrize(
    ("arguments", "options", "expected", "dtype"),
    [
        ((3,), {}, [0, 1, 2], int64),
        ((1.0, 2.0, 0.25), {}, [1.0, 1.25, 1.5, 1.75], float32),
        ((0, 5, 2, "float64"), {}, [0.0, 2.0, 4.0], float64),
        ((5, 0, -2), {}, [5, 3, 1], int64),
        ((to_tensor(3),), {}, [0, 1, 2], int64),
        ((), {"start": 2, "end": 2}, [], int64),
    ],
)
def test_arange(arguments, options, expected, dtype):
    check(arange(*arguments, **options), expected, dtype)


def test_arange_of_unknown_sizes():
    program = trace(lambda x: arange(1, x.shape[0] + 1, 2), Spec((symbol("N"),)))
    assert str(program.main.outputs[0].spec) == "i64[((N+1)//(2))]"
    with pytest.raises(ArgumentError, match="step of at least 1"):
        trace(lambda x: arange(x.shape[0], 0, -1), Spec((symbol("N"),)))


def test_arange_of_variables_has_a_size_of_its_own():
    program = trace(lambda n: arange(n), Spec((), int64))
    assert str(program.main.outputs[0].spec) == "i64[N]"


def test_linspace_cuts_to_integers():
    check(linspace(0, 1, 3), [0.0, 0.5, 1.0], float32)
    check(linspace(0, 10, 4, "int32"), [0, 3, 6, 10], int32)
    check(linspace(to_tensor(1.0), 1, to_tensor(1)), [1.0], float32)
    with pytest.raises(ArgumentError, match="num must be at least 1"):
        linspace(0, 1, 0)


def test_assign_copies_what_it_is_given():
    check(assign([1, 2.5]), [1.0, 2.5], float64)
    check(assign(3), [3], int64)
    array = np.array([1.0])
    copy = assign(array)
    array[0] = 5.0
    check(copy, [1.0], float64)
    with pytest.raises(TypeMismatchError, match="expected a Tensor, an ndarray or numbers"):
        assign("a")


def test_assign_to_an_output_sets_it_in_place():
    output = zeros([2])
    assert assign(to_tensor([1, 2]), output) is output
    check(output, [1.0, 2.0], float32)


def test_clone_is_differentiable():
    x = to_tensor([1.0, 2.0], stop_gradient=False)
    assert grad(clone(x) * 3.0, x)[0].tolist() == [3.0, 3.0]
    assert grad(assign(x) * 3.0, x)[0].tolist() == [3.0, 3.0]


def test_in_place_filling():
    x = ones([2])
    old = x.clone()
    assert x.fill_(3) is x and x.tolist() == [3.0, 3.0]
    assert x.zero_().tolist() == [0.0, 0.0] and old.tolist() == [1.0, 1.0]
    n = to_tensor([1])
    assert increment(n, 2) is n and n.tolist() == [3] and n.dtype is int64
    with pytest.raises(ArgumentError, match="takes one element"):
        increment(x)


@pytest.mark.parametrize("overwrite", [lambda x: x.fill_(3), lambda x: x.zero_()])
def test_what_is_overwritten_gets_zeros_for_a_gradient(overwrite):
    x = to_tensor([1.0, 2.0], stop_gradient=False)
    y = overwrite(x * 2)
    (y * y).sum().backward()
    assert not y.stop_gradient and x.grad.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("found", [rank(to_tensor([[1.0]])), to_tensor([[1.0]]).rank()])
def test_rank_is_a_tensor(found):
    assert (found.item(), found.shape, found.dtype) == (2, [], int32)


def test_eye_and_triangles():
    check(eye(2, 3), [[1, 0, 0], [0, 1, 0]], float32)
    check(eye(to_tensor(1), dtype="int64"), [[1]], int64)
    x = np.arange(24.0).reshape(2, 3, 4)
    for k in (-1, 0, 1):
        np.testing.assert_array_equal(tril(to_tensor(x), k).numpy(), np.tril(x, k))
        np.testing.assert_array_equal(triu(to_tensor(x), k).numpy(), np.triu(x, k))


def test_diagonals():
    check(diag(to_tensor([1, 2]), 1, padding_value=9), [[9, 1, 9], [9, 9, 2], [9, 9, 9]], int64)
    x = np.arange(24.0).reshape(2, 3, 4)
    assert diag(to_tensor(x[0]), -1).tolist() == np.diag(x[0], -1).tolist()
    np.testing.assert_array_equal(
        diagonal(to_tensor(x), 1, -1, 0).numpy(), np.diagonal(x, 1, -1, 0)
    )
    embedded = diag_embed(to_tensor(x[0]), 1)
    assert embedded.shape == [3, 5, 5]
    np.testing.assert_array_equal(np.diagonal(embedded.numpy(), 1, -2, -1), x[0])

"""Jacobian and Hessian matrices, and products with them, against formulas; in both modes."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.autograd import hessian, jacobian
from twinoar.errors import ArgumentError, ShapeError
from twinoar.incubate.autograd import Hessian, Jacobian, jvp, vjp


def leaf(values):
    return paddle.to_tensor(values, dtype="float64", stop_gradient=False)


A, B = [1.0, 2.0, 3.0], [4.0, 5.0]
BATCH = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_a_jacobian_has_a_row_for_each_result():
    x, y = leaf(A), leaf(B)
    by_x, by_y = jacobian(x.sum() * y, [x, y])
    np.testing.assert_allclose(by_x, [[4.0] * 3, [5.0] * 3])
    np.testing.assert_allclose(by_y, 6.0 * np.eye(2))


def test_what_a_result_does_not_depend_on_has_zeros():
    assert jacobian(leaf(A).sum(), leaf(B)).tolist() == [0.0, 0.0]
    assert jacobian(paddle.ones([2]), leaf(B)).tolist() == [[0.0, 0.0]] * 2


def test_numbers_have_no_dimension():
    x = leaf(2.0)
    assert jacobian(x**3, x).item() == 12.0
    assert hessian(x**3, x).item() == 12.0


def test_a_batch_has_a_matrix_for_each():
    x = leaf(BATCH)
    found = jacobian(x**2, x, batch_axis=0)
    np.testing.assert_allclose(found, [2 * np.diag(row) for row in BATCH])
    curved = hessian((x**3).sum(-1), x, batch_axis=0)
    np.testing.assert_allclose(curved, [6 * np.diag(row) for row in BATCH])


def test_a_hessian_of_several_arguments_has_their_blocks():
    x, y = leaf(A), leaf(B)
    (xx, xy), (yx, yy) = hessian(x.sum() * (y**2).sum(), (x, y))
    np.testing.assert_allclose(xx, np.zeros([3, 3]))
    np.testing.assert_allclose(xy, [[8.0, 10.0]] * 3)
    np.testing.assert_allclose(yx, xy.numpy().T)
    np.testing.assert_allclose(yy, 12.0 * np.eye(2))


def test_products_are_those_with_the_jacobian():
    def function(x, y):
        return x.sum() * y, paddle.sin(x)

    xs = [leaf(A), leaf(B)]
    v = [leaf([0.5, -1.0, 2.0]), leaf([1.0, 3.0])]
    (first, _), changes = jvp(function, xs, v)
    np.testing.assert_allclose(first, [24.0, 30.0])
    np.testing.assert_allclose(changes[0], 1.5 * np.array(B) + 6.0 * v[1].numpy())
    np.testing.assert_allclose(changes[1], np.cos(A) * v[0].numpy())
    weights = [leaf([1.0, -1.0]), leaf([1.0, 2.0, 3.0])]
    _, gradients = vjp(function, xs, weights)
    np.testing.assert_allclose(gradients[0], -1.0 + np.cos(A) * [1.0, 2.0, 3.0])
    np.testing.assert_allclose(gradients[1], [6.0, -6.0])
    inner = sum((w * c).sum().item() for w, c in zip(weights, changes, strict=True))
    outer = sum((g * u).sum().item() for g, u in zip(gradients, v, strict=True))
    assert inner == pytest.approx(outer)


def test_products_leave_what_they_are_given_alone():
    x = paddle.to_tensor(A)
    with paddle.no_grad():
        _, gradient = vjp(lambda x: x * x, x)
    assert x.stop_gradient
    assert gradient.tolist() == [2.0, 4.0, 6.0]


def test_matrices_of_functions_flatten_what_they_are_of():
    found = Jacobian(lambda x, y: x.sum() * y, [leaf(A), leaf(B)])
    assert found.shape == (2, 5)
    np.testing.assert_allclose(found[:, 3:], 6.0 * np.eye(2))
    assert Jacobian(lambda x: x * 2.0, leaf(BATCH)).shape == (6, 6)
    batched = Hessian(lambda x: (x**3).sum(-1, keepdim=True), leaf(BATCH), is_batched=True)
    np.testing.assert_allclose(batched[1], 6 * np.diag(BATCH[1]))


def test_a_converted_function_has_the_same_matrices():
    @paddle.jit.to_static
    def matrices(x):
        x.stop_gradient = False
        return jacobian(x**2, x), hessian((x**3).sum(), x)

    first, second = matrices(paddle.to_tensor(A))
    np.testing.assert_allclose(first, 2 * np.diag(A))
    np.testing.assert_allclose(second, 6 * np.diag(A))


def test_wrong_arguments_are_refused():
    x = leaf(A)
    with pytest.raises(ShapeError, match="one number"):
        hessian(x * x, x)
    with pytest.raises(ShapeError, match="0 or 1 dimensions"):
        jacobian(leaf(BATCH).sum(), leaf(BATCH))
    with pytest.raises(ArgumentError, match="batch_axis"):
        jacobian(x, x, batch_axis=1)
    with pytest.raises(ShapeError, match="must have the shapes"):
        jvp(lambda x: x, x, leaf(B))
    with pytest.raises(ShapeError, match="one number"):
        Hessian(lambda x: x * x, x)

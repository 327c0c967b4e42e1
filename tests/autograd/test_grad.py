"""grad: gradients as values; no `.grad` is touched. Facts are those of Paddle 3.3.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, grad, to_tensor
from twinoar.errors import ArgumentError, GradientError, ShapeError, TypeMismatchError


def leaf(*values: float) -> Tensor:
    return to_tensor(list(values), stop_gradient=False)


def lists(found: list) -> list:
    return [None if g is None else g.tolist() for g in found]


def test_returns_a_list_and_leaves_grad_alone() -> None:
    x = leaf(1.0, 2.0)
    assert lists(grad((x * x).sum(), x)) == [[2.0, 4.0]]
    assert x.grad is None


def test_results_want_no_gradient() -> None:
    x = leaf(1.0)
    assert grad(x * x, x)[0].stop_gradient


class TestInputs:
    def test_may_be_intermediates(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        assert lists(grad((y * y).sum(), [x, y])) == [[4.0, 32.0], [2.0, 8.0]]

    def test_may_be_the_outputs(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        assert lists(grad([y, x], [y, x])) == [[1.0, 1.0], [3.0, 5.0]]

    def test_may_be_one_of_several_results(self) -> None:
        x = leaf(1.0, 2.0)
        first, second = twinoar.split(x, 2)
        assert lists(grad((first * second).sum(), [second, x])) == [[1.0], [2.0, 1.0]]

    def test_may_be_named_twice(self) -> None:
        x = leaf(1.0, 2.0)
        assert lists(grad(x * x, [x, x])) == [[2.0, 4.0], [2.0, 4.0]]

    def test_unused_ones_are_refused(self) -> None:
        x, unused = leaf(1.0), leaf(1.0)
        with pytest.raises(GradientError, match=r"do not depend on input .* of shape \[1\]"):
            grad(x * x, [x, unused])

    def test_unused_ones_may_be_allowed(self) -> None:
        x, unused = leaf(1.0), leaf(1.0)
        assert lists(grad(x * x, [x, unused], allow_unused=True)) == [[2.0], None]

    def test_those_with_stop_gradient_are_unused(self) -> None:
        x, w = to_tensor([1.0]), leaf(1.0)
        with pytest.raises(GradientError, match="or it has stop_gradient=True"):
            grad(x * w, x)
        assert grad(x * w, x, allow_unused=True) == [None]

    def test_must_be_tensors(self) -> None:
        with pytest.raises(TypeMismatchError, match="expected a Tensor to differentiate"):
            grad(leaf(1.0) * 2, [3])

    def test_there_must_be_some(self) -> None:
        with pytest.raises(ArgumentError, match="at least one input"):
            grad(leaf(1.0) * 2, [])


class TestOutputs:
    def test_named_twice_count_twice(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        assert lists(grad([y, y], x)) == [[4.0, 8.0]]

    def test_without_gradient_are_left_out(self) -> None:
        x = leaf(1.0)
        assert lists(grad([x * x, to_tensor([1.0])], x)) == [[2.0]]

    def test_that_all_want_none_depend_on_nothing(self) -> None:
        x = to_tensor([1.0])
        assert grad(x * x, x, allow_unused=True) == [None]

    def test_must_be_tensors(self) -> None:
        with pytest.raises(TypeMismatchError, match="expected a Tensor to differentiate"):
            grad(3, leaf(1.0))


class TestGradOutputs:
    def test_weigh(self) -> None:
        x = leaf(1.0, 2.0)
        assert lists(grad(x * x, x, grad_outputs=to_tensor([3.0, 4.0]))) == [[6.0, 16.0]]

    def test_none_is_ones(self) -> None:
        x = leaf(1.0, 2.0)
        found = grad([x * x, x * 3], x, grad_outputs=[to_tensor([3.0, 4.0]), None])
        assert lists(found) == [[9.0, 19.0]]

    def test_are_differentiated_too(self) -> None:
        x, v = leaf(1.0, 2.0), leaf(1.0, 1.0)
        (first,) = grad(x * x, x, grad_outputs=v, create_graph=True)
        assert lists(grad(first.sum(), v)) == [[2.0, 4.0]]

    @pytest.mark.parametrize("count", [1, 3])
    def test_must_be_as_many_as_outputs(self, count: int) -> None:
        x = leaf(1.0)
        with pytest.raises(ArgumentError, match=f"2 outputs need as many gradients.*{count}"):
            grad([x * 1, x * 2], x, grad_outputs=[None] * count)

    def test_must_have_the_shape(self) -> None:
        x = leaf(1.0, 2.0)
        with pytest.raises(ShapeError, match=r"tensor of shape \[2\] has shape \[3\]"):
            grad(x * x, x, grad_outputs=twinoar.ones([3]))

    def test_must_be_tensors(self) -> None:
        x = leaf(1.0)
        with pytest.raises(TypeMismatchError, match="expected a Tensor as gradient"):
            grad(x * x, x, grad_outputs=np.ones(1))


class TestCreateGraph:
    def test_derivatives_of_every_order(self) -> None:
        x = to_tensor(2.0, stop_gradient=False)
        found, y = [], x**4
        for _ in range(4):
            (y,) = grad(y, x, create_graph=True)
            found.append(y.item())
        assert found == [32.0, 48.0, 48.0, 24.0]

    def test_backward_of_a_gradient(self) -> None:
        x, w = leaf(1.0, 2.0), leaf(5.0, 6.0)
        (first,) = grad(x * x * w, x, create_graph=True)
        first.sum().backward()
        assert x.grad.tolist() == [10.0, 12.0]
        assert w.grad.tolist() == [2.0, 4.0]

    def test_a_gradient_penalty_trains_the_weights(self) -> None:
        x, w = leaf(1.0, 2.0), to_tensor([[2.0], [3.0]], stop_gradient=False)
        y = twinoar.tanh(twinoar.matmul(x.reshape([1, 2]), w)).sum()
        (first,) = grad(y, x, create_graph=True)
        penalty = (first * first).sum()
        (found,) = grad(penalty, w)
        step = 1e-3
        for i in range(2):
            moved = [_penalty(w.numpy() + d * step * np.eye(2)[:, [i]]) for d in (1, -1)]
            slope = (moved[0] - moved[1]) / (2 * step)
            assert found.numpy()[i, 0] == pytest.approx(slope, rel=1e-3, abs=1e-9)

    def test_works_under_no_grad(self) -> None:
        x = leaf(3.0)
        y = x * x
        with twinoar.no_grad():
            (first,) = grad(y, x, create_graph=True)
        assert lists(grad(first, x)) == [[2.0]]


def _penalty(w: np.ndarray) -> float:
    """The sum of squares of the derivative of tanh(x w), in double precision."""
    slope = 1 - np.tanh(np.array([1.0, 2.0]) @ w) ** 2
    return float(((slope * w[:, 0]) ** 2).sum())


class TestNoGradVars:
    @pytest.mark.parametrize("given", [lambda y: y, lambda y: [y], lambda y: {y}])
    def test_no_gradient_flows_through_them(self, given: Any) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        assert lists(grad(y * x, x, no_grad_vars=given(y))) == [[1.0, 4.0]]

    def test_an_input_behind_them_is_unused(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        assert grad(y * y, x, no_grad_vars=y, allow_unused=True) == [None]
        with pytest.raises(GradientError, match="do not depend on input"):
            grad(y * y, x, no_grad_vars=y)

    def test_they_may_be_inputs(self) -> None:
        x = leaf(1.0)
        assert grad(x * x, x, no_grad_vars=[x], allow_unused=True) == [None]


class TestRetainGraph:
    def test_the_graph_stays_unless_told(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        grad(y, x)
        assert lists(grad(y, x)) == [[2.0, 4.0]]
        y.backward()
        assert x.grad.tolist() == [2.0, 4.0]

    def test_false_frees_it(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        grad(y, x, retain_graph=False)
        with pytest.raises(GradientError, match="through multiply was already used"):
            grad(y, x)

    def test_what_backward_has_freed_is_refused(self) -> None:
        x = leaf(1.0)
        y = x * x
        y.backward()
        with pytest.raises(GradientError, match="through multiply was already used"):
            grad(y, x)


def test_operators_that_no_input_depends_on_are_not_differentiated() -> None:
    called = []

    class Watched(twinoar.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            called.append(g)
            return g * 2

    x, other = leaf(1.0), leaf(1.0)
    y = x * Watched.apply(other)
    assert lists(grad(y, x)) == [[2.0]]
    assert called == []


def test_only_inputs_false_is_refused() -> None:
    x = leaf(1.0)
    with pytest.raises(ArgumentError, match="only_inputs=False is not served"):
        grad(x * x, x, only_inputs=False)

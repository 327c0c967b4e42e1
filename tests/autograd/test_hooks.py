"""Hooks see gradients, and replace them; retain_grads keeps those of intermediates."""

from __future__ import annotations

from typing import Any

import pytest

import twinoar
from twinoar import Tensor, grad, to_tensor
from twinoar.errors import ShapeError, TypeMismatchError


def leaf(*values: float) -> Tensor:
    return to_tensor(list(values), stop_gradient=False)


class TestLeaves:
    def test_a_hook_replaces_the_gradient(self) -> None:
        x = leaf(1.0, 2.0)
        x.register_hook(lambda g: g * 10)
        (x * 2).sum().backward()
        assert x.grad.tolist() == [20.0, 20.0]

    def test_a_hook_that_returns_nothing_observes(self) -> None:
        x, seen = leaf(1.0, 2.0), []
        x.register_hook(lambda g: seen.append(g.tolist()))
        (x * 2).sum().backward()
        assert seen == [[2.0, 2.0]]
        assert x.grad.tolist() == [2.0, 2.0]

    def test_a_hook_sees_the_sum_over_all_uses_once(self) -> None:
        x, seen = leaf(1.0), []
        x.register_hook(lambda g: seen.append(g.item()))
        (x * 2 + x * 3).backward()
        assert seen == [5.0]

    def test_a_hook_does_not_see_what_earlier_backward_calls_left(self) -> None:
        x, seen = leaf(1.0), []
        x.register_hook(lambda g: seen.append(g.item()))
        (x * 2).backward()
        (x * 3).backward()
        assert seen == [2.0, 3.0]

    def test_hooks_run_in_the_order_of_their_registration(self) -> None:
        x = leaf(1.0)
        x.register_hook(lambda g: g + 1)
        x.register_hook(lambda g: g * 10)
        (x * 2).backward()
        assert x.grad.tolist() == [30.0]

    def test_grad_does_not_call_the_hooks_of_leaves(self) -> None:
        x = leaf(1.0)
        x.register_hook(lambda g: g * 10)
        assert grad(x * 2, x)[0].tolist() == [2.0]


class TestIntermediates:
    def test_what_a_hook_returns_flows_on(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        y.register_hook(lambda g: g * 10)
        (y * 2).sum().backward()
        assert x.grad.tolist() == [40.0, 80.0]

    def test_a_hook_on_the_output_itself(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        y.register_hook(lambda g: g * 10)
        y.backward()
        assert x.grad.tolist() == [20.0, 40.0]

    def test_a_hook_on_one_of_several_results(self) -> None:
        x = leaf(1.0, 2.0)
        first, second = twinoar.split(x, 2)
        second.register_hook(lambda g: g * 10)
        (first + second).sum().backward()
        assert x.grad.tolist() == [1.0, 10.0]

    def test_grad_gives_what_the_hooks_of_an_input_return(self) -> None:
        x = leaf(1.0)
        y = x * 1
        y.register_hook(lambda g: g * 10)
        assert [g.tolist() for g in grad(y * 2, [y, x])] == [[20.0], [20.0]]

    def test_a_hook_stays_with_the_value_when_the_tensor_is_changed_in_place(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        y.register_hook(lambda g: g * 10)
        y.add_(twinoar.ones([2]))
        y.sum().backward()
        assert x.grad.tolist() == [20.0, 40.0]


class TestRemoval:
    def test_a_removed_hook_is_not_called(self) -> None:
        x = leaf(1.0)
        handle = x.register_hook(lambda g: g * 10)
        assert handle.remove() is True
        (x * 2).backward()
        assert x.grad.tolist() == [2.0]

    def test_removing_again_says_false(self) -> None:
        handle = leaf(1.0).register_hook(lambda g: g)
        handle.remove()
        assert handle.remove() is False

    def test_removing_again_does_not_remove_a_later_hook(self) -> None:
        x = leaf(1.0)
        handle = x.register_hook(lambda g: g)
        handle.remove()
        x.register_hook(lambda g: g * 10)
        handle.remove()
        (x * 2).backward()
        assert x.grad.tolist() == [20.0]

    def test_a_hook_may_remove_itself(self) -> None:
        x, handles = leaf(1.0), []

        def once(g: Any) -> Any:
            handles[0].remove()
            return g * 10

        handles.append(x.register_hook(once))
        (x * 2).backward()
        (x * 2).backward()
        assert x.grad.tolist() == [22.0]


class TestRetainGrads:
    def test_keeps_the_gradient_of_an_intermediate(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * 2
        y.retain_grads()
        (y * y).sum().backward()
        assert y.grad.tolist() == [4.0, 8.0]
        assert (y.grad.is_leaf, y.grad.stop_gradient) == (True, False)

    def test_of_one_of_several_results(self) -> None:
        first, second = twinoar.split(leaf(1.0, 2.0), 2)
        second.retain_grads()
        (first * second).sum().backward()
        assert (first.grad, second.grad.tolist()) == (None, [1.0])

    @pytest.mark.parametrize("retained_first, kept", [(True, 2.0), (False, 20.0)])
    def test_order_among_hooks_counts(self, retained_first: bool, kept: float) -> None:
        y = leaf(1.0) * 1
        if retained_first:
            y.retain_grads()
        y.register_hook(lambda g: g * 10)
        if not retained_first:
            y.retain_grads()
        (y * 2).backward()
        assert y.grad.tolist() == [kept]

    def test_a_second_backward_replaces(self) -> None:
        y = leaf(1.0, 2.0) * 2
        y.retain_grads()
        z = (y * y).sum()
        z.backward(retain_graph=True)
        z.backward()
        assert y.grad.tolist() == [4.0, 8.0]

    def test_changes_nothing_on_leaves_and_constants(self) -> None:
        x, constant = leaf(1.0), to_tensor([1.0])
        x.retain_grads()
        constant.retain_grads()
        (x * constant).backward()
        assert (x.grad.tolist(), constant.grad) == ([1.0], None)


@pytest.mark.parametrize("intermediate", [True, False])
class TestWrongHooks:
    def test_what_is_no_tensor_is_refused(self, intermediate: bool) -> None:
        x = leaf(1.0, 2.0)
        (x * 1 if intermediate else x).register_hook(lambda g: None)
        y = x * 1 if intermediate else x
        y.register_hook(lambda g: 5)
        with pytest.raises(TypeMismatchError, match="must return a Tensor or None, received int"):
            (y * 2).sum().backward()

    def test_another_shape_is_refused(self, intermediate: bool) -> None:
        x = leaf(1.0, 2.0)
        y = x * 1 if intermediate else x
        y.register_hook(lambda g: twinoar.ones([3]))
        with pytest.raises(ShapeError, match=r"of shape \[3\] for one of shape \[2\]"):
            (y * 2).sum().backward()

    def test_an_error_in_a_hook_is_the_user_s(self, intermediate: bool) -> None:
        x = leaf(1.0, 2.0)
        y = x * 1 if intermediate else x
        y.register_hook(lambda g: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            (y * 2).sum().backward()

"""backward: gradients arrive in `.grad` of the leaves that want them. Facts are Paddle 3.3.1's."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, to_tensor
from twinoar.autograd import backward
from twinoar.errors import (
    ArgumentError,
    GradientError,
    ProgramError,
    ShapeError,
    TypeMismatchError,
)


def leaf(*values: float) -> Tensor:
    return to_tensor(list(values), stop_gradient=False)


def test_gradients_of_several_backward_calls_add_up() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [5.0, 7.0]


def test_an_earlier_gradient_is_not_changed_by_a_later_backward() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    assert first.tolist() == [2.0, 4.0]


def test_the_gradient_is_a_leaf_that_wants_one() -> None:
    x = leaf(1.0)
    (x * x).backward()
    assert (x.grad.is_leaf, x.grad.stop_gradient) == (True, False)


def test_every_leaf_that_wants_a_gradient_gets_one_and_no_other() -> None:
    x, y, constant = leaf(1.0), leaf(2.0), to_tensor([3.0])
    (x * y * constant).backward()
    assert (x.grad.item(), y.grad.item(), constant.grad) == (6.0, 3.0, None)


def test_intermediates_keep_no_gradient() -> None:
    x = leaf(1.0)
    y = x * 2
    (y * y).backward()
    assert y.grad is None


def test_a_value_used_twice_gets_both_gradients() -> None:
    x = leaf(3.0)
    y = x * x
    (y * x + y).backward()
    assert x.grad.item() == 3 * 9 + 2 * 3


def test_exponentially_many_paths_take_linear_time() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(100):
        y = y + y
    y.backward()
    assert x.grad.item() == 2.0**100


def test_broadcast_operands_get_gradients_of_their_shape() -> None:
    x, y = leaf(1.0, 2.0), to_tensor([[1.0], [2.0], [3.0]], stop_gradient=False)
    (x * y).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]
    assert y.grad.tolist() == [[3.0], [3.0], [3.0]]


def test_gradients_have_the_dtype_of_their_leaf() -> None:
    x, y = leaf(1.0), to_tensor([2.0], dtype="float64", stop_gradient=False)
    (x * y).backward()
    assert (x.grad.dtype, y.grad.dtype) == ("float32", "float64")


class TestSeeds:
    def test_without_one_it_is_ones(self) -> None:
        x = leaf(1.0, 2.0)
        (x * x).backward()
        assert x.grad.tolist() == [2.0, 4.0]

    def test_grad_tensor_weighs(self) -> None:
        x = leaf(1.0, 2.0)
        (x * x).backward(to_tensor([1.0, 10.0]))
        assert x.grad.tolist() == [2.0, 40.0]

    def test_a_leaf_gets_the_seed_itself(self) -> None:
        x = leaf(1.0, 2.0)
        x.backward()
        x.backward(to_tensor([5.0, 6.0]))
        assert x.grad.tolist() == [6.0, 7.0]

    def test_one_of_several_results(self) -> None:
        x = to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        first, _ = twinoar.split(x, 2)
        first.sum().backward()
        assert x.grad.tolist() == [[1.0, 1.0], [0.0, 0.0]]

    def test_another_shape_is_refused(self) -> None:
        with pytest.raises(ShapeError, match=r"tensor of shape \[2\] has shape \[3\]"):
            (leaf(1.0, 2.0) * 2).backward(twinoar.ones([3]))

    def test_an_array_is_refused(self) -> None:
        with pytest.raises(TypeMismatchError, match="expected a Tensor as gradient"):
            (leaf(1.0, 2.0) * 2).backward(np.ones(2))


class TestSeveralTensors:
    def test_gradients_add_up(self) -> None:
        x = leaf(1.0, 2.0)
        backward([x * x, x * 3])
        assert x.grad.tolist() == [5.0, 7.0]

    def test_each_may_have_a_seed(self) -> None:
        x = leaf(1.0, 2.0)
        backward([x * x, x * 3], [None, to_tensor([1.0, 2.0])])
        assert x.grad.tolist() == [5.0, 10.0]

    def test_a_single_tensor_needs_no_list(self) -> None:
        x = leaf(1.0)
        backward(x * x, to_tensor([2.0]))
        assert x.grad.tolist() == [4.0]

    def test_one_may_depend_on_another(self) -> None:
        x = leaf(1.0)
        y = x * 2
        backward([y, y * y])
        assert x.grad.tolist() == [2.0 + 8.0]

    def test_none_is_refused(self) -> None:
        with pytest.raises(ArgumentError, match="at least one tensor, received none"):
            backward([])

    def test_seeds_must_be_as_many(self) -> None:
        x = leaf(1.0)
        with pytest.raises(ArgumentError, match="2 tensors need as many gradients, received 1"):
            backward([x * 1, x * 2], [None])


class TestRetainGraph:
    def test_a_second_backward_is_refused(self) -> None:
        y = (leaf(1.0) * 2).sum()
        y.backward()
        with pytest.raises(GradientError, match="through sum was already used") as caught:
            y.backward()
        assert "retain_graph=True" in str(caught.value)

    def test_a_second_backward_through_a_shared_part_is_refused_and_changes_nothing(self) -> None:
        x = leaf(1.0, 2.0)
        shared = x * x
        shared.sum().backward()
        with pytest.raises(GradientError, match="through multiply was already used"):
            (shared * 2).sum().backward()
        assert x.grad.tolist() == [2.0, 4.0]

    def test_retain_graph_allows_one_more(self) -> None:
        x = leaf(1.0, 2.0)
        y = (x * x).sum()
        y.backward(retain_graph=True)
        y.backward()
        assert x.grad.tolist() == [4.0, 8.0]
        with pytest.raises(GradientError, match="already used"):
            y.backward()


class TestStopGradient:
    def test_in_the_middle(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        y.stop_gradient = True
        (y * x).sum().backward()
        assert x.grad.tolist() == [1.0, 4.0]

    def test_set_afterwards_does_not_matter(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        z = (y * x).sum()
        y.stop_gradient = True
        z.backward()
        assert x.grad.tolist() == [3.0, 12.0]

    def test_can_be_taken_back(self) -> None:
        x = leaf(1.0, 2.0)
        y = x * x
        y.stop_gradient = True
        y.stop_gradient = False
        y.sum().backward()
        assert x.grad.tolist() == [2.0, 4.0]

    def test_detach_stops(self) -> None:
        x = leaf(1.0, 2.0)
        ((x * x).detach() * x).sum().backward()
        assert x.grad.tolist() == [1.0, 4.0]

    def test_what_wants_no_gradient_has_no_backward(self) -> None:
        with pytest.raises(GradientError, match="does not want a gradient"):
            (to_tensor([1.0]) * 2).backward()


def test_backward_works_under_no_grad() -> None:
    x = leaf(3.0)
    y = x * x
    with twinoar.no_grad():
        y.backward()
    assert x.grad.tolist() == [6.0]


def test_integer_results_between_floats_stop_the_gradient() -> None:
    x = leaf(1.5, 2.5)
    (x * x.astype("int64").astype("float32")).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_an_infinite_derivative_is_infinite() -> None:
    x = leaf(0.0)
    twinoar.sqrt(x).backward()
    assert x.grad.tolist() == [float("inf")]


def test_a_variable_has_no_backward_in_eager_mode() -> None:
    with twinoar.static.program_guard(twinoar.static.Program()):
        x = twinoar.static.data("x", [2])
    with pytest.raises(ProgramError, match=r"static\.append_backward"):
        backward(x)

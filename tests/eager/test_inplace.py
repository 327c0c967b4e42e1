"""In-place operators rebind a tensor to a new value, with right gradients.

Facts are those of Paddle 3.3.1. What views see of it: `test_sharing.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, no_grad, to_tensor
from twinoar.errors import ArgumentError, DTypeError, ProgramError, TypeMismatchError


def leaf(*values: float) -> Tensor:
    return to_tensor(list(values), stop_gradient=False)


def set_first(x: Tensor) -> None:
    x[0] = 7.0


CHANGES: dict[str, Callable[[Tensor], object]] = {
    "add_": lambda x: x.add_(twinoar.ones([2])),
    "setitem": set_first,
    "zero_": lambda x: x.zero_(),
    "fill_": lambda x: x.fill_(3.0),
    "reshape_": lambda x: x.reshape_([2, 1]),
}


def test_an_inplace_operator_returns_its_tensor() -> None:
    x = to_tensor([1.0, 2.0])
    assert x.add_(twinoar.ones([2])) is x
    assert x.tolist() == [2.0, 3.0]


def test_augmented_assignment_makes_a_new_tensor() -> None:
    x = to_tensor([1.0])
    before = x
    x += 1
    assert x is not before
    assert before.tolist() == [1.0]


def test_gradients_of_a_changed_intermediate_and_of_its_view_are_both_right() -> None:
    x = leaf(1.0, 2.0)
    y = x * 3
    part = y[0]
    y[1] = 10.0
    part.multiply_(to_tensor(5.0))
    (y.sum() + part).backward()
    assert x.grad.tolist() == [15.0 + 15.0, 0.0]


def test_the_gradient_of_an_inplace_chain() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    y.add_(twinoar.ones([2]))
    y.multiply_(y)
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 6.0]


def test_setitem_stops_the_gradient_of_what_is_overwritten_and_passes_that_of_the_value() -> None:
    x, value = leaf(1.0, 2.0), to_tensor(3.0, stop_gradient=False)
    y = x * 1
    y[0] = value
    (y * y).sum().backward()
    assert x.grad.tolist() == [0.0, 4.0]
    assert value.grad.item() == 6.0


def test_a_plain_tensor_joins_the_graph_by_what_is_written_into_it() -> None:
    value, y = to_tensor(3.0, stop_gradient=False), twinoar.zeros([2])
    y[1] = value
    assert (y.stop_gradient, y.is_leaf) == (False, False)
    (y * y).sum().backward()
    assert value.grad.item() == 6.0


@pytest.mark.parametrize("item", [slice(None), ...])
def test_overwriting_all_with_a_leaf_passes_the_leaf_s_gradient(item: object) -> None:
    x, y = leaf(1.0, 2.0), twinoar.zeros([2])
    y[item] = x
    (y * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_assign_into_an_output_passes_gradients() -> None:
    x, y = leaf(1.0, 2.0), twinoar.zeros([2])
    twinoar.assign(x, y)
    (y * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_saved_operand_does_not_see_a_later_change() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    squares = y * y
    y.add_(twinoar.ones([2]))
    squares.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_saved_result_does_not_see_a_later_change() -> None:
    x = leaf(0.0, 0.0)
    y = twinoar.exp(x)
    twice = y * 2
    y.zero_()
    twice.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_leaf_changed_under_no_grad_keeps_the_gradients_of_what_was_computed_before() -> None:
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    with no_grad():
        x.add_(twinoar.ones([2]))
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_second_derivatives_reach_a_leaf_that_was_changed_in_between() -> None:
    x = leaf(1.0, 2.0)
    y = (x * x * x).sum()
    with no_grad():
        x.zero_()
    (first,) = twinoar.grad(y, x, create_graph=True)
    first.sum().backward()
    assert first.tolist() == [3.0, 12.0]
    assert x.grad.tolist() == [6.0, 12.0]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changing_a_leaf_that_wants_a_gradient_is_refused(change: Callable) -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(ArgumentError, match="wants a gradient and is changed in place"):
        change(x)
    assert x.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changing_a_leaf_under_no_grad_is_allowed_and_it_stays_a_leaf(change: Callable) -> None:
    x = leaf(1.0, 2.0)
    with no_grad():
        change(x)
    assert (x.is_leaf, x.stop_gradient) == (True, False)
    assert x.tolist() != [1.0, 2.0]


def test_an_intermediate_changed_under_no_grad_keeps_its_history() -> None:
    x = leaf(1.0, 2.0)
    y = x * x
    with no_grad():
        y.add_(twinoar.ones([2]))
        y[0] = 5.0
    assert (y.stop_gradient, y.is_leaf, y.tolist()) == (False, False, [5.0, 5.0])
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_filling_an_intermediate_with_constants_takes_it_out_of_the_graph() -> None:
    x = leaf(1.0, 2.0)
    y = x * x
    y.zero_()
    (y + x).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_variable_has_no_data_to_change_in_eager_mode() -> None:
    with twinoar.static.program_guard(twinoar.static.Program()):
        x = twinoar.static.data("x", [2])
    with pytest.raises(ProgramError, match="has no data to write in eager mode"):
        twinoar.assign(np.ones(2, "float32"), x)


def test_only_tensors_change_in_place() -> None:
    with pytest.raises(TypeMismatchError, match="expected a Tensor to change in place"):
        twinoar.assign(twinoar.ones([2]), np.ones(2))


@pytest.mark.parametrize("dtype", ["int32", "bool"])
def test_shares_do_not_fit_into_integers(dtype):
    x = twinoar.ones([2]).astype(dtype)
    with pytest.raises(DTypeError, match="softmax_"):
        twinoar.nn.functional.softmax_(x)
    assert x.dtype == dtype

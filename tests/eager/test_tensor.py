"""What a Tensor is and offers besides operators. Facts are those of Paddle 3.3.1."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import Tensor, to_tensor
from twinoar.core.ir.program import Variable
from twinoar.core.values import Value
from twinoar.eager.tensor import ZEROS
from twinoar.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    GradientError,
    TypeMismatchError,
)

MATRIX = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def parameter(*shape: int) -> Any:
    return twinoar.create_parameter(list(shape), "float32")


class TestProperties:
    def test_shape_and_size(self) -> None:
        x = to_tensor(MATRIX)
        assert (x.shape, x.ndim, x.dim(), x.ndimension(), x.size) == ([3, 2], 2, 2, 2, 6)

    def test_changing_the_shape_list_does_not_change_the_tensor(self) -> None:
        x = to_tensor(MATRIX)
        x.shape.append(7)
        assert x.shape == [3, 2]

    def test_dtype_place_and_bytes(self) -> None:
        x = to_tensor(MATRIX)
        assert x.dtype == twinoar.float32
        assert x.place.is_cpu_place()
        assert (x.element_size(), x.nbytes) == (4, 24)

    def test_numel_is_a_tensor(self) -> None:
        assert to_tensor(MATRIX).numel().item() == 6

    def test_names_are_made_up_and_differ(self) -> None:
        x, y = to_tensor(1.0), to_tensor(1.0)
        assert x.name.startswith("generated_tensor_")
        assert x.name == x.name != y.name

    def test_a_name_can_be_given(self) -> None:
        x = to_tensor(1.0)
        x.name = "weight"
        assert x.name == "weight"

    def test_persistable_can_be_set(self) -> None:
        x = to_tensor(1.0)
        assert not x.persistable
        x.persistable = True
        assert x.persistable

    def test_a_tensor_wants_no_gradient_unless_told(self) -> None:
        assert to_tensor(1.0).stop_gradient
        assert twinoar.ones([2]).stop_gradient

    def test_leaves_are_what_no_recorded_operator_made(self) -> None:
        x = to_tensor(1.0, stop_gradient=False)
        assert x.is_leaf
        assert not (x * 2).is_leaf
        assert (x.detach() * 2).is_leaf

    @pytest.mark.parametrize(
        "data, transposed",
        [(MATRIX, [[1, 3, 5], [2, 4, 6]]), ([1.0, 2.0], [1, 2]), (1.0, 1), ([[[1, 2]]], None)],
    )
    def test_T_reverses_the_dimensions(self, data: Any, transposed: Any) -> None:
        expected = transposed if transposed is not None else [[[1]], [[2]]]
        assert to_tensor(data).T.tolist() == expected

    def test_users_may_attach_attributes(self) -> None:
        x = to_tensor(1.0)
        x.note = "mine"
        assert x.note == "mine"

    def test_an_unknown_attribute_is_missing(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'unknown'"):
            to_tensor(1.0).unknown  # noqa: B018

    def test_data_is_the_tensor_and_can_be_replaced(self) -> None:
        x = to_tensor([1.0, 2.0])
        x.data = to_tensor([3.0, 4.0])
        assert x.data.tolist() == [3.0, 4.0]


class TestParameters:
    def test_a_parameter_is_a_persistable_leaf_that_is_trained(self) -> None:
        w = parameter(2)
        assert isinstance(w, Tensor)
        assert (w.persistable, w.is_leaf, w.trainable, w.stop_gradient) == (True, True, True, False)

    def test_trainable_is_the_opposite_of_stop_gradient(self) -> None:
        w = parameter(2)
        w.trainable = False
        assert w.stop_gradient

    def test_what_is_computed_from_a_parameter_is_no_parameter(self) -> None:
        w = parameter(2)
        assert [type(x) for x in (w * 1, w.clone(), w.detach())] == [Tensor] * 3


class TestConversion:
    @pytest.mark.parametrize(
        "index, expected", [((0,), 1.0), ((3,), 4.0), ((-1,), 6.0), ((1, 0), 3.0), ((2, -1), 6.0)]
    )
    def test_item_at_an_index(self, index: tuple[int, ...], expected: float) -> None:
        assert to_tensor(MATRIX).item(*index) == expected

    @pytest.mark.parametrize(
        "data, dtype, kind",
        [
            (1.5, "float32", float),
            (1.5, "bfloat16", float),
            (1.5, "float16", float),
            (1, "int8", int),
            (True, "bool", bool),
            (1j, "complex64", complex),
        ],
    )
    def test_item_is_a_python_number(self, data: Any, dtype: str, kind: type) -> None:
        item = to_tensor([[data]], dtype=dtype).item()
        assert type(item) is kind
        assert item == data

    def test_item_of_several_elements_needs_an_index(self) -> None:
        with pytest.raises(ArgumentError, match="wants one element, the tensor has 6"):
            to_tensor(MATRIX).item()

    @pytest.mark.parametrize("index", [(6,), (0, 2), (0, 0, 0), ("a",)])
    def test_item_refuses_an_index_outside(self, index: tuple) -> None:
        with pytest.raises(AxisError, match=r"wants an index into a tensor of shape \[3, 2\]"):
            to_tensor(MATRIX).item(*index)

    def test_tolist_nests(self) -> None:
        assert to_tensor(MATRIX).tolist() == MATRIX
        assert to_tensor(5).tolist() == 5

    def test_writes_to_numpy_do_not_reach_the_tensor(self) -> None:
        x = to_tensor([1.0, 2.0])
        x.numpy()[0] = 9.0
        assert x.tolist() == [1.0, 2.0]

    @pytest.mark.parametrize("dtype", ["float64", twinoar.int32, "bool"])
    def test_astype(self, dtype: Any) -> None:
        x = to_tensor([1.7, 0.0]).astype(dtype)
        assert x.dtype == dtype
        assert x.tolist() == np.array([1.7, 0.0], "float32").astype(x.dtype.name).tolist()

    def test_astype_to_another_floating_type_passes_gradients(self) -> None:
        x = to_tensor([1.5], stop_gradient=False)
        (x.astype("float64") * 3).sum().backward()
        assert x.grad.dtype == "float32"
        assert x.grad.tolist() == [3.0]

    def test_detach_leaves_the_graph(self) -> None:
        x = to_tensor([1.5], stop_gradient=False)
        y = (x * 2).detach()
        assert (y.stop_gradient, y.is_leaf, y.tolist()) == (True, True, [3.0])

    def test_clone_stays_in_the_graph(self) -> None:
        x = to_tensor([1.5], stop_gradient=False)
        x.clone().sum().backward()
        assert x.grad.tolist() == [1.0]

    @pytest.mark.parametrize("data, truth", [(0, False), ([1.5], True), ([[False]], False)])
    def test_truth_of_one_element(self, data: Any, truth: bool) -> None:
        assert bool(to_tensor(data)) is truth

    @pytest.mark.parametrize("data", [[1.0, 2.0], []])
    def test_truth_of_other_sizes_is_refused(self, data: Any) -> None:
        with pytest.raises(ArgumentError, match=f"with {len(data)} elements is not decided"):
            bool(to_tensor(data))

    def test_python_numbers(self) -> None:
        x = to_tensor(3.7)
        assert (int(x), float(x), complex(x)) == (3, pytest.approx(3.7), pytest.approx(3.7))

    def test_a_python_number_of_several_elements_is_refused(self) -> None:
        with pytest.raises(ArgumentError, match="wants one element"):
            int(to_tensor([3.7, 1.0]))

    def test_an_integer_tensor_is_an_index(self) -> None:
        assert [10, 20, 30][to_tensor(1)] == 20
        assert list(range(to_tensor(3))) == [0, 1, 2]
        assert hex(to_tensor(255)) == "0xff"

    def test_a_float_tensor_is_no_index(self) -> None:
        with pytest.raises(DTypeError, match="an index must be an integer"):
            [10, 20][to_tensor(1.0)]

    def test_length_is_the_first_dimension(self) -> None:
        assert len(to_tensor(MATRIX)) == 3

    @pytest.mark.parametrize("use", [len, list])
    def test_no_dimensions_no_length(self, use: Any) -> None:
        with pytest.raises(TypeMismatchError, match="without dimensions"):
            use(to_tensor(1))

    def test_iteration_gives_rows(self) -> None:
        assert [row.tolist() for row in to_tensor(MATRIX)] == MATRIX
        first, second = to_tensor([1, 2])
        assert (first.item(), second.item()) == (1, 2)

    def test_gradients_flow_through_iteration(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        sum(value * i for i, value in enumerate(x)).backward()
        assert x.grad.tolist() == [0.0, 1.0]

    @pytest.mark.parametrize(
        "data, how, expected",
        [
            (1.23456, ".2f", "1.23"),
            (3, "d", "3"),
            (3, "", "3"),
            ([1.5], ".1f", "1.5"),
            (True, "", "True"),
        ],
    )
    def test_format_of_one_number(self, data: Any, how: str, expected: str) -> None:
        assert format(to_tensor(data), how) == expected

    def test_format_of_more_is_str(self) -> None:
        x = to_tensor([1.0, 2.0])
        assert f"{x}" == str(x)

    def test_a_number_format_of_more_is_refused(self) -> None:
        with pytest.raises(TypeMismatchError, match=r"'.2f' is for one number.*shape \[2\]"):
            format(to_tensor([1.0, 2.0]), ".2f")

    def test_percent_formatting(self) -> None:
        assert "%d %.2f" % (to_tensor(3), to_tensor(3.123)) == "3 3.12"  # noqa: UP031

    def test_tensors_are_keys_by_identity(self) -> None:
        x, y = to_tensor(1), to_tensor(1)
        assert {x: "x", y: "y"}[x] == "x"

    @pytest.mark.parametrize("value, found", [(2, True), (5, False), (to_tensor(2), True)])
    def test_in_compares_elements(self, value: Any, found: bool) -> None:
        assert (value in to_tensor([1, 2])) is found

    def test_comparison_with_none_is_no_tensor(self) -> None:
        x = to_tensor([1.0, 2.0])
        assert (x == None) is False  # noqa: E711
        assert (x != None) is True  # noqa: E711


class TestSetValue:
    @pytest.mark.parametrize("value", [np.array([3.0, 4.0]), [3, 4], to_tensor([3.0, 4.0])])
    def test_replaces_the_data_and_keeps_the_dtype(self, value: Any) -> None:
        x = to_tensor([1.0, 2.0])
        x.set_value(value)
        assert (x.tolist(), x.dtype) == ([3.0, 4.0], twinoar.float32)

    def test_copies(self) -> None:
        x, array = to_tensor([1.0]), np.array([2.0], "float32")
        x.set_value(array)
        array[0] = 9.0
        assert x.tolist() == [2.0]

    def test_is_allowed_on_a_leaf_that_wants_a_gradient(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        x.set_value(np.array([5.0, 6.0]))
        (x * x).sum().backward()
        assert x.grad.tolist() == [10.0, 12.0]

    def test_another_shape_is_refused(self) -> None:
        with pytest.raises(ArgumentError, match=r"the tensor has shape \[2\], the value \[3\]"):
            to_tensor([1.0, 2.0]).set_value(np.ones(3))


class TestGradient:
    def test_there_is_none_before_backward(self) -> None:
        x = to_tensor([1.0], stop_gradient=False)
        assert x.grad is None
        assert x.gradient() is None

    def test_gradient_is_an_array(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 2).sum().backward()
        assert isinstance(x.gradient(), np.ndarray)
        assert x.gradient().tolist() == [2.0, 2.0]

    def test_clear_grad_fills_with_zeros(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 2).sum().backward()
        x.clear_grad()
        assert x.grad.tolist() == [0.0, 0.0]

    def test_zeros_take_no_memory_until_they_are_looked_at(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        (x * x).sum().backward()
        x.clear_grad()
        assert x._grad is ZEROS
        assert x.grad is x.grad

    def test_clear_gradient_can_forget(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 2).sum().backward()
        x.clear_gradient(set_to_zero=False)
        assert x.grad is None

    def test_clearing_what_is_not_there_leaves_none(self) -> None:
        x = to_tensor([1.0], stop_gradient=False)
        x.clear_grad()
        assert x.grad is None

    def test_a_gradient_that_is_set_is_added_to(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        x.grad = to_tensor([1.0, 1.0])
        (x * 2).sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]

    def test_a_gradient_of_another_shape_is_refused(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        with pytest.raises(ArgumentError, match=r"tensor of shape \[2\] has shape \[3\]"):
            x.grad = twinoar.ones([3])

    def test_a_gradient_must_be_a_tensor(self) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        with pytest.raises(TypeMismatchError, match="expected a Tensor or None as gradient"):
            x.grad = np.ones(2)


class TestCopies:
    @pytest.mark.parametrize(
        "make_copy", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
    )
    def test_a_copy_has_data_and_stop_gradient_of_its_own(self, make_copy: Any) -> None:
        x = to_tensor([1.0, 2.0], stop_gradient=False)
        y = make_copy(x)
        x.set_value([5.0, 6.0])
        assert (y.tolist(), y.stop_gradient, y.is_leaf) == ([1.0, 2.0], False, True)

    def test_the_gradient_is_not_copied(self) -> None:
        x = to_tensor([1.0], stop_gradient=False)
        (x * x).backward()
        assert copy.deepcopy(x).grad is None

    def test_a_copy_of_an_intermediate_is_a_leaf(self) -> None:
        y = to_tensor([1.0], stop_gradient=False) * 2
        assert copy.deepcopy(y).is_leaf
        assert not copy.deepcopy(y).stop_gradient

    def test_copies_of_parameters_are_parameters_with_other_names(self) -> None:
        w = parameter(2)
        w.regularizer = [1]
        new = copy.deepcopy(w)
        assert type(new) is type(w)
        assert new.name != w.name
        assert new.regularizer == [1]
        assert new.regularizer is not w.regularizer

    def test_pickles_keep_the_name_of_a_parameter(self) -> None:
        w = parameter(2)
        assert pickle.loads(pickle.dumps(w)).name == w.name

    def test_one_tensor_in_two_places_is_copied_once(self) -> None:
        x = to_tensor([1.0])
        first, second = copy.deepcopy([x, x])
        assert first is second


def test_a_hook_on_a_tensor_with_stop_gradient_is_refused() -> None:
    with pytest.raises(GradientError, match="is never called"):
        to_tensor([1.0]).register_hook(lambda g: g)


def test_a_hook_must_be_a_function() -> None:
    with pytest.raises(TypeMismatchError, match="expected a function as hook, received 3"):
        to_tensor([1.0], stop_gradient=False).register_hook(3)


@pytest.mark.parametrize("kind", [Tensor, Variable])
def test_no_kind_of_tensor_hides_the_method_of_an_operator(kind: type) -> None:
    """`take`, which gave a tensor other data, was once called in place of the operator."""
    operators = {n for n, f in vars(Value).items() if "twinoar.ops" in getattr(f, "__module__", "")}
    assert len(operators) > 200
    named = [n for n in operators if not n.startswith("__")]
    hidden = [n for n in named if getattr(kind, n) is not getattr(Value, n)]
    assert hidden == []


def test_take_is_the_function_and_changes_nothing() -> None:
    x = to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.take(to_tensor([0, -1])).tolist() == [1.0, 4.0]
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]

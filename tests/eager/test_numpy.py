"""Tensors among NumPy's arrays, functions and scalars."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from twinoar import Tensor, static, to_tensor
from twinoar.errors import DTypeError


def test_asarray_gives_an_array_of_its_own() -> None:
    x = to_tensor([1.0, 2.0])
    array = np.asarray(x)
    array[0] = 9.0
    assert x.tolist() == [1.0, 2.0]


def test_asarray_converts() -> None:
    assert np.asarray(to_tensor([1.5]), dtype="float64").dtype == np.float64


def test_a_list_of_tensors_becomes_one_array() -> None:
    assert np.array([to_tensor([1.0]), to_tensor([2.0])]).tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("function", [np.exp, np.isnan, np.sqrt, np.negative])
def test_universal_functions_give_arrays(function: Callable) -> None:
    x = to_tensor([1.0, 4.0])
    found = function(x)
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, function(x.numpy()))


@pytest.mark.parametrize(
    "function",
    [np.sum, np.mean, np.max, np.std, np.prod, np.argmax, np.cumsum, np.round, np.transpose],
)
def test_other_functions_of_numpy_take_tensors(function: Callable) -> None:
    x = to_tensor([[1.5, 4.25], [2.0, -1.0]])
    np.testing.assert_array_equal(function(x), function(x.numpy()))


def test_functions_of_numpy_take_tensors_in_lists_and_keywords() -> None:
    x = to_tensor([1.0, 2.0])
    assert np.concatenate([x, x]).tolist() == [1.0, 2.0, 1.0, 2.0]
    assert np.clip(x, a_min=to_tensor(1.5), a_max=None).tolist() == [1.5, 2.0]
    assert np.where(to_tensor([True, False]), 1, 2).tolist() == [1, 2]
    assert np.allclose(x, np.array([1.0, 2.0]))


def test_numpy_s_assertions_take_tensors() -> None:
    np.testing.assert_allclose(to_tensor([1.0, 2.0]), np.array([1.0, 2.0]))
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(to_tensor([1.0]), to_tensor([2.0]))


@pytest.mark.parametrize(
    "apply", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arithmetic_of_array_and_tensor_is_a_tensor_either_way(apply: Callable, dtype: str) -> None:
    array, x = np.array([1.0, 2.0], dtype), to_tensor([3.0, 5.0])
    for left, right in ((array, x), (x, array)):
        found = apply(left, right)
        assert isinstance(found, Tensor)
        assert found.dtype == dtype
        expected = apply(np.asarray(left), np.asarray(right))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)  # pow differs by an ulp


def test_comparison_of_array_and_tensor() -> None:
    found = np.array([1.0, 2.0]) < to_tensor([1.0, 3.0])
    assert isinstance(found, Tensor)
    assert found.tolist() == [False, True]


def test_gradients_flow_where_an_array_comes_first() -> None:
    x = to_tensor([3.0, 5.0], stop_gradient=False)
    (np.array([1.0, 2.0], "float32") * x).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "scalar, data, dtype",
    [
        (np.float64(2.5), [1.0, 2.0], "float32"),
        (np.float32(2.5), [1.0, 2.0], "float32"),
        (np.float64(2.5), [1, 2], "float32"),
        (np.float32(2.5), [1, 2], "float32"),
        (np.int64(2), [1.0, 2.0], "float32"),
        (np.int64(2), np.array([1, 2], "int32"), "int32"),
    ],
)
def test_numpy_s_scalars_are_weak_as_python_s(scalar: Any, data: Any, dtype: str) -> None:
    x = to_tensor(data)
    for found in (scalar * x, x * scalar):
        assert isinstance(found, Tensor)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found.numpy(), np.asarray(data) * scalar)


def test_numpy_imports_by_dlpack() -> None:
    x = to_tensor([1.0, 2.0])
    found = np.from_dlpack(x)
    assert found.dtype == np.float32
    assert found.tolist() == [1.0, 2.0]


def test_what_dlpack_hands_over_is_a_copy() -> None:
    x = to_tensor([1.0, 2.0])
    assert not np.shares_memory(np.from_dlpack(x), np.from_dlpack(x))


def test_the_device_of_dlpack_is_the_cpu() -> None:
    assert to_tensor(1.0).__dlpack_device__() == (1, 0)


def test_bfloat16_is_not_handed_over() -> None:
    with pytest.raises(DTypeError, match="cannot hand over bfloat16 by DLPack"):
        to_tensor([1.5], dtype="bfloat16").__dlpack__()


def test_numpy_s_scalars_are_weak_in_programs_too() -> None:
    main = static.Program()
    with static.program_guard(main):
        x = static.data("x", [2], "int64")
        results = [x * np.float32(2.5), np.float32(2.5) * x]
    assert [y.dtype for y in results] == ["float32", "float32"]
    found = static.Executor().run(main, feed={"x": np.array([1, 2])}, fetch_list=results)
    assert [y.tolist() for y in found] == [[2.5, 5.0]] * 2

"""to_tensor: the dtype, shape and data of what it makes. Facts are those of Paddle 3.3.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import twinoar
from twinoar import to_tensor
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError


@pytest.fixture(autouse=True)
def default_dtype() -> Iterator[None]:
    yield
    twinoar.set_default_dtype("float32")


def scalar(value: Any, dtype: str | None = None) -> Any:
    return to_tensor(value, dtype=dtype)


@pytest.mark.parametrize(
    "data, dtype",
    [
        (1, "int64"),
        (2**40, "int64"),
        (1.5, "float32"),
        (True, "bool"),
        (1 + 2j, "complex64"),
        ([1, 2.5], "float32"),
        ([True, 2], "int64"),
        ([True, 2.5], "float32"),
        ([1, 2j], "complex64"),
        ([], "float32"),
        ([[], []], "float32"),
        (range(3), "int64"),
        (np.float64(1.5), "float64"),
        (np.float16(1.5), "float16"),
        (np.int32(3), "int32"),
        (np.bool_(True), "bool"),
        (np.array([1.0]), "float64"),
        (np.array([1], "uint8"), "uint8"),
        (np.array([1.5], ml_dtypes.bfloat16), "bfloat16"),
    ],
)
def test_dtype_of_numbers_and_arrays(data: Any, dtype: str) -> None:
    assert to_tensor(data).dtype == dtype


@pytest.mark.parametrize(
    "data, dtype",
    [
        ([np.float64(1.5), 2.5], "float32"),
        ([np.float16(1.5)], "float32"),
        ([np.int32(1)], "int64"),
        ([np.int8(1)], "int8"),
        ([np.uint8(1)], "uint8"),
        ([np.complex128(1j)], "complex64"),
        ([np.array([1.0, 2.0]), np.array([3.0, 4.0])], "float32"),
        ([np.array([1, 2], "int32")], "int64"),
    ],
)
def test_floats_in_lists_become_the_default_dtype_and_int32_becomes_int64(
    data: Any, dtype: str
) -> None:
    assert to_tensor(data).dtype == dtype


@pytest.mark.parametrize(
    "data, dtype",
    [
        ([scalar(1.0), scalar(2.0)], "float32"),
        ([scalar(1.0, "float64")], "float64"),
        ([scalar(1, "int32")], "int32"),
        ([scalar(1.5, "float16")], "float16"),
        ([scalar(1.5), scalar(1)], "float64"),
        ([scalar(True)], "bool"),
        ([[scalar(1.5), 2.0], [3.0, 4.0]], "float32"),
    ],
)
def test_dtype_of_tensors_in_lists(data: Any, dtype: str) -> None:
    assert to_tensor(data).dtype == dtype


def test_tensors_in_lists_are_stacked() -> None:
    rows = [to_tensor([1.0, 2.0]), to_tensor([3.0, 4.0])]
    assert to_tensor(rows).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_tensors_and_numbers_may_be_nested_together() -> None:
    assert to_tensor([[scalar(1.5), 2], [3, scalar(4.5)]]).tolist() == [[1.5, 2.0], [3.0, 4.5]]


@pytest.mark.parametrize("default, dtype", [("float64", "complex128"), ("float16", "complex64")])
def test_the_default_dtype_is_that_of_python_floats_and_complex_numbers(
    default: str, dtype: str
) -> None:
    twinoar.set_default_dtype(default)
    assert to_tensor(1.5).dtype == default
    assert to_tensor([np.float32(1.5)]).dtype == default
    assert to_tensor(np.float32(1.5)).dtype == "float32"
    assert to_tensor(1j).dtype == dtype


@pytest.mark.parametrize(
    "data, dtype, expected",
    [
        ([1.7, -1.7], "int32", [1, -1]),
        ([0, 1, 2], "bool", [False, True, True]),
        (5, "bfloat16", 5.0),
        (np.array([1.5]), twinoar.float16, [1.5]),
        ([1.5], np.float64, [1.5]),
        ([1], float, [1.0]),
    ],
)
def test_dtype_converts(data: Any, dtype: Any, expected: Any) -> None:
    x = to_tensor(data, dtype=dtype)
    assert x.dtype == dtype
    assert x.tolist() == expected


def test_numbers_keep_their_digits_in_the_dtype_that_is_asked_for() -> None:
    assert to_tensor(0.1, dtype="float64").item() == 0.1
    assert to_tensor([0.1 + 0.2j], dtype="complex128").item() == 0.1 + 0.2j


def test_uint16_arrays_are_the_bits_of_bfloat16() -> None:
    bits = np.array([1.5, -2.0], ml_dtypes.bfloat16).view(np.uint16)
    x = to_tensor(bits)
    assert x.dtype == "bfloat16"
    assert x.tolist() == [1.5, -2.0]


def test_later_writes_to_the_array_do_not_reach_the_tensor() -> None:
    array = np.array([1.0, 2.0])
    x = to_tensor(array)
    array[0] = 9.0
    assert x.tolist() == [1.0, 2.0]


def test_a_view_of_an_array_is_copied_too() -> None:
    array = np.zeros((2, 2))
    x = to_tensor(array[0])
    array[:] = 9.0
    assert x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("stop_gradient", [True, False])
def test_stop_gradient_is_as_asked_and_never_inherited(stop_gradient: bool) -> None:
    given = to_tensor(1.0, stop_gradient=not stop_gradient)
    assert to_tensor(given, stop_gradient=stop_gradient).stop_gradient is stop_gradient


def test_a_copy_of_a_tensor_is_a_leaf() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    assert to_tensor(x * 2, stop_gradient=False).is_leaf


@pytest.mark.parametrize("place", [None, "cpu", twinoar.CPUPlace()])
def test_place_may_be_the_cpu(place: Any) -> None:
    assert to_tensor(1.0, place=place).place == twinoar.CPUPlace()


@pytest.mark.parametrize("place", ["gpu:0", "xyz"])
def test_another_place_is_refused(place: str) -> None:
    with pytest.raises(ArgumentError, match=f"there is no device '{place}'"):
        to_tensor(1.0, place=place)


@pytest.mark.parametrize(
    "data, kind",
    [
        ("abc", "str"),
        (None, "NoneType"),
        ([None], "NoneType"),
        (["a", 1], "int, str"),
        ({1: 2}, "dict"),
        ({1, 2}, "set"),
        (object(), "object"),
    ],
)
def test_what_is_not_numeric_is_refused(data: Any, kind: str) -> None:
    with pytest.raises(TypeMismatchError, match=f"expected numbers, received {kind}"):
        to_tensor(data)


@pytest.mark.parametrize("dtype", ["uint32", "uint64", "<U1", ">f4", "datetime64[s]"])
def test_arrays_of_types_that_tensors_lack_are_refused(dtype: str) -> None:
    with pytest.raises(DTypeError, match="expected numbers or truth values, received elements of"):
        to_tensor(np.zeros(2, dtype))


@pytest.mark.parametrize("data", [2**70, [1, 2**70]])
def test_integers_beyond_int64_are_refused(data: Any) -> None:
    with pytest.raises(ArgumentError, match="expected integers that fit int64"):
        to_tensor(data)


def test_ragged_lists_are_refused() -> None:
    with pytest.raises(ArgumentError, match="expected nested lists of equal lengths"):
        to_tensor([[1, 2], [3]])


def test_an_unknown_dtype_is_refused() -> None:
    with pytest.raises(DTypeError, match="expected an element type, received 'flaot32'"):
        to_tensor(1.0, dtype="flaot32")

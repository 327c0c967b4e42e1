"""twinoar.utils.dlpack: capsules to and from other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.utils.dlpack import from_dlpack, to_dlpack


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "int8", "uint8"])
def test_there_and_back(dtype: str) -> None:
    x = twinoar.arange(6).reshape([2, 3]).astype(dtype)
    back = from_dlpack(to_dlpack(x))
    assert (back.dtype, back.shape, back.tolist()) == (x.dtype, x.shape, x.tolist())


def test_what_comes_back_is_a_leaf_without_gradient() -> None:
    x = twinoar.to_tensor([1.0], stop_gradient=False)
    back = from_dlpack(to_dlpack(x * 2))
    assert (back.stop_gradient, back.is_leaf) == (True, True)


def test_a_tensor_from_an_array_does_not_see_later_writes() -> None:
    array = np.array([1.0, 2.0])
    x = from_dlpack(array)
    array[0] = 9.0
    assert x.tolist() == [1.0, 2.0]


def test_the_namespace_is_paddle_s() -> None:
    assert twinoar.utils.dlpack.to_dlpack is to_dlpack


@pytest.mark.parametrize("x", [np.ones(2), 3, None])
def test_to_dlpack_refuses_what_is_no_tensor(x: Any) -> None:
    with pytest.raises(TypeMismatchError, match=f"expected a Tensor, received {type(x).__name__}"):
        to_dlpack(x)


def test_from_dlpack_refuses_other_objects() -> None:
    with pytest.raises(TypeMismatchError, match="DLPack capsule or an object with __dlpack__"):
        from_dlpack(3)


def test_the_names_at_the_top_are_these() -> None:
    assert (twinoar.to_dlpack, twinoar.from_dlpack) == (to_dlpack, from_dlpack)


def test_data_is_copied_to_the_cpu_alone() -> None:
    array = np.array([1.0, 2.0])
    assert from_dlpack(array, device="cpu", copy=True).tolist() == [1.0, 2.0]
    with pytest.raises(ArgumentError, match="always copies"):
        from_dlpack(array, copy=False)
    with pytest.raises(ArgumentError, match="there is no device 'gpu'"):
        from_dlpack(array, device="gpu")

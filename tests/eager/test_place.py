"""Devices: there is the CPU, and moving there gives the same tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import CPUPlace, to_tensor
from twinoar.errors import ArgumentError


def test_places_are_equal_by_kind() -> None:
    assert CPUPlace() == CPUPlace()
    assert len({CPUPlace(), CPUPlace()}) == 1
    assert CPUPlace() != "cpu"


def test_the_cpu_is_a_cpu() -> None:
    assert CPUPlace().is_cpu_place()
    assert not CPUPlace().is_gpu_place()


def test_the_device_is_the_cpu() -> None:
    assert twinoar.get_device() == "cpu"
    assert twinoar.set_device("cpu") == CPUPlace()


@pytest.mark.parametrize("device", ["gpu", "gpu:0", 5])
def test_other_devices_are_refused(device: Any) -> None:
    with pytest.raises(ArgumentError, match="there is no device"):
        twinoar.set_device(device)


@pytest.mark.parametrize(
    "args, dtype",
    [
        (("float64",), "float64"),
        ((twinoar.int32,), "int32"),
        ((np.float16,), "float16"),
        (("cpu", "float64"), "float64"),
        ((CPUPlace(), "int64"), "int64"),
        ((to_tensor([1], dtype="int32"),), "int32"),
    ],
)
def test_to_converts(args: tuple, dtype: str) -> None:
    x = to_tensor([1.0, 2.0]).to(*args)
    assert x.dtype == dtype
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize("args", [(), ("cpu",), (to_tensor([2.0]),)])
def test_to_where_it_is_already_is_the_tensor_itself(args: tuple) -> None:
    x = to_tensor([1.0])
    assert x.to(*args) is x


@pytest.mark.parametrize("args, kwargs", [(("float32",), {}), ((), {"dtype": "float32"})])
def test_to_a_dtype_is_a_copy(args: tuple, kwargs: dict) -> None:
    x = to_tensor([1.0])
    x.to(*args, **kwargs).zero_()
    assert x.tolist() == [1.0]


def test_gradients_flow_through_to() -> None:
    x = to_tensor([1.0], stop_gradient=False)
    (x.to("float64") * 2).sum().backward()
    assert x.grad.tolist() == [2.0]


@pytest.mark.parametrize("device", ["gpu", "abc", 5])
def test_to_refuses_other_devices(device: Any) -> None:
    with pytest.raises(ArgumentError, match=f"there is no device {device!r}"):
        to_tensor([1.0]).to(device)


def test_cuda_is_refused() -> None:
    with pytest.raises(ArgumentError, match="there is no device 'gpu:0'"):
        to_tensor([1.0]).cuda(0)


def test_staying_on_the_cpu_is_the_tensor_itself() -> None:
    x = to_tensor([1.0])
    assert x.cpu() is x
    assert x.pin_memory() is x
    assert x.contiguous() is x
    assert x.is_contiguous()

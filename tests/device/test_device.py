"""Questions about devices are answered for the CPU; what others have is refused by name."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, MissingNameError


def test_what_there_is():
    assert paddle.device.get_all_device_type() == paddle.device.get_available_device() == ["cpu"]
    assert paddle.device.device_count() == paddle.device.cuda.device_count() == 0
    assert not paddle.device.is_available()
    assert not paddle.device.is_compiled_with_custom_device("npu")


def test_waiting_and_seeding():
    paddle.device.synchronize()
    paddle.device.cuda.empty_cache()
    paddle.device.manual_seed(3)
    first = paddle.rand([3]).numpy()
    paddle.device.manual_seed(3)
    assert (paddle.rand([3]).numpy() == first).all()


@pytest.mark.parametrize("module", ["cuda", "xpu"])
def test_waiting_for_a_device_that_is_missing_is_refused(module):
    with pytest.raises(ArgumentError, match="there is no device"):
        getattr(paddle.device, module).synchronize()


@pytest.mark.parametrize("name", ["Stream", "max_memory_allocated", "get_device_properties"])
@pytest.mark.parametrize("module", [paddle.device, paddle.device.cuda, paddle.device.xpu])
def test_what_only_accelerators_have_is_refused(module, name):
    with pytest.raises(MissingNameError, match=f"{name} needs an? "):
        getattr(module, name)
    assert not hasattr(module, name)


def test_a_device_for_a_block():
    with paddle.device.device("cpu"), paddle.device.stream_guard():
        assert paddle.zeros([1]).place == paddle.CPUPlace()
    with pytest.raises(ArgumentError, match="there is no device 'gpu:0'"):
        paddle.device.device("gpu:0")

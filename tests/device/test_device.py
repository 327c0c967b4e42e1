"""Questions about devices are answered for the CPU; what others have is refused by name."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError


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


@pytest.mark.parametrize("name", ["Stream", "Event", "max_memory_allocated"])
@pytest.mark.parametrize("module", [paddle.device, paddle.device.cuda, paddle.device.xpu])
def test_what_only_accelerators_have_is_refused(module, name):
    space = module.__name__.replace("twinoar", "paddle")
    with pytest.raises(ArgumentError, match=rf"{space}\.{name} needs an? (.|\n)*is_available"):
        getattr(module, name)()


def test_a_stream_is_refused_in_a_block():
    guard = paddle.device.cuda.stream_guard(3)
    with pytest.raises(ArgumentError, match="Stream needs a GPU"):
        guard.__enter__()


def test_a_device_for_a_block():
    with paddle.device.device("cpu"), paddle.device.stream_guard():
        assert paddle.zeros([1]).place == paddle.CPUPlace()
    with pytest.raises(ArgumentError, match="there is no device 'gpu:0'"):
        paddle.device.device("gpu:0")


def test_the_names_of_gpus_at_the_top_answer_for_none():
    cuda = paddle.cuda
    assert (cuda.is_available(), cuda.is_initialized()) == (False, False)
    assert (cuda.device_count(), cuda.current_device()) == (0, 0)
    cuda.empty_cache()
    cuda.manual_seed_all(3)
    with cuda.stream(None), cuda.StreamContext():
        assert cuda.FloatTensor is paddle.FloatTensor
    for call in (cuda.synchronize, lambda: cuda.set_device(0), lambda: cuda.set_device("gpu")):
        with pytest.raises(ArgumentError, match="there is no device 'gpu"):
            call()
    with pytest.raises(ArgumentError, match=r"paddle\.cuda\.mem_get_info needs a GPU"):
        cuda.mem_get_info()


@pytest.mark.parametrize("place", [paddle.XPUPinnedPlace, paddle.device.IPUPlace])
def test_places_of_other_devices_are_refused(place):
    with pytest.raises(ArgumentError, match=rf"there is no device {place.__name__}\(\)"):
        place()


def test_random_numbers_of_gpus_have_no_states():
    assert paddle.get_cuda_rng_state() == []
    paddle.set_cuda_rng_state([])
    with pytest.raises(ArgumentError, match="there is no GPU to take the 1 states"):
        paddle.set_cuda_rng_state([paddle.get_rng_state()])

"""What is off does nothing, and what would compute in lower precision is refused by name."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import amp
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError


def step(scaler, network, optimizer, x):
    """One step as training programs write it."""
    with amp.auto_cast(enable=False, level="O1"):
        loss = network(x).square().mean()
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    optimizer.clear_grad()
    return loss.item()


def trained(train):
    paddle.seed(5)
    network = paddle.nn.Linear(3, 2)
    optimizer = paddle.optimizer.Adam(0.1, parameters=network.parameters())
    x = paddle.rand([4, 3])
    losses = [train(network, optimizer, x) for _ in range(3)]
    return losses, network.weight.numpy()


def test_a_disabled_scaler_trains_as_the_optimizer_alone():
    def plain(network, optimizer, x):
        loss = network(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss.item()

    scaler = amp.GradScaler(enable=False, init_loss_scaling=8.0)
    losses, weight = trained(lambda *given: step(scaler, *given))
    expected, expected_weight = trained(plain)
    assert losses == expected
    np.testing.assert_array_equal(weight, expected_weight)


def test_minimize_is_that_of_the_optimizer():
    def train(network, optimizer, x):
        loss = network(x).square().mean()
        loss.backward()
        amp.GradScaler(enable=False).minimize(optimizer, loss)
        optimizer.clear_grad()
        return loss.item()

    scaler = amp.GradScaler(enable=False)
    assert trained(train)[0] == trained(lambda *given: step(scaler, *given))[0]


@pytest.mark.parametrize("kind", [amp.GradScaler, amp.AmpScaler])
def test_a_scaler_on_a_cpu_is_off_and_says_so(kind):
    with pytest.warns(UserWarning, match="none on a CPU"):
        scaler = kind(init_loss_scaling=1024.0)
    assert not scaler.is_enable()
    assert not scaler.is_use_dynamic_loss_scaling()
    assert scaler.state_dict() == {}
    assert scaler.get_init_loss_scaling() == 1.0
    x = paddle.ones([1])
    assert scaler.scale(x) is x


def test_a_scaler_that_is_off_keeps_its_settings():
    scaler = amp.GradScaler(enable=False)
    assert (scaler.get_incr_ratio(), scaler.get_decr_ratio()) == (2.0, 0.5)
    assert (scaler.get_incr_every_n_steps(), scaler.get_decr_every_n_nan_or_inf()) == (2000, 1)
    scaler.set_incr_ratio(3.0)
    scaler.load_state_dict({"scale": 2.0})
    assert scaler.get_incr_ratio() == 3.0
    with pytest.raises(ArgumentError, match=r"incr_ratio is 0\.5"):
        scaler.set_incr_ratio(0.5)
    with pytest.raises(TypeMismatchError, match="optimizer"):
        scaler.step(3)
    with pytest.raises(TypeMismatchError, match="dict"):
        scaler.load_state_dict(3)


@pytest.mark.parametrize(
    "given", [{"enable": False}, {"enable": False, "level": "O2"}, {"level": "O0"}, {"enable": 0}]
)
def test_auto_cast_that_is_off_leaves_precision_alone(given):
    x = paddle.ones([2, 2])
    with amp.auto_cast(**given):
        assert (x @ x).dtype == paddle.float32
        assert (x.astype("float16") + x).dtype == paddle.float32
        assert not amp.is_autocast_enabled()


def test_auto_cast_that_is_off_may_decorate_a_function():
    @amp.auto_cast(enable=False)
    def double(x):
        return x * 2

    assert double(paddle.ones([2])).tolist() == [2.0, 2.0]


def test_auto_cast_that_is_off_works_under_to_static():
    @paddle.jit.to_static
    def double(x):
        with amp.auto_cast(enable=False):
            return x * 2

    assert double(paddle.ones([2])).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("level", ["O1", "O2", "OD"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_auto_cast_that_is_on_is_refused(level, dtype):
    with (
        pytest.raises(UnsupportedError, match=f"{level}(.|\n)*{dtype}(.|\n)*enable=False"),
        amp.auto_cast(level=level, dtype=dtype),
    ):
        pass


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"level": "O3"}, ArgumentError),
        ({"level": 1}, ArgumentError),
        ({"dtype": "float32"}, ArgumentError),
        ({"custom_white_list": ["a"], "custom_black_list": {"a"}}, ArgumentError),
        ({"custom_white_list": 3}, TypeMismatchError),
    ],
)
def test_auto_cast_tells_wrong_arguments_even_when_it_is_off(given, error):
    with pytest.raises(error), amp.auto_cast(enable=False, **given):
        pass


@pytest.mark.parametrize("level", ["O0", "O1"])
def test_decorate_returns_what_it_gets(level):
    model = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    assert amp.decorate(model, level=level) is model
    assert amp.decorate(model, optimizer, level=level) == (model, optimizer)
    assert amp.decorate([model], [optimizer], level=level) == ([model], [optimizer])
    assert model.weight.dtype == paddle.float32


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: amp.decorate(m, level="O2"), UnsupportedError),
        (lambda m: amp.decorate(m, level="O1", save_dtype="float16"), UnsupportedError),
        (lambda m: amp.decorate(m, level="O5"), ArgumentError),
        (lambda m: paddle.static.amp.decorate(m), UnsupportedError),
        (lambda m: paddle.static.amp.cast_model_to_fp16(m), UnsupportedError),
        (lambda m: paddle.fluid.contrib.mixed_precision.decorate(m), UnsupportedError),
    ],
)
def test_parameters_of_lower_precision_are_refused(call, error):
    with pytest.raises(error):
        call(paddle.nn.Linear(2, 2))


@pytest.mark.parametrize("device", [None, "cpu"])
def test_what_a_cpu_computes_in(device):
    assert not amp.is_float16_supported(device)
    assert amp.is_bfloat16_supported(device)
    assert amp.get_autocast_dtype() == amp.get_autocast_cpu_dtype() == "float16"
    with pytest.raises(ArgumentError, match="device"):
        amp.is_bfloat16_supported("abacus")


def test_the_guard_of_a_program_changes_nothing():
    lists = paddle.static.amp.CustomOpLists({"matmul"}, {"softmax"})
    assert (lists.white_list, lists.black_list) == ({"matmul"}, {"softmax"})
    with paddle.static.amp.fp16_guard():
        assert (paddle.ones([2]) * 2).dtype == paddle.float32

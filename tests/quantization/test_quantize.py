"""Networks with quanters: trained, calibrated, converted, saved; and what is refused."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import twinoar
from tests.quantization.networks import calibrated, images, in_training, network
from twinoar import jit, nn, optimizer, static
from twinoar.errors import ArgumentError
from twinoar.nn.quant.format import LinearDequanter, LinearQuanter, LinearQuanterDequanter
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import (
    AbsMaxChannelWiseWeightObserver,
    AbsmaxObserver,
    EMAObserver,
    GroupWiseWeightObserver,
    HistObserver,
    MinMaxObserver,
    MSEObserver,
)

OBSERVERS = [EMAObserver(), MSEObserver()] + [
    kind(sign=sign, symmetric=symmetric)
    for kind in (MinMaxObserver, HistObserver)
    for sign, symmetric in ((True, True), (True, False), (False, False))
]


def state(net: nn.Layer) -> dict[str, np.ndarray]:
    return {name: value.numpy() for name, value in net.state_dict().items()}


def test_a_converted_network_computes_nearly_what_the_network_of_floats_does() -> None:
    net = network()
    ptq, prepared = calibrated(net)
    x = images()
    # seven roundings, of values up to 4 by a 254th at most each
    np.testing.assert_allclose(ptq.convert(prepared)(x), net(x), atol=0.1)


def test_fewer_bits_lose_more() -> None:
    net, x = network(), images()
    lost = []
    for bits in (2, 4, 8, 12):
        ptq, prepared = calibrated(net, quant_bits=bits)
        lost.append(float(np.abs(ptq.convert(prepared)(x).numpy() - net(x).numpy()).max()))
    assert lost == sorted(lost, reverse=True) and lost[-1] < 0.005


def test_weights_become_int8_and_come_back() -> None:
    ptq, prepared = calibrated()
    weight = prepared[4].weight.numpy()
    layer = ptq.convert(prepared)[4]
    assert layer.weight.dtype == twinoar.int8
    again = layer.weight_quanter(layer.weight).numpy()
    assert again.dtype == np.float32
    assert np.abs(again - weight).max() <= np.abs(weight).max() / 254 * 1.001


def test_weights_of_more_bits_stay_floats() -> None:
    ptq, prepared = calibrated(quant_bits=12)
    weight = ptq.convert(prepared)[4].weight
    assert weight.dtype == twinoar.float32 and float(weight.abs().max()) == 2047


def test_weights_remain_where_they_are_to() -> None:
    ptq, prepared = calibrated()
    kept = ptq.convert(prepared, remain_weight=True)
    np.testing.assert_array_equal(kept[4].weight.numpy(), prepared[4].weight.numpy())
    np.testing.assert_allclose(kept(images()), ptq.convert(prepared)(images()), atol=1e-5)


def test_training_moves_weights_and_scales() -> None:
    _, net = in_training()
    before = state(net)
    rule = optimizer.SGD(0.1, parameters=net.parameters())
    for _ in range(2):
        net(images()).mean().backward()
        rule.step()
        rule.clear_grad()
    after = state(net)
    assert "0.weight_quanter._scale" in after
    assert all((before[name] != after[name]).any() for name in before)


def test_scales_stand_still_in_evaluation() -> None:
    _, net = in_training()
    net(images())
    before = state(net.eval())
    net(images(seed=1))
    assert all((before[name] == value).all() for name, value in state(net).items())


def test_one_step_is_the_same_eagerly_and_converted_to_a_program() -> None:
    _, net = in_training()
    other = copy.deepcopy(net)
    compiled = jit.to_static(other)
    for _ in range(2):
        loss, same = net(images()).mean(), compiled(images()).mean()
        loss.backward()
        same.backward()
        assert loss.item() == pytest.approx(same.item(), rel=1e-5)
    for (name, a), b in zip(state(net).items(), state(other).values(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7, err_msg=name)
    np.testing.assert_allclose(net[0].weight.grad, other[0].weight.grad, rtol=1e-4, atol=1e-6)


def test_what_is_saved_computes_the_same_without_a_host_command(tmp_path) -> None:
    ptq, prepared = calibrated()
    net, x = ptq.convert(prepared), images()
    spec = [static.InputSpec([None, 1, 8, 8], "float32", "x")]
    jit.save(net, str(tmp_path / "net"), input_spec=spec)
    loaded = jit.load(str(tmp_path / "net"))
    with twinoar.no_grad():
        np.testing.assert_allclose(loaded(x), net(x), atol=1e-5)
    assert "host commands: 0" in loaded.explain()


def test_groups_of_rows_have_scales_of_their_own() -> None:
    layer = nn.Linear(128, 3)
    values = np.random.default_rng(0).standard_normal((128, 3)).astype("f4")
    values[64:] *= 100
    layer.weight.set_value(values)
    ptq = PTQ(QuantConfig(None, GroupWiseWeightObserver(group_size=64)))
    prepared = ptq.quantize(nn.Sequential(layer).eval())
    x = twinoar.to_tensor(np.eye(128, dtype="f4"))
    prepared(x)
    found = ptq.convert(prepared)(x).numpy() - layer.bias.numpy()
    assert np.abs(found[:64] - values[:64]).max() < np.abs(values[:64]).max() / 250


def test_another_zero_is_kept() -> None:
    x = twinoar.to_tensor([0.0, 0.5, 1.0])
    scale, zero = 0.5, -127.0
    out = LinearQuanter(scale, zero)(x)
    assert out.tolist() == [-127.0, 0.0, 127.0]
    assert LinearDequanter(scale, zero)(out).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("bits", [(4, 3), (5, 2)])
def test_floats_of_8_bits_are_made(bits: tuple[int, int]) -> None:
    x = images()
    both = LinearQuanterDequanter(
        LinearQuanter(4.0, bit_length=bits), LinearDequanter(4.0, bit_length=bits)
    )
    np.testing.assert_allclose(both(x).numpy(), x.numpy(), rtol=2.0 ** -(bits[1] + 1), atol=1e-3)


def test_a_second_input_is_observed_too() -> None:
    from twinoar.nn.quant import add

    ptq = PTQ(QuantConfig(AbsmaxObserver(), None))
    layer = ptq.quantize(add().eval())
    layer(twinoar.to_tensor([1.0]), twinoar.to_tensor([-5.0]))
    assert layer._observer.scales().item() == 5.0


@pytest.mark.parametrize("observer", OBSERVERS, ids=str)
def test_every_observer_of_inputs_rounds_by_less_than_a_step(observer) -> None:
    net, x = nn.Sequential(nn.Linear(8, 8)).eval(), twinoar.linspace(-1.0, 3.0, 4000)
    x = x.reshape([-1, 8])
    ptq = PTQ(QuantConfig(observer, AbsMaxChannelWiseWeightObserver()))
    observed = ptq.quantize(net)
    observed(x)
    both = ptq.convert(observed)[0].activation_quanter
    outer = abs(both(x) - x).max().item()
    inner = abs(both(x[100:300]) - x[100:300]).max().item()
    shifted = both._quanter._is_shifted
    assert inner <= (4 / 255 if shifted else 3 / 127) * 0.51
    assert shifted is (observer.kwargs.get("symmetric") is False)
    assert outer < 0.2  # those at the ends may be cut off


def test_networks_are_not_quantized_twice() -> None:
    ptq, prepared = calibrated()
    for net in (prepared, ptq.convert(prepared)):
        with pytest.raises(ArgumentError, match="quantized already"):
            ptq.quantize(net)


@pytest.mark.parametrize("inplace", [False, True])
def test_what_cannot_be_converted_is_told_and_nothing_changes(inplace: bool) -> None:
    ptq = PTQ(QuantConfig(AbsmaxObserver(), AbsmaxObserver()))
    net = ptq.quantize(network().eval())
    with pytest.raises(ArgumentError, match=r"0: weight_quanter: .* has no scales"):
        ptq.convert(net, inplace)
    net(images())
    net[4].weight.set_value(np.full((36, 5), np.nan, "f4"))
    with pytest.raises(ArgumentError, match=r"4: .*weight is not finite"):
        ptq.convert(net, inplace)
    assert not net[0].converted and net[0].weight.dtype == twinoar.float32
    with pytest.raises(ArgumentError, match="the network has no quanters"):
        ptq.convert(network(), inplace)


def test_values_that_are_not_finite_are_told() -> None:
    _, prepared = calibrated()
    with pytest.raises(ArgumentError, match="values to observe must be finite"):
        prepared(images() * float("nan"))
    qat, net = in_training()
    net(images() * float("nan"))
    with pytest.raises(ArgumentError, match=r"activation_quanter: scales must be finite"):
        qat.convert(net)


def test_a_converted_network_is_not_converted_again() -> None:
    ptq, prepared = calibrated()
    with pytest.raises(ArgumentError, match="it is converted already"):
        ptq.convert(ptq.convert(prepared))


def test_training_that_did_not_happen_is_warned_of() -> None:
    qat, net = in_training()
    with pytest.warns(UserWarning, match=r"no data has passed in training through 0\.weight"):
        qat.convert(net)


def test_the_mode_of_the_network_is_checked() -> None:
    qat, _ = in_training()
    with pytest.raises(ArgumentError, match="needs a network in training mode"):
        qat.quantize(network().eval())
    with pytest.raises(ArgumentError, match="need a network in evaluation mode"):
        PTQ(QuantConfig(AbsmaxObserver(), None)).quantize(network())

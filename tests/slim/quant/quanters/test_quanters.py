"""Quanters that learn: gradients are those of the papers, and converting changes nothing."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.quantization.networks import images, network
from twinoar import jit, nn, static
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.quantization import QAT, QuantConfig
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.slim.quant.quanters import (
    ActLSQplusQuanter,
    FakeQuanterChannelWiseAbsMaxObserver,
    PACTQuanter,
    WeightLSQplusQuanter,
)

CONFIGS: dict[str, tuple[Any, Any]] = {
    "LSQ": (ActLSQplusQuanter(), WeightLSQplusQuanter()),
    "LSQ by channel": (ActLSQplusQuanter(sign=False), WeightLSQplusQuanter(per_channel=True)),
    "LSQ+": (ActLSQplusQuanter(symmetric=False), WeightLSQplusQuanter(per_channel=True)),
    "LSQ+ of 4 bits": (ActLSQplusQuanter(4, symmetric=False), WeightLSQplusQuanter(4)),
    "PACT": (
        PACTQuanter(FakeQuanterWithAbsMaxObserver(), 2.0, 1.0),
        PACTQuanter(FakeQuanterChannelWiseAbsMaxObserver(), 2.0, 1.0),
    ),
}
every_config = pytest.mark.parametrize("kind", CONFIGS)


def quantized(kind: str) -> tuple[QAT, nn.Layer]:
    qat = QAT(QuantConfig(*CONFIGS[kind]))
    return qat, qat.quantize(network())


def trained(kind: str, steps: int = 4) -> tuple[QAT, Any]:
    qat, net = quantized(kind)
    rule = paddle.optimizer.Adam(0.002, parameters=net.parameters())
    for i in range(steps):
        net(images(seed=i)).square().mean().backward()
        rule.step()
        rule.clear_grad()
    return qat, net.eval()


def with_step(factory: Any, layer: Any, step: Any) -> Any:
    """A quanter whose step is given."""
    quanter = factory._instance(layer).eval()
    quanter._scale.set_value(np.array(step, "f4"))
    return quanter


def lsq_gradient(x: np.ndarray, step: np.ndarray, low: int, high: int) -> np.ndarray:
    """Equation 3 of arXiv 1902.08153, element by element."""
    ratio = x / step
    inside = np.round(ratio) - ratio
    return np.where(ratio <= low, low, np.where(ratio >= high, high, inside))


@pytest.mark.parametrize("sign", [True, False])
def test_the_gradient_of_a_step_is_that_of_lsq(sign: bool) -> None:
    step, (low, high) = 0.3, (-8, 7) if sign else (0, 15)
    values = np.random.default_rng(0).standard_normal((5, 6)).astype("f4") * 3
    quanter = with_step(ActLSQplusQuanter(4, sign=sign), None, [step])
    x = paddle.to_tensor(values, stop_gradient=False)
    out = quanter(x)
    out.sum().backward()
    rounded = np.clip(np.round(values / step), low, high)
    np.testing.assert_allclose(out, rounded * step, rtol=1e-6)
    inside = (values / step > low) & (values / step < high)
    np.testing.assert_array_equal(x.grad, inside.astype("f4"))
    wanted = lsq_gradient(values, np.array(step), low, high).sum() / math.sqrt(6 * high)
    np.testing.assert_allclose(quanter._scale.grad, [wanted], rtol=1e-4)


@pytest.mark.parametrize(
    ("layer", "axis"), [(nn.Linear(4, 3), 1), (nn.Conv2D(2, 3, 2), 0)], ids=["Linear", "Conv2D"]
)
def test_each_channel_of_a_weight_has_a_step_of_its_own(layer: Any, axis: int) -> None:
    steps = np.array([0.05, 0.2, 0.6], "f4")
    quanter = with_step(WeightLSQplusQuanter(3, per_channel=True), layer, steps)
    out = quanter(layer.weight)
    out.sum().backward()
    rows = np.moveaxis(layer.weight.numpy(), axis, 0).reshape(3, -1)
    by_row = lsq_gradient(rows, steps[:, None], -4, 3).sum(1) / math.sqrt(rows.shape[1] * 3)
    np.testing.assert_allclose(quanter._scale.grad, by_row, rtol=1e-4, atol=1e-6)
    made = np.moveaxis(out.numpy(), axis, 0).reshape(3, -1) / steps[:, None]
    np.testing.assert_allclose(made, np.round(made), atol=1e-5)
    np.testing.assert_allclose(quanter.scales(), steps * 3, rtol=1e-6)


def test_an_offset_moves_only_by_what_is_clipped() -> None:
    quanter = with_step(ActLSQplusQuanter(4, symmetric=False), None, [0.5])
    quanter._beta.set_value(np.array([4.0], "f4"))
    x = paddle.to_tensor([[0.1, 2.0, 7.4, 9.0]], stop_gradient=False)
    out = quanter(x)
    out.sum().backward()
    assert out.tolist() == [[0.0, 2.0, 7.5, 7.5]]
    assert x.grad.tolist() == [[1.0, 1.0, 1.0, 0.0]]
    np.testing.assert_allclose(quanter._beta.grad, [1 / math.sqrt(4 * 7)], rtol=1e-5)
    assert quanter.zero_points().tolist() == [-8.0]


def test_first_batches_move_the_step_and_later_ones_do_not() -> None:
    quanter = ActLSQplusQuanter(batch_init=2)._instance(None)
    seen = []
    for largest in (127.0, 254.0, 1270.0):
        quanter(paddle.to_tensor([[largest, -1.0]]))
        seen.append(quanter._scale.item())
    assert seen == pytest.approx([1.0, 1.1, 1.1])


def test_first_steps_of_weights_are_those_of_lsq_plus() -> None:
    layer = nn.Linear(400, 2)
    values = np.random.default_rng(0).standard_normal((400, 2)).astype("f4") * [1.0, 20.0] + 0.1
    values[0] = 100.0  # beyond three deviations
    layer.weight.set_value(values.astype("f4"))
    quanter = WeightLSQplusQuanter(per_channel=True)._instance(layer)
    quanter(layer.weight)
    edge = np.abs(values.mean(0) + 3 * values.std(0))
    np.testing.assert_allclose(quanter._scale, edge / 128, rtol=1e-4)


def test_a_step_that_training_makes_negative_rounds_finely() -> None:
    quanter = with_step(ActLSQplusQuanter(), None, [-1.0])
    assert abs(quanter(paddle.to_tensor([[0.5]])).item()) < 1e-5
    assert quanter.scales().item() > 0


def test_pact_clips_before_it_rounds() -> None:
    quanter = PACTQuanter(FakeQuanterWithAbsMaxObserver(0.0), 1.0)._instance(None)
    x = paddle.to_tensor([-4.0, 0.5, 3.0, 2.0], stop_gradient=False)
    out = quanter(x)
    out.sum().backward()
    np.testing.assert_allclose(out, [-1, 64 / 127, 1, 1], rtol=1e-6)
    assert x.grad.tolist() == [0, 1, 0, 0] and quanter.alpha.grad.tolist() == [1]
    assert quanter.alpha.optimize_attr["learning_rate"] == 1000.0


def test_a_bound_that_came_closer_bounds_the_scale() -> None:
    quanter = PACTQuanter(FakeQuanterWithAbsMaxObserver(), 2.0)._instance(None)
    quanter(paddle.to_tensor([4.0]))
    quanter.alpha.set_value(np.array([0.5], "f4"))
    assert quanter.scales().tolist() == [0.5]


@every_config
def test_what_is_converted_computes_what_was_trained(kind: str) -> None:
    qat, net = trained(kind)
    x = images(seed=9)
    out = qat.convert(net)(x)
    # PACT's bound may be closer than the average by which it rounded.
    np.testing.assert_allclose(out, net(x), atol=0.03 if kind == "PACT" else 1e-5)


@every_config
def test_three_ways_to_train_come_to_the_same(kind: str) -> None:
    _, eager = quantized(kind)
    traced, recorded = copy.deepcopy(eager), quantized(kind)[1]
    batches = [images(seed=i) for i in range(3)]
    for net, forward in ((eager, eager), (traced, jit.to_static(traced))):
        rule = paddle.optimizer.SGD(0.01, parameters=net.parameters())
        for x in batches:
            forward(x).square().mean().backward()
            rule.step()
            rule.clear_grad()
    train_recorded(recorded, [x.numpy() for x in batches])
    for other in (traced, recorded):
        for name, value in other.state_dict().items():
            wanted = eager.state_dict()[name]
            np.testing.assert_allclose(value, wanted, rtol=1e-3, atol=1e-5, err_msg=name)


def train_recorded(net: nn.Layer, batches: list[np.ndarray]) -> None:
    """Train in a Program of forward, backward and the optimizer's step."""
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            loss = net(static.data("x", [None, 1, 8, 8])).square().mean()
            paddle.optimizer.SGD(0.01).minimize(loss)
            executor = static.Executor()
            executor.run(static.default_startup_program())
            for x in batches:
                executor.run(static.default_main_program(), feed={"x": x}, fetch_list=[loss])
    finally:
        paddle.disable_static()


@every_config
def test_what_is_saved_computes_the_same(kind: str, tmp_path) -> None:
    qat, net = trained(kind)
    converted, x = qat.convert(net), images(seed=9)
    jit.save(
        converted, str(tmp_path / "net"), input_spec=[static.InputSpec([None, 1, 8, 8], "float32")]
    )
    with paddle.no_grad():
        np.testing.assert_allclose(jit.load(str(tmp_path / "net"))(x), converted(x), atol=1e-5)


@pytest.mark.parametrize("kind", ["LSQ", "PACT"])
def test_products_of_integers_are_made_of_what_was_learnt(kind: str) -> None:
    qat, net = trained(kind)
    converted = qat.convert(net)
    program = jit.to_static(
        converted.forward, input_spec=[static.InputSpec([4, 1, 8, 8], "float32")]
    ).concrete_program.program
    types = {o.type for o in paddle.passes.for_inference(program).main.ops}
    assert {"integer_linear", "integer_conv2d"} <= types


@pytest.mark.parametrize("kind", ["LSQ", "LSQ+"])
def test_training_that_did_not_happen_is_warned_of(kind: str) -> None:
    qat, net = quantized(kind)
    with pytest.warns(UserWarning, match="no data has passed in training"):
        qat.convert(net.eval())


def test_bounds_that_are_not_finite_are_told() -> None:
    qat, net = trained("PACT")
    net[4].activation_quanter.alpha.set_value(np.array([np.nan], "f4"))
    with pytest.raises(ArgumentError, match=r"4: activation_quanter: scales must be finite"):
        qat.convert(net)


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (UnsupportedError, "one step for all", lambda: ActLSQplusQuanter(per_channel=True)),
        (UnsupportedError, "with a sign", lambda: WeightLSQplusQuanter(sign=False)),
        (UnsupportedError, "with a sign", lambda: WeightLSQplusQuanter(symmetric=False)),
        (TypeMismatchError, "factory of quanters", lambda: PACTQuanter(None)),
        (ArgumentError, "bit_length", lambda: ActLSQplusQuanter(1)._instance(None)),
        (ArgumentError, "batch_init", lambda: ActLSQplusQuanter(batch_init=0)._instance(None)),
        (
            UnsupportedError,
            "all processes",
            lambda: ActLSQplusQuanter(reduce_type="max")._instance(None),
        ),
        (
            ArgumentError,
            "no axis of channels is known of ReLU",
            lambda: FakeQuanterChannelWiseAbsMaxObserver()._instance(nn.ReLU()),
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()

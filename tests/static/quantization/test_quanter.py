"""Programs in training round what they read, and become Programs of integers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.static.quantization.programs import Network, images, rounded, types
from twinoar import static
from twinoar.errors import ArgumentError, DTypeError, UnknownNameError, UnsupportedError
from twinoar.static import quantization
from twinoar.static.quantization import convert, quant_aware

WEIGHTS = ("conv2d_0.w_0", "fc_0.w_0")


def aware(network: Network, **config: Any) -> tuple[Any, Any]:
    """The Programs to train and to test."""
    given = {"config": config, "scope": network.scope}
    test = quant_aware(network.test, for_test=True, **given)
    return quant_aware(network.main, **given), test


def test_what_operators_with_weights_read_is_rounded_but_not_what_is_to_be_skipped() -> None:
    network = Network()
    program = quant_aware(network.test, scope=network.scope)
    found = types(program)
    assert found.count("fake_quantize_dequantize_moving_average_abs_max") == 2
    assert found.count("fake_channel_wise_quantize_dequantize_abs_max") == 2
    skipped = [o for o in program.main.ops if o.type == "conv2d"][1]
    assert "conv2d_1.w_0" in skipped.input_arg_names


def test_a_program_computes_with_rounded_values() -> None:
    network = Network()
    for name in ("conv2d_0.w_0", "conv2d_0.b_0"):
        value = np.abs(network.weight(name)) if name.endswith("w_0") else network.weight(name)
        network.scope.var(name).set(value)
    program = quant_aware(network.test, scope=network.scope)
    found = network.run(program, fetch="conv2d_0.tmp_0")
    # A moving average that begins with a sum and a count of 1.
    scale = (0.9 + np.abs(images()).max()) / 1.9
    weight = network.weight("conv2d_0.w_0")
    scales = np.abs(weight).max(axis=(1, 2, 3), keepdims=True)
    x, w = (
        twinoar.to_tensor(v.astype("f4"))
        for v in (rounded(images(), scale), rounded(weight, scales))
    )
    np.testing.assert_allclose(found, twinoar.nn.functional.conv2d(x, w), atol=1e-5)


def test_training_a_program_moves_weights_by_gradients_of_rounded_values() -> None:
    """Quantized before or after the optimizer came, it is the same."""
    before, after = Network(optimizer=False), Network()
    trained = quant_aware(before.main, scope=before.scope)
    with static.program_guard(trained, before.startup):
        twinoar.optimizer.SGD(0.05).minimize(trained.variable(before.loss.name))
    before.executor.run(before.startup, scope=before.scope)
    for name, value in after.main.state_dict("param", after.scope).items():
        before.scope.var(name).set(value)
    rewired = quant_aware(after.main, scope=after.scope)
    for seed in range(3):
        losses = [n.run(p, seed, n.loss.name) for n, p in ((before, trained), (after, rewired))]
        np.testing.assert_allclose(*losses, rtol=1e-6)
    for name in WEIGHTS:
        np.testing.assert_allclose(before.weight(name), after.weight(name), rtol=1e-5, atol=1e-7)


def test_what_no_gradient_passes_needs_no_gradient_to_be_rewired() -> None:
    """Data has none, and so has what is computed of it alone."""
    main, scope = static.Program(), static.Scope()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [2, 3, 3])
        y = static.nn.fc(twinoar.matmul(x, x), 2)
        twinoar.optimizer.SGD(0.1).minimize(y.mean())
    program = quant_aware(main, config={"quantize_op_types": ["mul", "matmul"]}, scope=scope)
    assert types(program).count("fake_quantize_dequantize_moving_average_abs_max") == 2


def test_the_program_to_test_shares_scales_and_lets_them_stand_still() -> None:
    network = Network()
    train, test = aware(network)
    network.run(train, fetch=network.loss)
    scale = network.weight("x@scale")
    network.run(test, seed=5)
    np.testing.assert_array_equal(network.weight("x@scale"), scale)
    assert scale.item() > 1


def test_quantizing_the_program_to_test_after_training_keeps_the_scales() -> None:
    network = Network()
    network.run(quant_aware(network.main, scope=network.scope), fetch=network.loss)
    scale = network.weight("x@scale")
    quant_aware(network.test, for_test=True, scope=network.scope)
    np.testing.assert_array_equal(network.weight("x@scale"), scale)


@pytest.mark.parametrize("kind", ["abs_max", "channel_wise_abs_max"])
@pytest.mark.parametrize("bits", [4, 8])
def test_the_program_to_serve_computes_what_was_tested(
    kind: str, bits: int, tmp_path: Path
) -> None:
    network = Network()
    train, test = aware(network, weight_quantize_type=kind, weight_bits=bits)
    for seed in range(3):
        network.run(train, seed, network.loss)
    network.scope.var("x@scale").set(np.full(1, 2.0, "f4"))
    floats = {name: network.weight(name) for name in WEIGHTS}
    expected = network.run(test, 7)
    served = convert(test, scope=network.scope)
    assert served.states["fc_0.w_0.integers"].dtype.name == "int8"
    spread = np.ptp(expected)
    np.testing.assert_allclose(network.run(served, 7), expected, atol=1e-5 * spread)
    np.testing.assert_allclose(network.run(test, 7), expected)
    for name, value in floats.items():
        np.testing.assert_array_equal(network.weight(name), value)
    with static.scope_guard(network.scope):
        static.save_inference_model(tmp_path / "net", [network.x], [network.y], program=served)
    with static.scope_guard(static.Scope()):
        loaded, (name,), fetches = static.load_inference_model(tmp_path / "net")
        (found,) = network.executor.run(loaded, {name: images(seed=7)}, fetches)
    np.testing.assert_allclose(found, expected, atol=1e-5 * spread)
    integers = (tmp_path / "net.pdiparams").stat().st_size
    assert integers < sum(value.nbytes for value in floats.values()) + 4 * 4 * 9 * 4 + 1500


def test_a_program_without_weights_is_converted_too() -> None:
    main, scope = static.Program(), static.Scope()
    with static.program_guard(main):
        x = static.data("x", [2, 3, 3])
        y = twinoar.matmul(x, x, transpose_y=True)
    config = {"quantize_op_types": ["matmul"]}
    train = quant_aware(main, config=config, scope=scope)
    executor, feed = static.Executor(), {"x": images()[:2, 0, :3, :3]}
    executor.run(train, feed, [y], scope=scope)
    scope.var("x@scale").set(np.full(1, 2.0, "f4"))
    test = quant_aware(main, config=config, scope=scope, for_test=True)
    served = convert(test, scope=scope)
    assert types(served) == ["quantize_linear", "dequantize_linear", "matmul_v2"]
    found, expected = (executor.run(p, feed, [y], scope=scope)[0] for p in (served, test))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_values_that_are_rounded_by_the_scale_of_each_batch_go_on_so() -> None:
    network = Network()
    transform = quantization.QuantizationTransformPass(network.scope, is_test=True)
    test = transform.apply(network.test)
    served = quantization.QuantizationFreezePass(network.scope).apply(test)
    assert types(served).count("fake_quantize_dequantize_abs_max") == 2
    assert types(served).count("dequantize_linear") == 2
    np.testing.assert_allclose(network.run(served), network.run(test), atol=1e-5)


def test_all_operators_can_be_rounded() -> None:
    network = Network()
    program = quant_aware(network.test, config={"is_full_quantize": True}, scope=network.scope)
    operators = {o.type: o for o in program.main.ops}
    assert all(
        name.endswith(".quantized.dequantized") for name in operators["pool2d"].input_arg_names
    )


def test_passes_one_by_one_are_what_the_functions_do() -> None:
    network = Network()
    kind = {
        "activation_quantize_type": "moving_average_abs_max",
        "weight_quantize_type": "channel_wise_abs_max",
    }
    graph = network.test.to_graph()
    transform = quantization.QuantizationTransformPass(network.scope, is_test=True, **kind)
    assert transform.apply(graph) is graph
    network.scope.var("x@scale").set(np.full(1, 2.0, "f4"))
    network.scope.var("pool2d_0.tmp_0@scale").set(np.full(1, 3.0, "f4"))
    test = graph.to_program()
    quantization.QuantizationFreezePass(network.scope).apply(graph)
    assert quantization.ConvertToInt8Pass(network.scope).apply(graph) is graph
    by_passes, by_function = graph.to_program(), convert(test, scope=network.scope)
    assert types(by_passes) == types(by_function)
    np.testing.assert_allclose(network.run(by_passes), network.run(by_function), rtol=1e-6)


def test_values_that_other_operators_read_are_rounded_by_their_own_pass() -> None:
    network = Network()
    transform = quantization.QuantizationTransformPass(network.scope)
    add = quantization.AddQuantDequantPass(network.scope, quantizable_op_type=["elementwise_add"])
    program = add.apply(transform.apply(network.test))
    found = types(program)
    # The sum of both branches alone: others add a parameter, or the shape of one.
    assert found.count("fake_quantize_dequantize_moving_average_abs_max") >= 2
    assert np.isfinite(network.run(program)).all()


def test_converting_before_data_has_passed_is_refused_and_loses_nothing() -> None:
    network = Network()
    train, test = aware(network)
    expected = network.run(test)
    with pytest.raises(ArgumentError, match="no data has moved the scale x@scale"):
        convert(test, scope=network.scope)
    np.testing.assert_array_equal(network.run(test), expected)
    network.run(train, fetch=network.loss)
    convert(test, scope=network.scope)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused_and_lose_nothing(value: float) -> None:
    network = Network()
    train, test = aware(network)
    network.run(train, fetch=network.loss)
    weight = network.weight("fc_0.w_0")
    broken = weight.copy()
    broken[0, 0] = value
    network.scope.var("fc_0.w_0").set(broken)
    with pytest.raises(ArgumentError, match=r"weight fc_0\.w_0 is not finite"):
        convert(test, scope=network.scope)
    network.scope.var("fc_0.w_0").set(weight)
    assert np.isfinite(network.run(convert(test, scope=network.scope))).all()


def test_a_scale_that_is_not_finite_is_refused() -> None:
    network = Network()
    _, test = aware(network)
    network.scope.var("x@scale").set(np.full(1, np.nan, "f4"))
    with pytest.raises(ArgumentError, match=r"x@scale is .* must be finite"):
        convert(test, scope=network.scope)


def test_quantizing_twice_is_refused() -> None:
    network = Network()
    train, test = aware(network)
    network.run(train, fetch=network.loss)
    served = convert(test, scope=network.scope)
    for program in (train, test, served):
        before = str(program)
        with pytest.raises(ArgumentError, match="quantized already"):
            quant_aware(program, scope=network.scope)
        assert str(program) == before


def test_a_program_of_other_floats_is_refused() -> None:
    program = static.Program()
    with static.program_guard(program):
        static.nn.fc(static.data("x", [None, 3], "float64"), 2)
    with pytest.raises(DTypeError, match="only float32 becomes integers"):
        quant_aware(program)


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"config": {"weight_bit": 8}}, UnknownNameError, "weight_bits"),
        ({"config": {"weight_bits": 1}}, ArgumentError, "bit"),
        ({"config": {"weight_quantize_type": "log"}}, ArgumentError, "channel_wise_abs_max"),
        ({"config": {"dtype": "int4"}}, ArgumentError, "int8"),
        ({"config": {"for_tensorrt": True}}, UnsupportedError, "for_tensorrt"),
        ({"config": {"quant_post_first": True}}, UnsupportedError, "PostTrainingQuantization"),
        ({"config": {"quantize_op_types": ["lstm"]}}, ArgumentError, "no operator of the types"),
        ({"weight_quantize_func": abs}, UnsupportedError, "quantization.quanter"),
        ({"return_scale_dict": True}, UnsupportedError, "in the scope"),
    ],
)
def test_what_cannot_be_done_is_refused(
    arguments: dict[str, Any], error: type[Exception], told: str
) -> None:
    network = Network()
    before = str(network.main)
    with pytest.raises(error, match=told):
        quant_aware(network.main, scope=network.scope, **arguments)
    assert str(network.main) == before


def test_a_program_that_trains_or_rounds_nothing_is_not_converted() -> None:
    network = Network()
    train, _ = aware(network)
    with pytest.raises(ArgumentError, match="still trains"):
        convert(train, scope=network.scope)
    with pytest.raises(ArgumentError, match="rounds nothing"):
        convert(network.test, scope=network.scope)


@pytest.mark.parametrize("name", sorted(quantization.refused.__all__))
def test_names_that_are_not_served_say_what_to_use(name: str) -> None:
    with pytest.raises(UnsupportedError, match=f"{name[:9]}(.|\n)*(cure|serve|save|quant)"):
        getattr(quantization, name)(None)

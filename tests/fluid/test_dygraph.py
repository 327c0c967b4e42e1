"""Dynamic mode by the names of Paddle 1.8: layers, schedules, files, conversion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import fluid
from twinoar.errors import (
    ArgumentError,
    ConversionError,
    DistributedError,
    FileError,
    MissingNameError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.fluid import dygraph as D  # short, as it stands in every line

RANDOM = np.random.RandomState(0)


@pytest.fixture(autouse=True)
def guarded(mode: None) -> Iterator[None]:
    with D.guard():
        yield


def tensor(*shape: int) -> Any:
    return D.to_variable(RANDOM.randn(*shape).astype("float32"))


# Names and shapes of parameters in Paddle 1.8.5.
LAYERS: dict[str, tuple[Callable[[], Any], list[tuple[str, str, list[int]]]]] = {
    "Linear": (
        lambda: D.Linear(3, 2),
        [("weight", "linear_0.w_0", [3, 2]), ("bias", "linear_0.b_0", [2])],
    ),
    "Conv2D": (
        lambda: D.Conv2D(3, 4, 3),
        [("weight", "conv2d_0.w_0", [4, 3, 3, 3]), ("bias", "conv2d_0.b_0", [4])],
    ),
    "Conv2DTranspose": (
        lambda: D.Conv2DTranspose(3, 4, 3),
        [
            ("weight", "conv2d_transpose_0.w_0", [3, 4, 3, 3]),
            ("bias", "conv2d_transpose_0.b_0", [4]),
        ],
    ),
    "Conv3D": (
        lambda: D.Conv3D(3, 4, 3),
        [("weight", "conv3d_0.w_0", [4, 3, 3, 3, 3]), ("bias", "conv3d_0.b_0", [4])],
    ),
    "BatchNorm": (
        lambda: D.BatchNorm(3),
        [
            ("weight", "batch_norm_0.w_0", [3]),
            ("bias", "batch_norm_0.b_0", [3]),
            ("_mean", "batch_norm_0.w_1", [3]),
            ("_variance", "batch_norm_0.w_2", [3]),
        ],
    ),
    "LayerNorm": (
        lambda: D.LayerNorm(4),
        [("weight", "layer_norm_0.w_0", [4]), ("bias", "layer_norm_0.b_0", [4])],
    ),
    "InstanceNorm": (
        lambda: D.InstanceNorm(3),
        [("scale", "instance_norm_0.w_0", [3]), ("bias", "instance_norm_0.b_0", [3])],
    ),
    "Embedding": (lambda: D.Embedding([5, 4]), [("weight", "embedding_0.w_0", [5, 4])]),
    "PRelu": (lambda: D.PRelu("channel", 3), [("weight", "prelu_0.w_0", [1, 3, 1, 1])]),
    "GRUUnit": (
        lambda: D.GRUUnit(6),
        [("weight", "gru_unit_0.w_0", [2, 6]), ("bias", "gru_unit_0.b_0", [1, 6])],
    ),
    "BilinearTensorProduct": (
        lambda: D.BilinearTensorProduct(2, 3, 4),
        [
            ("weight", "bilinear_tensor_product_0.w_0", [4, 2, 3]),
            ("bias", "bilinear_tensor_product_0.b_0", [1, 4]),
        ],
    ),
    "SpectralNorm": (
        lambda: D.SpectralNorm([2, 3]),
        [("weight_u", "spectral_norm_0.w_0", [2]), ("weight_v", "spectral_norm_0.w_1", [3])],
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_parameters_have_paddles_names_and_shapes(name: str) -> None:
    make, expected = LAYERS[name]
    assert [(n, p.name, p.shape) for n, p in make().named_parameters()] == expected


@pytest.mark.parametrize(
    ("layer", "shape", "result"),
    [
        (lambda: D.Linear(4, 2), (3, 4), [3, 2]),
        (lambda: D.Conv2D(2, 4, 3, stride=2, padding=1, groups=2), (1, 2, 8, 8), [1, 4, 4, 4]),
        (lambda: D.Conv2DTranspose(2, 4, 3, stride=2), (1, 2, 4, 4), [1, 4, 9, 9]),
        (
            lambda: D.Conv2DTranspose(2, 4, 3, output_size=[10, 10], stride=2),
            (1, 2, 4, 4),
            [1, 4, 10, 10],
        ),
        (lambda: D.Conv3DTranspose(2, 3, 2, stride=2), (1, 2, 2, 2, 2), [1, 3, 4, 4, 4]),
        (lambda: D.Pool2D(2, "avg", 2), (1, 3, 4, 4), [1, 3, 2, 2]),
        (lambda: D.Pool2D(pool_type="avg", global_pooling=True), (1, 3, 4, 4), [1, 3, 1, 1]),
        (lambda: D.GroupNorm(4, 2), (2, 4, 3, 3), [2, 4, 3, 3]),
        (lambda: D.LayerNorm([3, 3], scale=False, shift=False), (2, 3, 3), [2, 3, 3]),
        (lambda: D.SpectralNorm([4, 3]), (4, 3), [4, 3]),
        (lambda: D.DataParallel(D.Linear(4, 2), D.prepare_context()), (3, 4), [3, 2]),
    ],
)
def test_layers_give_paddles_shapes(layer: Callable, shape: tuple, result: list[int]) -> None:
    assert layer()(tensor(*shape)).shape == result


@pytest.mark.parametrize("layer", [D.Linear, D.LayerNorm], ids=["Linear", "LayerNorm"])
def test_an_activation_follows_and_the_dtype_is_kept(layer: Callable) -> None:
    sizes = (4, 4) if layer is D.Linear else (4,)
    made = layer(*sizes, act="relu", dtype="float64")
    out = made(D.to_variable(RANDOM.randn(5, 4)))
    assert out.dtype == "float64"
    assert (out.numpy() >= 0).all()
    assert (out.numpy() > 0).any()


def test_a_gru_unit_is_its_formula() -> None:
    unit, x, h = D.GRUUnit(6), tensor(3, 6), tensor(3, 2)
    weight, bias = unit.weight.numpy(), unit.bias.numpy()
    gates = weight.ravel()[:8].reshape(2, 4)
    state = weight.ravel()[8:].reshape(2, 2)
    z = x.numpy() + bias
    u, r = np.split(1 / (1 + np.exp(-(z[:, :4] + h.numpy() @ gates))), 2, axis=1)
    c = np.tanh(z[:, 4:] + (r * h.numpy()) @ state)
    new, kept, all_gates = unit(x, h)
    np.testing.assert_allclose(new.numpy(), u * c + (1 - u) * h.numpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(kept.numpy(), r * h.numpy(), rtol=1e-5, atol=1e-6)
    assert all_gates.shape == [3, 6]


def test_a_bilinear_product_is_its_formula() -> None:
    layer, x, y = D.BilinearTensorProduct(2, 3, 4), tensor(5, 2), tensor(5, 3)
    expected = np.einsum("nm,omk,nk->no", x.numpy(), layer.weight.numpy(), y.numpy())
    np.testing.assert_allclose(layer(x, y).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_dropout_scales_in_use_by_default() -> None:
    layer, ones = D.Dropout(0.5), D.to_variable(np.ones(1000, "float32"))
    assert set(layer(ones).numpy()) == {0.0, 1.0}
    layer.eval()
    assert set(layer(ones).numpy()) == {0.5}
    assert set(D.Dropout(0.5, dropout_implementation="upscale_in_train")(ones).numpy()) == {0, 2}


# The rates of four updates in Paddle 1.8.5.
SCHEDULES: dict[str, tuple[Callable[[], Any], list[float]]] = {
    "Noam": (lambda: D.NoamDecay(4, 2), [0.176777, 0.353553, 0.288675, 0.25]),
    "Piecewise": (lambda: D.PiecewiseDecay([1, 3], [0.1, 0.2, 0.3], 0), [0.1, 0.2, 0.2, 0.3]),
    "NaturalExp": (lambda: D.NaturalExpDecay(0.1, 2, 0.5), [0.1, 0.07788, 0.060653, 0.047237]),
    "stairs": (lambda: D.NaturalExpDecay(0.1, 2, 0.5, True), [0.1, 0.1, 0.060653, 0.060653]),
    "Exponential": (lambda: D.ExponentialDecay(0.1, 2, 0.5, True), [0.1, 0.1, 0.05, 0.05]),
    "InverseTime": (lambda: D.InverseTimeDecay(0.1, 2, 0.5), [0.1, 0.08, 0.066667, 0.057143]),
    "Polynomial": (lambda: D.PolynomialDecay(0.1, 3), [0.1, 0.0667, 0.0334, 0.0001]),
    "cycle": (
        lambda: D.PolynomialDecay(0.1, 2, power=2.0, cycle=True),
        [0.1, 0.025075, 0.0001, 0.006344],
    ),
    "Cosine": (lambda: D.CosineDecay(0.1, 2, 3), [0.1, 0.1, 0.075, 0.075]),
    "warmup": (
        lambda: D.LinearLrWarmup(D.PiecewiseDecay([2], [0.1, 0.2], 0), 3, 0.0, 0.6),
        [0.2, 0.4, 0.2, 0.2],
    ),
    "begin": (
        lambda: D.ExponentialDecay(0.1, 1, 0.5, begin=2, step=2),
        [0.025, 0.00625, 0.001563, 0.000391],
    ),
    "number": (lambda: 0.5, [0.5] * 4),
}


def rates(schedule: Any, count: int = 4) -> list[float]:
    layer = D.Linear(1, 1)
    sgd = fluid.optimizer.SGD(schedule, parameter_list=layer.parameters())
    found = []
    for _ in range(count):
        loss = layer(tensor(1, 1))
        loss.backward()
        sgd.minimize(loss)
        found.append(sgd.current_step_lr())
    return found


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_are_those_of_paddle(name: str) -> None:
    make, expected = SCHEDULES[name]
    np.testing.assert_allclose(rates(make()), expected, atol=1e-6)


def test_a_schedule_goes_on_where_it_was_saved() -> None:
    first = D.NoamDecay(4, 2)
    rates(first, 2)
    second = D.NoamDecay(4, 2)
    second.set_dict(first.state_dict())
    assert second() == first()


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (lambda: D.StepDecay(1.0, 2, 0.5), [1.0, 0.5]),
        (lambda: D.MultiStepDecay(1.0, [1, 2], 0.5), [0.5, 0.25]),
        (lambda: D.LambdaDecay(1.0, lambda epoch: 0.1**epoch), [0.1, 0.01]),
    ],
)
def test_schedules_by_epoch_go_on_when_told(schedule: Callable, expected: list[float]) -> None:
    made, found = schedule(), []
    for _ in range(2):
        made.epoch()
        found.append(made())
    np.testing.assert_allclose(found, expected)


def test_reduce_on_plateau_falls_when_the_loss_stays() -> None:
    schedule = D.ReduceLROnPlateau(1.0, decay_rate=0.5, patience=1)
    for _ in range(3):
        schedule.step(D.to_variable([1.0]))
    assert schedule() == 0.5


def test_gradients_are_read_and_cleared() -> None:
    layer, strategy = D.Linear(2, 1), D.BackwardStrategy()
    strategy.sort_sum_gradient = True
    layer(D.to_variable([[1.0, 2.0]])).backward(strategy)
    assert layer.weight.gradient().tolist() == [[1.0], [2.0]]
    layer(D.to_variable([[1.0, 2.0]])).backward(backward_strategy=strategy)
    assert layer.weight.gradient().tolist() == [[2.0], [4.0]]
    layer.clear_gradients()
    assert layer.weight.gradient().tolist() == [[0.0], [0.0]]


def test_grad_and_no_grad() -> None:
    x = D.to_variable([3.0])
    x.stop_gradient = False
    (g,) = D.grad([x * x], [x], backward_strategy=D.BackwardStrategy())
    assert g.tolist() == [6.0]

    @D.no_grad
    def double(value: Any) -> Any:
        return value * 2

    assert double(x).stop_gradient


def test_saved_states_are_loaded(tmp_path: Path) -> None:
    layer = D.Linear(2, 1)
    adam = fluid.optimizer.Adam(D.NoamDecay(4, 2), parameter_list=layer.parameters())
    loss = layer(tensor(1, 2))
    loss.backward()
    adam.minimize(loss)
    fluid.save_dygraph(layer.state_dict(), tmp_path / "m")
    fluid.save_dygraph(adam.state_dict(), tmp_path / "m")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.pdopt", "m.pdparams"]
    parameters, optimizer = fluid.load_dygraph(tmp_path / "m")
    assert all(isinstance(value, np.ndarray) for value in parameters.values())
    other = D.Linear(2, 1)
    other.set_dict(parameters)
    np.testing.assert_array_equal(other.weight.numpy(), layer.weight.numpy())
    adam.set_dict(optimizer)


@D.declarative
def halved_or_doubled(x: Any) -> Any:
    if fluid.layers.reduce_sum(x) > 0:
        return x / 2
    return x * 2


class Net(D.Layer):
    """A layer with a branch."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = D.Linear(3, 2)

    @D.declarative
    def forward(self, x: Any) -> Any:
        out = self.fc(x)
        if fluid.layers.mean(x) > 0:
            out = out * 2.0
        return out


def test_a_declarative_function_decides_by_data() -> None:
    assert halved_or_doubled(D.to_variable([4.0])).tolist() == [2.0]
    assert halved_or_doubled(D.to_variable([-4.0])).tolist() == [-8.0]


def test_the_translator_shows_what_becomes_of_a_function() -> None:
    translator, x = D.ProgramTranslator(), D.to_variable([4.0])
    assert translator.get_output(halved_or_doubled, x).tolist() == [2.0]
    main, startup, inputs, outputs = translator.get_program(halved_or_doubled, x)
    assert [v.shape for v in inputs] == [[1]]
    assert len(outputs) == 1
    assert not startup.global_block().ops
    assert "reduce_sum" in str([o.type for o in main.global_block().ops])
    assert "if_" in translator.get_code(halved_or_doubled)
    assert "if_" in translator.get_code(Net.forward)


def test_the_translator_turns_conversion_off() -> None:
    try:
        D.ProgramTranslator().enable(False)
        assert halved_or_doubled(D.to_variable([-4.0])).tolist() == [-8.0]
        D.ProgramTranslator.reset()
        with pytest.raises(ConversionError, match="no function under declarative"):
            D.ProgramTranslator().save_inference_model("unused")
    finally:
        D.ProgramTranslator().enable(True)


def test_a_converted_function_builds_operators_in_static_mode() -> None:
    function = D.dygraph_to_static_func(halved_or_doubled)
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        out = function(fluid.data("x", [1]))
    (found,) = fluid.Executor().run(main, {"x": np.array([-3.0], "float32")}, [out])
    assert found.tolist() == [-6.0]


def test_a_saved_program_is_a_model_folder(tmp_path: Path) -> None:
    net, x = Net(), tensor(4, 3)
    expected = net(x).numpy()
    D.ProgramTranslator().save_inference_model(tmp_path, fetch=[0])
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "__model__", "linear_0.b_0", "linear_0.w_0",
    ]  # fmt: skip
    exe = fluid.Executor()
    program, (name,), fetches = fluid.io.load_inference_model(tmp_path, exe)
    (found,) = exe.run(program, {name: x.numpy()}, fetches)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_traced_layer_runs_and_is_saved(tmp_path: Path) -> None:
    layer, x = D.Linear(3, 2), tensor(4, 3)
    out, traced = D.TracedLayer.trace(layer, inputs=[x])
    np.testing.assert_array_equal(traced([x])[0].numpy(), out.numpy())
    traced.save_inference_model(tmp_path, feed=[0], fetch=[0])
    assert (tmp_path / "__model__").is_file()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: D.GRUUnit(7), ShapeError),
        (lambda: D.PRelu("channel"), ArgumentError),
        (lambda: D.PRelu("some"), ArgumentError),
        (lambda: D.Dropout(dropout_implementation="other"), ArgumentError),
        (lambda: D.Dropout(seed=3), UnsupportedError),
        (lambda: D.Pool2D(2, "mean")(tensor(1, 1, 4, 4)), ArgumentError),
        (lambda: D.Linear(2, 2, act="none")(tensor(1, 2)), ArgumentError),
        (lambda: D.declarative(D.Linear(1, 1)), TypeMismatchError),
        (lambda: D.TracedLayer.trace(abs, [1]), TypeMismatchError),
        (lambda: D.LinearLrWarmup(0.1, 3, 1.0, 0.5), ArgumentError),
        (lambda: D.NCE, MissingNameError),
        (lambda: fluid.load_dygraph("no/such"), FileError),
        (lambda: fluid.save_dygraph({}, "folder/"), ArgumentError),
        (lambda: fluid.save_dygraph(3, "m"), TypeMismatchError),
        (lambda: D.to_variable("text"), TypeMismatchError),
    ],
)
def test_what_is_wrong_is_refused(call: Callable, error: type[TwinoarError]) -> None:
    with pytest.raises(error):
        call()


def test_a_layer_of_paddle_2_is_a_layer_here() -> None:
    assert D.Layer is paddle.nn.Layer


def test_processes_that_mpi_has_not_started_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    with pytest.raises(DistributedError, match="of 2 processes"):
        D.prepare_context()


def test_names_are_found_in_the_modules_that_paddle_has_them_in() -> None:
    from twinoar.fluid.dygraph.base import guard, to_variable
    from twinoar.fluid.dygraph.container import LayerList, Sequential
    from twinoar.fluid.dygraph.dygraph_to_static import ProgramTranslator
    from twinoar.fluid.dygraph.jit import declarative
    from twinoar.fluid.dygraph.layers import Layer
    from twinoar.fluid.dygraph.nn import Linear

    found = (guard, to_variable, LayerList, Sequential, ProgramTranslator)
    assert found == (D.guard, D.to_variable, D.LayerList, D.Sequential, D.ProgramTranslator)
    assert (declarative, Layer, Linear) == (D.declarative, D.Layer, D.Linear)

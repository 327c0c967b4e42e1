"""Programs as the `.json` of Paddle 3: every operator survives, and what has no form is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.formats.paddle.test_program_desc import SAMPLES, draws, run
from tests.samples import every_sample
from twinoar import config, inference, jit, nn, static
from twinoar.core.ir.verify import verify
from twinoar.core.op.definition import registry
from twinoar.errors import GradientError, UnsupportedError
from twinoar.formats.paddle.pir import read_desc
from twinoar.formats.paddle.pir.table import forms
from twinoar.formats.paddle.pir.write import write_pir
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_inference_program
from twinoar.testing.calls import arrays_of, build, execute

SPEC = [static.InputSpec([None, 4], "float32", "x")]


@every_sample(SAMPLES)
def test_the_operator_survives_a_file(op, sample) -> None:
    program, arrays = build(op, sample), arrays_of(sample)
    try:
        data, states = write_inference_program(program)
        told = write_pir(data)
    except UnsupportedError:
        return
    again = verify(read_program(told, "x.json"))
    names = {v.name: a for v, a in zip(program.main.inputs, arrays, strict=True)}
    found = run(again, {v.name: names[v.name] for v in again.main.inputs}, states)
    for a, b in zip(execute(program, arrays), found, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if not draws(op):
            same_type = a.dtype if a.dtype.kind in "biu" else np.complex128
            tolerance = max(sample.tolerance, 1e-5)
            np.testing.assert_allclose(
                a.astype(same_type), b.astype(same_type), rtol=tolerance, atol=tolerance
            )


def test_most_operators_have_a_form() -> None:
    """The others update parameters, are between ranks, are not in Paddle 3, or are named here."""
    without, count = set(), 0
    for parameter in SAMPLES:
        op, sample = parameter.values
        try:
            data, _ = write_inference_program(build(op, sample))
        except UnsupportedError:
            continue
        count += 1
        try:
            write_pir(data)
        except UnsupportedError:
            without.add(op.name)
    among_ranks = {o.name for o in registry.values() if ".collective." in o.__module__}
    assert without - among_ranks == {
        "adadelta", "adagrad", "adam", "adamax", "adamw", "assert", "auc", "class_center_sample",
        "data_norm", "decayed_adagrad", "dequantize_linear", "einsum",
        "fake_quantize_range_abs_max", "ftrl", "lamb", "lars_momentum", "median", "momentum",
        "mul", "nanmedian", "print", "rmsprop", "sgd",
    }  # fmt: skip
    assert count > 1600


def test_no_two_forms_have_one_spelling() -> None:
    names = [form.op for form in forms()]
    assert len(names) == len(set(names))


class Recurrence(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x):
        step = paddle.zeros([1], "int32")
        while step < 3:
            x = paddle.tanh(self.linear(x))
            step = step + 1
        if x.mean() > 0:
            y, z = x * 2, x
        else:
            y, z = x - 1, x + x.sum()
        return self.norm(y), z


@pytest.fixture
def pir() -> None:
    with config.override(pir=True):
        yield


@pytest.fixture
def net() -> nn.Layer:
    paddle.seed(0)
    net = Recurrence()
    net.eval()
    return net


@pytest.mark.usefixtures("pir")
@pytest.mark.parametrize("sign", [1, -1])
def test_a_saved_layer_with_control_flow_runs(tmp_path: Path, net, sign) -> None:
    prefix = str(tmp_path / "net")
    proof = jit.save(net, prefix, input_spec=SPEC)
    assert proof is not None
    endings = sorted(p.name.partition(".")[2] for p in tmp_path.iterdir())
    assert endings == ["json", "pdiparams", "pdiparams.info", "verify.npz"]
    x = np.full((3, 4), sign, np.float32)
    wanted = [t.numpy() for t in net(paddle.to_tensor(x))]
    loaded = jit.load(prefix)
    loaded.eval()
    predictor = inference.create_predictor(
        inference.Config(f"{prefix}.json", f"{prefix}.pdiparams")
    )
    for found in (loaded(paddle.to_tensor(x)), predictor.run([x])):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-5, atol=1e-6)


def test_saving_replaces_the_other_form(tmp_path: Path, net) -> None:
    prefix = str(tmp_path / "net")
    jit.save(net, prefix, input_spec=SPEC)
    for form, ending in ((True, "json"), (False, "pdmodel")):
        with config.override(pir=form):
            jit.save(net, prefix, input_spec=SPEC)
        assert [p.suffix for p in tmp_path.glob("net.*") if p.suffix in (".json", ".pdmodel")] == [
            f".{ending}"
        ]


@pytest.mark.usefixtures("pir")
def test_parameters_learn_again_after_loading(tmp_path: Path) -> None:
    net = nn.Linear(4, 1)
    jit.save(net, str(tmp_path / "net"), input_spec=SPEC)
    loaded = jit.load(str(tmp_path / "net"))
    loaded(paddle.ones([2, 4])).sum().backward()
    assert sorted(p.grad.shape for p in loaded.parameters()) == [[1], [4, 1]]


@pytest.mark.usefixtures("pir")
def test_a_gradient_that_the_file_lacks_is_asked_for_in_vain(tmp_path: Path) -> None:
    class Twice(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 100

    class Net(nn.Layer):
        def forward(self, x):
            return Twice.apply(x)

    jit.save(Net(), str(tmp_path / "net"), input_spec=SPEC)
    x = paddle.ones([2, 4])
    x.stop_gradient = False
    with pytest.raises(GradientError, match="Twice"):
        jit.load(str(tmp_path / "net"))(x).sum().backward()


@pytest.mark.usefixtures("pir")
def test_a_static_program_is_saved_so(tmp_path: Path) -> None:
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        x = static.data("x", [None, 4])
        out = static.nn.fc(x, 2, activation="relu")
        executor = static.Executor()
        executor.run(startup)
        static.save_inference_model(tmp_path / "net", [x], [out], executor, program=main)
        feed = {"x": np.ones((2, 4), np.float32)}
        (wanted,) = executor.run(main, feed, [out])
    program, feeds, fetches = static.load_inference_model(tmp_path / "net", executor)
    assert feeds == ["x"]
    (found,) = executor.run(program, feed, fetches)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.usefixtures("pir")
def test_what_has_no_form_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    def checked(x):
        assert x.sum() > 0
        return x

    with pytest.raises(UnsupportedError, match="assert has no form in a program of Paddle 3"):
        jit.save(jit.to_static(checked, input_spec=SPEC), str(tmp_path / "net"))
    assert list(tmp_path.iterdir()) == []


def test_the_flag_of_paddle_chooses() -> None:
    paddle.set_flags({"FLAGS_enable_pir_api": True})
    try:
        assert config.pir
    finally:
        paddle.set_flags({"FLAGS_enable_pir_api": False})


def test_numbers_that_are_not_finite_are_written() -> None:
    spec = [static.InputSpec([2], "float32", "x")]
    traced = jit.to_static(lambda x: paddle.clip(x, -float("inf"), 1.0), input_spec=spec)
    data, _ = write_inference_program(traced.concrete_program.main_program)
    told = write_pir(data)
    assert "-INF" in told.decode()
    json.loads(told)
    assert read_desc(told, "x.json").blocks[0].ops

"""Names of Paddle for what is not here: each is refused when it is called, with a cure."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import (
    ArgumentError,
    FileError,
    TwinoarError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)


@pytest.mark.parametrize(
    "call",
    [
        lambda: paddle.cost_model.CostModel(),
        lambda: paddle.incubate.cc.compile(abs),
        lambda: paddle.incubate.graph_khop_sampler(None, None, None, [1]),
        lambda: paddle.incubate.inference(abs, precision_mode="float16"),
        lambda: paddle.incubate.inference(abs, with_trt=True),
        lambda: paddle.inference.XpuConfig(),
        lambda: paddle.profiler.export_protobuf("log"),
        lambda: paddle.static.IpuStrategy(),
        lambda: paddle.static.IpuCompiledProgram(),
        lambda: paddle.static.ipu_shard_guard(),
        lambda: paddle.static.set_ipu_shard(abs),
        lambda: paddle.enable_compat(),
    ],
)
def test_it_is_refused_with_a_cure(call):
    with pytest.raises(TwinoarError) as caught:
        call().__enter__()
    assert isinstance(caught.value, (ArgumentError, UnsupportedError))
    assert caught.value.cure


def test_what_is_off_is_as_in_paddle():
    assert paddle.inference.get_trt_compile_version() == (0, 0, 0)
    assert paddle.inference.get_trt_runtime_version() == (0, 0, 0)
    assert paddle.disable_compat() is None
    assert not paddle.is_autocast_enabled()
    with paddle.autocast("cpu", enabled=False):
        assert paddle.ones([1]).dtype == paddle.float32


def test_settings_of_searches_are_checked(tmp_path):
    set_config = paddle.incubate.autotune.set_config
    set_config()
    path = tmp_path / "config.json"
    path.write_text('{"kernel": {"enable": true, "tuning_range": [1, 3]}}')
    set_config(str(path))
    with pytest.raises(UnknownNameError, match="kernels"):
        set_config({"kernels": {"enable": True}})
    with pytest.raises(UnknownNameError, match="on"):
        set_config({"layout": {"on": True}})
    with pytest.raises(TypeMismatchError, match="enable must be of bool"):
        set_config({"layout": {"enable": 1}})
    with pytest.raises(TypeMismatchError, match="dict or a path"):
        set_config(3)


def test_inference_compiles_and_wants_no_gradients():
    layer = paddle.nn.Linear(2, 3)
    expected = layer(paddle.ones([1, 2]))
    found = paddle.incubate.inference(layer)(paddle.ones([1, 2]))
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.stop_gradient
    double = paddle.incubate.inference()(lambda x: x * 2)
    assert double(paddle.ones([1])).tolist() == [2.0]


def test_parts_of_files_are_tensors(tmp_path):
    path = tmp_path / "numbers"
    np.arange(20, dtype="float32").tofile(path)
    storage = paddle.MmapStorage(str(path), 80)
    assert storage.get_slice("float32", 2, 8, 3).tolist() == [2.0, 5.0]
    assert storage.get_slice(paddle.float32).shape == [20]
    assert storage.get_slice().shape == [80]
    with pytest.raises(ArgumentError, match="whole number"):
        paddle.MmapStorage(str(path), 6).get_slice("float32")
    with pytest.raises(FileError, match="90 bytes"):
        paddle.MmapStorage(str(path), 90)


def test_curves_go_to_a_run(monkeypatch):
    sent, settings = [], {}
    run = SimpleNamespace(log=sent.append, config=settings, finish=lambda: sent.append("end"))
    made = SimpleNamespace(run=None, init=lambda **given: run)
    monkeypatch.setitem(sys.modules, "wandb", made)
    callback = paddle.callbacks.WandbCallback(project="p", mode="offline")
    model = paddle.Model(paddle.nn.Linear(2, 1))
    model.prepare(paddle.optimizer.SGD(0.1, parameters=model.parameters()), paddle.nn.MSELoss())
    data = paddle.io.TensorDataset([paddle.ones([4, 2]), paddle.ones([4, 1])])
    model.fit(data, batch_size=2, epochs=1, verbose=0, callbacks=[callback])
    assert [list(x) for x in sent[:2]] == [["train/loss"], ["train/loss"]]
    assert sent[-1] == "end"
    assert settings["epochs"] == 1


def test_curves_need_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(UnsupportedError, match="not installed"):
        paddle.callbacks.WandbCallback()

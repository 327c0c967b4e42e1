"""Every name of the Config of Paddle 3.3.1 acts, or is an error that says why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, UnknownNameError, UnsupportedError
from twinoar.inference import Config, PrecisionType, create_predictor
from twinoar.inference.engines import ANSWERS, DEMANDS

NAMES = Path(__file__).with_name("config_names_3.3.1.txt").read_text().split()
DEMANDED = [name for *_, names in DEMANDS for name in names]


def test_every_name_is_there() -> None:
    assert len(NAMES) == 113
    assert [name for name in NAMES if not hasattr(Config, name)] == []
    assert set(DEMANDED) | set(ANSWERS) <= set(NAMES)


@pytest.mark.parametrize("name", DEMANDED)
def test_what_is_not_served_says_so(name: str) -> None:
    with pytest.raises(
        UnsupportedError, match=f"Config.{name} asks for .*, which is not"
    ) as caught:
        getattr(Config(), name)()
    assert caught.value.cure
    assert "Raises UnsupportedError" in getattr(Config, name).__doc__


def test_questions_are_answered_as_paddle_answers_them_on_a_cpu() -> None:
    config = Config()
    assert not config.tensorrt_engine_enabled() and not config.use_gpu() and not config.use_xpu()
    assert config.tensorrt_precision_mode() == PrecisionType.Float32 == Config.Float32
    assert (config.memory_pool_init_size_mb(), config.tensorrt_optimization_level()) == (100, 3)
    assert config.onednn_enabled() == config.mkldnn_enabled()
    assert not config.new_ir_enabled()
    config.enable_new_ir()
    assert config.new_ir_enabled()


def test_passes_are_chosen() -> None:
    config = Config()
    all_passes = config.pass_builder().all_passes()
    config.enable_custom_passes(all_passes[:1])
    assert config.pass_builder().all_passes() == [*all_passes, all_passes[0]]
    config.enable_custom_passes(all_passes[:1], True)
    assert config.pass_builder().all_passes() == all_passes[:1]
    with pytest.raises(UnknownNameError):
        config.enable_custom_passes(["no_pass"])
    config.set_optimization_level(0)
    assert not config.ir_optim()
    config.set_optimization_level(3)
    assert config.ir_optim()
    with pytest.raises(ArgumentError, match="from 0 to 3"):
        config.set_optimization_level(4)


@pytest.mark.parametrize("level", [0, 2])
def test_a_model_runs_at_every_level(tmp_path: Path, level: int) -> None:
    net = paddle.nn.Linear(3, 2)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, [paddle.static.InputSpec([None, 3], "float32", "x")])
    config = Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
    config.set_optimization_level(level)
    config.enable_onednn()
    config.disable_onnxruntime()
    x = np.ones((2, 3), "float32")
    (found,) = create_predictor(config).run([x])
    assert np.allclose(found, net(paddle.to_tensor(x)).numpy(), atol=1e-6)

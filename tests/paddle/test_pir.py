"""The real Paddle 3 runs the `.json` programs that we write, and we run those that it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.paddle.test_programs import SCRIPTS, is_known, stored
from twinoar import config, jit, nn, static
from twinoar.core.op.definition import registry
from twinoar.errors import UnsupportedError
from twinoar.testing.calls import arrays_of, build
from twinoar.testing.sample import samples_of
from twinoar.vision import models

Run = Callable[..., object]

RUN_SAMPLES = """
from pathlib import Path
sys.path.insert(0, given["scripts"])
import run_samples
answer(run_samples.differences(paddle, Path(given["folder"]), given["names"]))
"""
# Single samples that Paddle 3.3.1 does not run or runs otherwise, each with what it does.
EXCEPTIONS = {
    "check_finite_and_unscale": "has no kernel for float16; numbers that are not finite become 0",
    "cumsum": "keeps the type of integers",
    "dropout-4": "refuses a vector",
    "fft_c2c-1": "fails",
    "fft_r2c-1": "does not count axes from the end",
    "layer_norm-2": "wants vectors as weights",
    "layer_norm-5": "refuses to normalize all dimensions",
    "log_softmax-3": "takes large numbers for infinite",
    "maxout": "takes images alone, and two groups or more",
    "nll_loss-1": "takes matrices and images alone",
    "pad_constant-2": "does not pad by less than nothing",
    "pad_constant-3": "crashes",
    "prelu-2": "knows NCHW and NHWC alone",
    "put_along_axis-2": "lacks the reduction",
    "rrelu-2": "draws its own random numbers",
    "scaled_dot_product_attention-4": "draws its own random numbers",
    "segment_pool": "takes int32 and int64 alone, and crashes without elements",
    "sigmoid_cross_entropy_with_logits-1": "refuses numbers without dimensions",
    "split-1": "has no empty parts",
    "take_along_axis-2": "does not count from the end",
    "topk": "orders equal elements otherwise",
    "unique-0": "tells nan from nan",
    "view_dtype": "has no kernel for a CPU",
}


@pytest.fixture(autouse=True)
def _pir() -> None:
    with config.override(pir=True):
        yield


def test_paddle_3_computes_what_each_operator_computes(paddle_3: Run, tmp_path: Path) -> None:
    samples = {}
    for op in registry.values():
        for i, sample in enumerate(samples_of(op) if "samples" in op.rules else ()):
            name = f"{op.name}-{i}"
            if sample.error is None:
                try:
                    stored(tmp_path, name, build(op, sample), arrays_of(sample))
                except UnsupportedError:
                    continue
                samples[name] = sample
    found = paddle_3(RUN_SAMPLES, scripts=SCRIPTS, folder=tmp_path, names=list(samples))
    unknown = {
        name: problem
        for name, problem in found.items()
        if not is_known(name, samples[name], problem)
        and name not in EXCEPTIONS
        and name.rpartition("-")[0] not in EXCEPTIONS
    }
    assert unknown == {}
    assert len(samples) - len(found) > 1500


class Branches(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        step = paddle.zeros([1], "int32")
        while step < 3:
            x = paddle.tanh(self.linear(x))
            step = step + 1
        if x.mean() > 0:
            return x * 2, x
        return x - 1, x + x.sum()


NETWORKS = {
    "lenet": (models.LeNet, [None, 1, 28, 28]),
    "mobilenet": (lambda: models.mobilenet_v2(scale=0.25), [None, 3, 32, 32]),
    "resnet": (models.resnet18, [None, 3, 32, 32]),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2),
        [None, 5, 16],
    ),
    "recurrent": (lambda: nn.LSTM(8, 16, 2, direction="bidirect"), [None, 6, 8]),
    "branches": (Branches, [None, 4]),
}
LOAD = """
layer = paddle.jit.load(given["prefix"])
layer.eval()
def flat(found):
    if not isinstance(found, (list, tuple)):
        return [found]
    return [t for part in found for t in flat(part)]
results = flat(layer(paddle.to_tensor(np.array(given["x"], "float32"))))
answer([t.numpy().tolist() for t in results])
"""


def flat(found):
    if isinstance(found, (list, tuple)):
        return [t for part in found for t in flat(part)]
    return [found]


@pytest.mark.parametrize("name", NETWORKS)
def test_paddle_3_runs_a_layer_that_we_saved(name: str, paddle_3: Run, tmp_path: Path) -> None:
    paddle.seed(0)
    make, shape = NETWORKS[name]
    net = make()
    net.eval()
    prefix = str(tmp_path / "net")
    jit.save(net, prefix, input_spec=[static.InputSpec(shape, "float32", "x")])
    x = np.random.default_rng(0).standard_normal([d or 2 for d in shape]).astype("f4")
    found = paddle_3(LOAD, prefix=prefix, x=x.tolist())
    assert isinstance(found, list)
    for a, b in zip(found, flat(net(paddle.to_tensor(x))), strict=True):
        near = 1e-5 * max(1.0, np.abs(b.numpy()).max())
        np.testing.assert_allclose(np.array(a), b.numpy(), rtol=1e-4, atol=near)


SAVE = """
sys.path.insert(0, given["scripts"])
import save_layers
answer(save_layers.save(paddle, given["folder"]))
"""


def test_we_run_layers_that_paddle_3_saved(paddle_3: Run, tmp_path: Path) -> None:
    names = paddle_3(SAVE, scripts=SCRIPTS, folder=str(tmp_path))
    assert isinstance(names, list)
    for name in names:
        kept = np.load(tmp_path / f"{name}.npz")
        x, *wanted = (kept[k] for k in kept.files)
        layer = jit.load(str(tmp_path / name))
        layer.eval()
        for a, b in zip(flat(layer(paddle.to_tensor(x))), wanted, strict=True):
            assert a.numpy().dtype == b.dtype, name
            np.testing.assert_allclose(a.numpy(), b, rtol=1e-4, atol=1e-5, err_msg=name)

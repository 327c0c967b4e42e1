"""What is written runs in the runtimes of ONNX, and computes what it computes here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.reference
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.core.op.definition import Op, registry
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.forms import FORMS
from twinoar.formats.onnx.write import write_model
from twinoar.quantization import QAT, QuantConfig
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.testing.calls import arrays_of, build, execute
from twinoar.testing.sample import samples_of

OPSETS = (11, 17, 23)
models = paddle.vision.models

OTHERWISE_THERE = {"pow"}  # in ONNX Runtime: integers to the power of negative numbers
DRAWN = {"split_key", "uniform_random", "gaussian_random", "bernoulli_random", "randint_random",
         "permutation", "multinomial_random"}  # fmt: skip
# ONNX Runtime orders NaN among numbers as it comes, so samples with it are left out.
# Nor does ONNX tell the sign of one.
ORDERED = {"copysign", "argmax", "argmin", "amax", "amin", "max", "min", "maximum", "minimum",
           "max_pool2d_with_index", "unique"}  # fmt: skip


@pytest.fixture(autouse=True)
def quiet() -> None:
    onnxruntime.set_default_logger_severity(4)


def run_elsewhere(data: bytes, arrays: list[np.ndarray]) -> list[Any]:
    """By ONNX Runtime, and by ONNX's reference where that lacks a kernel."""
    model = onnx.load_from_string(data)
    onnx.checker.check_model(model, full_check=True)
    feed = {i.name: a for i, a in zip(model.graph.input, arrays, strict=True)}
    try:
        return list(onnxruntime.InferenceSession(data).run(None, feed))
    except Exception:  # ONNX Runtime's own have no common class
        return list(onnx.reference.ReferenceEvaluator(model).run(None, feed))


def differences(op: Op, opset: int) -> list[str]:
    """The samples whose models compute otherwise, or not at all."""
    found = []
    for n, sample in enumerate(samples_of(op)):
        if sample.error is not None:
            continue
        arrays = arrays_of(sample)
        if op.name in ORDERED and any(np.isnan(a).any() for a in arrays if a.dtype.kind == "f"):
            continue
        program = build(op, sample)
        try:
            data = write_model(program, opset, lambda s: np.asarray(s.data))
        except UnsupportedError:
            continue
        expected = [np.asarray(r) for r in execute(program, arrays)]
        for got, want in zip(run_elsewhere(data, arrays), expected, strict=True):
            tolerance = 1e-2 if want.dtype.itemsize == 2 else 1e-5
            if got.dtype != want.dtype or got.shape != want.shape:
                found.append(f"sample {n}: {got.dtype}{got.shape}, not {want.dtype}{want.shape}")
            elif not np.allclose(
                got.astype("float64"), want.astype("float64"), tolerance, tolerance, equal_nan=True
            ):
                found.append(f"sample {n}: {got} instead of {want}")
    return found


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("name", sorted(set(FORMS) - OTHERWISE_THERE - DRAWN))
def test_samples_of_each_operator_with_a_form(name: str, opset: int) -> None:
    if "samples" not in registry[name].rules:
        pytest.skip("has no samples")
    assert differences(registry[name], opset) == []


def test_running_products_where_onnx_has_them() -> None:
    assert differences(registry["cumprod"], 26) == []


def shaped_by_values() -> Any:
    """A layer with a branch and a loop on its values, as detectors have them."""

    class Detector(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.features = nn.Sequential(nn.Conv2D(3, 4, 3), nn.ReLU(), nn.Flatten())
            self.boxes = nn.Linear(4 * 6 * 6, 8)

        @paddle.jit.to_static
        def forward(self, x):
            found = self.boxes(self.features(x))
            step = paddle.zeros([], "int64")
            while step < 3:
                if paddle.abs(found).max() > 1.0:
                    found = found * 0.5
                    found = found - 0.125
                else:
                    found = found + 0.25
                step = step + 1
            scores, places = paddle.topk(found, 3)
            return scores + places.astype("float32")

    return Detector()


def recurrent(kind: Any, **kwargs: Any) -> Any:
    class Last(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.cells = kind(4, 5, **kwargs)

        def forward(self, x):
            return self.cells(x)[0]

    return Last()


def quantized() -> Any:
    quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    qat = QAT(QuantConfig(activation=quanter, weight=quanter))
    net = qat.quantize(models.LeNet())
    net.train()
    net(paddle.randn([4, 1, 28, 28]))
    net.eval()
    return qat.convert(net)


def resized(**settings: Any) -> Any:
    class Resized(nn.Layer):
        def forward(self, x):
            return nn.functional.interpolate(x, scale_factor=2, **settings)

    return Resized()


def unpooled() -> Any:
    class Unpooled(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Sequential(nn.Conv2D(3, 3, 3, padding=1), nn.GELU())
            self.wider = nn.Conv2DTranspose(3, 4, 3, stride=2, padding=1, output_padding=1)

        def forward(self, x):
            small, places = nn.functional.max_pool2d(x, 2, return_mask=True)
            large = nn.functional.max_unpool2d(self.inner(small), places, 2)
            large[:, 1, ::2] = 0.5
            return self.wider(paddle.roll(large, 1, 2)) % 3.0

    return Unpooled()


def volumes() -> Any:
    return nn.Sequential(
        nn.Conv3D(2, 4, 3), nn.Mish(), nn.MaxPool3D(2, 1), nn.Conv3DTranspose(4, 2, 2, stride=2),
        nn.AvgPool3D(2, 2), nn.AdaptiveAvgPool3D(3), nn.Softplus(2.0), nn.LogSigmoid(),
    )  # fmt: skip


NETWORKS: dict[str, tuple[Callable[[], Any], list, tuple[int, ...]]] = {
    "lenet": (models.LeNet, [None, 1, 28, 28], (1, 28, 28)),
    "detector": (shaped_by_values, [None, 3, 8, 8], (3, 8, 8)),
    "lstm": (
        lambda: recurrent(nn.LSTM, num_layers=2, direction="bidirect"),
        [None, None, 4],
        (6, 4),
    ),
    "gru": (lambda: recurrent(nn.GRU), [None, None, 4], (6, 4)),
    "quantized": (quantized, [None, 1, 28, 28], (1, 28, 28)),
    "resnet18": (models.resnet18, [None, 3, 64, 64], (3, 64, 64)),
    "mobilenet_v2": (models.mobilenet_v2, [None, 3, 64, 64], (3, 64, 64)),
    "nearest": (lambda: resized(mode="nearest"), [None, 3, None, None], (3, 5, 4)),
    "bilinear": (lambda: resized(mode="bilinear"), [None, 3, None, None], (3, 5, 4)),
    "bicubic": (
        lambda: resized(mode="bicubic", align_corners=True),
        [None, 3, None, None],
        (3, 5, 4),
    ),
    "unpooled": (unpooled, [None, 3, 8, 6], (3, 8, 6)),
    "volumes": (volumes, [None, 2, 7, 8, 6], (2, 7, 8, 6)),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2),
        [None, None, 16],
        (7, 16),
    ),
}


@pytest.mark.parametrize("opset", [11, 17, 25])
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(tmp_path: Path, name: str, opset: int) -> None:
    make, shape, sizes = NETWORKS[name]
    paddle.seed(1)
    net = make()
    net.eval()
    path = str(tmp_path / name)
    spec = [static.InputSpec(shape, "float32", "x")]
    paddle.onnx.export(net, path, spec, opset_version=opset)
    onnx.checker.check_model(f"{path}.onnx", full_check=True)
    session = onnxruntime.InferenceSession(f"{path}.onnx")
    for batch in (1, 5):
        x = np.random.default_rng(batch).standard_normal((batch, *sizes), dtype="float32")
        (got,) = session.run(None, {"x": x})
        want = net(paddle.to_tensor(x)).numpy()
        assert np.abs(got - want).max() <= 1e-5 * np.abs(want).max()

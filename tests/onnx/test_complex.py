"""Complex numbers inside of a model go to ONNX as pairs of real ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import fft, nn, static
from twinoar.errors import UnsupportedError


class Calls(nn.Layer):
    """A function of its input as a layer."""

    def __init__(self, function: Callable[[Any], Any]):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def check(tmp_path: Path, function: Callable[[Any], Any], shape: list, opset: int = 17) -> None:
    layer = Calls(function)
    spec = [static.InputSpec(shape, "float32", "x")]
    paddle.onnx.export(layer, str(tmp_path / "net"), spec, opset_version=opset)
    onnx.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"))
    sizes = [3 if d is None else d for d in shape]
    x = np.random.default_rng(0).normal(size=sizes).astype(np.float32)
    wanted = layer(paddle.to_tensor(x)).numpy()
    found = session.run(None, {"x": x})[0]
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def pairs(x: Any) -> Any:
    """Complex numbers of the last dimension."""
    return paddle.as_complex(x.reshape([0, -1, 2]))


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "product": lambda x: paddle.as_real(pairs(x) * pairs(x + 1)),
    "product with a number": lambda x: paddle.as_real(pairs(x) * 2.0 * (1 - 2j)),
    "product with real ones": lambda x: paddle.as_real(pairs(x) * x[:, :4]),
    "sum": lambda x: paddle.as_real(pairs(x) + x[:, :4] - pairs(x - 1)),
    "quotient": lambda x: paddle.as_real(pairs(x) / (pairs(x) + 3.0)),
    "size": lambda x: pairs(x).abs() + (pairs(x) * 0).abs(),
    "angle": lambda x: paddle.angle(pairs(x)),
    "twin": lambda x: (pairs(x).conj() * 1j).imag() + pairs(x).real(),
    "turned": lambda x: paddle.as_real(pairs(x) * paddle.polar(x[:, :4].abs(), x[:, 4:])),
    "exponential": lambda x: paddle.as_real(paddle.exp(pairs(x))),
    "moved": lambda x: paddle.as_real(
        paddle.concat([pairs(x)[:, 1:], pairs(x)[:, :1]], 1).transpose([1, 0]).flip(0)
    ),
    "padded": lambda x: paddle.as_real(fft.fft(pairs(x), 7)),
    "matrices": lambda x: paddle.as_real(pairs(x) @ pairs(x)[:1].transpose([1, 0])),
    "total": lambda x: paddle.as_real(pairs(x).sum(1)),
    "negative": lambda x: paddle.as_real(-pairs(x)),
    "constants": lambda x: paddle.as_real(pairs(x) + paddle.full([4], 2.0 - 1j, "complex64")),
}
TRANSFORMS: dict[str, Callable[[Any], Any]] = {
    "forward": lambda x: paddle.as_real(fft.fft(x)),
    "half": lambda x: paddle.as_real(fft.rfft(x, norm="ortho")),
    "back": lambda x: fft.irfft(fft.rfft(x) * 2.0),
    "back, odd": lambda x: fft.irfft(fft.rfft(x), 7),
    "plane": lambda x: paddle.as_real(fft.fft2(x)),
    "plane, half and back": lambda x: fft.irfft2(fft.rfft2(x, norm="forward")),
    "inverse": lambda x: paddle.as_real(fft.ifft(fft.fft(x, axis=1), norm="forward", axis=1)),
    "hermitian": lambda x: fft.hfft(fft.ihfft(x)),
    "over short times": lambda x: paddle.as_real(paddle.signal.stft(x[:, 0], 4, 2)),
}


@pytest.mark.parametrize("opset", [11, 17])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_complex_numbers_are_computed_with(tmp_path: Path, name: str, opset: int) -> None:
    check(tmp_path, FUNCTIONS[name], [None, 8], opset)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_fourier_transforms_are_products(tmp_path: Path, name: str) -> None:
    check(tmp_path, TRANSFORMS[name], [None, 6, 8])


def test_complex_weights_are_two(tmp_path: Path) -> None:
    weight = paddle.to_tensor(np.array([1 + 2j, 3 - 1j, -1j, 2.0], np.complex64))
    check(tmp_path, lambda x: paddle.as_real(pairs(x) * weight), [None, 8])


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "result": (pairs, "takes and gives no numbers of complex64"),
    "operator": (lambda x: paddle.linalg.inv(pairs(x)[:, :1, None]).real(), "inverse of complex"),
    "cut": (lambda x: pairs(x).astype("float32"), "imaginary parts that are cast away"),
    "size": (lambda x: paddle.as_real(fft.fft(paddle.tile(x, [1, 1000]))), "of 8000 elements"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_named(tmp_path: Path, name: str) -> None:
    function, said = REFUSED[name]
    with pytest.raises(UnsupportedError, match=said):
        check(tmp_path, function, [None, 8])
    assert not list(tmp_path.iterdir())

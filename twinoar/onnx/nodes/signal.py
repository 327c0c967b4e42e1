"""Spectra and windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.formats.onnx.tensors import dtype_of
from twinoar.onnx.table import Known, node


@node("DFT")
def dft_of_attribute(
    x: Any, length: Known | None = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0
) -> Any:
    return dft(x, length, np.asarray(axis), inverse=inverse, onesided=onesided)


@node("DFT", since=20)
def dft(
    x: Any,
    length: Known | None = None,
    axis: Known | None = None,
    *,
    inverse: int = 0,
    onesided: int = 0,
) -> Any:
    at = -2 if axis is None else int(np.asarray(axis).reshape(-1)[0])
    at = at % len(x.shape)
    count = None if length is None else int(np.asarray(length).reshape(-1)[0])
    is_real = x.shape[-1] == 1
    if onesided and inverse:
        found = paddle.fft.irfft(paddle.as_complex(x), count, at)
        return found.unsqueeze(-1)
    signal = x.squeeze(-1) if is_real else paddle.as_complex(x)
    if onesided:
        return paddle.as_real(paddle.fft.rfft(signal, count, at))
    if is_real:
        signal = paddle.complex(signal, paddle.zeros_like(signal))
    transform = paddle.fft.ifft if inverse else paddle.fft.fft
    return paddle.as_real(transform(signal, count, at))


@node("STFT")
def stft(
    x: Any, step: Known, window: Any = None, length: Known | None = None, *, onesided: int = 1
) -> Any:
    size = int(window.shape[0] if length is None else np.asarray(length).reshape(-1)[0])
    hop = int(np.asarray(step).reshape(-1)[0])
    count = 1 + (x.shape[1] - size) // hop
    starts = np.arange(count)[:, None] * hop + np.arange(size)
    index = paddle.to_tensor(starts.reshape(-1).astype("int64"))
    frames = paddle.index_select(x, index, 1).reshape([x.shape[0], count, size, x.shape[2]])
    if window is not None:
        frames = frames * window.reshape([1, 1, -1, 1])
    return dft(frames, None, np.asarray(2), onesided=onesided)


def _window(coefficients: tuple[float, ...]) -> Any:
    def made(size: Known, *, output_datatype: int = 1, periodic: int = 1) -> Any:
        count = int(np.asarray(size).reshape(-1)[0])
        n = np.arange(count) * 2 * np.pi / (count if periodic else count - 1)
        found = sum(c * np.cos(k * n) for k, c in enumerate(coefficients))
        return np.asarray(found, dtype_of(output_datatype))

    return made


node("HannWindow")(_window((0.5, -0.5)))
node("HammingWindow")(_window((25 / 46, -21 / 46)))
node("BlackmanWindow")(_window((0.42, -0.5, 0.08)))


@node("MelWeightMatrix")
def mel_weight_matrix(
    bins: Known, length: Known, rate: Known, low: Known, high: Known, *, output_datatype: int = 1
) -> Any:
    count, size, hertz, first, last = (
        np.asarray(v).reshape(-1)[0] for v in (bins, length, rate, low, high)
    )
    spectrum = int(size) // 2 + 1
    mel_low, mel_high = (2595 * math.log10(1 + float(f) / 700) for f in (first, last))
    step = (mel_high - mel_low) / (int(count) + 2)
    mels = mel_low + np.arange(int(count) + 2) * step
    edges = (700 * (10 ** (mels / 2595) - 1) * (int(size) + 1) // int(hertz)).astype(int)
    found = np.zeros((spectrum, int(count)))
    for n in range(int(count)):
        left, center, right = edges[n : n + 3]
        if center == left:
            found[center, n] = 1
        else:
            found[left : center + 1, n] = np.arange(center + 1 - left) / (center - left)
        if right > center:
            found[center:right, n] = (right - np.arange(center, right)) / (right - center)
    return found.astype(dtype_of(output_datatype))

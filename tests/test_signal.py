"""Short-time Fourier transforms: what they give, that they come back, and their gradients."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

SIGNAL = np.random.default_rng(0).standard_normal((2, 20))


def test_a_part_is_the_transform_under_the_window() -> None:
    window = np.hanning(8)
    found = paddle.signal.stft(
        paddle.to_tensor(SIGNAL), 8, 4, window=paddle.to_tensor(window), center=False
    ).numpy()
    assert found.shape == (2, 5, 4)
    np.testing.assert_allclose(found[1, :, 2], np.fft.rfft(SIGNAL[1, 8:16] * window))


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_the_signal_comes_back(onesided: bool, normalized: bool) -> None:
    options = {"n_fft": 8, "hop_length": 3, "win_length": 6}
    parts = paddle.signal.stft(
        paddle.to_tensor(SIGNAL), onesided=onesided, normalized=normalized, **options
    )
    found = paddle.signal.istft(
        parts, onesided=onesided, normalized=normalized, length=19, **options
    )
    np.testing.assert_allclose(found.numpy(), SIGNAL[:, :19], atol=1e-12)


def test_gradients_are_the_slopes() -> None:
    require_slope(lambda x: paddle.signal.stft(x, 6, 2), SIGNAL[:, :9])
    parts = paddle.signal.stft(paddle.to_tensor(SIGNAL[:, :9]), 6, 2).numpy()
    require_slope(lambda x: paddle.signal.istft(x, 6, 2), parts)


def test_frames_add_up_along_either_end() -> None:
    x = paddle.to_tensor(SIGNAL)
    parts = paddle.signal.frame(x, 5, 5)
    np.testing.assert_array_equal(paddle.signal.overlap_add(parts, 5).numpy(), SIGNAL)
    parts = paddle.signal.frame(x.t(), 5, 5, axis=0)
    assert parts.shape == [4, 5, 2]
    np.testing.assert_array_equal(paddle.signal.overlap_add(parts, 5, axis=0).numpy(), SIGNAL.T)


def test_wrong_arguments_are_refused() -> None:
    x = paddle.to_tensor(SIGNAL)
    for wrong, message in (
        (lambda: paddle.signal.stft(x, 8, win_length=9), "win_length must be"),
        (lambda: paddle.signal.stft(x, 8, pad_mode="edge"), "pad_mode must be"),
        (lambda: paddle.signal.stft(x, 64), "cannot be mirrored"),
        (lambda: paddle.signal.frame(x, 0, 1), "1 or more"),
        (lambda: paddle.signal.istft(paddle.signal.stft(x, 8), 6), "must have 4 frequencies"),
    ):
        with pytest.raises(paddle.errors.ArgumentError, match=message):
            wrong()

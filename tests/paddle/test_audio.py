"""Sound in the real Paddle: windows, mel scales and features have the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar

# Expressions of `paddle`, `F` (audio.functional), `A` (audio.features) and `x`, a batch of signals.
CALLS = [
    "F.hz_to_mel(paddle.to_tensor([0., 30., 999., 1000., 1001., 8000.]))",
    "F.hz_to_mel(paddle.to_tensor([0., 30., 999., 1000., 1001., 8000.]), htk=True)",
    "F.mel_to_hz(paddle.to_tensor([0., 3., 14.9, 15., 15.1, 40.]))",
    "F.mel_to_hz(paddle.to_tensor([0., 3., 140.9, 2000.]), htk=True)",
    "F.mel_frequencies(40, 20.0, 7600.0)",
    "F.mel_frequencies(40, 20.0, 7600.0, htk=True, dtype='float64')",
    "F.fft_frequencies(16000, 511)",
    "F.compute_fbank_matrix(16000, 512, 40, 20.0)",
    "F.compute_fbank_matrix(22050, 2048, 64, 50.0, 8000.0, htk=True, norm=1.0)",
    "F.compute_fbank_matrix(8000, 256, 20, norm=2.0, dtype='float64')",
    "F.compute_fbank_matrix(8000, 256, 20, norm=None)",
    "F.power_to_db(x * x)",
    "F.power_to_db(x * x, 2.0, 1e-5, None)",
    "F.create_dct(13, 40)",
    "F.create_dct(40, 40, norm=None, dtype='float64')",
    "A.Spectrogram(n_fft=256, hop_length=100)(x)",
    "A.Spectrogram(256, 64, 200, 'hamming', 2.0, False)(x)",
    "A.Spectrogram(256, 64, 200, ('gaussian', 30.0), 1.5, True, 'constant')(x)",
    "A.MelSpectrogram(sr=8000, n_fft=256, hop_length=80)(x)",
    "A.LogMelSpectrogram(sr=8000, n_fft=256, hop_length=80, n_mels=20, top_db=60.0)(x)",
    "A.MFCC(sr=8000, n_mfcc=13, n_fft=256, hop_length=80, n_mels=20)(x)",
    "A.MFCC(sr=8000, n_mfcc=13, n_fft=256, hop_length=80, n_mels=20, htk=True, norm=None)(x)",
    "sum(v.sum() for v in A.MFCC(n_mfcc=4, n_fft=256, n_mels=20).state_dict().values())",
]
WINDOWS = [
    "'hamming'", "'hann'", "'nuttall'", "'blackman'", "'bartlett'", "'triang'", "'bohman'",
    "'cosine'", "'tukey'", "'taylor'", "('tukey', 0.3)", "('tukey', 1.5)", "('taylor', 6, 40)",
    "('kaiser', 12.0)", "('gaussian', 5.0)", "('exponential', None, 3.0)",
    "('general_gaussian', 1.5, 4.0)", "('general_hamming', 0.6)",
]  # fmt: skip
CALLS += [  # the real Tukey window that is a Hann window is float64 whatever dtype says
    f"F.get_window({window}, {length}, {periodic}, dtype='{dtype}')"
    for window in WINDOWS
    for length, periodic, dtype in ((16, True, "float64"), (15, False, "float32"))
    if "1.5)" not in window or dtype == "float64"
]

RUN = """
F, A = paddle.audio.functional, paddle.audio.features
x = paddle.to_tensor(np.array(given["x"], "float32"))
found = [eval(call) for call in given["calls"]]
answer([[str(y.dtype).split(".")[-1], y.numpy().tolist()] for y in found])
"""


def signals() -> np.ndarray:
    rng = np.random.default_rng(3)
    t = np.arange(1600) / 8000
    tones = np.sin(2 * np.pi * np.array([[440.0], [1000.0]]) * t)
    return (tones * 0.4 + rng.normal(0, 0.05, tones.shape)).astype("float32")


@pytest.fixture(scope="module")
def real(paddle_3):
    return paddle_3(RUN, calls=CALLS, x=signals().tolist())


@pytest.mark.parametrize("number", range(len(CALLS)), ids=CALLS)
def test_numbers_are_those_of_paddle(real, number):
    names = {
        "paddle": twinoar,
        "F": twinoar.audio.functional,
        "A": twinoar.audio.features,
        "x": twinoar.to_tensor(signals()),
    }
    own = eval(CALLS[number], names)
    dtype, expected = real[number]
    assert own.dtype.name == dtype
    largest = np.abs(expected).max()
    np.testing.assert_allclose(own.numpy(), expected, rtol=2e-5, atol=2e-6 * largest)

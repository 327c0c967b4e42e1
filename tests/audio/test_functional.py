"""The mel scale, decibels, cosine transforms and windows, against figures of Paddle 3.3.1."""

import math

import numpy as np
import pytest

import twinoar as paddle
from twinoar.audio import functional as F
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError

HZ = [0.0, 60.0, 440.0, 1000.0, 4000.0]
MEL = [0.0, 0.9, 6.6, 15.0, 35.16376]
HTK_MEL = [0.0, 92.681858, 549.6387, 999.9855, 2146.0645]


@pytest.mark.parametrize(("htk", "mels"), [(False, MEL), (True, HTK_MEL)])
def test_hertz_and_mels_of_numbers_and_tensors(htk, mels):
    np.testing.assert_allclose([F.hz_to_mel(f, htk) for f in HZ], mels, rtol=1e-6)
    np.testing.assert_allclose(F.hz_to_mel(paddle.to_tensor(HZ), htk).numpy(), mels, rtol=1e-5)
    np.testing.assert_allclose([F.mel_to_hz(m, htk) for m in mels], HZ, rtol=1e-6, atol=1e-6)
    found = F.mel_to_hz(paddle.to_tensor(mels), htk)
    np.testing.assert_allclose(found.numpy(), HZ, rtol=1e-5, atol=1e-4)


def test_frequencies_are_evenly_apart():
    assert F.fft_frequencies(16000, 8).tolist() == [0.0, 2000.0, 4000.0, 6000.0, 8000.0]
    mels = F.hz_to_mel(F.mel_frequencies(5, 0.0, 8000.0, dtype="float64"))
    np.testing.assert_allclose(np.diff(mels.numpy()), mels.numpy()[1], rtol=1e-8)


def test_triangles_of_mels_have_the_area_one():
    weights = F.compute_fbank_matrix(16000, 4096, 20, dtype="float64").numpy()
    assert weights.shape == (20, 2049)
    np.testing.assert_allclose(weights.sum(1) * 16000 / 4096, 1.0, rtol=1e-2)
    plain = F.compute_fbank_matrix(16000, 4096, 20, norm=None).numpy()
    assert 0.9 < plain.max() <= 1.0
    rows = F.compute_fbank_matrix(16000, 4096, 20, norm=1.0).numpy()
    np.testing.assert_allclose(rows.sum(1), 1.0, rtol=1e-5)


def test_decibels_end_below_the_largest():
    x = paddle.to_tensor([1e-12, 1.0, 10.0])
    np.testing.assert_allclose(F.power_to_db(x).numpy(), [-70.0, 0.0, 10.0], atol=1e-5)
    np.testing.assert_allclose(
        F.power_to_db(x, top_db=None).numpy(), [-100.0, 0.0, 10.0], atol=1e-5
    )
    np.testing.assert_allclose(F.power_to_db(x, 10.0, 0.1).numpy(), [-20.0, -10.0, 0.0], atol=1e-5)


def test_the_cosine_transform_is_orthogonal():
    matrix = F.create_dct(8, 8, dtype="float64").numpy()
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(8), atol=1e-12)
    np.testing.assert_allclose(F.create_dct(2, 4, norm=None).numpy()[:, 0], 2.0)


WINDOWS = {
    "hann": [0.0, 0.3454915, 0.9045085, 0.9045085, 0.3454915],
    "hamming": [0.08, 0.39785218, 0.91214782, 0.91214782, 0.39785218],
    "blackman": [-0.0, 0.20077014, 0.84922986, 0.84922986, 0.20077014],
    "bartlett": [0.0, 0.4, 0.8, 0.8, 0.4],
    "nuttall": [0.0003628, 0.11051525, 0.7982581, 0.7982581, 0.11051525],
    "triang": [0.16666667, 0.5, 0.83333333, 0.83333333, 0.5],
    "bohman": [0.0, 0.17912389, 0.83431145, 0.83431145, 0.17912389],
    "cosine": [0.25881905, 0.70710678, 0.96592583, 0.96592583, 0.70710678],
    "tukey": [0.0, 0.9045085, 1.0, 1.0, 0.9045085],
    "taylor": [0.30634693, 0.66206478, 0.95700213, 0.95700213, 0.66206478],
    ("kaiser", 5.0): [0.03671089, 0.41490364, 0.91381248, 0.91381248, 0.41490364],
    ("gaussian", 2.0): [0.45783336, 0.7548396, 0.96923323, 0.96923323, 0.7548396],
    ("exponential", None, 3.0): [0.43459821, 0.60653066, 0.84648172, 0.84648172, 0.60653066],
}


@pytest.mark.parametrize("window", WINDOWS)
def test_windows_of_five(window):
    found = F.get_window(window, 5)
    assert found.dtype == paddle.float64
    np.testing.assert_allclose(found.numpy(), WINDOWS[window], atol=1e-8)


@pytest.mark.parametrize("window", WINDOWS)
def test_a_symmetric_window_is_its_own_reverse(window):
    found = F.get_window(window, 7, fftbins=False).numpy()
    np.testing.assert_allclose(found, found[::-1], atol=1e-12)
    assert F.get_window(window, 1).tolist() == [1.0]
    assert F.get_window(window, 0).shape == [0]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: F.get_window("kaiser", 5), ArgumentError),
        (lambda: F.get_window("sinc", 5), ArgumentError),
        (lambda: F.get_window(3, 5), TypeMismatchError),
        (lambda: F.get_window("hann", -1), ArgumentError),
        (lambda: F.get_window("hann", 2.5), ArgumentError),
        (lambda: F.get_window("hann", 5, dtype="int64"), DTypeError),
        (lambda: F.get_window(("exponential", 1.0), 5, False), ArgumentError),
        (lambda: F.power_to_db(paddle.ones([1]), amin=0.0), ArgumentError),
        (lambda: F.power_to_db(paddle.ones([1]), ref_value=-1.0), ArgumentError),
        (lambda: F.power_to_db(paddle.ones([1]), top_db=-1.0), ArgumentError),
        (lambda: F.create_dct(2, 4, norm="ortho1"), ArgumentError),
        (lambda: paddle.audio.features.MFCC(n_mfcc=5, n_mels=4), ArgumentError),
        (lambda: paddle.audio.features.Spectrogram(power=0.0), ArgumentError),
    ],
)
def test_wrong_arguments_are_told(call, error):
    with pytest.raises(error):
        call()


def signal():
    t = np.arange(2048) / 8000
    return np.sin(2 * math.pi * 440 * t)[None].astype("float32")


def test_a_spectrogram_has_its_peak_at_the_tone():
    layer = paddle.audio.features.Spectrogram(n_fft=512, hop_length=128, power=2.0)
    found = layer(paddle.to_tensor(signal())).numpy()
    assert found.shape == (1, 257, 17)
    assert found[0, :, 8].argmax() == round(440 * 512 / 8000)
    assert list(layer.state_dict()) == ["fft_window"]


def test_features_run_in_programs_as_eagerly():
    layer = paddle.audio.features.MFCC(sr=8000, n_mfcc=4, n_fft=256, n_mels=8)
    x = paddle.to_tensor(signal())
    eager = layer(x)
    assert eager.shape == [1, 4, 33]
    static = paddle.jit.to_static(lambda x: layer(x))(x)
    np.testing.assert_allclose(static.numpy(), eager.numpy(), rtol=1e-4, atol=1e-4)


def test_gradients_go_back_to_the_signal():
    x = paddle.to_tensor(signal(), stop_gradient=False)
    paddle.audio.features.LogMelSpectrogram(sr=8000, n_fft=256, n_mels=8)(x).sum().backward()
    assert x.grad.shape == [1, 2048]
    assert bool(paddle.isfinite(x.grad).all())

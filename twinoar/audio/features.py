"""`paddle.audio.features`: spectrograms, and what is computed from them, as layers.

Each takes a batch of signals [B,T], and gives [B,features,parts].
"""

from __future__ import annotations

from typing import Any

from twinoar.audio.functional import compute_fbank_matrix, create_dct, get_window, power_to_db
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError
from twinoar.nn.layer import Layer
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import transpose
from twinoar.signal import stft


class Spectrogram(Layer):
    """The sizes of a signal's short-time Fourier transform, raised to `power`.

    n_fft: numbers in a part. hop_length: how far parts are apart. window: see
    `functional.get_window`; its length is win_length, n_fft by default. center, pad_mode: see
    `signal.stft`.

    >>> Spectrogram(n_fft=8, hop_length=4)(twinoar.ones([1, 16])).shape
    [1, 5, 5]
    """

    def __init__(
        self,
        n_fft: int = 512,
        hop_length: int | None = 512,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 1.0,
        center: bool = True,
        pad_mode: str = "reflect",
        dtype: Any = "float32",
    ):
        super().__init__()
        if power <= 0:
            raise ArgumentError(f"power has to be positive, received {power}")
        self.power, self.n_fft, self.hop_length = power, n_fft, hop_length
        self.win_length = n_fft if win_length is None else win_length
        self.center, self.pad_mode = center, pad_mode
        self.register_buffer("fft_window", get_window(window, self.win_length, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """The spectrogram of signals [B,T]."""
        found = stft(  # type: ignore[call-overload]  # the function checks the mode
            x,
            self.n_fft,
            self.hop_length,
            self.win_length,
            self.fft_window,
            self.center,
            self.pad_mode,
        )
        return found.abs() ** self.power


class MelSpectrogram(Layer):
    """A spectrogram whose frequencies are put together on the mel scale.

    f_max: half of sr by default. htk, norm: see `functional.compute_fbank_matrix`; the others see
    `Spectrogram`.

    >>> MelSpectrogram(n_fft=256, hop_length=128, n_mels=4)(twinoar.ones([1, 512])).shape
    [1, 4, 5]
    """

    def __init__(
        self,
        sr: int = 22050,
        n_fft: int = 2048,
        hop_length: int | None = 512,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float = "slaney",
        dtype: Any = "float32",
    ):
        super().__init__()
        self._spectrogram = Spectrogram(
            n_fft, hop_length, win_length, window, power, center, pad_mode, dtype
        )
        self.n_mels, self.f_min, self.f_max = n_mels, f_min, f_max
        self.htk, self.norm = htk, norm
        top = sr // 2 if f_max is None else f_max
        matrix = compute_fbank_matrix(sr, n_fft, n_mels, f_min, top, htk, norm, dtype)
        self.register_buffer("fbank_matrix", matrix)

    def forward(self, x: Tensor) -> Tensor:
        """The mel spectrogram of signals [B,T]."""
        return matmul(self.fbank_matrix, self._spectrogram(x))


class LogMelSpectrogram(Layer):
    """A mel spectrogram in decibels. ref_value, amin, top_db: see `functional.power_to_db`.

    >>> LogMelSpectrogram(n_fft=256, n_mels=4)(twinoar.ones([1, 512])).shape
    [1, 4, 9]
    """

    def __init__(
        self,
        sr: int = 22050,
        n_fft: int = 512,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float = "slaney",
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float | None = None,
        dtype: Any = "float32",
    ):
        super().__init__()
        parts = (n_fft, hop_length, win_length, window, power, center, pad_mode)
        mels = (n_mels, f_min, f_max, htk, norm)
        self._melspectrogram = MelSpectrogram(sr, *parts, *mels, dtype)
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def forward(self, x: Tensor) -> Tensor:
        """The mel spectrogram of signals [B,T], in decibels."""
        return power_to_db(self._melspectrogram(x), self.ref_value, self.amin, self.top_db)


class MFCC(Layer):
    """Mel-frequency cepstral coefficients: the cosine transform of a mel spectrogram in decibels.

    n_mfcc: how many, no more than n_mels. The others see `LogMelSpectrogram`.

    >>> MFCC(n_mfcc=3, n_fft=256, n_mels=4)(twinoar.ones([1, 512])).shape
    [1, 3, 9]
    """

    def __init__(
        self,
        sr: int = 22050,
        n_mfcc: int = 40,
        n_fft: int = 512,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = "hann",
        power: float = 2.0,
        center: bool = True,
        pad_mode: str = "reflect",
        n_mels: int = 64,
        f_min: float = 50.0,
        f_max: float | None = None,
        htk: bool = False,
        norm: str | float = "slaney",
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float | None = None,
        dtype: Any = "float32",
    ):
        super().__init__()
        if n_mfcc > n_mels:
            raise ArgumentError(f"n_mfcc is {n_mfcc}, more than the {n_mels} of n_mels")
        parts = (n_fft, hop_length, win_length, window, power, center, pad_mode)
        mels, decibels = (n_mels, f_min, f_max, htk, norm), (ref_value, amin, top_db)
        self._log_melspectrogram = LogMelSpectrogram(sr, *parts, *mels, *decibels, dtype)
        self.register_buffer("dct_matrix", create_dct(n_mfcc, n_mels, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        """The coefficients of signals [B,T]."""
        found = transpose(self._log_melspectrogram(x), [0, 2, 1])
        return transpose(matmul(found, self.dct_matrix), [0, 2, 1])


__all__ = ["MFCC", "LogMelSpectrogram", "MelSpectrogram", "Spectrogram"]

"""`paddle.audio.features`: spectrograms, and what is computed from them, as layers."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class LogMelSpectrogram(twinoar.nn.Layer):
    """A mel spectrogram in decibels"""
    def __init__(self, sr: Any = 22050, n_fft: Any = 512, hop_length: Any = None, win_length: Any = None, window: Any = 'hann', power: Any = ..., center: builtins.bool = True, pad_mode: builtins.str = 'reflect', n_mels: Any = 64, f_min: Any = ..., f_max: Any = None, htk: builtins.bool = False, norm: Any = 'slaney', ref_value: Any = ..., amin: Any = ..., top_db: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The mel spectrogram of signals [B,T], in decibels."""
    ref_value: builtins.float
    amin: builtins.float
    top_db: builtins.float | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MFCC(twinoar.nn.Layer):
    """Mel-frequency cepstral coefficients: the cosine transform of a mel spectrogram in decibels."""
    def __init__(self, sr: Any = 22050, n_mfcc: Any = 40, n_fft: Any = 512, hop_length: Any = None, win_length: Any = None, window: Any = 'hann', power: Any = ..., center: builtins.bool = True, pad_mode: builtins.str = 'reflect', n_mels: Any = 64, f_min: Any = ..., f_max: Any = None, htk: builtins.bool = False, norm: Any = 'slaney', ref_value: Any = ..., amin: Any = ..., top_db: Any = None, dtype: Any = 'float32') -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The coefficients of signals [B,T]."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class MelSpectrogram(twinoar.nn.Layer):
    """A spectrogram whose frequencies are put together on the mel scale."""
    def __init__(self, sr: Any = 22050, n_fft: Any = 2048, hop_length: Any = 512, win_length: Any = None, window: Any = 'hann', power: Any = ..., center: builtins.bool = True, pad_mode: builtins.str = 'reflect', n_mels: Any = 64, f_min: Any = ..., f_max: Any = None, htk: builtins.bool = False, norm: Any = 'slaney', dtype: Any = 'float32') -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The mel spectrogram of signals [B,T]."""
    n_mels: builtins.int
    f_min: builtins.float
    f_max: builtins.float | None
    htk: builtins.bool
    norm: builtins.str | builtins.float
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class Spectrogram(twinoar.nn.Layer):
    """The sizes of a signal's short-time Fourier transform, raised to `power`."""
    def __init__(self, n_fft: Any = 512, hop_length: Any = 512, win_length: Any = None, window: Any = 'hann', power: Any = ..., center: builtins.bool = True, pad_mode: builtins.str = 'reflect', dtype: Any = 'float32') -> None: ...
    def forward(self, x: twinoar._TensorLike) -> twinoar.Tensor:
        """The spectrogram of signals [B,T]."""
    power: builtins.float
    n_fft: builtins.int
    hop_length: builtins.int | None
    win_length: Any
    center: builtins.bool
    pad_mode: builtins.str
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...

"""`paddle.audio.functional`: the mel scale, decibels, cosine transforms and windows."""

# Written by tools/stubs.py.

import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def compute_fbank_matrix(sr: Any, n_fft: Any, n_mels: Any = 64, f_min: Any = ..., f_max: Any = None, htk: builtins.bool = False, norm: Any = 'slaney', dtype: Any = 'float32') -> twinoar.Tensor:
    """Triangles over the frequencies of a spectrum, one for each mel, [n_mels,n_fft // 2 + 1]."""
@overload
def compute_fbank_matrix(*args: Any, sr: Any = ..., n_fft: Any = ..., n_mels: Any = ..., f_min: Any = ..., f_max: Any = ..., htk: Any = ..., norm: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def create_dct(n_mfcc: Any, n_mels: Any, norm: builtins.str | None = 'ortho', dtype: Any = 'float32') -> twinoar.Tensor:
    """The matrix of a cosine transform, [n_mels,n_mfcc]"""
@overload
def create_dct(*args: Any, n_mfcc: Any = ..., n_mels: Any = ..., norm: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fft_frequencies(sr: Any, n_fft: Any, dtype: Any = 'float32') -> twinoar.Tensor:
    """The frequencies in Hz of a Fourier transform of n_fft numbers, [n_fft // 2 + 1]."""
@overload
def fft_frequencies(*args: Any, sr: Any = ..., n_fft: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def get_window(window: builtins.str | builtins.tuple[Any, ...], win_length: Any, fftbins: builtins.bool = True, dtype: Any = 'float64') -> twinoar.Tensor:
    """A window of so many elements, [win_length]."""
@overload
def get_window(*args: Any, window: Any = ..., win_length: Any = ..., fftbins: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hz_to_mel(freq: Any, htk: builtins.bool = False) -> Any:
    """The mel of a frequency in Hz, a number or a tensor"""
@overload
def hz_to_mel(*args: Any, freq: Any = ..., htk: Any = ..., out: Any = ...) -> Any: ...
@overload
def mel_frequencies(n_mels: Any = 64, f_min: Any = ..., f_max: Any = ..., htk: builtins.bool = False, dtype: Any = 'float32') -> twinoar.Tensor:
    """Frequencies in Hz whose mels are evenly apart, [n_mels]."""
@overload
def mel_frequencies(*args: Any, n_mels: Any = ..., f_min: Any = ..., f_max: Any = ..., htk: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def mel_to_hz(mel: Any, htk: builtins.bool = False) -> Any:
    """The frequency in Hz of a mel, a number or a tensor"""
@overload
def mel_to_hz(*args: Any, mel: Any = ..., htk: Any = ..., out: Any = ...) -> Any: ...
@overload
def power_to_db(spect: twinoar._TensorLike, ref_value: Any = ..., amin: Any = ..., top_db: Any = ...) -> twinoar.Tensor:
    """A spectrum of powers in decibels of `ref_value`."""
@overload
def power_to_db(*args: Any, spect: Any = ..., ref_value: Any = ..., amin: Any = ..., top_db: Any = ..., out: Any = ...) -> twinoar.Tensor: ...

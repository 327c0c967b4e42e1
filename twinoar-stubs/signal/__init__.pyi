"""Signals over short times: `paddle.signal`."""

# Written by tools/stubs.py.

import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def frame(x: twinoar._TensorLike, frame_length: Any, hop_length: Any, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """Parts of a signal, `hop_length` apart."""
@overload
def frame(*args: Any, x: Any = ..., frame_length: Any = ..., hop_length: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def istft(x: twinoar._TensorLike, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: twinoar._TensorLike | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool = True, length: Any = None, return_complex: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The signal that `stft` came from, by the mean of its parts under the window."""
@overload
def istft(*args: Any, x: Any = ..., n_fft: Any = ..., hop_length: Any = ..., win_length: Any = ..., window: Any = ..., center: Any = ..., normalized: Any = ..., onesided: Any = ..., length: Any = ..., return_complex: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def overlap_add(x: twinoar._TensorLike, hop_length: Any, axis: Any = -1, name: builtins.str | None = None) -> twinoar.Tensor:
    """The signal that parts of it, `hop_length` apart, add up to."""
@overload
def overlap_add(*args: Any, x: Any = ..., hop_length: Any = ..., axis: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def stft(x: twinoar._TensorLike, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: twinoar._TensorLike | None = None, center: builtins.bool = True, pad_mode: Literal['reflect', 'constant'] = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The Fourier transforms of the parts of a signal."""
@overload
def stft(*args: Any, x: Any = ..., n_fft: Any = ..., hop_length: Any = ..., win_length: Any = ..., window: Any = ..., center: Any = ..., pad_mode: Any = ..., normalized: Any = ..., onesided: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...

"""Fourier transforms: `paddle.fft`."""

# Written by tools/stubs.py.

import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def fft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The discrete Fourier transform, over one axis."""
@overload
def fft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The discrete Fourier transform, over two axes."""
@overload
def fft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fftfreq(n: Any, d: Any = ..., dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The frequencies of `fft` of n numbers that lie d apart: 0, 1, ..., -2, -1 over n d."""
@overload
def fftfreq(*args: Any, n: Any = ..., d: Any = ..., dtype: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The discrete Fourier transform, over all axes, or those given."""
@overload
def fftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def fftshift(x: twinoar._TensorLike, axes: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """x with the frequency 0 moved to the middle of each of the axes, of all for None."""
@overload
def fftshift(*args: Any, x: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hfft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of numbers with Hermitian symmetry, given by half, over one axis."""
@overload
def hfft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hfft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of numbers with Hermitian symmetry, given by half, over two axes."""
@overload
def hfft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def hfftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of numbers with Hermitian symmetry, given by half, over all axes, or those given."""
@overload
def hfftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ifft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `fft`, over one axis."""
@overload
def ifft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ifft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `fft`, over two axes."""
@overload
def ifft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ifftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `fft`, over all axes, or those given."""
@overload
def ifftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ifftshift(x: twinoar._TensorLike, axes: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `fftshift`."""
@overload
def ifftshift(*args: Any, x: Any = ..., axes: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ihfft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `hfft`, over one axis."""
@overload
def ihfft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ihfft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `hfft`, over two axes."""
@overload
def ihfft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def ihfftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `hfft`, over all axes, or those given."""
@overload
def ihfftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def irfft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `rfft`, over one axis."""
@overload
def irfft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def irfft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `rfft`, over two axes."""
@overload
def irfft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def irfftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of `rfft`, over all axes, or those given."""
@overload
def irfftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rfft(x: twinoar._TensorLike, n: Any = None, axis: Any = -1, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of real numbers without what follows by symmetry, over one axis."""
@overload
def rfft(*args: Any, x: Any = ..., n: Any = ..., axis: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rfft2(x: twinoar._TensorLike, s: Any = None, axes: Any = ..., norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of real numbers without what follows by symmetry, over two axes."""
@overload
def rfft2(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rfftfreq(n: Any, d: Any = ..., dtype: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The frequencies of `rfft` of n numbers that lie d apart: 0, 1, ..., n // 2 over n d."""
@overload
def rfftfreq(*args: Any, n: Any = ..., d: Any = ..., dtype: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def rfftn(x: twinoar._TensorLike, s: Any = None, axes: Any = None, norm: Literal['backward', 'ortho', 'forward'] = 'backward', name: builtins.str | None = None) -> twinoar.Tensor:
    """`fft` of real numbers without what follows by symmetry, over all axes, or those given."""
@overload
def rfftn(*args: Any, x: Any = ..., s: Any = ..., axes: Any = ..., norm: Any = ..., name: Any = ..., A: Any = ..., dim: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...

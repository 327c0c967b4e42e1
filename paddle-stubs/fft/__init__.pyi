"""Fourier transforms: `paddle.fft`."""

# Written by tools/stubs.py.

from twinoar.fft import *

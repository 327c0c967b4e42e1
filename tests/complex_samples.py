"""Samples of operators in which floating operands are complex: Paddle's operators say little of
them, so that they are made of the ones for real numbers."""

import zlib
from dataclasses import replace

import numpy as np
import pytest

from twinoar.core.dtype import BY_NUMPY, COMPLEX_OF
from twinoar.errors import TwinoarError
from twinoar.testing.calls import arrays_of, is_float, run_eagerly, with_arrays


def is_complex(a):
    return a.dtype.kind == "c"


def in_complex(op, sample):
    """The sample with imaginary parts for its float32 and float64; skipped where it is refused."""
    random = np.random.default_rng(zlib.crc32(op.name.encode()))

    def with_imag(a):
        if not is_float(a) or a.dtype.itemsize < 4:
            return a
        made = np.empty(a.shape, COMPLEX_OF[BY_NUMPY[a.dtype]].numpy)
        made.real, made.imag = a, random.standard_normal(a.shape)
        return made

    args, kwargs = with_arrays(sample, with_imag)
    found = replace(sample, args=args, kwargs=kwargs)
    if not any(map(is_complex, arrays_of(found))):
        pytest.skip("no complex operand")
    try:
        run_eagerly(op, found)
    except TwinoarError:
        pytest.skip("it refuses complex numbers")
    return found

"""`paddle.quantization.quanters`: what rounds values in training."""

# Written by tools/stubs.py.

import builtins
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

class FakeQuanterWithAbsMaxObserver(twinoar.quantization._QuanterFactory):
    """Rounds values to what integers stand for, by a moving average of largest magnitudes."""
    def __init__(self, moving_rate: Any = ..., bit_length: Any = 8, dtype: Any = 'float32', name: builtins.str | None = None) -> None: ...

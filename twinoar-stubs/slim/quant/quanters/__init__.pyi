"""Quanters whose scales or bounds are learnt, by PaddleSlim's name of their module."""

# Written by tools/stubs.py.

import builtins
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

class ActLSQplusQuanter(twinoar.quantization._QuanterFactory):
    """Makes quanters of values by a step that is learnt, and an offset where it is not symmetric."""
    def __init__(self, quant_bits: Any = 8, sign: builtins.bool = True, symmetric: builtins.bool = True, per_channel: builtins.bool = False, batch_init: Any = 20, quant_linear: builtins.bool = False, reduce_type: builtins.str | None = None, dtype: Any = 'float32', name: builtins.str | None = None) -> None: ...
class FakeQuanterChannelWiseAbsMaxObserver(twinoar.quantization._QuanterFactory):
    """Makes quanters that round each channel of a weight by its largest magnitude."""
    def __init__(self, bit_length: Any = 8, dtype: Any = 'float32', name: builtins.str | None = None) -> None: ...
class PACTQuanter(twinoar.quantization._QuanterFactory):
    """Makes quanters that clip values to learnt bounds, and leave the rounding to another."""
    def __init__(self, quanter: Any, init_value: Any = ..., learning_rate: Any = ..., dtype: Any = 'float32', name: builtins.str | None = None) -> None: ...
class WeightLSQplusQuanter(twinoar.quantization._QuanterFactory):
    """Makes quanters of weights by steps that are learnt: one, or one for each channel."""
    def __init__(self, quant_bits: Any = 8, sign: builtins.bool = True, symmetric: builtins.bool = True, per_channel: builtins.bool = False, batch_init: Any = 20, quant_linear: builtins.bool = False, channel_num: Any = None, reduce_type: builtins.str | None = None, dtype: Any = 'float32', name: builtins.str | None = None) -> None: ...

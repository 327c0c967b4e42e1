"""`paddle.quantization.observers`: what values a network has, and how to round them well."""

# Written by tools/stubs.py.

import builtins
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

class AVGObserver(twinoar.quantization._QuanterFactory):
    """Makes observers of the mean, over samples, of the largest magnitude in each."""
class AbsMaxChannelWiseWeightObserver(twinoar.quantization._QuanterFactory):
    """Makes observers of the largest magnitude of each channel of a weight."""
class AbsmaxObserver(twinoar.quantization._QuanterFactory):
    """Takes the largest magnitude of all data as the scale."""
    def __init__(self, quant_bits: Any = 8) -> None: ...
class EMAObserver(twinoar.quantization._QuanterFactory):
    """Makes observers of the moving average of the largest magnitudes of batches."""
class EMDObserver(twinoar.quantization._QuanterFactory):
    """Makes observers that clip where rounding moves the distribution of values least."""
class GroupWiseWeightObserver(twinoar.quantization._QuanterFactory):
    """Takes the largest magnitude of each group of rows, in each column of a weight."""
    def __init__(self, quant_bits: Any = 8, group_size: Any = 128) -> None: ...
class HistObserver(twinoar.quantization._QuanterFactory):
    """Makes observers that leave out so many of the least and of the greatest values."""
class KLObserver(twinoar.quantization._QuanterFactory):
    """Makes observers that clip where integers tell most of how magnitudes are distributed."""
class MSEChannelWiseWeightObserver(twinoar.quantization._QuanterFactory):
    """Makes observers that clip each channel of a weight where the mean square error is least."""
class MSEObserver(twinoar.quantization._QuanterFactory):
    """Makes observers that clip where the mean square of what rounding changes is least."""
class MinMaxObserver(twinoar.quantization._QuanterFactory):
    """Makes observers of the least and the greatest of all values."""

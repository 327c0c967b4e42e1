"""Quantizers: what learns thresholds from tensors, by Paddle's older names for observers."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import AbsmaxQuantizer as AbsmaxQuantizer
from twinoar.quantization import BaseQuantizer as BaseQuantizer
from twinoar.quantization import HistQuantizer as HistQuantizer
from twinoar.quantization import KLQuantizer as KLQuantizer
from twinoar.quantization import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
SUPPORT_ACT_QUANTIZERS: builtins.list
SUPPORT_WT_QUANTIZERS: builtins.list

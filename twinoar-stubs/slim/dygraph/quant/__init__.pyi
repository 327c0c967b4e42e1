"""Quantization of networks that run at once, by PaddleSlim's name of its module."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import AbsmaxQuantizer as AbsmaxQuantizer
from twinoar.quantization import HistQuantizer as HistQuantizer
from twinoar.quantization import KLQuantizer as KLQuantizer
from twinoar.slim import PTQ as PTQ
from twinoar.quantization import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
from twinoar.slim import QAT as QAT

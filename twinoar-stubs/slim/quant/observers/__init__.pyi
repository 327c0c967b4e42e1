"""Observers, by PaddleSlim's name of their module; see `quantization.observers`."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization.observers import AVGObserver as AVGObserver
from twinoar.quantization.observers import AbsMaxChannelWiseWeightObserver as AbsMaxChannelWiseWeightObserver
from twinoar.quantization.observers import AbsmaxObserver as AbsmaxObserver
from twinoar.quantization.observers import EMAObserver as EMAObserver
from twinoar.quantization.observers import EMDObserver as EMDObserver
from twinoar.quantization.observers import GroupWiseWeightObserver as GroupWiseWeightObserver
from twinoar.quantization.observers import HistObserver as HistObserver
from twinoar.quantization.observers import KLObserver as KLObserver
from twinoar.quantization.observers import MSEChannelWiseWeightObserver as MSEChannelWiseWeightObserver
from twinoar.quantization.observers import MSEObserver as MSEObserver
from twinoar.quantization.observers import MinMaxObserver as MinMaxObserver

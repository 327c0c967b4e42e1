"""PTQConfig: how inputs and weights of layers are quantized after training."""

# Written by tools/stubs.py.

import builtins
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import PTQConfig as PTQConfig
default_ptq_config: twinoar.quantization.PTQConfig

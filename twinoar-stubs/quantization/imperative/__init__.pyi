"""`paddle.quantization.imperative`: quantization by Paddle's older names, layer by layer."""

# Written by tools/stubs.py.

import builtins
import twinoar.quantization
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import AbsmaxQuantizer as AbsmaxQuantizer
from twinoar.quantization import BaseQuantizer as BaseQuantizer
from twinoar.quantization import HistQuantizer as HistQuantizer
from twinoar.quantization import ImperativePTQ as ImperativePTQ
from twinoar.quantization import ImperativeQuantAware as ImperativeQuantAware
from twinoar.quantization import KLQuantizer as KLQuantizer
from twinoar.quantization import PTQConfig as PTQConfig
from twinoar.quantization import PTQRegistry as PTQRegistry
from twinoar.quantization import PerChannelAbsmaxQuantizer as PerChannelAbsmaxQuantizer
SUPPORT_ACT_QUANTIZERS: builtins.list
SUPPORT_WT_QUANTIZERS: builtins.list
default_ptq_config: twinoar.quantization.PTQConfig
from . import ptq as ptq
from . import ptq_config as ptq_config
from . import ptq_quantizer as ptq_quantizer
from . import ptq_registry as ptq_registry
from . import qat as qat

"""`paddle.fluid.contrib.mixed_precision`: see `twinoar.static.amp`."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.static.amp import AutoMixedPrecisionLists as AutoMixedPrecisionLists
from twinoar.static.amp import cast_model_to_fp16 as cast_model_to_fp16
from twinoar.static.amp import cast_parameters_to_fp16 as cast_parameters_to_fp16
from twinoar.static.amp import decorate as decorate
from twinoar.static.amp import fp16_guard as fp16_guard

"""What a parameter shall be: `ParamAttr`, and `WeightNormParamAttr`."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import ParamAttr as ParamAttr
from twinoar.fluid import WeightNormParamAttr as WeightNormParamAttr

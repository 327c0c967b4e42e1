"""`fluid.transpiler`: a Program that trains alone into those of trainers and parameter servers."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import DistributeTranspiler as DistributeTranspiler
from twinoar.fluid import DistributeTranspilerConfig as DistributeTranspilerConfig

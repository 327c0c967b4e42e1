"""CompiledProgram and its strategies, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import BuildStrategy as BuildStrategy
from twinoar.fluid import CompiledProgram as CompiledProgram
from twinoar.fluid import ExecutionStrategy as ExecutionStrategy

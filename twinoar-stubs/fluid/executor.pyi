"""Running Programs, by the arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import Executor as Executor
from twinoar.fluid import global_scope as global_scope
from twinoar.fluid import scope_guard as scope_guard

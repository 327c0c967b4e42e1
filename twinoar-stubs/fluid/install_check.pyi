"""run_check, where Paddle 1.8 has it."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.utils import run_check as run_check

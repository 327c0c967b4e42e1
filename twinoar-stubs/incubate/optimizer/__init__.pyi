"""Optimizers that Paddle keeps apart until they are settled."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.optimizer import LBFGS as LBFGS
from twinoar.incubate import LookAhead as LookAhead
from twinoar.incubate import ModelAverage as ModelAverage
from . import functional as functional

"""The high-level interface: Model, which trains, evaluates, predicts, and tables of layers."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import Model as Model
from twinoar import flops as flops
from twinoar import summary as summary

"""What feeds a training loop in Paddle 1.8: DataLoader over a Dataset or generator, PyReader."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid.io import DataLoader as DataLoader
from twinoar.fluid.io import PyReader as PyReader
from twinoar.fluid.io import default_collate_fn as default_collate_fn

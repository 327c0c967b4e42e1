"""`paddle.fluid.contrib`: mixed precision alone."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from . import mixed_precision as mixed_precision

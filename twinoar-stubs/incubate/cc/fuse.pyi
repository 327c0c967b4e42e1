"""What Paddle's compiler of GPU kernels is told to fuse: nothing here."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy


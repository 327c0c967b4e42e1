"""ImperativePTQ: trained networks become networks of integers, by Paddle's older names."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import ImperativePTQ as ImperativePTQ

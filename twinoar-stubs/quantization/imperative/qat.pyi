"""ImperativeQuantAware: layers of a network become layers of rounded values, to be trained."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.quantization import ImperativeQuantAware as ImperativeQuantAware

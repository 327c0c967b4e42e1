"""`python -m twinoar.distributed.launch script.py`: a script in as many processes as are asked for."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.distributed import launch as launch

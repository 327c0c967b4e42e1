"""Names nobody else has in this process: what users may call."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid.unique_name import generate as generate
from twinoar.fluid.unique_name import guard as guard
from twinoar.fluid.unique_name import switch as switch

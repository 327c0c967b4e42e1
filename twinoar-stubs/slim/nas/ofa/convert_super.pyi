"""Convert: the layers of a network become elastic ones, as large as the largest candidates."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.ofa import Convert as Convert
from twinoar.slim.nas.ofa import supernet as supernet

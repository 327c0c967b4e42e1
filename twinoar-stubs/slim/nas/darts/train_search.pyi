"""DARTSearch: trains a network and, on other data, what it is made of."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas import DARTSearch as DARTSearch
from twinoar.slim.nas import count_parameters_in_MB as count_parameters_in_MB

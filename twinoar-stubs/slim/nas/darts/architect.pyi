"""Architect: moves the weights of operations by what a network loses on other data."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.slim.nas.darts import Architect as Architect

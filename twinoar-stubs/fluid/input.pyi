"""`fluid.data`, `fluid.embedding` and `fluid.one_hot`: what goes into a Program."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import data as data
from twinoar.fluid import embedding as embedding
from twinoar.fluid import one_hot as one_hot

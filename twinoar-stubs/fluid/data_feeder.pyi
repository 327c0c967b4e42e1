"""DataFeeder: from a batch of samples to what an Executor is fed."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.fluid import DataFeeder as DataFeeder

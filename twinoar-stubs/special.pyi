"""Special functions by the names that PyTorch has for them."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import expm1 as expm1
from twinoar import logsumexp as logsumexp
from twinoar import softmax as softmax

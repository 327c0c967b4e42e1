"""`paddle.incubate.distributed.models`: mixtures of experts on several processes."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from . import moe as moe

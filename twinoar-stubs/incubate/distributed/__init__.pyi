"""`paddle.incubate.distributed`: recomputation by the names of fleet, and mixtures of experts."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from . import fleet as fleet
from . import models as models

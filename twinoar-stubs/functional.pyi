"""A few functions by the place that PyTorch has for them, `torch.functional`."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import atleast_1d as atleast_1d
from twinoar import atleast_2d as atleast_2d
from twinoar import atleast_3d as atleast_3d
from twinoar import broadcast_shapes as broadcast_shapes
from twinoar import einsum as einsum
from twinoar import meshgrid as meshgrid
from twinoar import norm as norm
from twinoar.compat import split as split
from twinoar import unique_consecutive as unique_consecutive

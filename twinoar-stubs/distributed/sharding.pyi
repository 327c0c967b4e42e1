"""`paddle.distributed.sharding`: what processes divide of a model that they train together."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.distributed import group_sharded_parallel as group_sharded_parallel
from twinoar.distributed import save_group_sharded_model as save_group_sharded_model

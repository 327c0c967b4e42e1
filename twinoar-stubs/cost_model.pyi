"""Costs of operators: a table of Paddle's, measured on its GPUs, which is not served."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class CostModel:
    """Raises UnsupportedError when it is made: the times in Paddle's table are those of a GPU."""
    def __init__(self) -> None: ...

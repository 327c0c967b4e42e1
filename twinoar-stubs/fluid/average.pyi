"""WeightedAverage: a mean that is collected batch by batch."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class WeightedAverage:
    """The mean of values, each with a weight."""
    def __init__(self) -> None: ...
    def reset(self) -> None:
        """Forget all values."""
    def add(self, value: Any, weight: Any) -> None:
        """Take in a value: a number or an ndarray."""
    def eval(self) -> Any:
        """The mean"""
    total: Any
    weight: Any

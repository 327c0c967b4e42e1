"""Measures over all workers, from what each has counted: `auc`, `acc`, `mae` and others."""

# Written by tools/stubs.py.

import builtins
import twinoar.fluid
from typing import Any, Literal, overload

import numpy as _numpy

def acc(correct: Any, total: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> builtins.float:
    """The correct predictions of all workers over all predictions."""
def auc(stat_pos: Any, stat_neg: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> builtins.float:
    """The area under the curve of all workers' predictions."""
def mae(abserr: Any, total_ins_num: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> builtins.float:
    """The mean of the errors' absolute values, whose sums workers have."""
def max(input: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> _numpy.ndarray[Any, Any]:
    """The greatest over workers, element by element."""
def min(input: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> _numpy.ndarray[Any, Any]:
    """The least over workers, element by element."""
def mse(sqrerr: Any, total_ins_num: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> builtins.float:
    """The mean of the errors' squares, whose sums workers have."""
def rmse(sqrerr: Any, total_ins_num: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> builtins.float:
    """The root of `mse`."""
def sum(input: Any, scope: twinoar.fluid.Scope | None = None, util: Any = None) -> _numpy.ndarray[Any, Any]:
    """The sum over workers, of the shape of `input`."""

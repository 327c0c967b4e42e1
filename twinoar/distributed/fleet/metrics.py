"""Measures over all workers, from what each has counted: `auc`, `acc`, `mae` and others.

Each takes arrays, or Variables or names of a Program, which are read from `scope`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.ir.program import Variable
from twinoar.distributed.together import together
from twinoar.errors import ProgramError, ShapeError
from twinoar.static.scope import Scope, global_scope


def sum(input: Any, scope: Scope | None = None, util: Any = None) -> np.ndarray:
    """The sum over workers, of the shape of `input`.

    >>> sum(np.array([1.0, 2.0]))
    array([1., 2.])
    """
    return _over_workers(input, "sum", scope, util)


def max(input: Any, scope: Scope | None = None, util: Any = None) -> np.ndarray:
    """The greatest over workers, element by element."""
    return _over_workers(input, "max", scope, util)


def min(input: Any, scope: Scope | None = None, util: Any = None) -> np.ndarray:
    """The least over workers, element by element."""
    return _over_workers(input, "min", scope, util)


def auc(stat_pos: Any, stat_neg: Any, scope: Scope | None = None, util: Any = None) -> float:
    """The area under the curve of all workers' predictions.

    stat_pos, stat_neg: [1,n] each, how many positives and negatives fall into each of n ranges of
    the prediction, as `static.auc` counts them. 0.5 where one kind is missing. Raises ShapeError.

    >>> auc(np.array([[0, 1, 3]]), np.array([[3, 1, 0]]))
    0.96875
    """
    positive = _over_workers(stat_pos, "sum", scope, util).ravel().astype(np.float64)[::-1]
    negative = _over_workers(stat_neg, "sum", scope, util).ravel().astype(np.float64)[::-1]
    if positive.shape != negative.shape:
        raise ShapeError(f"stat_pos has {positive.size} ranges, stat_neg {negative.size}")
    above = np.cumsum(positive)
    area = float((negative * (above - positive / 2)).sum())
    pairs = float(positive.sum() * negative.sum())
    return area / pairs if pairs else 0.5


def acc(correct: Any, total: Any, scope: Scope | None = None, util: Any = None) -> float:
    """The correct predictions of all workers over all predictions.

    >>> acc(np.array([3.0]), np.array([4.0]))
    0.75
    """
    return _ratio(correct, total, scope, util)


def mae(abserr: Any, total_ins_num: Any, scope: Scope | None = None, util: Any = None) -> float:
    """The mean of the errors' absolute values, whose sums workers have."""
    return _ratio(abserr, total_ins_num, scope, util)


def mse(sqrerr: Any, total_ins_num: Any, scope: Scope | None = None, util: Any = None) -> float:
    """The mean of the errors' squares, whose sums workers have."""
    return _ratio(sqrerr, total_ins_num, scope, util)


def rmse(sqrerr: Any, total_ins_num: Any, scope: Scope | None = None, util: Any = None) -> float:
    """The root of `mse`."""
    return math.sqrt(mse(sqrerr, total_ins_num, scope, util))


def _ratio(part: Any, whole: Any, scope: Scope | None, util: Any) -> float:
    found = [_over_workers(x, "sum", scope, util).ravel() for x in (part, whole)]
    return float(found[0][0]) / float(found[1][0])


def _over_workers(x: Any, reduction: str, scope: Scope | None, util: Any) -> np.ndarray:
    array = _array(x, scope)
    if util is not None:
        return np.asarray(util.all_reduce(array, reduction)).reshape(array.shape)
    there = together()
    return array if there.size == 1 else np.asarray(there.all_reduce(array, reduction))


def _array(x: Any, scope: Scope | None) -> np.ndarray:
    if isinstance(x, str | Variable):
        name = x if isinstance(x, str) else x.name
        found = (scope or global_scope()).find_var(name)
        if found is None:
            raise ProgramError(f"{name} has no value in the scope", cure="run the Program first")
        return np.array(found)
    return np.asarray(x)


__all__ = ["acc", "auc", "mae", "max", "min", "mse", "rmse", "sum"]

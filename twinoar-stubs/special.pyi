"""Special functions by the names that PyTorch has for them."""

# Written by tools/stubs.py.

import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import expm1 as expm1
from twinoar import logsumexp as logsumexp
@overload
def softmax(input: twinoar._TensorLike, dim: Any = None, dtype: Any = None) -> twinoar.Tensor:
    """exp(x) / sum(exp(x)) along `dim`"""
@overload
def softmax(*args: Any, input: Any = ..., dim: Any = ..., dtype: Any = ..., out: Any = ...) -> twinoar.Tensor: ...

"""Questions about values, dtypes and the installation."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from twinoar.core.dtype import dtype_of
from twinoar.core.explain import explained
from twinoar.core.values import Value, method
from twinoar.errors import DTypeError


@method("is_tensor")
def is_tensor(x: Any) -> bool:
    """True for a Tensor or Variable.

    >>> import twinoar
    >>> twinoar.is_tensor(twinoar.to_tensor(1)), twinoar.is_tensor(1)
    (True, False)
    """
    return isinstance(x, Value)


@explained
@method("is_floating_point")
def is_floating_point(x: Value) -> bool:
    """True if x has a floating dtype."""
    return x.dtype.is_floating


@explained
@method("is_integer")
def is_integer(x: Value) -> bool:
    """True if x has an integer dtype; bool is none."""
    return x.dtype.is_integer


@explained
@method("is_complex")
def is_complex(x: Value) -> bool:
    """True if x has a complex dtype."""
    return x.dtype.is_complex


def finfo(dtype: Any) -> Any:
    """Limits of a floating dtype: min, max, eps, tiny, bits. Raises DTypeError for another.

    >>> import twinoar
    >>> float(twinoar.finfo("float32").eps)
    1.1920928955078125e-07
    """
    chosen = dtype_of(dtype)
    if not chosen.is_floating:
        raise DTypeError(
            f"finfo is of floating types, received {chosen.name}", cure="use iinfo for integers"
        )
    return ml_dtypes.finfo(chosen.numpy)


def iinfo(dtype: Any) -> Any:
    """Limits of an integer dtype: min, max, bits. Raises DTypeError for another.

    >>> import twinoar
    >>> int(twinoar.iinfo("int8").max)
    127
    """
    chosen = dtype_of(dtype)
    if not chosen.is_integer:
        raise DTypeError(
            f"iinfo is of integer types, received {chosen.name}",
            cure="use finfo for floating types",
        )
    return np.iinfo(chosen.numpy)


def is_compiled_with_cuda() -> bool:
    """False: this version computes on the CPU.

    >>> is_compiled_with_cuda()
    False
    """
    return False


def is_compiled_with_xpu() -> bool:
    """False: this version computes on the CPU."""
    return False


def disable_signal_handler() -> None:
    """Leave signals to Python, as they are: twinoar handles none."""

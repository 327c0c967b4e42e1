"""Questions about values, dtypes and the installation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.device import backend_of
from twinoar.core.dtype import limits, named
from twinoar.core.op.explain import explained, told
from twinoar.core.values import Value, method
from twinoar.errors import DTypeError, TypeMismatchError


@method("is_tensor")
def is_tensor(x: Any) -> bool:
    """True for a Tensor or Variable.

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


@told
def finfo(dtype: Any) -> Any:
    """Limits of a floating dtype: min, max, eps, tiny, bits. Raises DTypeError for another.

    >>> float(twinoar.finfo("float32").eps)
    1.1920928955078125e-07
    """
    chosen = named(dtype)
    if not (chosen.is_floating or chosen.is_stored):
        raise DTypeError(
            f"finfo is of floating types, received {chosen.name}", cure="use iinfo for integers"
        )
    return limits(chosen)


@told
def iinfo(dtype: Any) -> Any:
    """Limits of an integer dtype: min, max, bits. Raises DTypeError for another.

    >>> int(twinoar.iinfo("int8").max)
    127
    """
    chosen = named(dtype)
    if chosen.numpy.kind not in "iu":
        raise DTypeError(
            f"iinfo is of integer types, received {chosen.name}",
            cure="use finfo for floating types",
        )
    return np.iinfo(chosen.numpy)


@told
def is_compiled_with_cuda() -> bool:
    """Whether something serves GPUs, which a plug-in may.

    >>> is_compiled_with_cuda()
    False
    """
    return backend_of("gpu") is not None


@told
def is_compiled_with_xpu() -> bool:
    """Whether something serves XPUs, which a plug-in may."""
    return backend_of("xpu") is not None


@told
def disable_signal_handler() -> None:
    """Leave signals to Python, as they are: twinoar handles none."""


@told
def check_shape(
    shape: Any,
    op_name: str,
    expected_shape_type: Any = (list, tuple, Value),
    expected_element_type: Any = (int, Value),
    expected_tensor_dtype: Sequence[str] = ("int32", "int64"),
) -> None:
    """Raise TypeMismatchError or DTypeError, which name `op_name`, for what is no shape.

    A shape is sizes, numbers or tensors of one element, or a tensor of sizes; None as one of the
    last three arguments allows any.

    >>> check_shape([2, 3], "zeros")
    """
    _check_kind(f"the shape of {op_name}", shape, expected_shape_type)
    parts = [shape] if isinstance(shape, Value) else list(shape)
    for part in parts:
        if part is not shape:
            _check_kind(f"a size of {op_name}", part, expected_element_type)
        is_free = expected_tensor_dtype is None or not isinstance(part, Value)
        if not is_free and part.dtype.name not in expected_tensor_dtype:
            raise DTypeError(
                f"sizes of {op_name} must be {' or '.join(expected_tensor_dtype)}, "
                f"received {part.dtype.name}"
            )


def _check_kind(what: str, given: Any, expected: Any) -> None:
    if expected is not None and not isinstance(given, expected):
        names = [
            kind.__name__ for kind in (expected if isinstance(expected, tuple) else (expected,))
        ]
        raise TypeMismatchError(
            f"{what} must be {' or '.join(names)}, received {given!r} ({type(given).__name__})"
        )

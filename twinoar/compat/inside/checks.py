"""Checks of arguments, as code written for inside Paddle calls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.eager.query import check_shape  # noqa: F401  # exported
from twinoar.errors import DTypeError, TypeMismatchError


def convert_dtype(dtype: Any) -> str:
    """The name of an element type, such as "float32". Raises DTypeError for what is none.

    >>> convert_dtype("float32")
    'float32'
    """
    return dtype_of(dtype).name


def convert_np_dtype_to_dtype_(np_dtype: Any) -> Any:
    """The element type of NumPy's. Raises DTypeError for what is none.

    >>> import numpy
    >>> convert_np_dtype_to_dtype_(numpy.int8)
    paddle.int8
    """
    return dtype_of(np_dtype)


def check_type(
    input: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = ""
) -> None:
    """Raise TypeMismatchError where an argument is of another type.

    As in Paddle, nothing is checked where operators run at once: they check for themselves.
    """
    if current().runs or isinstance(input, expected_type):
        return
    kinds = expected_type if isinstance(expected_type, tuple) else (expected_type,)
    names = " or ".join(kind.__name__ for kind in kinds)
    raise TypeMismatchError(
        f"{input_name} of {op_name} must be {names}, received {type(input).__name__}"
        + (f"; {extra_message}" if extra_message else "")
    )


def check_dtype(
    input_dtype: Any,
    input_name: str,
    expected_dtype: str | Sequence[Any],
    op_name: str,
    extra_message: str = "",
) -> None:
    """Raise DTypeError where an argument is of another element type. See `check_type`."""
    if current().runs:
        return
    given = [expected_dtype] if isinstance(expected_dtype, str) else expected_dtype
    expected = [name if name == "uint16" else convert_dtype(name) for name in given]
    received = convert_dtype(input_dtype)
    if received in expected or (received == "bfloat16" and "uint16" in expected):
        return
    raise DTypeError(
        f"{input_name} of {op_name} must be {' or '.join(expected)}, received {received}"
        + (f"; {extra_message}" if extra_message else "")
    )


def check_variable_and_dtype(
    input: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = ""
) -> None:
    """Raise TypeMismatchError for what is no Variable, DTypeError for another element type.

    See `check_type`.
    """
    check_type(input, input_name, Value, op_name, extra_message)
    if not current().runs:
        check_dtype(input.dtype, input_name, expected_dtype, op_name, extra_message)


__all__ = declared(globals(), "check_shape")

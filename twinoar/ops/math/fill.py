"""One number everywhere: what `full`, `zeros`, `ones` and gradients that vanish are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, SymbolicDim
from twinoar.core.dtype import DType, dtype_of, float32
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, primitive
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.ops._sizes import is_dynamic, shape_from, sizes
from twinoar.ops.math.cast import as_element, astype, broadcast_to


def _not_negative(shape: tuple[Dim, ...]) -> tuple[Dim, ...]:
    if any(isinstance(d, int) and d < 0 for d in shape):
        raise ShapeError(
            f"sizes must be at least 0, received {list(shape)}",
            cure="-1 stands for a size only where it can be deduced, as in reshape",
        )
    return shape


def _read_fill(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    shape = shape_from(slots, attrs, "shape", "ShapeTensor", "ShapeTensorList")
    dtype = dtype_of(attrs["dtype"])
    if slots.get("ValueTensor"):
        return filled(shape, slots["ValueTensor"][0], dtype)
    value = attrs.get("str_value") or attrs["value"]
    is_whole = isinstance(value, str) and value.lstrip("+-").isdecimal()
    number = int(value) if is_whole else float(value)
    return filled(shape, int(number) if dtype.is_whole else number, dtype)


MOST = float(np.finfo(np.float32).max)  # what the attribute can say; its text says all


def _write_fill(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    value = attrs["value"]
    if isinstance(value, SymbolicDim):
        return {
            "shape": ("LONGS", list(attrs["shape"])),
            "value": ("FLOAT", value),
            "str_value": "",
        }
    number = int(value) if attrs["dtype"].is_whole else float(value)
    return {
        "shape": ("LONGS", list(attrs["shape"])),
        "value": np.clip(float(value), -MOST, MOST).item()
        if math.isfinite(value)
        else float(value),
        "str_value": repr(number),
    }


def array_filled(shape: tuple[int, ...], value: Any, dtype: DType) -> np.ndarray:
    """`value` everywhere, also of a dtype that NumPy only holds."""
    held = as_element(value, dtype) if dtype.is_stored else value
    return np.full(shape, held, dtype.numpy)


@primitive(
    infer=lambda shape, value, dtype: Spec(_not_negative(shape), dtype),
    kernel=lambda shape, value, dtype: array_filled(shape, value, dtype),
    lower=lambda i, value: value,
    desc=Desc(
        "fill_constant",
        attrs={"dtype": "dtype"},
        write=_write_fill,
        read=_read_fill,
        size_slots={"shape": "ShapeTensorList", "value": "ValueTensor"},
        names=2,
    ),
    total=True,
    moves=True,
)
def fill(shape: tuple[int, ...], value: object = 0.0, dtype: DType = float32) -> Tensor:
    """`value` everywhere: the operator under `full`, `zeros` and `ones`."""


@fill.samples
def _(s):
    yield s((2, 3), 1.5)
    yield s((), 2, "int64")
    yield s((0, 2), True, "bool")


def zeros_of(spec: Spec) -> Any:
    """Zeros of a spec."""
    return fill.function(spec.shape, 0, spec.dtype)


def ones_of(spec: Spec) -> Any:
    """Ones of a spec."""
    return fill.function(spec.shape, 1, spec.dtype)


def filled(shape: Any, value: Any, dtype: DType) -> Tensor:
    """`value`, a number or a tensor of one element, everywhere."""
    if is_dynamic(value):
        return broadcast_to(astype(value, dtype), sizes(shape))
    return fill.function(sizes(shape), number_of(value), dtype)


def number_of(x: Any) -> Any:
    """A Python number from a number, its text, or one element."""
    if isinstance(x, str):
        try:
            return float(x)
        except ValueError:
            raise TypeMismatchError(
                f"expected a number, received the text {x!r}",
                cure="pass a number, or the text of one: '2.5'",
            ) from None
    if not isinstance(x, (Value, np.ndarray, np.generic)):
        return x
    array = np.asarray(x)
    if array.size != 1:
        raise ArgumentError(f"expected one number, received {array.size}, of shape {array.shape}")
    return array.item()

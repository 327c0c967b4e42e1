"""What becomes of sums of integer products, and how values are read as integers: shared rules.

A sum s of products, exact in int32, becomes activation(s * scale + bias + residual) * factor,
which is rounded, halves to even, and bounded where the result is of integers. With the scale of
what was multiplied in `scale` that is a float, with `factor` an integer for the next product.
Source: arXiv 1712.05877, equation 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import DType, float32, int8, uint8
from twinoar.core.op.declare import Shape, Spec
from twinoar.core.op.definition import Op
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.window._geometry import array_spec

INTEGERS = (int8, uint8)
BOUNDS = {int8: (-128.0, 127.0), uint8: (0.0, 255.0)}
ACTIVATIONS = ("", "relu", "relu6", "hardswish")
NOT_NEGATIVE = ("relu", "relu6")  # activations that give no number below 0

# What `finished` needs of arrays, by the names of the loop language.
ARRAYS = SimpleNamespace(
    cast=lambda x, dtype: x.astype(dtype.numpy), max=np.maximum, min=np.minimum, round=np.rint
)


def finished(
    s: Any, total: Any, scale: Any, bias: Any, residual: Any, factor: Any, *,
    activation: str, dtype: DType,
) -> Any:  # fmt: skip
    """What becomes of a sum. s: the loop language, or ARRAYS for arrays that broadcast."""
    out = s.cast(total, float32) * scale
    if bias is not None:
        out = out + bias
    if residual is not None:
        out = out + s.cast(residual, float32)
    out = activated(s, out, activation)
    if factor is not None:
        out = out * factor
    return rounded(s, out, dtype)


def activated(s: Any, x: Any, activation: str) -> Any:
    """An activation of floats."""
    zero, six = np.float32(0), np.float32(6)
    if activation == "relu":
        return s.max(x, zero)
    if activation == "relu6":
        return s.min(s.max(x, zero), six)
    if activation == "hardswish":
        return x * (s.min(s.max(x + np.float32(3), zero), six) / six)
    return x


def rounded(s: Any, x: Any, dtype: DType) -> Any:
    """Floats as numbers of `dtype`: the nearest of its integers."""
    if dtype not in BOUNDS:
        return x
    low, high = BOUNDS[dtype]
    return s.cast(s.min(s.max(s.round(x), np.float32(low)), np.float32(high)), dtype)


def check_call(op: Op, arrays: Sequence[np.ndarray | None], *attrs: Any) -> None:
    """Raise what inference raises, for a kernel that is called by itself."""
    op.rules["infer"](*(None if a is None else array_spec(a) for a in arrays), *attrs)


def check_integers(x: Spec, weight: Spec) -> None:
    """Raise DTypeError where products are not of integers of 8 bits."""
    if x.dtype not in INTEGERS or weight.dtype is not int8:
        raise DTypeError(
            f"expected x of int8 or uint8 and weight of int8, got {x.dtype.name} and "
            f"{weight.dtype.name}",
            cure="twinoar.ops.quant.int8.to_int8 makes such numbers of floats",
        )


def check_finish(
    out: Shape,
    channels: Any,
    scale: Spec,
    bias: Spec | None,
    residual: Spec | None,
    factor: Spec | None,
    activation: str,
    dtype: DType,
) -> Spec:
    """The result of shape `out`; raises where what is done to the sums does not fit it."""
    if activation not in ACTIVATIONS:
        known = ", ".join(repr(name) for name in ACTIVATIONS)
        raise ArgumentError(f"activation must be one of {known}, received {activation!r}")
    if dtype not in (float32, *INTEGERS):
        raise DTypeError(f"expected a result of float32, int8 or uint8, got {dtype.name}")
    for name, vector in (("scale", scale), ("bias", bias), ("factor", factor)):
        if vector is None:
            continue
        sizes = (1,) if name == "factor" else (channels,) if name == "bias" else (1, channels)
        if vector.dtype is not float32:
            raise DTypeError(f"expected {name} of float32, got {vector.dtype.name}")
        size = vector.shape[0] if vector.ndim == 1 else None
        if size is None or (is_known(size, channels) and size not in sizes):
            raise ShapeError(
                f"expected {name} of shape {' or '.join(f'[{n}]' for n in sizes)}, "
                f"received {list(vector.shape)}"
            )
    if residual is not None and (
        residual.dtype not in (float32, *INTEGERS) or not may_equal(residual.shape, out)
    ):
        raise ShapeError(f"residual must be {list(out)}, of float32 or 8 bits, received {residual}")
    return Spec(out, dtype)

"""Whole numbers of few bits as floats again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math.cast import astype
from twinoar.ops.quant._integers import along, limit_of


@op(
    amp="full",
    desc=Desc(
        "fake_dequantize_max_abs",
        {"X": "x", "Scale": "scale"},
        attrs={"max_range": "max_range"},
    ),
)
def fake_dequantize_max_abs(x: Tensor, scale: Tensor, max_range: float) -> Tensor:
    """x * scale / max_range, which makes integers floats again.

    x: [*]. scale: [1], floating. max_range: the integer that stands for the scale. Returns [*],
    dtype of scale. Raises ArgumentError.

    >>> from twinoar.ops.quant.dequantize import fake_dequantize_max_abs
    >>> x = twinoar.to_tensor([127.0, -254.0])
    >>> fake_dequantize_max_abs(x, twinoar.to_tensor([2.0]), 127.0).tolist()
    [2.0, -4.0]
    """
    if not max_range > 0:
        raise ArgumentError(f"max_range must be positive, received {max_range}")
    return astype(x, scale.dtype) * scale / max_range


@fake_dequantize_max_abs.samples
def _(s):
    yield s(s.randn(3, 4), s.uniform(1, 2, 1), 127.0)
    yield s.bad(ArgumentError, "max_range must be positive", s.randn(3), s.randn(1), 0.0)


@op(
    amp="full",
    desc=Desc(
        "fake_channel_wise_dequantize_max_abs",
        {"X": "x", "Scales": "scales"},
        attrs={
            "quant_bits": "quant_bits",
            "quant_axis": "quant_axis",
            "x_num_col_dims": "x_num_col_dims",
        },
    ),
)
def fake_channel_wise_dequantize_max_abs(
    x: Tensor,
    scales: Sequence[Tensor],
    quant_bits: tuple[int, ...] = (8,),
    quant_axis: int = 0,
    x_num_col_dims: int = 1,
) -> Tensor:
    """Integers as floats, by a scale for each index along an axis, and perhaps one for all.

    x: [*]. scales: [C], along `quant_axis`; or [C] along `x_num_col_dims` and one element, the
    scales of a weight and of what it was multiplied by. quant_bits: bits of each. Returns [*],
    dtype of the scales. Raises ArgumentError, AxisError, ShapeError.
    """
    if len(scales) not in (1, 2) or len(quant_bits) < len(scales):
        raise ArgumentError(
            f"expected one or two scales, and bits for each, received {len(scales)} scales "
            f"and bits {list(quant_bits)}"
        )
    axis = quant_axis if len(scales) == 1 else x_num_col_dims
    out = astype(x, scales[0].dtype) * along(scales[0], x, axis) / limit_of(quant_bits[0])
    return out if len(scales) == 1 else out * scales[1] / limit_of(quant_bits[1])


@fake_channel_wise_dequantize_max_abs.samples
def _(s):
    x = s.randn(2, 3, 4)
    yield s(x, [s.uniform(1, 2, 2)])
    yield s(x, [s.uniform(1, 2, 3)], (8,), 1)
    yield s(x, [s.uniform(1, 2, 3), s.uniform(1, 2, 1)], (8, 4), 0, 1)
    yield s.bad(ArgumentError, "one or two scales", x, [np.ones(2, "float32")], ())
    yield s.bad(ShapeError, "one scale for each of 2", x, [np.ones(3, "float32")])

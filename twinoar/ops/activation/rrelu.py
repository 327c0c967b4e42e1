"""A rectifier whose slope below zero is drawn at random: rrelu."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, DTypeError
from twinoar.ops.index.mask import where
from twinoar.ops.math.compare import less_than
from twinoar.ops.random.uniform import generator, uniform_random

LOWER, UPPER = 1.0 / 8.0, 1.0 / 3.0


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    return rrelu(slots["X"][0], attrs["lower"], attrs["upper"], not attrs.get("is_test", False))


@op(
    name="rrelu",
    desc=Desc(
        "rrelu",
        {"X": "x"},
        attrs={
            "lower": "lower",
            "upper": "upper",
            "is_test": ("training", lambda t: not t, lambda t: not t),
        },
        extra_outputs=("Noise",),
        read=_read,
    ),
)
def rrelu_op(
    x: Tensor,
    key: Tensor | None = None,
    lower: float = LOWER,
    upper: float = UPPER,
    training: bool = True,
) -> Tensor:
    """x, less steep below zero: the operator under `rrelu`."""
    if not 0 <= lower <= upper <= 1:
        raise ArgumentError(
            f"expected 0 <= lower <= upper <= 1, received lower={lower} and upper={upper}"
        )
    if not x.dtype.is_floating:
        raise DTypeError(f"expected a floating dtype, received {x.spec}")
    if training and key is None:
        raise ArgumentError("rrelu in training needs a key")
    slope: Any = (lower + upper) / 2.0
    if training:
        slope = uniform_random(key, x.spec.shape, lower, upper, x.dtype)
    return where(less_than(x, 0.0), x * slope, x)


@rrelu_op.samples
def _(s):
    key = np.array([3, 1])
    yield s(s.randn(3, 4), None, training=False)
    yield s(s.randn(3, 4), None, 0.0, 0.5, False)
    yield s(s.randn(3, 4), key, half=False)
    yield s.bad(ArgumentError, "lower <= upper", s.randn(3), key, 0.5, 0.25)
    yield s.bad(ArgumentError, "needs a key", s.randn(3))
    yield s.bad(DTypeError, "expected a floating dtype", s.ints(0, 3, 2), None, training=False)


@function
def rrelu(x: Tensor, lower: float = LOWER, upper: float = UPPER, training: bool = True) -> Tensor:
    """x where it is not negative; elsewhere x times a slope from [lower, upper).

    x: [*], floating. training: a slope for each element, drawn at random; else their mean. Returns
    [*]. Raises ArgumentError, DTypeError. Source: arXiv 1505.00853, section 2.4.

    >>> x = twinoar.to_tensor([-2.0, 3.0])
    >>> twinoar.nn.functional.rrelu(x, 0.25, 0.75, training=False).tolist()
    [-1.0, 3.0]
    """
    key = generator.next_key() if training else None
    return rrelu_op(x, key, lower, upper, training)

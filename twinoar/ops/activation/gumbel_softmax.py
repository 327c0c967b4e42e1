"""Categorical draws that have gradients: softmax of numbers with Gumbel's noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, function, normalize_axis, op, primitive
from twinoar.errors import ArgumentError, AxisError, DTypeError
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.create.range import iota
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal
from twinoar.ops.math.exponential import log
from twinoar.ops.math.select import maximum
from twinoar.ops.random.uniform import generator, uniform_random
from twinoar.ops.reduce.extreme import argmax
from twinoar.ops.shape.reshape import reshape

LEAST = 2.0**-25  # half of the distance of the uniform numbers: their logarithm must exist


@primitive(
    infer=lambda hard, soft: soft,
    kernel=lambda hard, soft: hard,
    grad=lambda g: (None, g),
    lower=lambda i, hard, soft: hard[i],
)
def straight_through(hard: Tensor, soft: Tensor) -> Tensor:
    """hard, with the gradient of soft. Source: arXiv 1308.3432, section 4.

    hard, soft: [*] of one dtype. Returns [*].
    """


@straight_through.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), gradient=False)


@op(
    name="gumbel_softmax",
    desc=Desc(
        "gumbel_softmax",
        {"X": "x"},
        attrs={"temperature": "temperature", "hard": "hard", "axis": "axis"},
        read=lambda slots, attrs: gumbel_softmax(
            slots["X"][0], attrs["temperature"], attrs["hard"], attrs["axis"]
        ),
    ),
)
def gumbel_softmax_op(
    x: Tensor, key: Tensor, temperature: float = 1.0, hard: bool = False, axis: int = -1
) -> Tensor:
    """Softmax of x with noise from a key: the operator under `gumbel_softmax`."""
    if temperature <= 0:
        raise ArgumentError(f"temperature must be positive, received {temperature}")
    if not x.dtype.is_floating:
        raise DTypeError(f"expected a floating dtype, received {x.spec}")
    at = normalize_axis(axis, x.ndim)
    uniform = uniform_random(key, x.spec.shape, 0.0, 1.0, x.dtype)
    noise = -log(-log(maximum(uniform, LEAST)))
    soft = softmax((x + noise) * (1.0 / temperature), at)
    if not hard:
        return soft
    form: list[Any] = [1] * x.ndim
    form[at] = x.spec.shape[at]
    places = reshape(iota(x.spec.shape[at]), form)
    chosen = astype(equal(places, argmax(soft, at, keepdim=True)), x.dtype)
    return straight_through(chosen, soft)


@gumbel_softmax_op.samples
def _(s):
    key = np.array([3, 1])
    yield s(s.randn(2, 3), key, half=False)
    yield s(s.randn(2, 3, 4), key, 0.5, False, 1, half=False)
    yield s(s.randn(2, 3), key, 1.0, True, gradient=False, half=False)
    yield s.bad(ArgumentError, "temperature must be positive", s.randn(2, 3), key, 0.0)
    yield s.bad(AxisError, "axis must be in", s.randn(2, 3), key, axis=2)
    yield s.bad(DTypeError, "expected a floating dtype", s.ints(0, 3, 2), key)


@function
def gumbel_softmax(
    x: Tensor, temperature: float = 1.0, hard: bool = False, axis: int = -1
) -> Tensor:
    """softmax((x + noise) / temperature): a choice by the odds x that has a gradient.

    x: [*], floating. hard: 1 for the choice and 0 for the rest, with the gradient of the soft one.
    Returns [*]. Raises ArgumentError, AxisError, DTypeError. Source: arXiv 1611.01144, eq. 2.

    >>> out = twinoar.nn.functional.gumbel_softmax(twinoar.ones([2, 3]), hard=True)
    >>> out.sum(axis=1).tolist()
    [1.0, 1.0]
    """
    return gumbel_softmax_op(x, generator.next_key(), temperature, hard, axis)

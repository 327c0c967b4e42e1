"""The error function and its inverse."""

from __future__ import annotations

import math

from twinoar.core.loop.error_function import erf_of, erfinv_of
from twinoar.core.op.declare import Tensor
from twinoar.core.op.definition import FEW
from twinoar.ops.math._unary import samples_within, unary, unary_desc
from twinoar.ops.math.exponential import exp


@unary(
    slow_kernel=True,
    kernel=erf_of,
    grad=lambda g, x: g * (exp(-x * x) * (2 / math.sqrt(math.pi))),
    scalar=lambda s, x: s.erf(x),
    desc=unary_desc("erf"),
    samples=samples_within(-2, 2),
)
def erf(x: Tensor) -> Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.

    x: [*]; integers count as floats. Returns [*].
    Source: W. J. Cody 1969; see twinoar.core.loop.error_function.

    >>> twinoar.erf(twinoar.to_tensor([0.0, 10.0])).tolist()
    [0.0, 1.0]
    """


@unary(
    slow_kernel=True,
    compiled_from=FEW,
    kernel=erfinv_of,
    grad=lambda g, out: g * (exp(out * out) * (math.sqrt(math.pi) / 2)),
    scalar=lambda s, x: s.erfinv(x),
    desc=unary_desc("erfinv"),
    samples=samples_within(-0.9, 0.9),
    amp="high",
)
def erfinv(x: Tensor) -> Tensor:
    """The inverse of erf: infinite at -1 and 1, nan beyond.

    x: [*]; integers count as floats. Returns [*].
    Source: M. Giles 2011 and W. J. Cody 1969; see twinoar.core.loop.error_function.

    >>> twinoar.to_tensor([0.0, 1.0]).erfinv().tolist()
    [0.0, inf]
    """

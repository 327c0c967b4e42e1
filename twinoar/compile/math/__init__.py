"""The elementary functions as expressions of the loop language, for every code generator.

They are straight lines of arithmetic, without calls, tables or branches: loops that contain them
become vector instructions. float32 results are within 2 units in the last place, float64 within 4,
over the whole range, with the special values of IEEE 754; `gamma` says what is of its functions for
negative numbers. The polynomials come from tools/minimax.py. `fma` must round once; nothing may be
reassociated.
"""

from __future__ import annotations

from collections.abc import Callable

from twinoar.compile.math import (
    arc,
    bessel,
    error_function,
    exponential,
    gamma,
    hyperbolic,
    logarithm,
    power,
    trigonometric,
)
from twinoar.compile.math.random import DRAWS
from twinoar.core.dtype import float32, float64
from twinoar.core.loop.expression import Expr, cast

__all__ = ["DRAWS", "NAMES", "expand"]

FUNCTIONS: dict[str, Callable[..., Expr]] = {
    f.__name__: f
    for f in (
        *(arc.acos, arc.asin, arc.atan),
        *(bessel.i0, bessel.i0e, bessel.i1, bessel.i1e),
        *(error_function.erf, error_function.erfinv),
        *(exponential.exp, exponential.exp2, exponential.exp_flushing),
        *(exponential.expm1, exponential.sigmoid),
        *(hyperbolic.tanh,),
        *(logarithm.log, logarithm.log10, logarithm.log1p, logarithm.log2),
        *(power.pow, power.rsqrt),
        *(trigonometric.cos, trigonometric.sin, trigonometric.tan),
    )
}
# In float64 also for float32: they are used less, and would need twice the precision.
WIDE_FUNCTIONS: dict[str, Callable[..., Expr]] = {
    f.__name__: f
    for f in (
        *(arc.atan2, error_function.erfc),
        *(gamma.digamma, gamma.lgamma, gamma.trigamma),
        *(hyperbolic.acosh, hyperbolic.asinh, hyperbolic.atanh, hyperbolic.cosh, hyperbolic.sinh),
    )
}
NAMES = FUNCTIONS.keys() | WIDE_FUNCTIONS.keys()


def expand(name: str, *args: Expr) -> Expr:
    """The function `name` of NAMES, of operands in float32 or in float64; or one of DRAWS.

    Raises TypeError for other names and dtypes.
    """
    if name in DRAWS:
        return DRAWS[name](*args)
    if name not in NAMES:
        raise TypeError(f"no function {name!r} in the loop language, it has {sorted(NAMES)}")
    dtype = args[0].dtype
    if dtype not in (float32, float64) or any(x.dtype is not dtype for x in args):
        found = ", ".join(x.dtype.name for x in args)
        raise TypeError(f"{name} takes float32 or float64 operands, received {found}: cast them")
    if name in WIDE_FUNCTIONS:
        return cast(WIDE_FUNCTIONS[name](*(cast(x, float64) for x in args)), dtype)
    return FUNCTIONS[name](*args)

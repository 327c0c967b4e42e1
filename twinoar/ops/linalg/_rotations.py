"""Plane rotations, which iterations for eigenvalues and singular values consist of."""

from __future__ import annotations

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import cast, procedure

EPSILON = 2.0**-53  # half the distance of 1 to the next number: iterations are in float64
TINY = 2.0**-1022  # the least number of full precision


@procedure
def hypotenuse(x, y):
    """The root of x^2 + y^2, which are in a range where squares are finite."""
    most, least = max(abs(x), abs(y)), min(abs(x), abs(y))
    ratio = least / most if most > 0 else cast(0, x)
    return most * loop.sqrt(cast(1, x) + ratio * ratio)


@procedure
def rotation(f, g):
    """cos, sin and r, so that [[cos, sin], [-sin, cos]] takes (f, g) to (r, 0)."""
    c, s, r = cast(1, f), cast(0, f), f
    if g != 0:
        size = hypotenuse(f, g)
        r = -size if f < 0 else size
        c = abs(f) / size
        s = g / r
    return c, s, r


@procedure
def rotate(z, batch, i, k, first, width, c, s):
    """Rows i and k of z, some elements of each: (c z[i] + s z[k], c z[k] - s z[i])."""
    cos, sin = cast(c, z), cast(s, z)
    for j in range(first, first + width):
        x, y = z[batch, i, j], z[batch, k, j]
        z[batch, i, j] = cos * x + sin * y
        z[batch, k, j] = cos * y - sin * x

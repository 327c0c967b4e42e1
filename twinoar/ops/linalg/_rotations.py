"""Plane rotations, which iterations for eigenvalues and singular values consist of."""

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import cast, local, procedure

EPSILON = 2.0**-53  # half the distance of 1 to the next number: iterations are in float64
BLOCK = 32  # elements of a row that are rotated while they stay in registers
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
def sweep(z, batch, first, width, angles, row, low, high, forward):
    """Rotate rows i and i + 1 of z for each i from low to high, upwards or downwards, in blocks.

    z: [batch,M,N], of which `width` columns from `first` on, a multiple of BLOCK. angles:
    [rows,2,M], cos and sin: (cos z[i] + sin z[i + 1], cos z[i + 1] - sin z[i]).
    """
    own, given = local(BLOCK, z.dtype), local(BLOCK, z.dtype)
    done = local(BLOCK, z.dtype)
    for start in range(first, first + width, BLOCK):
        begin = low if forward else high + 1
        for j in range(BLOCK):
            own[j] = z[batch, begin, start + j]
        for step in range(high - low + 1):
            i = low + step if forward else high - step
            cos, sin = cast(angles[row, 0, i], z), cast(angles[row, 1, i], z)
            if not forward:
                sin = -sin
            following = i + 1 if forward else i
            final = i if forward else i + 1
            for j in range(BLOCK):
                given[j] = z[batch, following, start + j]
            for j in range(BLOCK):
                done[j] = cos * own[j] + sin * given[j]
                own[j] = cos * given[j] - sin * own[j]
            for j in range(BLOCK):
                z[batch, final, start + j] = done[j]
        end = high + 1 if forward else low
        for j in range(BLOCK):
            z[batch, end, start + j] = own[j]

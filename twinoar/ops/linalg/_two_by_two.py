"""Singular values of triangular matrices of two rows, exact (LAPACK's las2 and lasv2)."""

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import cast, procedure
from twinoar.ops.linalg._rotations import EPSILON


@procedure
def signed(size, like):
    """|size| with the sign of `like`."""
    return abs(size) if like >= 0 else -abs(size)


@procedure
def smaller_singular_value(f, g, h):
    """That of [[f, g], [0, h]]."""
    least, most = min(abs(f), abs(h)), max(abs(f), abs(h))
    across = abs(g)
    one, two = cast(1, f), cast(2, f)
    found = cast(0, f)
    if least != 0:
        wide, narrow = one + least / most, (most - least) / most
        if across < most:
            ratio = (across / most) * (across / most)
            roots = loop.sqrt(wide * wide + ratio) + loop.sqrt(narrow * narrow + ratio)
            found = least * (two / roots)
        else:
            ratio = most / across
            if ratio == 0:
                found = least * most / across
            else:
                wide, narrow = wide * ratio, narrow * ratio
                roots = loop.sqrt(one + wide * wide) + loop.sqrt(one + narrow * narrow)
                found = two * (least / roots * ratio)
    return found


@procedure
def singular_values(f, g, h):
    """Of [[f, g], [0, h]]: the larger, the smaller, cos and sin of the left and right rotations."""
    one, two, zero = cast(1, f), cast(2, f), cast(0, f)
    ft, ht, fa, ha = f, h, abs(f), abs(h)
    is_swapped = ha > fa
    greatest = 1
    if is_swapped:
        greatest = 3
        ft, ht, fa, ha = h, f, abs(h), abs(f)
    ga = abs(g)
    least, most = ha, fa
    clt, crt, slt, srt = one, one, zero, zero
    if ga != 0:
        if ga > fa:
            greatest = 2
        if ga > fa and fa / ga < cast(EPSILON, f):
            most = ga
            least = fa / (ga / ha) if ha > 1 else fa / ga * ha
            slt = ht / g
            srt = one
            crt = ft / g
        else:
            apart = fa - ha
            ell = one if apart == fa else apart / fa
            m = g / ft
            t = two - ell
            mm = m * m
            s = loop.sqrt(t * t + mm)
            r = abs(m) if ell == 0 else loop.sqrt(ell * ell + mm)
            a = cast(0.5, f) * (s + r)
            least = ha / a
            most = fa * a
            if mm == 0:
                alike = signed(two, ft) * signed(one, g)
                t = alike if ell == 0 else g / signed(apart, ft) + m / t
            else:
                t = (m / (s + t) + m / (r + ell)) * (one + a)
            ell = loop.sqrt(t * t + cast(4, f))
            crt = two / ell
            srt = t / ell
            clt = (crt + srt * m) / a
            slt = ht / ft * srt / a
    cl, sl, cr, sr = clt, slt, crt, srt
    if is_swapped:
        cl, sl, cr, sr = srt, crt, slt, clt
    sign = signed(one, cr) * signed(one, cl) * signed(one, f)
    if greatest == 2:
        sign = signed(one, sr) * signed(one, cl) * signed(one, g)
    elif greatest == 3:
        sign = signed(one, sr) * signed(one, sl) * signed(one, h)
    most = signed(most, sign)
    least = signed(least, sign * signed(one, f) * signed(one, h))
    return most, least, cl, sl, cr, sr

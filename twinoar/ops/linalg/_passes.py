"""The passes of a Fourier transform: a factor of its length each, over lines side by side.

Before a pass `m` elements are left of a transform, of which there are `done` in each line, beside
each other: element j of transform d lies at j * done + d. A pass by r takes it apart into r
transforms of m / r elements, which come to lie beside each other.
"""

from __future__ import annotations

import math

from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import procedure

SPECIAL = (8, 4, 2, 3, 5)  # factors with a pass of their own, as they are taken
HALF_ROOT = math.sqrt(3) / 2
DIAGONAL = math.sqrt(0.5)
COS_1, COS_2 = math.cos(math.tau / 5), math.cos(2 * math.tau / 5)
SIN_1, SIN_2 = math.sin(math.tau / 5), math.sin(2 * math.tau / 5)


def factors(n: int) -> list[int]:
    """Those of a length, in the order of the passes."""
    found = []
    for r in SPECIAL:
        while n % r == 0:
            found.append(r)
            n //= r
    r = 7
    while n > 1:
        r = r if r * r <= n else n
        if n % r == 0:
            found.append(r)
            n //= r
        else:
            r += 2
    return found


@procedure
def transformed(task, a_re, a_im, b_re, b_im, roots, width, *, radices, has_others):
    """Transform what lies in `a`; it comes to lie in `b` after an odd number of passes."""
    m = roots.shape[0]
    done = width + 0
    while m > 1:
        m, done = _pass(
            task, a_re, a_im, b_re, b_im, roots, m, done, width,
            radices=radices, has_others=has_others,
        )  # fmt: skip
        if m == 1:
            break
        m, done = _pass(
            task, b_re, b_im, a_re, a_im, roots, m, done, width,
            radices=radices, has_others=has_others,
        )  # fmt: skip


@procedure
def _pass(
    task, x_re, x_im, y_re, y_im, roots, m, done, width, *, radices, has_others
):  # fmt: skip
    """One pass; how many elements and transforms there are after it."""
    r = m + 0
    if 8 in radices and m % 8 == 0:
        r = 8
        _by_8(task, x_re, x_im, y_re, y_im, roots, m // 8, done, done // width)
    elif 4 in radices and m % 4 == 0:
        r = 4
        _by_4(task, x_re, x_im, y_re, y_im, roots, m // 4, done, done // width)
    elif 2 in radices and m % 2 == 0:
        r = 2
        _by_2(task, x_re, x_im, y_re, y_im, roots, m // 2, done, done // width)
    elif 3 in radices and m % 3 == 0:
        r = 3
        _by_3(task, x_re, x_im, y_re, y_im, roots, m // 3, done, done // width)
    elif 5 in radices and m % 5 == 0:
        r = 5
        _by_5(task, x_re, x_im, y_re, y_im, roots, m // 5, done, done // width)
    elif has_others:
        r = 7
        while m % r != 0:
            r += 2
        _by_any(task, x_re, x_im, y_re, y_im, roots, m // r, done, done // width, r)
    return m // r, done * r


@procedure
def _turned(task, y_re, y_im, at, re, im, w):
    """Store a number times a root of unity."""
    c, s = loop.real(w), loop.imag(w)
    y_re[task, at] = re * c - im * s
    y_im[task, at] = re * s + im * c


@procedure
def _by_2(task, x_re, x_im, y_re, y_im, roots, m, done, step):
    for p in range(m):
        w = roots[p * step]
        for q in range(done):
            at, to = p * done + q, 2 * p * done + q
            r0, i0 = x_re[task, at], x_im[task, at]
            r1, i1 = x_re[task, at + m * done], x_im[task, at + m * done]
            y_re[task, to] = r0 + r1
            y_im[task, to] = i0 + i1
            _turned(task, y_re, y_im, to + done, r0 - r1, i0 - i1, w)


@procedure
def _by_4(task, x_re, x_im, y_re, y_im, roots, m, done, step):
    for p in range(m):
        w1, w2, w3 = roots[p * step], roots[2 * p * step], roots[3 * p * step]
        for q in range(done):
            at, to = p * done + q, 4 * p * done + q
            r0, i0 = x_re[task, at], x_im[task, at]
            r1, i1 = x_re[task, at + m * done], x_im[task, at + m * done]
            r2, i2 = x_re[task, at + 2 * m * done], x_im[task, at + 2 * m * done]
            r3, i3 = x_re[task, at + 3 * m * done], x_im[task, at + 3 * m * done]
            even_r, even_i, odd_r, odd_i = r0 + r2, i0 + i2, r1 + r3, i1 + i3
            low_r, low_i, high_r, high_i = r0 - r2, i0 - i2, r1 - r3, i1 - i3
            y_re[task, to] = even_r + odd_r
            y_im[task, to] = even_i + odd_i
            _turned(task, y_re, y_im, to + done, low_r + high_i, low_i - high_r, w1)
            _turned(task, y_re, y_im, to + 2 * done, even_r - odd_r, even_i - odd_i, w2)
            _turned(task, y_re, y_im, to + 3 * done, low_r - high_i, low_i + high_r, w3)


@procedure
def _four(r0, i0, r1, i1, r2, i2, r3, i3):
    """The transform of four numbers."""
    even_r, even_i, odd_r, odd_i = r0 + r2, i0 + i2, r1 + r3, i1 + i3
    low_r, low_i, high_r, high_i = r0 - r2, i0 - i2, r1 - r3, i1 - i3
    return (
        even_r + odd_r, even_i + odd_i, low_r + high_i, low_i - high_r,
        even_r - odd_r, even_i - odd_i, low_r - high_i, low_i + high_r,
    )  # fmt: skip


@procedure
def _by_8(task, x_re, x_im, y_re, y_im, roots, m, done, step):
    """Two transforms of four, of which one is turned by eighths."""
    for p in range(m):
        w1, w2, w3 = roots[p * step], roots[2 * p * step], roots[3 * p * step]
        w4, w5 = roots[4 * p * step], roots[5 * p * step]
        w6, w7 = roots[6 * p * step], roots[7 * p * step]
        for q in range(done):
            at, to, far = p * done + q, 8 * p * done + q, m * done
            r0, i0, r1, i1, r2, i2, r3, i3 = _four(
                x_re[task, at], x_im[task, at],
                x_re[task, at + 2 * far], x_im[task, at + 2 * far],
                x_re[task, at + 4 * far], x_im[task, at + 4 * far],
                x_re[task, at + 6 * far], x_im[task, at + 6 * far],
            )  # fmt: skip
            u0, v0, u1, v1, u2, v2, u3, v3 = _four(
                x_re[task, at + far], x_im[task, at + far],
                x_re[task, at + 3 * far], x_im[task, at + 3 * far],
                x_re[task, at + 5 * far], x_im[task, at + 5 * far],
                x_re[task, at + 7 * far], x_im[task, at + 7 * far],
            )  # fmt: skip
            u1, v1 = (u1 + v1) * DIAGONAL, (v1 - u1) * DIAGONAL
            u2, v2 = v2, -u2
            u3, v3 = (v3 - u3) * DIAGONAL, -((u3 + v3) * DIAGONAL)
            y_re[task, to] = r0 + u0
            y_im[task, to] = i0 + v0
            _turned(task, y_re, y_im, to + done, r1 + u1, i1 + v1, w1)
            _turned(task, y_re, y_im, to + 2 * done, r2 + u2, i2 + v2, w2)
            _turned(task, y_re, y_im, to + 3 * done, r3 + u3, i3 + v3, w3)
            _turned(task, y_re, y_im, to + 4 * done, r0 - u0, i0 - v0, w4)
            _turned(task, y_re, y_im, to + 5 * done, r1 - u1, i1 - v1, w5)
            _turned(task, y_re, y_im, to + 6 * done, r2 - u2, i2 - v2, w6)
            _turned(task, y_re, y_im, to + 7 * done, r3 - u3, i3 - v3, w7)


@procedure
def _by_3(task, x_re, x_im, y_re, y_im, roots, m, done, step):
    for p in range(m):
        w1, w2 = roots[p * step], roots[2 * p * step]
        for q in range(done):
            at, to = p * done + q, 3 * p * done + q
            r0, i0 = x_re[task, at], x_im[task, at]
            r1, i1 = x_re[task, at + m * done], x_im[task, at + m * done]
            r2, i2 = x_re[task, at + 2 * m * done], x_im[task, at + 2 * m * done]
            sum_r, sum_i = r1 + r2, i1 + i2
            side_r, side_i = (r1 - r2) * HALF_ROOT, (i1 - i2) * HALF_ROOT
            mid_r, mid_i = r0 - sum_r * 0.5, i0 - sum_i * 0.5
            y_re[task, to] = r0 + sum_r
            y_im[task, to] = i0 + sum_i
            _turned(task, y_re, y_im, to + done, mid_r + side_i, mid_i - side_r, w1)
            _turned(task, y_re, y_im, to + 2 * done, mid_r - side_i, mid_i + side_r, w2)


@procedure
def _by_5(task, x_re, x_im, y_re, y_im, roots, m, done, step):
    for p in range(m):
        w1, w2 = roots[p * step], roots[2 * p * step]
        w3, w4 = roots[3 * p * step], roots[4 * p * step]
        for q in range(done):
            at, to = p * done + q, 5 * p * done + q
            r0, i0 = x_re[task, at], x_im[task, at]
            r1, i1 = x_re[task, at + m * done], x_im[task, at + m * done]
            r2, i2 = x_re[task, at + 2 * m * done], x_im[task, at + 2 * m * done]
            r3, i3 = x_re[task, at + 3 * m * done], x_im[task, at + 3 * m * done]
            r4, i4 = x_re[task, at + 4 * m * done], x_im[task, at + 4 * m * done]
            outer_r, outer_i, inner_r, inner_i = r1 + r4, i1 + i4, r2 + r3, i2 + i3
            wide_r, wide_i, near_r, near_i = r1 - r4, i1 - i4, r2 - r3, i2 - i3
            y_re[task, to] = r0 + (outer_r + inner_r)
            y_im[task, to] = i0 + (outer_i + inner_i)
            mid_r, mid_i = (
                r0 + (outer_r * COS_1 + inner_r * COS_2),
                i0 + (outer_i * COS_1 + inner_i * COS_2),
            )
            side_r, side_i = wide_r * SIN_1 + near_r * SIN_2, wide_i * SIN_1 + near_i * SIN_2
            _turned(task, y_re, y_im, to + done, mid_r + side_i, mid_i - side_r, w1)
            _turned(task, y_re, y_im, to + 4 * done, mid_r - side_i, mid_i + side_r, w4)
            far_r, far_i = (
                r0 + (outer_r * COS_2 + inner_r * COS_1),
                i0 + (outer_i * COS_2 + inner_i * COS_1),
            )
            back_r, back_i = wide_r * SIN_2 - near_r * SIN_1, wide_i * SIN_2 - near_i * SIN_1
            _turned(task, y_re, y_im, to + 2 * done, far_r + back_i, far_i - back_r, w2)
            _turned(task, y_re, y_im, to + 3 * done, far_r - back_i, far_i + back_r, w3)


@procedure
def _by_any(task, x_re, x_im, y_re, y_im, roots, m, done, step, r):
    """By the definition: r products for each of r elements."""
    n = roots.shape[0]
    for p in range(m):
        for j in range(r):
            turn = j * p * step
            for k in range(r):
                w = roots[turn]
                c, s = loop.real(w), loop.imag(w)
                turn = turn + j * (n // r)
                turn = turn - n if turn >= n else turn
                for q in range(done):
                    at, to = (p + k * m) * done + q, (r * p + j) * done + q
                    re, im = x_re[task, at], x_im[task, at]
                    if k == 0:
                        y_re[task, to] = re * c - im * s
                        y_im[task, to] = re * s + im * c
                    else:
                        y_re[task, to] = y_re[task, to] + (re * c - im * s)
                        y_im[task, to] = y_im[task, to] + (re * s + im * c)

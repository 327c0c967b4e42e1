"""Numbers of tensors: int(t), float(t), bool(t), t.item()."""

from __future__ import annotations

from tests.jit.matrix.case import case, given, number

NUMBERS = (given([1.0, 2.0], number(0)), given([1.0, 2.0], number(3)))


@case(*NUMBERS)
def plain_casts(x, n):
    return x * int("3") + float("1.5") + int(2.7) + bool(0) + n.astype("float32")


@case(*NUMBERS)
def promotion_of_ints(x, n):
    total = n + 1
    y = total / 2
    return x * y, total // 2, total % 2, total**2, -n

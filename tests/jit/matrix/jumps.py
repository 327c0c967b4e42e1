"""`break`, `continue`, `return` in branches and loops, and `else` of loops."""

from __future__ import annotations

from tests.jit.matrix.case import case, given


@case(given([1.0, 2.0], 1), given([1.0, 2.0], 5))
def plain_break_and_continue(x, stop):
    for i in range(4):
        if i == stop:
            break
        if i % 2:
            continue
        x = x + i
    return x

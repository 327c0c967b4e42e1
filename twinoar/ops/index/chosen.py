"""What a mask chooses, of which it is known how much: under `nonzero` and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import bool_, int64
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.errors import DTypeError
from twinoar.ops.index._chosen import BLOCKS, count_chosen, write_chosen


def _counts_spec(mask: Spec) -> tuple[Spec, Spec]:
    if mask.dtype is not bool_:
        raise DTypeError(f"mask must be of truth values, received {mask}", cure="compare first")
    return Spec((BLOCKS,), int64), Spec((), int64)


@primitive(infer=_counts_spec)
def chosen_counts(mask: Tensor) -> tuple[Tensor, Tensor]:
    """How many elements of a mask are true before each of 64 equal parts of it, and in all."""


@chosen_counts.kernel
def _(mask):
    if mask.dtype != np.bool_:
        raise TypeError
    flat = mask.reshape(-1)
    ends = np.arange(BLOCKS + 1) * flat.size // BLOCKS
    before = np.concatenate([[0], np.cumsum(flat)])[ends]
    return before[:-1], before[-1]


@chosen_counts.procedure
def _(p, mask):
    count_chosen(p, mask, *p.results)


@chosen_counts.samples
def _(s):
    yield s(s.bools(2, 3))
    yield s(s.bools(300))
    yield s(s.bools(0))
    yield s.bad(DTypeError, "must be of truth values", s.randn(3))


@primitive(infer=lambda mask, before, count: Spec((count, mask.ndim), int64))
def chosen_positions(mask: Tensor, before: Tensor, count: int) -> Tensor:
    """The coordinates of the `count` elements of a mask that are true, [count, ndim].

    before: see `chosen_counts`.
    """


@chosen_positions.kernel
def _(mask, before, count):
    return _all(np.argwhere(mask), count)


def _all(found: np.ndarray, count: Any) -> np.ndarray:
    if len(found) != count:
        raise ValueError(f"a mask chooses {len(found)} elements, expected {count}")
    return found


@chosen_positions.procedure
def _(p, mask, before):
    write_chosen(p, mask, before, None, p.results[0])


@chosen_positions.samples
def _(s):
    for mask in (s.bools(2, 3), s.bools(300), np.zeros(2, bool)):
        before, count = chosen_counts.kernel_rule(mask)
        yield s(mask, before, int(count), gradient=False)


@primitive(infer=lambda x, mask, before, count: Spec((count,), x.dtype), moves=True)
def chosen_elements(x: Tensor, mask: Tensor, before: Tensor, count: int) -> Tensor:
    """The `count` elements of x where a mask of its shape is true, in order.

    before: see `chosen_counts`.
    """


@chosen_elements.kernel
def _(x, mask, before, count):
    return _all(x[mask], count)


@chosen_elements.procedure
def _(p, x, mask, before):
    write_chosen(p, mask, before, x, p.results[0])


@chosen_elements.samples
def _(s):
    mask = s.bools(3, 4)
    before, count = chosen_counts.kernel_rule(mask)
    yield s(s.randn(3, 4), mask, before, int(count), gradient=False)
    yield s(s.ints(0, 9, 3, 4), mask, before, int(count), gradient=False)

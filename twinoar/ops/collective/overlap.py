"""Means over ranks that are begun, and waited for later: other work is done meanwhile.

The pass `overlap` makes these of `all_reduce_together`. Compiled, a mean is on its way from the one
to the other; on NumPy it is there at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import bool_
from twinoar.core.op.declare import Spec, Tensor
from twinoar.core.op.library import Collective
from twinoar.errors import DTypeError
from twinoar.ops.collective._ranks import collective
from twinoar.ops.collective.all_reduce import many, reduced_together


@collective(
    infer=lambda *xs, group, number: many(xs),
    kernel=lambda *xs, group, number: reduced_together(xs, group),
    collective=lambda group, number: Collective("all_reduce", "avg", group, begins=number),
)
def begin_means(xs: Sequence[Tensor], group: int = 0, number: int = 1) -> Any:
    """The mean over ranks of each of some tensors, which are there once `end_means` has run.

    xs: [*] each, of one floating dtype. number: tells those apart that are on their way at once.
    Returns as many.
    """


@begin_means.grad
def _(gs, group, number):
    found = begin_means(tuple(gs), group, number)
    return found if isinstance(found, tuple) else (found,)


@collective(
    infer=lambda *xs, group, number: Spec((), bool_),
    kernel=lambda *xs, group, number: np.array(True),
    collective=lambda group, number: Collective("all_reduce", "avg", group, ends=number),
    total=True,
)
def end_means(xs: Sequence[Tensor], group: int = 0, number: int = 1) -> Tensor:
    """True, once the means are there that `begin_means` of this number has begun.

    xs: these, and what they are means of, whose memory is needed until then. Returns [].
    """


@end_means.grad
def _(g, xs):
    return tuple(None for _ in xs)


@begin_means.samples
def _(s):
    yield s([s.randn(2, 3), s.randn(4), s.randn()])
    yield s([s.randn(3)])
    yield s([s.zeros(0, 2), s.randn(2)])
    yield s.bad(DTypeError, "one dtype", [s.randn(2), s.ints(0, 3, 2)])
    yield s.bad(DTypeError, "floating", [s.ints(0, 3, 2)])


@end_means.samples
def _(s):
    yield s([s.randn(2, 3), s.randn(4)], gradient=False)
    yield s([s.zeros(0, 2)], gradient=False)

"""Scaled losses: gradients divided by the scale, and the scale that follows what overflows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, isfinite
from twinoar.ops.math.logical import logical_and, logical_not
from twinoar.ops.math.select import select
from twinoar.ops.optimizer._numpy import single
from twinoar.ops.reduce.reduction import all_op
from twinoar.ops.shape.reshape import reshape


@op(
    amp="keep",
    desc=Desc(
        "check_finite_and_unscale",
        {"Scale": "scale", "X": "x"},
        ("FoundInfinite", "Out"),
    ),
)
def check_finite_and_unscale(scale: Tensor, x: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Gradients without the factor of a scaled loss, and whether one of them overflowed.

    scale: one element, float32. x: gradients, [*] each, float. Returns whether any element is inf
    or nan, [1], bool, and then each of x divided by scale.
    """
    inverse = 1.0 / single(scale)
    is_finite = None
    for g in x:
        own = all_op(isfinite(g))
        is_finite = own if is_finite is None else logical_and(is_finite, own)
    # Where float16 would lose 1 / scale, the product does not.
    found = [astype(astype(g, compute_dtype(g.dtype)) * inverse, g.dtype) for g in x]
    return (reshape(logical_not(is_finite), (1,)), *found)


@check_finite_and_unscale.samples
def _(s):
    yield s(s.uniform(2, 4, 1), [s.randn(2, 3), s.randn(4)], gradient=False)
    yield s(s.uniform(2, 4), [s.randn(2, 3, dtype="float16")], gradient=False)
    yield s(
        s.uniform(2, 4, 1), [np.array([1.0, np.inf], np.float32), s.zeros(0, 2)], gradient=False
    )
    yield s(s.uniform(2, 4, 1), [s.randn(2), np.array([np.nan], np.float32)], gradient=False)


@op(
    amp="keep",
    desc=Desc(
        "update_loss_scaling",
        {
            "FoundInfinite": "found_infinite",
            "PrevLossScaling": "scale",
            "InGoodSteps": "good_steps",
            "InBadSteps": "bad_steps",
            "X": "x",
        },
        ("LossScaling", "OutGoodSteps", "OutBadSteps", "Out"),
        attrs={
            name: name
            for name in (
                "incr_every_n_steps",
                "decr_every_n_nan_or_inf",
                "incr_ratio",
                "decr_ratio",
                "stop_update",
            )
        },
    ),
)
def update_loss_scaling(
    found_infinite: Tensor,
    scale: Tensor,
    good_steps: Tensor,
    bad_steps: Tensor,
    x: Sequence[Tensor],
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    stop_update: bool = False,
) -> tuple[Tensor, ...]:
    """The scale of the next loss: larger after many steps, smaller where gradients overflowed.

    found_infinite: one element, bool. scale: one, float32. good_steps, bad_steps: one each, int32,
    the steps of the kind in a row since the last change. x: gradients, which become zeros where one
    overflowed. stop_update: leave the scale and the counts alone. Growth that would not be finite
    is left out, and what shrinks below 1 becomes 1. Returns scale, good_steps and bad_steps, and
    then each of x. Source: arXiv 1710.03740, section 3.2.
    """
    found = single(found_infinite)
    kept = [select(found, 0.0, g) for g in x]
    if stop_update:
        return (scale, good_steps, bad_steps, *kept)
    good = select(found, 0, good_steps + 1)
    bad = select(found, bad_steps + 1, 0)
    grown, shrunk = scale * incr_ratio, scale * decr_ratio
    grows, shrinks = equal(good, incr_every_n_steps), equal(bad, decr_every_n_nan_or_inf)
    grown = select(isfinite(grown), grown, scale)
    shrunk = select(shrunk < 1.0, 1.0, shrunk)
    scale = select(shrinks, shrunk, select(grows, grown, scale))
    return (scale, select(grows, 0, good), select(shrinks, 0, bad), *kept)


@update_loss_scaling.samples
def _(s):
    for found, good, bad in ((False, 2, 0), (False, 1, 1), (True, 2, 1), (True, 2, 0)):
        state = (np.array([found]), s.uniform(2, 4, 1), _count(s, good), _count(s, bad))
        few = {"incr_every_n_steps": 3, "decr_every_n_nan_or_inf": 2}
        yield s(*state, [s.randn(2, 3), s.randn(4)], **few, gradient=False)
    state = (np.array([False]), s.uniform(2e38, 3e38, 1), _count(s, 0), _count(s, 0))
    yield s(*state, [s.randn(2)], incr_every_n_steps=1, gradient=False)
    yield s(*state, [s.randn(2)], stop_update=True, gradient=False)


def _count(s, n):
    return s.ints(n, n + 1, 1, dtype="int32")

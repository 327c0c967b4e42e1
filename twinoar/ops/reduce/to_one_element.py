"""Reductions of everything to one element of shape [1], as Paddle 1.x has them: one operator each.

A file holds their bodies, as the operators of these types give the shape [] today.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.core.op.definition import Op
from twinoar.ops.reduce.extreme import max_op, min_op
from twinoar.ops.reduce.reduction import all_op, any_op, mean_op, prod_op, sum_op
from twinoar.ops.shape.reshape import reshape_op


def _samples(s: Any) -> Any:
    yield s(s.uniform(0.5, 2, 2, 3))
    yield s(s.uniform(0.5, 2, 4, dtype="float64"), tolerance=1e-12)
    yield s(s.randn())


def _truths(s: Any) -> Any:
    yield s(s.bools(2, 3))
    yield s(s.bools())


def _whole(kind: str, meaning: str, reduction: Op, samples: Any = _samples) -> Op:
    def body(x: Tensor) -> Tensor:
        return reshape_op(reduction(x), (1,))

    body.__doc__ = f"{meaning}, of shape [1]."
    desc = Desc(kind, {"X": "x"}, fixed={"reduce_all": True, "keep_dim": False}, expands=True)
    return op(body, name=f"{kind}_whole", desc=desc, samples=samples, amp=reduction.precision)


WHOLE = {
    "mean": _whole("mean", "The mean of all elements", mean_op),
    "reduce_all": _whole("reduce_all", "True where all elements are", all_op, _truths),
    "reduce_any": _whole("reduce_any", "True where any element is", any_op, _truths),
    "reduce_max": _whole("reduce_max", "The largest of all elements", max_op),
    "reduce_mean": _whole("reduce_mean", "The mean of all elements", mean_op),
    "reduce_min": _whole("reduce_min", "The smallest of all elements", min_op),
    "reduce_prod": _whole("reduce_prod", "The product of all elements", prod_op),
    "reduce_sum": _whole("reduce_sum", "The sum of all elements", sum_op),
}

"""What comes first: the greatest elements of lines, and what stands where they do."""

from __future__ import annotations

from twinoar.core.op.declare import Tensor
from twinoar.ops.index.along_axis import take_along_axis_op
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.index.sort import sort_op, topk_op
from twinoar.ops.math.cast import broadcast_to
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op


def best_first(x: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The greatest elements along the last axis, the first of equal ones first, and their places.

    count: how many at most; all where it is not above 0.
    """
    n = x.spec.shape[-1]
    if isinstance(n, int) and 0 < count < n:
        return topk_op(x, count, -1)
    values, places = sort_op(x, -1, True)
    if count <= 0 or isinstance(n, int):
        return values, places
    return values[..., :count], places[..., :count]


def slices_at(x: Tensor, places: Tensor) -> Tensor:
    """Of each line of x [N,M,D] the slices at its places [N,J]: [N,J,D]."""
    shape = (*places.spec.shape, x.spec.shape[2])
    return take_along_axis_op(x, broadcast_to(unsqueeze_op(places, (2,)), shape), 1)


def chosen_rows(x: Tensor, mask: Tensor) -> Tensor:
    """The rows of x [N,J,D] for which `mask` [N,J] holds, in order: [R,D]."""
    where = reshape_op(nonzero_op(reshape_op(mask, (-1,))), (-1,))
    return gather_op(reshape_op(x, (-1, x.spec.shape[2])), where)

"""Parts of backward passes that training code writes out by hand, and counts of integers."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import bfloat16, float32, int64
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.activation.smooth import sigmoid
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import sum_at
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_equal, less_than, not_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import chunk, concat
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import widened

IGNORED = -100  # the label that has no loss


@function
def fused_swiglu_weighted_bwd(
    o1: Tensor, do2_s: Tensor, unzipped_probs: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `swiglu(o1) * unzipped_probs`, and that itself.

    o1: [*,2 * D], floating. do2_s: [*,D], the gradient of the product. unzipped_probs: [*] or
    [*,1]. Returns the gradients of o1, in its dtype, and of unzipped_probs; and the product, [*,D].
    Raises ShapeError.

    >>> one = twinoar.ones([1, 1])
    >>> parts = twinoar.incubate.nn.functional.fused_swiglu_weighted_bwd
    >>> [x.round(decimals=2).tolist() for x in parts(twinoar.ones([1, 2]), one, one)]
    [[[0.9300000071525574, 0.7300000190734863]], [[0.7300000190734863]], [[0.7300000190734863]]]
    """
    size, shape = o1.spec.shape[-1], do2_s.spec.shape
    rows = o1.spec.shape[:-1]
    if not isinstance(size, int) or not may_equal(shape, (*rows, size // 2)) or size % 2:
        raise ShapeError(
            f"o1 must be [*,2 * D] and do2_s [*,D], received {o1.spec} and {do2_s.spec}",
            cure="give both halves of o1 along its last dimension",
        )
    if not may_equal((unzipped_probs.spec.size,), (do2_s.spec.size // max(size // 2, 1),)):
        raise ShapeError(f"unzipped_probs must be one for each row, received {unzipped_probs.spec}")
    gate, linear = chunk(widened(o1), 2, -1)
    share = widened(reshape(unzipped_probs, (*rows, 1)))
    slope, g = sigmoid(gate), widened(do2_s)
    unit = gate * slope
    out, weighted = unit * linear, g * share
    turned = weighted * linear * slope * (1.0 + gate * (1.0 - slope))
    back = concat([turned, weighted * unit], -1)
    shares = reshape(total(g * out, -1), unzipped_probs.spec.shape)
    shares = astype(shares, unzipped_probs.dtype)
    return astype(back, o1.dtype), shares, astype(out * share, o1.dtype)


@function
def cross_entropy_with_softmax_bwd_w_downcast(
    label: Tensor, softmax: Tensor, loss_grad: Tensor
) -> Tensor:
    """The gradient of the logits of a cross entropy, in bfloat16.

    label: [*,1] or [*], integers; -100 is ignored. softmax: [*,C], what the softmax made of the
    logits. loss_grad: [*,1] or [*], the gradient of the losses. Returns [*,C], bfloat16. Raises
    ShapeError, DTypeError.

    >>> label, softmax = twinoar.to_tensor([[0]]), twinoar.to_tensor([[0.5, 0.5]])
    >>> back = twinoar.incubate.nn.functional.cross_entropy_with_softmax_bwd_w_downcast
    >>> back(label, softmax, twinoar.ones([1, 1])).astype("float32").tolist()
    [[-0.5, 0.5]]
    """
    if not label.dtype.is_integer:
        raise DTypeError(f"label must be integers, received {label.spec}")
    rows = softmax.spec.shape[:-1]
    for name, x in (("label", label), ("loss_grad", loss_grad)):
        if not (may_equal(x.spec.shape, rows) or may_equal(x.spec.shape, (*rows, 1))):
            raise ShapeError(
                f"{name} must be one for each row of {softmax.spec}, received {x.spec}"
            )
    label, g = reshape(label, (*rows, 1)), reshape(loss_grad, (*rows, 1))
    wanted = astype(equal(label, iota(softmax.spec.shape[-1], label.dtype)), float32)
    back = (astype(softmax, float32) - wanted) * astype(g, float32)
    return astype(select(not_equal(label, IGNORED), back, 0.0), bfloat16)


@function
def embedding_grad_add_to_(token_indices: Tensor, main_grad_: Tensor, out_grad: Tensor) -> Tensor:
    """main_grad_ with the gradient of an embedding added, in place.

    token_indices: [*], integers. main_grad_: [V,D], floating. out_grad: [*,D], the gradient of what
    was looked up, in any floating dtype. Returns main_grad_. Raises ShapeError.

    >>> kept = twinoar.zeros([2, 1])
    >>> add = twinoar.incubate.nn.functional.embedding_grad_add_to_
    >>> add(twinoar.to_tensor([1, 1]), kept, twinoar.ones([2, 1])).tolist(), kept.tolist()
    ([[0.0], [2.0]], [[0.0], [2.0]])
    """
    if main_grad_.ndim != 2 or not may_equal(
        out_grad.spec.shape, (*token_indices.spec.shape, main_grad_.spec.shape[1])
    ):
        raise ShapeError(
            "out_grad must have a row of main_grad_ for each token, received "
            f"{out_grad.spec} for {token_indices.spec} and {main_grad_.spec}"
        )
    count, size = main_grad_.spec.shape
    rows = astype(reshape(out_grad, (-1, size)), main_grad_.dtype)
    summed = sum_at(rows, reshape(token_indices, (-1,)), count, 0)
    current().rebind(main_grad_, main_grad_ + summed)
    return main_grad_


@function
def int_bincount(x: Tensor, low: int, high: int, dtype: Any = None) -> Tensor:
    """How often each integer from low to before high is in x.

    x: [*], integers; others do not count. dtype: int32 or int64, None that of x. Returns
    [high - low]. Raises ArgumentError, DTypeError.

    >>> x = twinoar.to_tensor([1, 3, 3, 7])
    >>> twinoar.incubate.nn.functional.int_bincount(x, 1, 4).tolist()
    [1, 0, 2]
    """
    if high < low:
        raise ArgumentError(f"high must not be less than low, received {high} and {low}")
    if not x.dtype.is_integer:
        raise DTypeError(f"x must hold integers, received {x.spec}", cure="x.astype('int64')")
    flat = reshape(x, (-1,))
    counted = logical_and(greater_equal(flat, low), less_than(flat, high))
    place = select(counted, astype(flat, int64) - low, high - low)
    counts = sum_at(astype(counted, int64), place, high - low + 1, 0)[:-1]
    return astype(counts, x.dtype if dtype is None else dtype)

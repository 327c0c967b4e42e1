"""How near vectors are: cosines and distances, and the losses that compare them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index.mask import where
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.loss.cross_entropy import softmax_with_cross_entropy
from twinoar.ops.loss.nll import check_reduction, reduce_loss
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, not_equal
from twinoar.ops.math.root import sqrt, square
from twinoar.ops.math.select import clip, maximum, minimum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import max as greatest
from twinoar.ops.reduce.extreme import min as least
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape, transpose

LEAST_SQUARE = 1e-11  # Paddle adds it to squared lengths in cosine_embedding_loss
LABEL_WEIGHT = 0.25  # of the lengths in npair_loss


@function(named=False)
def cosine_similarity(x1: Tensor, x2: Tensor, axis: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors.

    x1, x2: shapes that broadcast, floating. axis: where the vectors lie. eps: lengths are taken to
    be no less. Returns the broadcast shape without the axis.

    >>> x, y = twinoar.to_tensor([[3.0, 4.0]]), twinoar.to_tensor([[4.0, 3.0]])
    >>> round(twinoar.nn.functional.cosine_similarity(x, y).item(), 4)
    0.96
    """
    squares = total(square(x1), axis=axis) * total(square(x2), axis=axis)
    return total(x1 * x2, axis=axis) / sqrt(maximum(squares, eps * eps))


@function
def pairwise_distance(
    x: Tensor, y: Tensor, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x - y + epsilon along the last dimension.

    x, y: [*,D], shapes that broadcast. p: may be 0 (how many elements differ) or infinity. Returns
    [*], or [*,1] for keepdim.

    >>> x, y = twinoar.to_tensor([[3.0, 4.0]]), twinoar.to_tensor([[0.0, 0.0]])
    >>> round(twinoar.nn.functional.pairwise_distance(x, y).item(), 4)
    5.0
    """
    difference = x - y + epsilon if epsilon else x - y
    options: dict[str, Any] = {"axis": -1, "keepdim": keepdim}
    if p == 2:
        return sqrt(total(square(difference), **options))
    size = magnitude(difference)
    if p == 0:
        return total(astype(not_equal(size, 0.0), size.dtype), **options)
    if math.isinf(p):
        return (greatest if p > 0 else least)(size, **options)
    if p == 1:
        return total(size, **options)
    return total(size**p, **options) ** (1.0 / p)


@function
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, label: Tensor, margin: float = 0, reduction: str = "mean"
) -> Tensor:
    """1 - cos for vectors that belong together, max(0, cos - margin) for others.

    input1, input2: [N,D] or [D]. label: [N] or [], 1 for the former and -1 for the latter. Returns
    [], or the shape of label for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([[1.0, 0.0]]), twinoar.to_tensor([[0.0, 1.0]])
    >>> twinoar.nn.functional.cosine_embedding_loss(x, y, twinoar.to_tensor([1])).item()
    1.0
    """
    check_reduction(reduction)
    if label.ndim > 1 or input1.ndim != label.ndim + 1 or input2.ndim != input1.ndim:
        raise ShapeError(
            f"expected vectors [N,D] and labels [N], received {input1.spec}, {input2.spec} and "
            f"{label.spec}"
        )
    squares = [total(square(x), axis=-1) + LEAST_SQUARE for x in (input1, input2)]
    cosine = total(input1 * input2, axis=-1) / sqrt(squares[0] * squares[1])
    alike = where(equal(label, 1), 1.0 - cosine, cosine * 0.0)
    others = where(equal(label, -1), clip(cosine - margin, 0.0), cosine * 0.0)
    return reduce_loss(alike + others, reduction)


@function
def triplet_margin_with_distance_loss(
    input: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """How far, up to a margin, each input is from being nearer to its positive than its negative.

    input, positive, negative: [N,D]. distance_function: by default `pairwise_distance`. swap: the
    negative is compared with the nearer of input and positive. Returns [], or [N] for "none".
    Raises ArgumentError.

    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> F = twinoar.nn.functional
    >>> round(F.triplet_margin_with_distance_loss(x, x, y, margin=3.0).item(), 4)
    1.0
    """
    check_reduction(reduction)
    if margin < 0:
        raise ArgumentError(f"margin must not be negative, received {margin}")
    distance = distance_function or pairwise_distance
    near, far = distance(input, positive), distance(input, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduce_loss(clip(near - far + margin, 0.0), reduction)


@function
def triplet_margin_loss(
    input: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_with_distance_loss` by the p-norm.

    >>> x, y = twinoar.to_tensor([[0.0]]), twinoar.to_tensor([[2.0]])
    >>> round(twinoar.nn.functional.triplet_margin_loss(x, x, y, margin=3.0).item(), 4)
    1.0
    """

    def distance(a: Tensor, b: Tensor) -> Tensor:
        return pairwise_distance(a, b, p, epsilon)

    return triplet_margin_with_distance_loss(
        input, positive, negative, distance, margin, swap, reduction
    )


@function(named=False)
def npair_loss(anchor: Tensor, positive: Tensor, labels: Tensor, l2_reg: float = 0.002) -> Tensor:
    """The cross entropy of which positives have the label of each anchor, and a price of lengths.

    anchor, positive: [N,D], floating. labels: [N]. Returns []. Source: Sohn, "Improved deep metric
    learning with multi-class N-pair loss objective", 2016.

    >>> x = twinoar.to_tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> loss = twinoar.nn.functional.npair_loss(x, x, twinoar.to_tensor([0.0, 1.0]))
    >>> round(loss.item(), 4)
    0.3143
    """
    column = reshape(labels, (-1, 1))
    same = astype(equal(column, transpose(column, (1, 0))), anchor.dtype)
    wanted = same / total(same, axis=1, keepdim=True)
    lengths = sum(mean(total(square(x), axis=1)) for x in (anchor, positive))
    likeness = matmul(anchor, positive, transpose_y=True)
    entropy = softmax_with_cross_entropy(likeness, wanted, soft_label=True)
    return lengths * (LABEL_WEIGHT * l2_reg) + mean(total(wanted * entropy, axis=0))

"""Normalization by the root of the mean square, without taking the mean away."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.core.dim import SymbolicDim
from twinoar.core.op.declare import Tensor, function, op
from twinoar.core.spec import may_equal
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.ops.math.cast import astype
from twinoar.ops.math.root import rsqrt
from twinoar.ops.norm._moments import LEAST
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.shape.reshape import squeeze
from twinoar.ops.window._geometry import check_floating, widened


@function
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float = 1e-5
) -> tuple[Tensor, Tensor]:
    """input / sqrt(mean(input^2) + eps) * weight, over the last dimensions.

    input: [*,normalized_shape], floating. weight: normalized_shape. Returns that, and
    1 / sqrt(mean(input^2) + eps), [*]. Raises ShapeError, DTypeError. Source: arXiv 1910.07467,
    eq. 4.

    >>> out, scale = twinoar.nn.functional.rms_norm(twinoar.ones([1, 2]), [2], eps=3.0)
    >>> out.tolist(), scale.tolist()
    ([[0.5, 0.5]], [0.5])
    """
    sizes = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    shape = input.spec.shape
    if not all(isinstance(n, (int, SymbolicDim)) for n in sizes):
        raise TypeMismatchError(
            f"normalized_shape must be sizes, received {normalized_shape!r}", cure="such as [768]"
        )
    if not sizes or not may_equal(shape[-len(sizes) :], sizes):
        raise ShapeError(
            f"input must end with dimensions {list(sizes)}, received {input.spec}",
            cure="normalized_shape are the last dimensions of input",
        )
    return rms_norm_op.function(input, weight, len(sizes), eps)


@op(name="rms_norm", compiled_from=LEAST)
def rms_norm_op(
    x: Tensor, weight: Tensor | None = None, rank: int = 1, epsilon: float = 1e-5
) -> tuple[Tensor, Tensor]:
    """x over its root mean square along the last `rank` dimensions, times weight; see `rms_norm`.

    Returns [*,*] of the dtype of x, and the factor, without these dimensions and in float32 at
    least.
    """
    check_floating(x.spec)
    axes = tuple(range(x.ndim - rank, x.ndim))
    if weight is not None and not may_equal(weight.spec.shape, x.spec.shape[-rank:]):
        raise ShapeError(
            f"weight must be {list(x.spec.shape[-rank:])}, received {weight.spec}",
            cure="weight has one number for each that is normalized together",
        )
    wide = widened(x)  # the squares of half precision end at 65504
    factor = rsqrt(mean(wide * wide, axes, keepdim=True) + epsilon)
    out = wide * factor
    out = out if weight is None else out * weight
    return astype(out, x.dtype), squeeze(factor, axes)


@rms_norm_op.samples
def _(s):
    yield s(s.randn(4, 5))
    yield s(s.randn(2, 3, 4), s.randn(3, 4), 2, 1e-2)
    yield s(s.randn(5), s.randn(5))
    yield s(s.zeros(0, 3), s.randn(3))
    yield s.bad(ShapeError, "weight must be [5]", s.randn(4, 5), s.randn(4))

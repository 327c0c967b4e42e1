"""Labels and lengths as tensors to compute with: smoothed labels, masks of sequences."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import DType, dtype_of, int64
from twinoar.core.op.declare import Desc, Tensor, function, op
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.create.range import arange_op, iota
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.reduce.extreme import max as greatest
from twinoar.ops.shape.reshape import unsqueeze


@op(
    name="label_smooth",
    desc=Desc(
        "label_smooth", {"X": "label", "PriorDist": "prior_dist"}, attrs={"epsilon": "epsilon"}
    ),
)
def label_smooth_op(
    label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1
) -> Tensor:
    """Labels mixed with a prior: the operator under `label_smooth`."""
    if not 0 <= epsilon <= 1:
        raise ArgumentError(f"epsilon must be in [0, 1], received {epsilon}")
    if not label.dtype.is_floating:
        raise DTypeError(f"label must be floating, received {label.spec}")
    if not label.ndim:
        raise ShapeError(f"label must be [*,C], received {label.spec}")
    if prior_dist is not None:
        if any(size != 1 for size in prior_dist.spec.shape[:-1] if isinstance(size, int)):
            raise ShapeError(f"prior_dist must be [1,C], received {prior_dist.spec}")
        return label * (1.0 - epsilon) + prior_dist * epsilon
    count = label.spec.shape[-1]
    share = epsilon / (count if isinstance(count, int) else fill.function((), count, label.dtype))
    return label * (1.0 - epsilon) + share


@label_smooth_op.samples
def _(s):
    yield s(s.uniform(0, 1, 2, 3))
    yield s(s.uniform(0, 1, 2, 2, 3), s.uniform(0, 1, 1, 3), 0.3)
    yield s.bad(ArgumentError, "epsilon must be in", s.randn(2, 3), epsilon=1.5)
    yield s.bad(DTypeError, "label must be floating", s.ints(0, 3, 2, 3))
    yield s.bad(ShapeError, "label must be", s.randn())
    yield s.bad(ShapeError, "prior_dist must be", s.randn(3, 1, 2), s.randn(3, 1, 2))


@op(
    name="sequence_mask",
    grad=lambda: (None,),
    desc=Desc(
        "sequence_mask",
        {"X": "x"},
        ("Y",),
        {"maxlen": "maxlen", "out_dtype": "dtype"},
        read=lambda slots, attrs: sequence_mask(
            slots["X"][0],
            (slots.get("MaxLenTensor") or [attrs["maxlen"] if attrs["maxlen"] > 0 else None])[0],
            attrs["out_dtype"],
        ),
    ),
)
def sequence_mask_op(x: Tensor, maxlen: int, dtype: DType = int64) -> Tensor:
    """1 at the positions before each length: the operator under `sequence_mask`."""
    return _before(x, iota(maxlen), dtype)


@sequence_mask_op.samples
def _(s):
    yield s(s.ints(0, 6, 4), 5)
    yield s(s.ints(0, 6, 2, 3), 4, "float32")
    yield s(s.uniform(-1, 6, 4), 5, gradient=False, half=False)
    yield s.bad(DTypeError, "must hold numbers", s.bools(3), 4)


def _before(x: Tensor, positions: Tensor, dtype: DType) -> Tensor:
    if not (x.dtype.is_integer or x.dtype.is_floating):
        raise DTypeError(f"lengths must hold numbers, received {x.spec}")
    return astype(less_than(positions, unsqueeze(x, -1)), dtype)


@function
def label_smooth(label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1) -> Tensor:
    """(1 - epsilon) label + epsilon prior, where the prior is 1/C unless it is given.

    label: [*,C], floating. prior_dist: [1,C]. Returns the shape of label. Raises ArgumentError,
    DTypeError. Source: arXiv 1512.00567, section 7.

    >>> twinoar.nn.functional.label_smooth(twinoar.to_tensor([[0.0, 1.0]]), epsilon=0.5).tolist()
    [[0.25, 0.75]]
    """
    return label_smooth_op(label, prior_dist, epsilon)


@function
def sequence_mask(x: Tensor, maxlen: Any = None, dtype: Any = "int64") -> Tensor:
    """1 at the positions before each length, 0 from there on.

    x: [*], numbers. maxlen: how many positions; the greatest length, without its fraction, where
    it is None. Returns [*,maxlen] of `dtype`. Raises DTypeError.

    >>> twinoar.nn.functional.sequence_mask(twinoar.to_tensor([1, 3])).tolist()
    [[1, 0, 0], [1, 1, 1]]
    """
    if maxlen is not None:
        return sequence_mask_op(x, size(maxlen, "maxlen"), dtype)
    longest = astype(greatest(x), int64) if 0 not in x.spec.shape else 0
    return _before(x, arange_op(0, longest, 1, int64), dtype_of(dtype))

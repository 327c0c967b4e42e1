"""Losses of regression: squared, absolute, Huber's."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Desc, Tensor, Value, function, op
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.loss.nll import reduce_loss
from twinoar.ops.math.cast import in_equal_shapes, promote_operands
from twinoar.ops.math.compare import less_equal
from twinoar.ops.math.root import square
from twinoar.ops.math.select import select
from twinoar.ops.math.sign import abs as magnitude


@function
def mse_loss(input: Tensor, label: Tensor, reduction: str = "mean") -> Tensor:
    """The squared difference of input and label.

    input, label: shapes that broadcast, floating. Returns [], or the broadcast shape for "none".
    Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([1.0, 4.0])
    >>> twinoar.nn.functional.mse_loss(x, y).item()
    2.0
    """
    return reduce_loss(square_error_cost(input, label), reduction)


@function(named=False)
def square_error_cost(input: Tensor, label: Tensor) -> Tensor:
    """The squared difference of input and label, element by element.

    input, label: shapes that broadcast, floating. Returns the broadcast shape. Raises ShapeError.

    >>> x, y = twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([1.0, 4.0])
    >>> twinoar.nn.functional.square_error_cost(x, y).tolist()
    [0.0, 4.0]
    """
    return square(input - label)


@function
def l1_loss(input: Tensor, label: Tensor, reduction: str = "mean") -> Tensor:
    """The absolute difference of input and label.

    input, label: shapes that broadcast, floating. Returns [], or the broadcast shape for "none".
    Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([1.0, 4.0])
    >>> twinoar.nn.functional.l1_loss(x, y).item()
    1.0
    """
    return reduce_loss(magnitude(input - label), reduction)


@function
def smooth_l1_loss(
    input: Tensor, label: Tensor, reduction: str = "mean", delta: float = 1.0, is_huber: bool = True
) -> Tensor:
    """Half the squared difference d where it is at most delta, delta (d - delta / 2) beyond.

    input, label: [*], floating, of one shape. is_huber: False divides that by delta. Returns [],
    or [*] for "none". Raises ShapeError, ArgumentError.

    >>> x, y = twinoar.to_tensor([0.0, 0.0]), twinoar.to_tensor([1.0, 3.0])
    >>> twinoar.nn.functional.smooth_l1_loss(x, y, reduction="none").tolist()
    [0.5, 2.5]
    """
    if delta <= 0:
        raise ArgumentError(f"delta must be positive, received {delta}")
    out = huber_loss(input, label, delta)
    return reduce_loss(out if is_huber else out / delta, reduction)


@op(
    promote=promote_operands,
    desc=Desc(
        "huber_loss",
        {"X": "input", "Y": "label"},
        attrs={"delta": "delta"},
        extra_outputs=("Residual",),
    ),
    amp="high",
)
def huber_loss(input: Tensor, label: Tensor, delta: float = 1.0) -> Tensor:
    """Half the squared difference up to delta, linear beyond: under `smooth_l1_loss`.

    input, label: [*], of one shape. Returns [*]. Source: Huber 1964, equation 2.7.
    """
    check_same(input, label)
    input, label = in_equal_shapes(input, label)
    distance = magnitude(input - label)
    far = delta * (distance - 0.5 * delta)
    return select(less_equal(distance, delta), 0.5 * square(distance), far)


@huber_loss.samples
def _(s):
    yield s(s.distinct(2, 3), s.zeros(2, 3))
    yield s(s.distinct(4, 3), s.zeros(4, 3), 0.21)
    yield s(s.zeros(0, 3), s.zeros(0, 3))
    yield s.bad(ShapeError, "must have one shape", s.randn(2, 3), s.randn(3))


def check_same(x: Any, label: Any) -> None:
    """Raise ShapeError where label has not the shape of x; both are specs, arrays or values."""
    shapes = [v.spec.shape if isinstance(v, Value) else v.shape for v in (x, label)]
    if not may_equal(*shapes):
        raise ShapeError(
            f"input and label must have one shape, received {list(shapes[0])} and {list(shapes[1])}"
        )

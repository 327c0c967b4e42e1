"""Arithmetic of integers: divisors, multiples, shifts of bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.loop import bits
from twinoar.core.loop.procedure import Array, Launcher, Procedure, procedure
from twinoar.core.op.declare import Spec, Tensor, function, method, primitive
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.math.cast import elementwise, promote_in_one_shape, promote_operands

BLOCK = 4096  # elements that a thread takes at a time
STEPS = 16  # divisions that finding a divisor takes, about


def _whole(*specs: Any) -> Spec:
    """An `infer` rule: elementwise, on integers."""
    for s in specs:
        if isinstance(s, Spec) and not s.dtype.is_integer:
            raise DTypeError(f"expected integers, received {s}", cure="convert with astype")
    return elementwise(*specs)


def _whole_samples(s):
    yield s(s.ints(-9, 9, 2, 3), s.ints(-9, 9, 2, 3))
    yield s(s.ints(0, 99, 2, 1, 3, dtype="int32"), s.ints(0, 9, 4, 1, dtype="int32"))
    yield s(s.ints(0, 9, 3), s.ints(0, 9))
    yield s(s.ints(0, 9, 0), s.ints(0, 9, 1))
    yield s.bad(ShapeError, "do not broadcast", s.ints(0, 9, 2, 3), s.ints(0, 9, 4))
    yield s.bad(DTypeError, "expected integers", s.randn(3), s.randn(3))


def _by_blocks(called: Procedure) -> Callable[[Launcher, Array, Array], None]:
    """A `procedure` rule: of each pair of elements what `called` returns."""

    def rule(p: Launcher, x: Array, y: Array) -> None:
        out = p.results[0].reshape(-1)
        operands = x.reshape(-1), y.reshape(-1), out
        p.launch(_block, -(-out.size // BLOCK), *operands, of_two=called, work=STEPS * out.size)

    return rule


@procedure
def _block(row, x, y, out, *, of_two):
    for k in range(row * BLOCK, min(out.shape[0], (row + 1) * BLOCK)):
        out[k] = of_two(x[k], y[k])


@procedure
def _divisor(x, y):
    """Euclid's. The least integer, which is its own absolute value, is gone after two steps.

    Division of what is known not to be negative is one instruction: `max` says so.
    """
    a = x
    b = y
    for _ in (0, 1):
        if b != 0:
            a, b = b, a % b
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, max(a, 0) % max(b, 0)
    return a


@procedure
def _multiple(x, y):
    divisor = _divisor(x, y)
    return abs(x) // (divisor if divisor != 0 else 1) * abs(y)


@primitive(
    apart=0,
    method=True,
    inplace=True,
    infer=_whole,
    kernel=np.gcd,
    promote=promote_in_one_shape,
    procedure=_by_blocks(_divisor),
    samples=_whole_samples,
)
def gcd(x: Tensor, y: Tensor) -> Tensor:
    """The greatest common divisors of integers; not negative.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> twinoar.gcd(twinoar.to_tensor([12, -9]), twinoar.to_tensor([18])).tolist()
    [6, 9]
    """


@primitive(
    apart=0,
    method=True,
    inplace=True,
    infer=_whole,
    kernel=np.lcm,
    promote=promote_in_one_shape,
    procedure=_by_blocks(_multiple),
    samples=_whole_samples,
)
def lcm(x: Tensor, y: Tensor) -> Tensor:
    """The least common multiples of integers; not negative.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> twinoar.lcm(twinoar.to_tensor([4, 6]), twinoar.to_tensor([6])).tolist()
    [12, 6]
    """


@primitive(
    name="shift_left",
    infer=_whole,
    kernel=np.left_shift,
    scalar=lambda s, x, y: bits.shift_left(x, y),
    promote=promote_operands,
    samples=lambda s: _shift_samples(s),
)
def shift_left(x: Tensor, y: Tensor) -> Tensor:
    """x 2**y in the bits of its dtype: the operator under `bitwise_left_shift`."""


@primitive(
    name="shift_right",
    infer=lambda x, y, is_arithmetic: _whole(x, y),
    promote=promote_operands,
    scalar=lambda s, x, y, is_arithmetic: bits.shift_right(x, y, is_arithmetic),
)
def shift_right(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Tensor:
    """The bits of x moved down by y: the operator under `bitwise_right_shift`."""


@shift_right.kernel
def _(x, y, is_arithmetic):
    if is_arithmetic or np.result_type(x, y).kind == "u":
        return np.right_shift(x, y)
    x = np.asarray(x, y.dtype) if isinstance(x, int) else x
    bits = np.dtype(f"u{x.dtype.itemsize}")
    return np.right_shift(np.asarray(x).astype(bits), np.asarray(y).astype(bits)).astype(x.dtype)


def _shift_samples(s):
    yield s(s.ints(-99, 99, 2, 3), s.ints(0, 5, 2, 3))
    yield s(s.ints(0, 9, 3, dtype="int32"), s.ints(0, 5, dtype="int32"))
    yield s(9, s.ints(0, 5, 3))
    yield s(s.ints(-99, 99, 6), np.array([0, 63, 64, 99, -1, -64]))
    yield s(s.ints(-99, 99, 4, dtype="int8"), s.ints(6, 10, 4, dtype="int8"))
    yield s(s.ints(99, 255, 4, dtype="uint8"), s.ints(0, 10, 4, dtype="uint8"))
    yield s.bad(DTypeError, "expected integers", s.randn(3), s.randn(3))


@shift_right.samples
def _(s):
    yield from _shift_samples(s)
    yield s(s.ints(-99, 99, 4, dtype="int8"), s.ints(0, 5, 4, dtype="int8"), False)
    yield s(s.ints(-99, 99, 6), np.array([0, 1, 63, 64, 99, -1]), False)
    yield s(s.ints(-99, 99, 9, dtype="int32"), s.ints(0, 40, 9, dtype="int32"), False)


@function(method="bitwise_left_shift __lshift__", inplace=True)
def bitwise_left_shift(
    x: Tensor, y: Any, is_arithmetic: bool = True, out: Tensor | None = None
) -> Tensor:
    """The bits of integers moved up by y; what leaves the dtype is lost.

    x, y: shapes that broadcast, integers. is_arithmetic: makes no difference. Returns the broadcast
    shape. Raises DTypeError.

    >>> twinoar.bitwise_left_shift(twinoar.to_tensor([1, 3]), twinoar.to_tensor([2])).tolist()
    [4, 12]
    """
    found = shift_left(x, y)
    return found if out is None else out.copy_(found)


@function(method="bitwise_right_shift __rshift__", inplace=True)
def bitwise_right_shift(
    x: Tensor, y: Any, is_arithmetic: bool = True, out: Tensor | None = None
) -> Tensor:
    """The bits of integers moved down by y; the sign is kept where `is_arithmetic`.

    x, y: shapes that broadcast, integers. Returns the broadcast shape. Raises DTypeError.

    >>> twinoar.bitwise_right_shift(twinoar.to_tensor([-8, 9]), twinoar.to_tensor([1])).tolist()
    [-4, 4]
    """
    found = shift_right(x, y, is_arithmetic)
    return found if out is None else out.copy_(found)


@method("__rlshift__")
def _rlshift(x: Tensor, y: Any) -> Tensor:
    return shift_left.function(y, x)


@method("__rrshift__")
def _rrshift(x: Tensor, y: Any) -> Tensor:
    return shift_right.function(y, x)

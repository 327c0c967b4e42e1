"""Logic: of truth values, and of the bits of integers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from twinoar.core.dtype import bool_
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, method, primitive
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.math.cast import cast, elementwise, elementwise_bool, promote_operands


def _binary_desc(kind: str) -> Desc:
    return Desc(kind, {"X": "x", "Y": "y"}, prepare=_in_one_dtype)


def _in_one_dtype(operands: tuple[Any, ...], attrs: Any) -> tuple[Any, ...]:
    """Paddle takes operands of one type; the numbers that are true stay so as truth values."""
    kinds = {x.dtype for x in operands if isinstance(x, Value)}
    return operands if len(kinds) == 1 else tuple(cast(x, bool_) for x in operands)


def _logical_samples(s):
    yield s(s.bools(2, 3), s.bools(2, 3))
    yield s(s.bools(2, 1, 3), s.bools(4, 1))
    yield s(s.ints(0, 2, 6), s.ints(0, 2, 6, dtype="float32"))
    yield s(s.bools(4), True)
    yield s(s.bools(), s.bools())
    yield s(s.bools(0), s.bools(1))
    yield s.bad(ShapeError, "do not broadcast", s.bools(2, 3), s.bools(4))


# What all of two truth values share.
logic = partial(
    primitive, method=True, inplace=True, infer=elementwise_bool, samples=_logical_samples
)


@logic(
    kernel=np.logical_and,
    scalar=lambda s, x, y: s.and_(s.cast(x, bool_), s.cast(y, bool_)),
    desc=_binary_desc("logical_and"),
    commutative=True,
)
def logical_and(x: Tensor, y: Tensor) -> Tensor:
    """True where both x and y are true; a number other than 0 is true.

    x, y: any shapes that broadcast, any dtype. Returns the broadcast shape, bool. Raises ShapeError
    where the shapes do not broadcast.

    >>> x = twinoar.to_tensor([True, False])
    >>> twinoar.logical_and(x, twinoar.to_tensor([True, True])).tolist()
    [True, False]
    """


@logic(
    kernel=np.logical_or,
    scalar=lambda s, x, y: s.or_(s.cast(x, bool_), s.cast(y, bool_)),
    desc=_binary_desc("logical_or"),
    commutative=True,
)
def logical_or(x: Tensor, y: Tensor) -> Tensor:
    """True where x or y is true, or both; a number other than 0 is true.

    x, y: any shapes that broadcast, any dtype. Returns the broadcast shape, bool. Raises ShapeError
    where the shapes do not broadcast.

    >>> x = twinoar.to_tensor([True, False])
    >>> twinoar.logical_or(x, twinoar.to_tensor([False, False])).tolist()
    [True, False]
    """


@logic(
    kernel=np.logical_xor,
    scalar=lambda s, x, y: s.xor_(s.cast(x, bool_), s.cast(y, bool_)),
    desc=_binary_desc("logical_xor"),
)
def logical_xor(x: Tensor, y: Tensor) -> Tensor:
    """True where one of x and y is true and the other is not; a number other than 0 is true.

    x, y: any shapes that broadcast, any dtype. Returns the broadcast shape, bool. Raises ShapeError
    where the shapes do not broadcast.

    >>> x = twinoar.to_tensor([True, False])
    >>> x.logical_xor(twinoar.to_tensor([True, True])).tolist()
    [False, True]
    """


@primitive(
    method=True,
    inplace=True,
    infer=elementwise_bool,
    kernel=np.logical_not,
    scalar=lambda s, x: s.not_(s.cast(x, bool_)),
    desc=Desc("logical_not", {"X": "x"}),
)
def logical_not(x: Tensor) -> Tensor:
    """True where x is false; a number other than 0 is true.

    x: [*], any dtype. Returns [*], bool.

    >>> twinoar.logical_not(twinoar.to_tensor([True, False])).tolist()
    [False, True]
    """


@logical_not.samples
def _(s):
    yield s(s.bools(2, 3))
    yield s(s.ints(0, 2, 4))
    yield s(np.array([0.0, 2.0, np.nan], np.float32))
    yield s(s.bools())
    yield s(s.bools(0))


def _bits(*specs: Any) -> Spec:
    """An `infer` rule: elementwise, on integers and truth values."""
    for s in specs:
        dtype = s.dtype if isinstance(s, Spec) else None
        if dtype is not None and not (dtype.is_integer or dtype == "bool"):
            raise DTypeError(
                f"expected integers or truth values, received {dtype.name}",
                cure="use logical_and and its kin on other numbers, or cast",
            )
    return elementwise(*specs)


def _bit_samples(s):
    yield s(s.ints(-9, 9, 2, 3), s.ints(-9, 9, 2, 3))
    yield s(s.ints(0, 9, 2, 1, 3, dtype="uint8"), s.ints(0, 9, 4, 1, dtype="uint8"))
    yield s(s.ints(0, 9, 3, dtype="int32"), s.ints(0, 9, 3))
    yield s(s.ints(0, 9, 3), 3)
    yield s(s.bools(4), s.bools(4))
    yield s(s.bools(4), True)
    yield s(s.bools(), s.bools())
    yield s(s.bools(0), s.bools(1))
    yield s.bad(ShapeError, "do not broadcast", s.bools(2, 3), s.bools(4))
    yield s.bad(DTypeError, "expected integers", s.randn(3), s.randn(3))


# What all of two numbers bit by bit share.
bitwise = partial(
    primitive,
    one_function=True,
    inplace=True,
    infer=_bits,
    promote=promote_operands,
    samples=_bit_samples,
)


@bitwise(
    method="__and__ bitwise_and",
    kernel=np.bitwise_and,
    scalar=lambda s, x, y: s.and_(x, y),
    desc=_binary_desc("bitwise_and"),
)
def bitwise_and(x: Tensor, y: Tensor) -> Tensor:
    """The bits that are set in both x and y; for truth values, `and`.

    x, y: integers or bool, any shapes that broadcast. Returns the broadcast shape in the promoted
    dtype. Raises DTypeError for other dtypes, ShapeError where the shapes do not broadcast.

    >>> (twinoar.to_tensor([12, 10]) & 6).tolist()
    [4, 2]
    """


@bitwise(
    method="__or__ bitwise_or",
    kernel=np.bitwise_or,
    scalar=lambda s, x, y: s.or_(x, y),
    desc=_binary_desc("bitwise_or"),
)
def bitwise_or(x: Tensor, y: Tensor) -> Tensor:
    """The bits that are set in x or y; for truth values, `or`.

    x, y: integers or bool, any shapes that broadcast. Returns the broadcast shape in the promoted
    dtype. Raises DTypeError for other dtypes, ShapeError where the shapes do not broadcast.

    >>> (twinoar.to_tensor([12, 10]) | 6).tolist()
    [14, 14]
    """


@bitwise(
    method="__xor__ bitwise_xor",
    kernel=np.bitwise_xor,
    scalar=lambda s, x, y: s.xor_(x, y),
    desc=_binary_desc("bitwise_xor"),
)
def bitwise_xor(x: Tensor, y: Tensor) -> Tensor:
    """The bits that are set in one of x and y only; for truth values, exclusive `or`.

    x, y: integers or bool, any shapes that broadcast. Returns the broadcast shape in the promoted
    dtype. Raises DTypeError for other dtypes, ShapeError where the shapes do not broadcast.

    >>> (twinoar.to_tensor([12, 10]) ^ 6).tolist()
    [10, 12]
    """


@primitive(
    one_function=True,
    method="__invert__ bitwise_not",
    inplace=True,
    infer=_bits,
    kernel=np.bitwise_not,
    scalar=lambda s, x: s.not_(x),
    desc=Desc("bitwise_not", {"X": "x"}),
)
def bitwise_not(x: Tensor) -> Tensor:
    """All bits of x flipped; for truth values, `not`.

    x: [*], integers or bool. Returns [*], dtype of x. Raises DTypeError for other dtypes.

    >>> (~twinoar.to_tensor([0, 5])).tolist()
    [-1, -6]
    """


@bitwise_not.samples
def _(s):
    yield s(s.ints(-9, 9, 2, 3))
    yield s(s.ints(0, 9, 3, dtype="uint8"))
    yield s(s.bools(4))
    yield s(s.bools())
    yield s(s.bools(0))
    yield s.bad(DTypeError, "expected integers", s.randn(3))


@method("__rand__")
def _rand(x: Tensor, y: Any) -> Tensor:
    return bitwise_and.function(x, y)


@method("__ror__")
def _ror(x: Tensor, y: Any) -> Tensor:
    return bitwise_or.function(x, y)


@method("__rxor__")
def _rxor(x: Tensor, y: Any) -> Tensor:
    return bitwise_xor.function(x, y)

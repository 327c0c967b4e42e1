"""Comparison of elements, of whole tensors, and tests of elements. Results are truth values."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import bool_, float64
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, loop, method, primitive
from twinoar.errors import ShapeError
from twinoar.ops.math.cast import elementwise_bool, promote_beside_scalars, promote_operands


def compare_desc(kind: str) -> Desc:
    """Paddle's form of a comparison, with its old attributes at their neutral values."""
    return Desc(kind, {"X": "x", "Y": "y"}, fixed={"axis": -1}, write=_on_any_device)


def _on_any_device(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    return {"force_cpu": False}


def compare_samples(s):
    """Calls that every comparison must serve."""
    yield s(s.ints(0, 3, 2, 5), s.ints(0, 3, 2, 5))
    yield s(s.ints(0, 3, 2, 1, 3, dtype="float32"), s.ints(0, 3, 4, 1, dtype="float32"))
    yield s(s.ints(0, 3, 4), 1.5)
    yield s(s.ints(0, 3, 4, dtype="int32"), s.ints(0, 3, 4, dtype="float64"))
    yield s(
        np.array([np.nan, 1.0, np.inf], np.float32), np.array([np.nan, np.nan, np.inf], np.float32)
    )
    yield s(s.bools(4), s.bools(4))
    yield s(s.randn(), s.randn())
    yield s(s.randn(3), s.randn(dtype="float64"))
    yield s(s.zeros(0, 3), s.randn(3))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


# What all comparisons of elements share.
comparison = partial(
    primitive,
    one_function=True,
    inplace=True,
    infer=elementwise_bool,
    promote=promote_beside_scalars,
    samples=compare_samples,
)


@comparison(
    method=True,
    kernel=np.equal,
    scalar=lambda s, x, y: s.eq(x, y),
    desc=compare_desc("equal"),
    commutative=True,
)
def equal(x: Tensor, y: Tensor) -> Tensor:
    """True where x == y; nan equals nothing.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.equal(twinoar.to_tensor([1, 2]), twinoar.to_tensor([1, 3])).tolist()
    [True, False]
    """


@comparison(
    method=True,
    kernel=np.not_equal,
    scalar=lambda s, x, y: s.ne(x, y),
    desc=compare_desc("not_equal"),
    commutative=True,
)
def not_equal(x: Tensor, y: Tensor) -> Tensor:
    """True where x != y; nan differs from everything.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.not_equal(twinoar.to_tensor([1, 2]), twinoar.to_tensor([1, 3])).tolist()
    [False, True]
    """


@comparison(
    method="__lt__ less_than",
    kernel=np.less,
    scalar=lambda s, x, y: s.lt(x, y),
    desc=compare_desc("less_than"),
)
def less_than(x: Tensor, y: Tensor) -> Tensor:
    """True where x < y; False where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.less_than(twinoar.to_tensor([1, 2]), twinoar.to_tensor([2, 2])).tolist()
    [True, False]
    """


@comparison(
    method="__le__ less_equal",
    kernel=np.less_equal,
    scalar=lambda s, x, y: s.le(x, y),
    desc=compare_desc("less_equal"),
)
def less_equal(x: Tensor, y: Tensor) -> Tensor:
    """True where x <= y; False where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.less_equal(twinoar.to_tensor([1, 3]), twinoar.to_tensor([1, 2])).tolist()
    [True, False]
    """


@comparison(
    method="__gt__ greater_than",
    kernel=np.greater,
    scalar=lambda s, x, y: s.lt(y, x),
    desc=compare_desc("greater_than"),
)
def greater_than(x: Tensor, y: Tensor) -> Tensor:
    """True where x > y; False where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.greater_than(twinoar.to_tensor([1, 3]), twinoar.to_tensor([1, 2])).tolist()
    [False, True]
    """


@comparison(
    method="__ge__ greater_equal",
    kernel=np.greater_equal,
    scalar=lambda s, x, y: s.le(y, x),
    desc=compare_desc("greater_equal"),
)
def greater_equal(x: Tensor, y: Tensor) -> Tensor:
    """True where x >= y; False where either is nan.

    x, y: any shapes that broadcast, or one a number. Returns the broadcast shape, bool. Raises
    ShapeError where the shapes do not broadcast.

    >>> twinoar.greater_equal(twinoar.to_tensor([1, 1]), twinoar.to_tensor([1, 2])).tolist()
    [True, False]
    """


@method("__eq__")
def _eq(x: Tensor, y: Any) -> Tensor:
    # Python compares by identity where this declines: `x == None` is False, as in Paddle
    return equal.function(x, y) if _is_comparable(y) else NotImplemented


@method("__ne__")
def _ne(x: Tensor, y: Any) -> Tensor:
    return not_equal.function(x, y) if _is_comparable(y) else NotImplemented


def _is_comparable(y: Any) -> bool:
    return isinstance(y, (Value, bool, int, float, complex, SymbolicDim, np.ndarray, np.generic))


def _whole(x: Spec, y: Spec, **attrs: Any) -> Spec:
    return Spec((), bool_)


@primitive(
    method=True,
    infer=_whole,
    kernel=lambda x, y: np.asarray(np.array_equal(x, y)),
    promote=promote_operands,
    desc=Desc("equal_all", {"X": "x", "Y": "y"}),
)
def equal_all(x: Tensor, y: Tensor) -> Tensor:
    """True if x and y have the same shape and all elements are equal.

    x, y: any shapes. Returns [], bool.

    >>> x = twinoar.to_tensor([1, 2])
    >>> x.equal_all(x).item(), x.equal_all(x[:1]).item()
    (True, False)
    """


@equal_all.lower
def _(i, x, y):
    shapes = [e.shape if isinstance(e, loop.Reader) else () for e in (x, y)]
    if shapes[0] != shapes[1]:
        return False
    return loop.all_(shapes[0], lambda *k: loop.eq(loop.at(x, k), loop.at(y, k)))


@equal_all.samples
def _(s):
    x = s.ints(0, 3, 2, 3)
    yield s(x, x)
    yield s(x, 1 - x)
    yield s(x, x[0])
    yield s(x, x.astype(np.float32))
    yield s(x, 2)
    yield s(s.ints(2, 3), 2)
    yield s(s.zeros(0), s.zeros(0))


def _close(x: np.ndarray, y: np.ndarray, rtol: float, atol: float, equal_nan: bool) -> np.ndarray:
    x, y = (a.astype(np.float32) if a.dtype.itemsize == 2 else a for a in (x, y))
    return np.isclose(x, y, rtol, atol, equal_nan)


def _is_close(s: Any, x: Any, y: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    if not x.dtype.is_differentiable:
        x, y = s.cast(x, float64), s.cast(y, float64)
    near = s.le(s.abs(x - y), s.abs(y) * rtol + atol) & s.isfinite(y)
    out = near | s.eq(x, y)
    return out | (s.isnan(x) & s.isnan(y)) if equal_nan else out


def _close_desc(kind: str) -> Desc:
    """Paddle keeps the tolerances as text."""
    tolerances = {name: (name, repr, float) for name in ("rtol", "atol")}
    return Desc(kind, {"Input": "x", "Other": "y"}, attrs={**tolerances, "equal_nan": "equal_nan"})


def _close_samples(s):
    x = s.randn(2, 3)
    yield s(x, x + np.float32(1e-7))
    yield s(x, x * np.float32(1.01))
    yield s(x, x * np.float32(1.01), 0.1)
    yield s(x, x + np.float32(0.01), 0.0, 0.1)
    special = np.array([np.nan, np.inf, -np.inf, 1.0])
    yield s(special, special)
    yield s(special, special, equal_nan=True)
    yield s(x, x.astype(np.float64))
    yield s(s.ints(0, 3, 3), s.ints(0, 3, 3))
    yield s(s.randn(), s.randn())
    yield s(s.zeros(0), s.zeros(0))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(4))


@primitive(
    method=True,
    infer=elementwise_bool,
    kernel=_close,
    promote=promote_operands,
    scalar=_is_close,
    desc=_close_desc("isclose"),
    samples=_close_samples,
)
def isclose(
    x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """True where |x - y| <= atol + rtol * |y|; with `equal_nan`, also where both are nan.

    x, y: shapes that broadcast. Returns the broadcast shape, bool. Raises ShapeError where the
    shapes do not broadcast.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.isclose(x, twinoar.to_tensor([1.0, 2.1])).tolist()
    [True, False]
    """


def _are_close(i: Any, x: Any, y: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    return loop.all_(
        np.broadcast_shapes(x.shape, y.shape),
        lambda *k: _is_close(loop, x.broadcast(k), y.broadcast(k), rtol, atol, equal_nan),
    )


@primitive(
    slow_kernel=True,
    method=True,
    infer=lambda x, y, **attrs: Spec((), elementwise_bool(x, y).dtype),
    kernel=lambda x, y, rtol, atol, equal_nan: _close(x, y, rtol, atol, equal_nan).all(),
    lower=_are_close,
    promote=promote_operands,
    desc=_close_desc("allclose"),
    samples=_close_samples,
)
def allclose(
    x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """True if |x - y| <= atol + rtol * |y| everywhere; with `equal_nan`, nan is close to nan.

    x, y: shapes that broadcast. Returns [], bool. Raises ShapeError where the shapes do not
    broadcast.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.allclose(x, x + 1e-9).item()
    True
    """


def _test_samples(s):
    yield s(np.array([[np.nan, np.inf], [-np.inf, 0.0]], np.float32), gradient=False)
    yield s(np.array([np.nan, 1.0]), gradient=False)
    yield s(s.randn())
    yield s(s.ints(-3, 3, 4))
    yield s(s.zeros(0, 2))


# What all tests of elements share.
test_of_elements = partial(
    primitive, one_function=True, method=True, infer=elementwise_bool, samples=_test_samples
)


@test_of_elements(
    kernel=np.isnan,
    scalar=lambda s, x: s.isnan(x),
    desc=Desc("isnan_v2", {"X": "x"}),
)
def isnan(x: Tensor) -> Tensor:
    """True where x is not a number.

    x: [*]. Returns [*], bool.

    >>> twinoar.isnan(twinoar.to_tensor([float("nan"), 1.0])).tolist()
    [True, False]
    """


@test_of_elements(
    kernel=np.isinf,
    scalar=lambda s, x: s.isinf(x),
    desc=Desc("isinf_v2", {"X": "x"}),
)
def isinf(x: Tensor) -> Tensor:
    """True where x is infinite, of either sign.

    x: [*]. Returns [*], bool.

    >>> twinoar.isinf(twinoar.to_tensor([float("-inf"), 1.0])).tolist()
    [True, False]
    """


@test_of_elements(
    kernel=np.isfinite,
    scalar=lambda s, x: s.isfinite(x),
    desc=Desc("isfinite_v2", {"X": "x"}),
)
def isfinite(x: Tensor) -> Tensor:
    """True where x is neither infinite nor nan.

    x: [*]. Returns [*], bool.

    >>> twinoar.isfinite(twinoar.to_tensor([float("inf"), 1.0])).tolist()
    [False, True]
    """


@primitive(
    method=True,
    infer=lambda x: Spec((), bool_),
    kernel=lambda x: np.asarray(x.size == 0),
    lower=lambda i, x: 0 in x.shape,
    desc=Desc("is_empty", {"X": "x"}),
    samples=_test_samples,
)
def is_empty(x: Tensor) -> Tensor:
    """True if x has no elements.

    x: [*]. Returns [], bool.

    >>> twinoar.to_tensor([]).is_empty().item()
    True
    """

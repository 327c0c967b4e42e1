"""Loop language: what one element of an operator's result is, in terms of elements of its operands.

    @softmax.lower
    def _(i, x, axis): ...          # i: the index of the element, a tuple; x[j, k]: an element of x

Rules are written with the functions of this module, which they get as `s` where they are short:
`scalar=lambda s, x, y: s.max(x, y)`. The nodes they make are of these kinds, and every code
generator prints these and no others (see `twinoar.core.loop.expression`):

    const axis load var                     a value, a loop's counter, an element, a named value
    linear floordiv mod                     integers; `linear` is a sum of multiples
    add sub mul div neg abs min max fma     arithmetic
    sqrt floor ceil round trunc call        `call` is a function of twinoar.compile.math
    and or xor not shl shr                  bits, and logic on bool
    lt le eq select cast bitcast            comparison, choice, conversion
    reduce                                  sum, prod, min, max, any, all, argmin, argmax over axes;
                                            prod_real and prod_imag of complex terms
    bounded refused                         an index, a condition that is checked while it runs
    complex                                 two real numbers as one, which is only moved


Elements of float16, bfloat16 and float8 are read as float32, and rounded where they are stored.
"""

from __future__ import annotations

import builtins
import difflib
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from twinoar.core.dtype import (
    COMPLEX_OF,
    FLOAT8,
    DType,
    bfloat16,
    bool_,
    float16,
    float32,
    int64,
    uint8,
)
from twinoar.core.loop.axis import reduction_axis
from twinoar.core.loop.expression import (
    Axis,
    Expr,
    add,
    axis_value,
    cast,
    const,
    div,
    eq,
    floordiv,
    le,
    logic,
    lt,
    make,
    mod,
    mul,
    neg,
    not_,
    pair,
    power,
    select,
    sub,
    within,
    wrap,
)
from twinoar.core.loop.replacing import substitute
from twinoar.core.varying import greater, highest, is_one, lesser, lowest

__all__ = [
    "Axis", "Expr", "Reader", "abs", "add", "all_", "and_", "any_", "argmax", "argmin",
    "at", "bitcast", "bounded", "call", "cast", "ceil", "clamped", "compute_dtype", "conj", "const",
    "div", "eq", "flatten", "floor", "floordiv", "fma", "ge", "gt", "imag", "isfinite", "isinf",
    "isnan", "le", "lt", "max", "maximum", "min", "mod", "mul", "ne", "neg", "not_", "of_parts",
    "or_", "pair", "power", "prod", "real", "reduce", "refused", "round", "select", "shl", "shr",
    "sqrt", "sub", "sum", "trunc", "unflatten", "xor_",
]  # fmt: skip

NARROW = (float16, bfloat16, *FLOAT8)
FUNCTIONS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "digamma", "erf",
    "erfc", "erfinv", "exp", "exp2", "exp_flushing", "expm1", "i0", "i0e", "i1", "i1e", "lgamma",
    "log", "log10", "log1p", "log2", "pow", "rsqrt", "sigmoid", "sin", "sinh", "tan", "tanh",
    "trigamma",
)  # fmt: skip
DRAWS = (  # what random numbers are made of: see draws and rejection
    "bell", "binomial_quick", "binomial_try", "decay", "gamma_quick", "gamma_try",
    "poisson_quick", "poisson_try", "power_of_rest", "power_of_unit", "random_bits", "scaled",
    "waiting_time",
)  # fmt: skip


def compute_dtype(dtype: DType) -> DType:
    """The dtype in which elements of `dtype` are computed: float32 for floats of 16 and 8 bits."""
    return float32 if dtype in NARROW else dtype


# Elementwise.


def gt(x: Any, y: Any) -> Expr:
    """x > y, a bool."""
    return lt(y, x)


def ge(x: Any, y: Any) -> Expr:
    """x >= y, a bool."""
    return le(y, x)


def ne(x: Any, y: Any) -> Expr:
    """x != y, a bool; true of nan."""
    return not_(eq(x, y))


def and_(x: Any, y: Any) -> Expr:
    """Both, of bool; common bits, of integers."""
    return logic("and", x, y)


def or_(x: Any, y: Any) -> Expr:
    """Either, of bool; all bits, of integers."""
    return logic("or", x, y)


def xor_(x: Any, y: Any) -> Expr:
    """One of the two, of bool; differing bits, of integers."""
    return logic("xor", x, y)


def shl(x: Any, y: Any) -> Expr:
    """x * 2 ** y of integers, by bits."""
    x, y = pair(x, y)
    return make("shl", (x, y), x.dtype)


def shr(x: Any, y: Any) -> Expr:
    """x // 2 ** y of integers, by bits; the sign is kept."""
    x, y = pair(x, y)
    return make("shr", (x, y), x.dtype)


def max(x: Any, y: Any) -> Expr:
    """The greater one; nan if either is nan, as NumPy's maximum."""
    x, y = pair(x, y)
    if x.dtype is bool_:
        return logic("or", x, y)
    if le(x, y).value or le(y, x).value:  # known of some indices
        return wrap(y if le(x, y).value else x)
    (a, b), (c, d) = x.bounds, y.bounds
    low = a if c is None else c if a is None else greater(a, c)
    high = None if b is None or d is None else highest(b, d)
    return x if x is y else make("max", (x, y), x.dtype, (low, high))


def min(x: Any, y: Any) -> Expr:
    """The lesser one; nan if either is nan, as NumPy's minimum."""
    x, y = pair(x, y)
    if x.dtype is bool_:
        return logic("and", x, y)
    if le(x, y).value or le(y, x).value:  # known of some indices
        return wrap(x if le(x, y).value else y)
    (a, b), (c, d) = x.bounds, y.bounds
    low = None if a is None or c is None else lowest(a, c)
    high = b if d is None else d if b is None else lesser(b, d)
    return x if x is y else make("min", (x, y), x.dtype, (low, high))


maximum = max


def _unary(
    kind: str, doc: str, is_changed: Callable[[DType], bool] = lambda dtype: True
) -> Callable[[Any], Expr]:
    def function(x: Any) -> Expr:
        x = wrap(x)
        return make(kind, (x,), x.dtype) if is_changed(x.dtype) else x

    function.__name__, function.__doc__ = kind, doc
    return function


def _has_fractions(dtype: DType) -> bool:
    return dtype.is_differentiable


abs = _unary("abs", "The absolute value.", lambda dtype: dtype not in (bool_, uint8))
sqrt = _unary("sqrt", "The square root, correctly rounded.")
floor = _unary("floor", "x rounded down; integers are whole already.", _has_fractions)
ceil = _unary("ceil", "x rounded up, as `floor`.", _has_fractions)
round = _unary("round", "The nearest whole number, ties to even, as `floor`.", _has_fractions)
trunc = _unary("trunc", "x rounded towards zero, as `floor`.", _has_fractions)


def fma(x: Any, y: Any, z: Any) -> Expr:
    """x * y + z, rounded once."""
    x, y = pair(x, y)
    return make("fma", (x, y, wrap(z, x.dtype)), x.dtype)


def bitcast(x: Expr, dtype: DType) -> Expr:
    """The bits of x read as another dtype of the same size."""
    return make("bitcast", (x,), dtype)


def call(name: str, *args: Any) -> Expr:
    """One of FUNCTIONS or DRAWS, by name; `twinoar.compile.math` says how it is computed."""
    first = next(a for a in args if isinstance(a, Expr))
    return make("call", (name, *(wrap(a, first.dtype) for a in args)), first.dtype)


def __getattr__(name: str) -> Callable[..., Expr]:
    """`s.exp(x)` is `call("exp", x)`, and so for each of FUNCTIONS and DRAWS."""
    if name.startswith("__"):  # as imports ask for
        raise AttributeError(name)
    if name not in FUNCTIONS and name not in DRAWS:
        nearest = difflib.get_close_matches(name, [*FUNCTIONS, *__all__], 3)
        hint = f": the nearest are {', '.join(nearest)}" if nearest else ""
        raise AttributeError(f"the loop language has no {name}{hint}")
    return lambda *args: call(name, *args)


def isnan(x: Expr) -> Expr:
    """True of nan."""
    return ne(x, x)


def isfinite(x: Expr) -> Expr:
    """False of nan and the infinities."""
    if x.dtype.is_complex:
        return isfinite(real(x)) & isfinite(imag(x))
    return lt(abs(x), math.inf) if x.dtype.is_floating else const(True)


def isinf(x: Expr) -> Expr:
    """True of the infinities."""
    if x.dtype.is_complex:
        return isinf(real(x)) | isinf(imag(x))
    return eq(abs(x), math.inf) if x.dtype.is_floating else const(False)


# Complex numbers: what is computed with them, see `twinoar.core.loop.pairs`.


def real(x: Expr) -> Expr:
    """The real part; a real number as it is."""
    return make("real", (x,), x.dtype) if x.dtype.is_complex else x


def imag(x: Expr) -> Expr:
    """The imaginary part; 0 for a real number."""
    return make("imag", (x,), x.dtype) if x.dtype.is_complex else const(0, x.dtype)


def conj(x: Expr) -> Expr:
    """The complex conjugate; a real number as it is."""
    return of_parts(real(x), -imag(x)) if x.dtype.is_complex else x


def of_parts(real: Any, imag: Any) -> Expr:
    """The complex number of two real ones, in float32 or float64."""
    real, imag = pair(real, imag)
    return make("of_parts", (real, imag), COMPLEX_OF[real.dtype])


# Reduction: `sum(sizes, term)` is the sum of term(k0, k1, ...) for all k below sizes.


def reduce(kind: str, sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """`kind` (sum, prod, min, max, any, all, argmin, argmax) of term(k0, ...) for k below sizes.

    argmin and argmax give the position, in row-major order, of the first such element.
    """
    axes = tuple(Axis(n) for n in sizes)
    element = wrap(term(*map(axis_value, axes)))
    kept = tuple(a for a in axes if not is_one(a.size))
    if not kept:
        return const(0) if kind.startswith("arg") else element
    shared = tuple(reduction_axis(element.depth, n, a.size) for n, a in enumerate(kept))
    renamed = {a: axis_value(b) for a, b in zip(kept, shared, strict=True)}
    element = substitute(element, renamed)
    if kind.startswith("arg"):
        bounds = (0, math.prod(a.size for a in kept) - 1)
        return make("reduce", (kind, shared, element), int64, bounds)
    kind = OF_BOOL.get(kind, kind) if element.dtype is bool_ else kind
    return make("reduce", (kind, shared, element), element.dtype)


OF_BOOL = {"sum": "any", "max": "any", "prod": "all", "min": "all"}


def sum(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """The sum of term(k0, k1, ...) for all k below sizes; in the dtype of the term."""
    return reduce("sum", sizes, term)


def prod(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """The product, as `sum`."""
    return reduce("prod", sizes, term)


def any_(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """Whether any term holds, as `sum`."""
    return reduce("any", sizes, term)


def all_(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """Whether all terms hold, as `sum`."""
    return reduce("all", sizes, term)


def argmax(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """Where the first greatest term is, in row-major order; a nan counts as greatest."""
    return reduce("argmax", sizes, term)


def argmin(sizes: Iterable[int], term: Callable[..., Any]) -> Expr:
    """Where the first least term is, as `argmax`."""
    return reduce("argmin", sizes, term)


# Indices.


def bounded(index: Any, size: int, what: str = "index") -> Expr:
    """An index that data gave: checked to be in [0, size) while running; 0 where it is not.

    The run then ends in an error that names `what` and the operator.
    """
    index = wrap(index)
    if within(index, 0, size):
        return index
    return make("bounded", (index, size, what), int64, (0, builtins.max(size - 1, 0)))


def refused(condition: Any, value: Any, message: str) -> Expr:
    """`value`; where the condition holds it is 0, and the run ends in an error that says `message`.

    It is a bounded index without places, for which 0 alone is right.
    """
    condition = cast(condition, int64)
    is_right = eq(make("bounded", (condition, 0, message), int64), 0)
    return select(is_right, value, 0)


def at(x: Any, index: Sequence[Any]) -> Any:
    """The element of an operand at an index of a shape that it broadcasts to; numbers stay."""
    return x.broadcast(index) if isinstance(x, Reader) else x


def flatten(index: Sequence[Any], shape: Sequence[int]) -> Expr:
    """The position of an element in row-major order."""
    position = const(0)
    for i, n in zip(index, shape, strict=True):
        position = position * n + i
    return position


def unflatten(position: Any, shape: Sequence[int]) -> tuple[Expr, ...]:
    """The index of the element at a position in row-major order."""
    position, index = wrap(position), []
    for n in reversed(shape[1:]):
        index.append(const(0) if is_one(n) else mod(position, n))
        position = position if is_one(n) else floordiv(position, n)
    return (position, *reversed(index)) if shape else ()


class Reader:
    """An operand as a rule sees it: `x[i, j]` is an element, loaded or computed on the spot."""

    __slots__ = ("dtype", "element", "shape")

    def __init__(
        self, shape: Sequence[int], dtype: DType, element: Callable[[tuple[Expr, ...]], Expr]
    ):
        self.shape, self.dtype, self.element = tuple(shape), dtype, element

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def __getitem__(self, index: Any) -> Expr:
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(self.shape):
            raise TypeError(f"{len(self.shape)} dimensions, received {len(index)} indices")
        return self.element(tuple(wrap(i, int64) for i in index))

    def broadcast(self, index: Sequence[Any]) -> Expr:
        """The element at an index of a shape that this one broadcasts to."""
        own = index[len(index) - len(self.shape) :]
        return self[tuple(0 if is_one(n) else i for i, n in zip(own, self.shape, strict=True))]

    def padded(self, index: Sequence[Any], fill: Any = 0) -> Expr:
        """The element at an index, or `fill` where that lies outside."""
        if 0 in self.shape:
            return wrap(fill, compute_dtype(self.dtype))
        inside = const(True)
        for i, n in zip(index, self.shape, strict=True):
            inside = inside & le(0, wrap(i)) & lt(wrap(i), n)
        kept = tuple(clamped(i, n) for i, n in zip(index, self.shape, strict=True))
        return select(inside, self[kept], fill)

    def over(
        self, i: Sequence[Expr], axes: Iterable[int], keepdim: bool
    ) -> tuple[tuple[int, ...], Callable[..., Expr]]:
        """What element i of a reduction over axes, counted from 0, reduces: sizes and term."""
        axes = tuple(axes)
        kept = [k for k in range(self.ndim) if k not in axes]
        given = dict(zip(kept, [i[k] for k in kept] if keepdim else i, strict=True))

        def term(*counters: Expr) -> Expr:
            index = {**given, **dict(zip(axes, counters, strict=True))}
            return self[tuple(index[k] for k in range(self.ndim))]

        return tuple(self.shape[a] for a in axes), term


def clamped(index: Any, size: int) -> Expr:
    """The index moved into [0, size), so that reading there is safe."""
    return min(max(wrap(index), 0), builtins.max(size - 1, 0))
